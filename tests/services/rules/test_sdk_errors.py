"""What the Python client raises: the same whichever way a question is asked, and nothing but its own kinds."""

from __future__ import annotations

import asyncio
import inspect
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from grpc_status import rpc_status
from papamu import sdk
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.sdk.errors import from_fault, from_rpc_error
from papamu.sdk.requests import METHODS

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


CALLS: dict[str, Callable[[Any, env.Position], Any]] = {
    "analyze": lambda client, position: client.analyze(pb.AnalyzePositionRequest(position=position)),
    "apply": lambda client, position: client.apply(position, []),
    "call": lambda client, _: client.call(pb.ListGamesRequest()),
    "game": lambda client, _: client.game("tiki"),
    "games": lambda client, _: client.games(),
    "legal_moves": lambda client, position: client.legal_moves(position),
    "new_game": lambda client, _: client.new_game("tiki"),
    "observe": lambda client, position: client.observe(position, 0),
    "play": lambda client, _: client.play("tiki"),
    "rule": lambda client, _: client.rule("tiki.game.over"),
    "score": lambda client, position: client.score(position),
    "session": lambda client, position: client.session([pb.ListLegalMovesRequest(position=position)]),
    "validate": lambda client, position: client.validate(position, env.Move()),
    "validate_many": lambda client, position: client.validate_many([(position, env.Move())]),
    "validate_position": lambda client, position: client.validate_position(position),
    "verify_record": lambda client, _: client.verify_record(""),
}
"""A call of every method of a client."""


def test_no_method_is_left_out() -> None:
    assert sorted(CALLS) == sorted(name for name in vars(sdk.Client) if not name.startswith("_") and name != "close")


@pytest.mark.parametrize("name", CALLS)
def test_a_closed_client_says_so(name: str, running: Any, opening: env.Position) -> None:
    address = str(running.server.address)
    client = sdk.Client(address)
    client.close()
    client.close()
    with pytest.raises(sdk.Closed, match="the client is closed"):
        list(CALLS[name](client, opening))

    async def ask() -> None:
        client = sdk.AsyncClient(address)
        await client.close()
        answer = CALLS[name](client, opening)
        with pytest.raises(sdk.Closed):
            await (anext(answer) if inspect.isasyncgen(answer) else answer)

    asyncio.run(ask())


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that takes calls and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_a_call_under_way_learns_that_its_client_was_closed(silent: str) -> None:
    client = sdk.Client(silent, timeout=60)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.games)
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        client.close()
        with pytest.raises(sdk.Closed):
            waiting.result(10)


def test_so_do_streams(running: Any, opening: env.Position) -> None:
    ask = pb.AnalyzePositionRequest(position=opening, milliseconds=20_000, report_every=50)
    for stream in (
        lambda c: c.analyze(ask),
        lambda c: c.session(iter([pb.ListLegalMovesRequest(position=opening)] * 9000)),
    ):
        client = sdk.Client(str(running.server.address))
        answers = stream(client)
        next(answers)
        client.close()
        with pytest.raises(sdk.Closed):
            list(answers)


def test_the_async_client_tells_a_closed_client_from_a_cancelled_task(
    silent: str, running: Any, opening: env.Position
) -> None:
    async def close_under_way() -> None:
        client = sdk.AsyncClient(silent, timeout=60)
        waiting, cancelled = (asyncio.create_task(client.games()) for _ in range(2))
        await asyncio.sleep(0.3)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        await client.close()
        with pytest.raises(sdk.Closed):
            await waiting
        client = sdk.AsyncClient(str(running.server.address))
        reports = client.analyze(pb.AnalyzePositionRequest(position=opening, milliseconds=20_000, report_every=50))
        await anext(reports)
        await client.close()
        with pytest.raises(sdk.Closed):
            _ = [report async for report in reports]

    asyncio.run(close_under_way())


def test_what_is_no_unary_call_is_a_type_error(client: sdk.Client) -> None:
    for request in (pb.AnalyzePositionRequest(), pb.SessionRequest(), pb.NewGameResponse(), env.Move()):
        with pytest.raises(TypeError, match=f"no unary call takes a {type(request).DESCRIPTOR.name}"):
            client.call(request)


def test_every_question_takes_an_observation_where_the_call_does(client: sdk.Client, opening: env.Position) -> None:
    seen = client.observe(opening, 0)
    create = env.Move(tiki={"create": {"village": 0}})
    assert client.legal_moves(seen) == client.legal_moves(opening)
    assert client.score(seen) == client.score(opening)
    assert client.validate(seen, create) == client.validate(opening, create)
    assert client.validate_many([(seen, create)]) == client.validate_many([(opening, create)])
    takes = {name for name, (request, *_) in METHODS.items() if "observation" in request.DESCRIPTOR.fields_by_name}
    assert takes == {"ListLegalMoves", "ValidateMove", "ScorePosition", "AnalyzePosition"}, (
        "has the client a way to ask?"
    )
