"""What the Python client raises: the same whichever way a question is asked, and nothing but its own kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from grpc_status import rpc_status
from papamu import sdk
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.sdk.errors import from_fault, from_rpc_error

from engines.core.game import BadInput, Reason, Violation
from engines.registry import UnknownEdition
from services.common import errors
from services.rules.session import fault_of


@pytest.fixture(scope="module")
def client(running: Any) -> Iterator[sdk.Client]:
    with sdk.Client(str(running.server.address)) as made:
        yield made


def told(error: object) -> dict[str, Any]:
    """All that a caller can read of an error."""
    assert isinstance(error, sdk.PapamuError)
    facts = {name: getattr(error, name) for name in dir(error) if not name.startswith("_")}
    return {"class": type(error), "text": str(error), **{name: of for name, of in facts.items() if not callable(of)}}


class Failed(grpc.RpcError):
    """A failed unary call, as gRPC tells it."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._status = rpc_status.to_status(errors.status_of(error))

    def code(self) -> grpc.StatusCode:
        return self._status.code

    def details(self) -> str:
        return self._status.details

    def trailing_metadata(self) -> Any:
        return self._status.trailing_metadata


def kinds(base: type[errors.CallError]) -> Iterator[type[errors.CallError]]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


REASONS = [Reason("tiki.create.occupied", env.RULE_KIND_RULE, "a1 holds a tiki", "move.tiki.create.village")]
SPECIAL: dict[type[Exception], Exception] = {
    errors.Refused: errors.Refused(REASONS, 3),
    BadInput: BadInput([Violation("setup.tiki", "is odd", "tiki.option.range"), Violation("", "is odd too")]),
    UnknownEdition: UnknownEdition("tiki-moon", ["tiki-base@1", "tiki-sun@2"]),
    KeyError: KeyError("our fault"),
}
DOMAIN = [*SPECIAL.values(), *(kind("for a reason") for kind in kinds(errors.CallError) if kind not in SPECIAL)]


@pytest.mark.parametrize("error", DOMAIN, ids=lambda error: type(error).__name__)
def test_a_fault_is_the_error_of_a_call_of_its_own(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors.secrets, "token_hex", lambda _: "the same id")
    assert told(from_fault(fault_of(error))) == told(from_rpc_error(Failed(error)))


def test_unary_batch_and_session_raise_equal_errors(client: sdk.Client, opening: env.Position) -> None:
    create = env.Move(tiki={"create": {"village": 0}})
    elsewhere = env.Position.FromString(opening.SerializeToString())
    elsewhere.setup.edition = "tiki-moon"
    wrong = env.Move(tiki={"create": {"village": 99}})
    refused = pb.ApplyMovesRequest(position=opening, actions=[{"move": create}, {"move": create}])
    unknown = pb.ValidateMoveRequest(position=elsewhere, action={"move": create})
    bad = pb.ValidateMoveRequest(position=opening, action={"move": wrong})
    asked = {
        "MOVE_REFUSED": (sdk.MoveRefused, refused),
        "UNKNOWN_EDITION": (sdk.UnknownEdition, unknown),
        "BAD_INPUT": (sdk.InvalidInput, bad),
    }
    streamed = list(client.session(request for _, request in asked.values()))
    for (reason, (kind, request)), answer in zip(asked.items(), streamed, strict=True):
        with pytest.raises(kind) as raised:
            client.call(request)
        assert raised.value.reason == reason
        assert told(answer) == told(raised.value)
        if isinstance(request, pb.ValidateMoveRequest):
            (one,) = client.validate_many([(request.position, request.action)])
            assert told(one) == told(raised.value)
    unknown_edition = streamed[1]
    assert isinstance(unknown_edition, sdk.UnknownEdition)
    assert any(name.startswith("tiki-base@") for name in unknown_edition.known)
