"""The Python client, sync and async, against a real server."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from papamu import sdk
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb

from services.common.server import Server


@pytest.fixture(scope="module")
def client(running: Any) -> Iterator[sdk.Client]:
    with sdk.Client(str(running.server.address)) as made:
        yield made


def create(village: int) -> env.Move:
    return env.Move(tiki={"create": {"village": village}})


def test_a_game_is_played_by_tokens(client: sdk.Client) -> None:
    game = client.play("tiki", {"turn_limit": 6}, seed=7)
    made = len(game.actions)
    while not game.over:
        assert game.seat in (0, 1)
        game.move(game.tokens()[0])
    assert game.end_reason == "TURN_LIMIT"
    assert len(game.score().scores) == 2
    assert made == 10 < len(game.actions)


def test_a_refused_move_tells_why_and_changes_nothing(client: sdk.Client) -> None:
    game = client.play("tiki", {"layout": "1,M,1/X,2,M/1,M,1", "starter": "STARTER_SEAT0"})
    game.move("@a1")
    before = game.position
    with pytest.raises(sdk.MoveRefused, match="a1 holds a tiki") as caught:
        game.move(create(0))
    assert [r.id for r in caught.value.reasons] == ["tiki.create.occupied"]
    assert caught.value.fields[0].field == "actions[0].move.tiki.create.village"
    with pytest.raises(ValueError, match="none of the legal moves"):
        game.move("@z9")
    assert game.position == before
    assert game.tokens()


def test_errors_are_typed(client: sdk.Client) -> None:
    with pytest.raises(sdk.InvalidInput) as bad:
        client.new_game("tiki", {"turn_limit": 100_000})
    assert bad.value.fields[0].field == "setup.tiki.turn_limit"
    with pytest.raises(sdk.UnknownEdition) as unknown:
        client.new_game("tiki", edition="tiki-moon")
    assert any(name.startswith("tiki-base@") for name in unknown.value.known)
    with pytest.raises(sdk.NotFound):
        client.rule("tiki.nothing")
    for size in (2 << 20, 8 << 20):  # the server's own limit, and gRPC's
        with pytest.raises(sdk.InvalidInput) as long:
            client.verify_record("x" * size)
        assert long.value.reason == "MESSAGE_TOO_LARGE"
    with sdk.Client("127.0.0.1:1", timeout=1) as nowhere, pytest.raises((sdk.Unavailable, sdk.DeadlineExceeded)):
        nowhere.games()


def test_the_token_is_shown(start: Callable[..., Any]) -> None:
    from services.rules.server import add_rules

    address = str(start(add_rules, token="sesame").server.address)
    with sdk.Client(address) as stranger, pytest.raises(sdk.Unauthenticated):
        stranger.games()
    with sdk.Client(address, token="sesame") as friend:
        assert friend.games()


def test_questions_about_positions(client: sdk.Client) -> None:
    position = client.new_game("tiki", seed=1).position
    seat = client.legal_moves(position).actor.seat
    view = client.observe(position, seat)
    assert client.legal_moves(view) == client.legal_moves(position)
    assert client.validate(view, create(0)).legal
    assert not client.validate(position, create(0), seat=1 - seat).legal
    assert client.validate_position(position).valid
    one, two = client.validate_many([(position, create(0)), (position, create(99))])
    assert isinstance(one, pb.ValidateMoveResponse)
    assert isinstance(two, sdk.InvalidInput)
    assert client.score(position).placements == [1, 1]
    assert client.apply(position, [create(0)]).position.tiki.stacks[0].seats == [seat]
    assert not client.verify_record('[Game "tiki"]').valid
    assert client.game("tiki").summary.slug == client.rule("tiki.game.over").game == "tiki"


def test_streams(client: sdk.Client) -> None:
    position = client.new_game("tiki", seed=1).position
    reports = list(client.analyze(pb.AnalyzePositionRequest(position=position, simulations=50)))
    assert reports[-1].final
    asked = [pb.ListLegalMovesRequest(position=position), pb.ListLegalMovesRequest()] * 500
    answers = list(client.session(asked))
    assert len(answers) == 1000
    assert answers[0] == client.legal_moves(position)
    assert isinstance(answers[1], sdk.InvalidInput)


class Mine(Exception):
    """An error of the caller's own."""


def broken(position: env.Position, fault: Exception | None = None) -> Iterator[Any]:
    """Questions whose source fails, or that hold one that sessions do not take."""
    yield pb.ListLegalMovesRequest(position=position)
    if fault:
        raise fault
    yield pb.ListGamesRequest()


def test_what_the_questions_of_a_session_raise_reaches_the_caller(client: sdk.Client, caplog: Any) -> None:
    position = client.new_game("tiki", seed=1).position
    for fault, kind in ((Mine("no more"), Mine), (None, TypeError)):
        answers = client.session(broken(position, fault))
        assert next(answers) == client.legal_moves(position)
        with pytest.raises(kind, match=r"no more|a session takes no ListGamesRequest"):
            next(answers)
    assert not caplog.records


def test_calls_survive_a_restart_of_the_server(start: Callable[..., Any], tmp_path: Path) -> None:
    """The client tries again while the server is UNAVAILABLE."""
    from services.common.metrics import CallMetrics, new_registry
    from services.common.settings import load
    from services.rules.server import add_rules

    def serve() -> Server:
        server = Server(f"unix:{tmp_path}/rules.sock", load(), CallMetrics(new_registry()))
        add_rules(server)
        server.start()
        return server

    first = serve()
    with sdk.Client(str(first.address)) as client:
        assert client.games()
        first.drain()
        second = serve()
        assert client.games()
        second.drain()


def test_the_async_client_has_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(sdk.Client) == public(sdk.AsyncClient)
    assert public(sdk.Game) == public(sdk.AsyncGame)
    for name in public(sdk.Client) - {"session"}:  # only asyncio has two kinds of iterables
        one, other = (inspect.signature(getattr(kind, name)).parameters for kind in (sdk.Client, sdk.AsyncClient))
        assert one == other, name


def test_the_async_client_plays(running: Any) -> None:
    async def play() -> None:
        async with sdk.AsyncClient(str(running.server.address)) as client:
            game = await client.play("tiki", {"turn_limit": 4}, seed=2)
            with pytest.raises(sdk.MoveRefused):
                await game.move(env.Move(tiki={"pass": {}}))
            while not game.over:
                await game.move((await game.tokens())[0])
            assert (await game.score()).end_reason == "TURN_LIMIT"
            position = (await client.new_game("tiki", seed=1)).position
            ask = pb.AnalyzePositionRequest(position=position, simulations=50)
            assert [r async for r in client.analyze(ask)][-1].final
            answers = [a async for a in client.session([pb.ListLegalMovesRequest(position=position)] * 20)]
            assert answers == [await client.legal_moves(position)] * 20
            with pytest.raises(Mine):
                assert [a async for a in client.session(broken(position, Mine()))]
            assert {g.slug for g in await client.games()} >= {"tiki"}

    asyncio.run(play())


def test_an_async_session_asks_about_what_was_answered(running: Any) -> None:
    async def play() -> None:
        async with sdk.AsyncClient(str(running.server.address)) as client:
            first: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

            async def asked() -> AsyncIterator[Any]:
                yield pb.NewGameRequest(setup={"tiki": {}}, seed=1)
                yield pb.ListLegalMovesRequest(position=(await first).position)
                raise Mine

            answers = client.session(asked())
            first.set_result(await anext(answers))
            assert await anext(answers) == await client.legal_moves(first.result().position)
            with pytest.raises(Mine):
                await anext(answers)

    asyncio.run(play())
