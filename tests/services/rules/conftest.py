"""One rules server for a module of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from grpc_status import rpc_status
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub

from services.rules.server import add_rules


@pytest.fixture(scope="module")
def running(start: Callable[..., Any]) -> Any:
    return start(add_rules)


@pytest.fixture(scope="module")
def stub(running: Any) -> RulesServiceStub:
    return RulesServiceStub(running.channel)


@pytest.fixture(scope="module")
def opening(stub: RulesServiceStub) -> env.Position:
    """Tiki with a fixed layout and starter: no chance moves."""
    options = {"layout": "1,M,1/X,2,M/1,M,1", "starter": "STARTER_SEAT0"}
    return stub.NewGame(pb.NewGameRequest(setup={"tiki": options})).position


@pytest.fixture(scope="session")
def failure() -> Callable[..., tuple[grpc.StatusCode, dict[str, Any]]]:
    """Makes a call that fails; gives status code and details by message name."""

    def fails(call: Callable[[], Any]) -> tuple[grpc.StatusCode, dict[str, Any]]:
        with pytest.raises(grpc.RpcError) as caught:
            call()
        status = rpc_status.from_call(caught.value)
        assert status is not None
        details: dict[str, Any] = {"message": status.message, "fields": []}
        for kind in (ErrorInfo, BadRequest, env.Refusal):
            for packed in status.details:
                message = kind()
                if packed.Unpack(message):
                    details[kind.__name__] = message
                    if kind is BadRequest:
                        details["fields"] = [v.field for v in message.field_violations]
        return caught.value.code(), details

    return fails
