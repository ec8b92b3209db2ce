"""A ladder is made bit by bit: others get their turn meanwhile, nobody sees half of it, and it can be completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.rules.v1 import envelope_pb2
from papamu.tiki.v1 import tiki_pb2
from sqlalchemy import event, func, select

from services.common.errors import AlreadyExists, NotFound
from services.ladder import check, store
from services.ladder.store import LadderPlan
from services.ladder.tables import game
from tests.services.ladder.bench import Bench

CHUNK = 10
GAMES = 4 * CHUNK


def wish(blocks: int = GAMES // 2, secret: bytes = b"") -> LadderPlan:
    setup = envelope_pb2.Setup(tiki=tiki_pb2.Options())
    return check.plan(
        pb.CreateLadderRequest(request_id="large", setup=setup, bots=["random", "greedy"], blocks=blocks, secret=secret)
    )


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "INSERT_ROWS", CHUNK)


@contextmanager
def at_each_commit(bench: Bench, call: Callable[[], None]) -> Iterator[None]:
    """Calls it before every commit."""

    def before(_connection: object) -> None:
        call()

    event.listen(bench.store.database.engine, "commit", before)
    try:
        yield
    finally:
        event.remove(bench.store.database.engine, "commit", before)


def rows(bench: Bench, ladder_id: str) -> list[tuple[Any, ...]]:
    """The whole schedule, as it was written."""
    columns = ("id", "number", "block", "rotation", "players", "state", "batch_id")
    return [tuple(getattr(row, name) for name in columns) for row in bench.store.games(ladder_id, 1000, 0, 0)]


def written(bench: Bench) -> int:
    with bench.store.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(game)) or 0


class Killed(BaseException):
    pass


def make_until(bench: Bench, commits: int, plan: LadderPlan) -> None:
    """Makes the ladder in a process that is killed before it commits once more than that."""
    left = [commits]

    def kill() -> None:
        if not left[0]:
            raise Killed
        left[0] -= 1

    with at_each_commit(bench, kill), pytest.raises(Killed):
        bench.store.create_ladder(plan)


@pytest.mark.parametrize("blocks", [1, CHUNK // 2, CHUNK // 2 + 1, GAMES // 2])
def test_the_schedule_does_not_depend_on_how_it_was_written(bench: Bench, blocks: int) -> None:
    secret = b"0123456789abcdef"
    made = rows(bench, bench.store.create_ladder(wish(blocks, secret)))
    scheduled = store.schedule.schedule(2, 2, blocks, secret)
    assert [row[1:4] for row in made] == [(s.number, s.block, s.rotation) for s in scheduled]


@pytest.mark.parametrize("commits", range(GAMES // CHUNK + 1))
@pytest.mark.parametrize("secret", [b"", b"0123456789abcdef"])
def test_what_a_killed_service_left_is_seen_by_nobody_and_completed_by_the_next_try(
    bench: Bench, commits: int, secret: bytes
) -> None:
    make_until(bench, commits, wish(secret=secret))
    assert written(bench) == CHUNK * max(commits - 1, 0)
    assert bench.store.ladders(10, None) == []
    other = bench.ladder(blocks=1, request_id="small")
    assert len(bench.batches()) == 1
    if commits:
        with pytest.raises(AlreadyExists):
            bench.store.create_ladder(wish(blocks=3, secret=secret))

    ladder_id = bench.store.create_ladder(wish(secret=secret))
    assert [row[1] for row in rows(bench, ladder_id)] == list(range(GAMES))
    seeds = bytes(bench.store.ladder(ladder_id).secret)
    scheduled = store.schedule.schedule(2, 2, GAMES // 2, seeds)
    assert [row[2:4] for row in rows(bench, ladder_id)] == [(s.block, s.rotation) for s in scheduled]
    assert bench.store.ladder(ladder_id).state == pb.LADDER_STATE_RUNNING
    assert {row.id for row in bench.store.ladders(10, None)} == {other, ladder_id}
    assert bench.store.create_ladder(wish(secret=secret)) == ladder_id
    assert written(bench) == GAMES + 2


def test_half_a_ladder_cannot_be_asked_for_or_changed(bench: Bench) -> None:
    make_until(bench, 3, wish())
    with bench.store.database.read() as connection:
        ladder_id = connection.scalar(select(game.c.ladder_id).limit(1))
    assert ladder_id is not None
    for ask in (
        lambda: bench.store.ladder(ladder_id),
        lambda: bench.store.games(ladder_id, 10, 0, 0),
        lambda: bench.store.results(ladder_id),
        lambda: bench.store.set_state(ladder_id, pb.LADDER_STATE_CANCELLED),
        lambda: bench.store.set_state(ladder_id, pb.LADDER_STATE_RUNNING),
    ):
        with pytest.raises(NotFound):
            ask()
    bench.leases.plan(100)
    assert bench.batches() == []


def test_workers_are_heard_while_a_ladder_is_made(bench: Bench) -> None:
    bench.ladder(blocks=1, request_id="small")
    (batch,) = bench.batches()
    bench.leases.claim(batch, "a", "token-of-a")
    most, before = 0, written(bench)

    def look() -> None:
        nonlocal most, before
        now = written(bench)
        most, before = max(most, now - before), now

    with at_each_commit(bench, look):
        bench.store.create_ladder(wish())
    look()
    assert 0 < most <= CHUNK
    assert bench.leases.heartbeat(batch, "token-of-a", pb.Progress()).command == pb.COMMAND_CONTINUE


def test_two_at_once_make_one_ladder(bench: Bench) -> None:
    """A caller tries again while his first call runs on."""
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(lambda _: bench.store.create_ladder(wish()), range(4)))
    (ladder_id,) = made
    assert [row[1] for row in rows(bench, ladder_id)] == list(range(GAMES))
    assert bench.store.ladder(ladder_id).state == pb.LADDER_STATE_RUNNING
