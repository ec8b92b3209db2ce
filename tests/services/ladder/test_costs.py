"""What is asked all the time costs no more when more games were ever played; counted in steps of SQLite's machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb
from sqlalchemy import event, insert, update

from services.ladder.dispatch import BACKLOG
from services.ladder.leases import Leases
from services.ladder.outbox import Outbox
from services.ladder.results import store_results, void
from services.ladder.rows import owner_of
from services.ladder.store import Store
from services.ladder.tables import BATCH_DONE, batch, game
from tests.services.ladder.bench import LEASE, Bench
from tests.support.databases import Databases

STEP = 20
"""Steps that are counted as one."""


class Steps:
    """Counts on every connection of a bench's database."""

    def __init__(self, bench: Bench) -> None:
        self._count = 0
        bench.store.database.engine.dispose()
        event.listen(bench.store.database.engine, "connect", self._watch)

    def _watch(self, connection: object, _record: object) -> None:
        connection.set_progress_handler(self._step, STEP)  # type: ignore[attr-defined]

    def _step(self) -> int:
        self._count += 1
        return 0

    def of(self, call: Callable[[], object]) -> int:
        call()  # fills caches
        before = self._count
        call()
        return self._count - before


@contextmanager
def grown(databases: Databases, blocks: int) -> Iterator[tuple[Bench, str]]:
    """A running ladder, half of it played: two thirds of its records delivered, some held; then another, all played."""
    with databases.open("sqlite", "services.ladder.migrations") as opened:
        store = Store(opened, lambda: 1000.0)
        store.add_built_in_bots()
        bench = Bench(store, Leases(opened, LEASE, lambda: 1000.0), [1000.0])
        old = bench.ladder(blocks=blocks, request_id="old")
        running = bench.ladder(blocks=blocks)
        done = {"state": pb.GAME_STATE_DONE, "batch_id": None}
        with opened.write() as connection:
            connection.execute(update(batch).values(state=BATCH_DONE))
            connection.execute(insert(batch), [{"ladder_id": old, "state": BATCH_DONE} for _ in range(blocks)])
            connection.execute(update(game).values(batch_id=None))
            connection.execute(update(game).where(game.c.ladder_id == old).values(done))
            connection.execute(update(game).where(game.c.ladder_id == running, game.c.number < blocks).values(done))
        bench.leases.plan(BACKLOG)
        batches = bench.batches()
        for number in batches[:4]:
            bench.leases.claim(number, "a", f"token-{number}")
        with opened.write() as connection:
            owner = owner_of(connection, batches[0])
            rows = [*store.games(running, 2, blocks // 2, 0), *store.games(running, 4, blocks, 0)]
            store_results(connection, [void(owner, row) for row in rows], 1000.0)
        yield bench, running


@pytest.mark.parametrize(
    "ask",
    [
        lambda bench, running: bench.store.status(),
        lambda bench, running: bench.store.ended_blocks(running, {0, 1, 50}),
        lambda bench, running: bench.store.games(running, 50, 10, 0),
        lambda bench, running: Outbox(bench.store.database).next(50),
        lambda bench, running: bench.leases.plan(BACKLOG),
        lambda bench, running: bench.leases.waiting(2000.0),
        lambda bench, running: bench.leases.reap(),
        lambda bench, running: bench.leases.claim(bench.batches()[0], "b", "token-of-b"),
    ],
    ids=["status", "ended_blocks", "games", "outbox", "plan", "waiting", "reap", "claim"],
)
def test_what_is_asked_all_the_time_costs_the_same_in_a_large_database(
    databases: Databases, ask: Callable[[Bench, str], object]
) -> None:
    steps = []
    for blocks in (300, 1200):
        with grown(databases, blocks) as (bench, running):
            assert bench.store.status().outbox_held >= 3
            steps.append(Steps(bench).of(lambda: ask(bench, running)))
    few, many = steps
    assert many <= 1.2 * few + 10, f"{few} steps grew to {many}"
