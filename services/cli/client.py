"""Calls of the services that this installation's settings name, and what their refusals mean to a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
from papamu.ladder.v1 import ladder_pb2_grpc
from papamu.records.v1 import service_pb2_grpc
from papamu.sdk.channel import authorization

from services.cli.home import Home
from services.cli.output import Exit, Stop
from services.common.channel import dial
from services.common.settings import Settings, load

CALL = 30.0
"""Seconds that a call may take."""
CODES = {
    grpc.StatusCode.INVALID_ARGUMENT: Exit.USAGE,
    grpc.StatusCode.NOT_FOUND: Exit.USAGE,
    grpc.StatusCode.OUT_OF_RANGE: Exit.USAGE,
    grpc.StatusCode.FAILED_PRECONDITION: Exit.NO,
    grpc.StatusCode.ALREADY_EXISTS: Exit.NO,
    grpc.StatusCode.UNAVAILABLE: Exit.UNREACHABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED: Exit.UNREACHABLE,
}


class Service:
    """One service: `service.call("GetLadder", request)` gives the answer or ends the command with words."""

    def __init__(self, name: str, address: str, settings: Settings, stub: Any) -> None:
        self._name, self._address = name, address
        self._channel = dial(address, settings)
        self._stub = stub(self._channel)
        self._metadata = authorization(settings.token.get_secret_value())

    def call(self, method: str, request: Any, timeout: float = CALL, if_late: str = "") -> Any:
        """The answer. Raises Stop with the refusal's own words, and with `if_late` when there is none in time."""
        try:
            return getattr(self._stub, method)(request, timeout=timeout, metadata=self._metadata)
        except grpc.RpcError as error:
            raise self._stop(error, if_late) from error

    def _stop(self, error: grpc.RpcError, if_late: str) -> Stop:
        code, details = error.code(), error.details()
        if code is grpc.StatusCode.UNAVAILABLE and not _from_service(error):
            text = f"no {self._name} service answers at {self._address}; `papamu up` starts one, `papamu status` looks"
        elif code is grpc.StatusCode.DEADLINE_EXCEEDED:
            text = f"the {self._name} service did not answer in time" + (f"; {if_late}" if if_late else "")
        elif code is grpc.StatusCode.UNAUTHENTICATED:
            text = "the service wants a token: set PAPAMU_TOKEN"
        else:
            text = details or code.name
        return Stop(text, CODES.get(code, Exit.FAILED))

    def close(self) -> None:
        """Closes the channel."""
        self._channel.close()


def _from_service(error: grpc.RpcError) -> bool:
    """Whether a service has said so itself: what gRPC says for one that is not there has no details."""
    return any(item.key == "grpc-status-details-bin" for item in error.trailing_metadata() or ())


@contextmanager
def ladders() -> Iterator[Service]:
    """The ladder service."""
    with _service("ladder", ladder_pb2_grpc.LadderServiceStub) as service:
        yield service


@contextmanager
def records() -> Iterator[Service]:
    """The record service."""
    with _service("records", service_pb2_grpc.RecordServiceStub) as service:
        yield service


@contextmanager
def _service(name: str, stub: Any) -> Iterator[Service]:
    settings = load()
    service = Service(name, address(settings, name), settings, stub)
    try:
        yield service
    finally:
        service.close()


def address(settings: Settings, name: str) -> str:
    """Where a service listens: as set, else where the running `papamu up` of the data folder has it."""
    setting = f"{name}_address"
    running = None if setting in settings.model_fields_set else Home(settings).running()
    return running.addresses[name] if running else str(getattr(settings, setting))
