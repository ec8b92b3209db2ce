"""The clockwork: one thing that goes wrong keeps nothing else from being done, and is told once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.rules.v1 import envelope_pb2
from prometheus_client import CollectorRegistry
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from services.ladder import batches, dispatch, leases
from services.ladder.dispatch import Dispatcher
from services.ladder.leases import MAX_ATTEMPTS
from services.ladder.metrics import LadderMetrics
from services.ladder.tables import game, ladder
from tests.services.ladder.bench import LEASE, Bench

STEPS = ("reap", "plan", "waiting")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Mapping[str, Any]]]:
    """What is logged."""
    with capture_logs() as logged:
        for module in (batches, dispatch, leases):
            monkeypatch.setattr(module, "log", module.logs.logger(module.__name__))
        yield logged


def vanish(bench: Bench, attempt: int = 0) -> None:
    """Workers take all batches and are never heard of again."""
    for batch in bench.batches():
        bench.leases.claim(batch, "a", f"token-{attempt}-{batch}")
    bench.now[0] += LEASE + 1


@pytest.mark.parametrize(
    ("table", "values"),
    [
        (ladder, {"bots": "[]"}),
        (ladder, {"bots": "?"}),
        (ladder, {"setup": b"\xff"}),
        (game, {"moves": b"\xff"}),
        (game, {"players": "[9, 9]"}),
    ],
)
def test_a_batch_that_cannot_be_taken_back_holds_up_no_other(
    bench: Bench, told: list[Mapping[str, Any]], table: Any, values: dict[str, object]
) -> None:
    bad = bench.ladder(blocks=1, request_id="bad")
    good = bench.ladder(blocks=1, request_id="good")
    for attempt in range(MAX_ATTEMPTS):
        bench.leases.reap()
        vanish(bench, attempt)
    of_bad = (table.c.id if table is ladder else table.c.ladder_id) == bad
    with bench.store.database.write() as connection:
        connection.execute(update(table).where(of_bad).values(values))
    for _ in range(3):
        bench.leases.reap()
    assert bench.store.ladder(good).state == pb.LADDER_STATE_FINISHED
    assert bench.store.ladder(bad).state == pb.LADDER_STATE_RUNNING
    assert len({line["batch"] for line in told}) == len(told) == 2


@pytest.mark.parametrize("losses", range(MAX_ATTEMPTS + 1))
def test_a_ladder_whose_edition_is_gone_waits_for_it(bench: Bench, told: list[Mapping[str, Any]], losses: int) -> None:
    ladder_id = bench.ladder(blocks=1)
    other = bench.ladder(blocks=1, request_id="other")
    for attempt in range(losses):
        bench.leases.reap()
        vanish(bench, attempt)
    setup = bench.store.ladder(ladder_id).setup
    gone = envelope_pb2.Setup.FromString(setup)
    gone.edition = "an-edition-that-was-removed"
    with bench.store.database.write() as connection:
        changed = update(ladder).where(ladder.c.id == ladder_id)
        connection.execute(changed.values(setup=gone.SerializeToString(deterministic=True)))
    bench.leases.reap()
    for batch in bench.batches():
        bench.leases.claim(batch, "b", f"token-of-{batch}")
    assert bench.store.ladder(ladder_id).state == pb.LADDER_STATE_PAUSED
    assert bench.store.progress(ladder_id).get(pb.GAME_STATE_WAITING) == 2
    paused = [line for line in told if line.get("ladder") == ladder_id]
    assert len(paused) == 1
    assert "an-edition-that-was-removed" in paused[0]["error"]
    finished = losses == MAX_ATTEMPTS
    assert (bench.store.ladder(other).state == pb.LADDER_STATE_FINISHED) == finished

    with bench.store.database.write() as connection:
        connection.execute(changed.values(setup=setup))
    bench.store.set_state(ladder_id, pb.LADDER_STATE_RUNNING)
    mine = [claim for b in bench.batches() if (claim := bench.leases.claim(b, "c", f"token-c-{b}")).games]
    assert sum(len(claim.games) for claim in mine if claim.event.endswith(ladder_id)) == 2


class Steps:
    """Leases that do nothing, or fail where they are told to."""

    lease_seconds = LEASE

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.broken: Mapping[str, Exception] = {}

    def _do(self, name: str, answer: Any) -> Any:
        self.calls.append(name)
        if name in self.broken:
            raise self.broken[name]
        return answer

    def prolong(self) -> None:
        self._do("prolong", None)

    def reap(self) -> int:
        return int(self._do("reap", 0))

    def plan(self, backlog: int) -> None:
        self._do("plan", None)

    def waiting(self, sent_before: float) -> list[object]:
        return list(self._do("waiting", []))


def clockwork(steps: Any, clock: Callable[[], float] = lambda: 1000.0) -> Dispatcher:
    broker: Any = None  # nothing waits, so nobody is told
    return Dispatcher(steps, broker, LadderMetrics(CollectorRegistry()), clock)


@pytest.mark.parametrize("broken", [broken for n in range(4) for broken in combinations(STEPS, n)])
def test_the_steps_of_a_tick_do_not_wait_for_each_other(told: list[Mapping[str, Any]], broken: tuple[str, ...]) -> None:
    steps = Steps()
    works = clockwork(steps)
    steps.broken = {name: OperationalError("SELECT", {}, OSError("no space")) for name in broken}
    for _ in range(3):
        works.tick()
    assert [call for call in steps.calls if call in STEPS] == [*STEPS] * 3
    errors = [line for line in told if line["log_level"] == "error"]
    assert len(errors) == len(broken)
    assert all("\n" not in line["error"] and not line["exc_info"] for line in errors)
    steps.broken = {name: ValueError("another") for name in broken}
    works.tick()
    works.tick()
    assert len([line for line in told if line["log_level"] == "error"]) == 2 * len(broken)
    steps.broken = {}
    works.tick()
    assert len(told) == 3 * len(broken)  # and that it goes on
