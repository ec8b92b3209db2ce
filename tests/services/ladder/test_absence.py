"""Workers who could not be heard are not lost, and a clock that leaps freezes no work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb
from prometheus_client import CollectorRegistry
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from services.ladder.dispatch import RESEND, Dispatcher
from services.ladder.leases import Waiting
from services.ladder.metrics import LadderMetrics
from tests.services.ladder.bench import LEASE, Bench


class Deaf:
    """A broker that loses every message."""

    def __init__(self) -> None:
        self.sent: list[int] = []

    def send(self, waiting: Waiting) -> None:
        self.sent.append(waiting.batch_id)

    def lengths(self) -> dict[str, int]:
        return {}


class Works:
    """The clockwork on a bench whose database can be away."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.broker: Any = Deaf()
        self.away = False
        event.listen(bench.store.database.engine, "begin", self._begin)
        self._dispatcher = Dispatcher(
            bench.leases, self.broker, LadderMetrics(CollectorRegistry()), lambda: bench.now[0]
        )

    def _begin(self, _connection: object) -> None:
        if self.away:
            raise OperationalError("BEGIN", {}, OSError("away"))

    def run(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self._dispatcher.tick()
            self.bench.now[0] += 1.0

    def leased(self) -> int:
        return self.bench.store.status().batches_leased


@pytest.fixture
def works(bench: Bench) -> Iterator[Works]:
    """A ladder whose two batches are in the hands of a worker that went silent a while ago."""
    bench.ladder(blocks=4)
    made = Works(bench)
    for batch in bench.batches():
        bench.leases.claim(batch, "a", "token-of-a")
    made.run(LEASE / 2)
    assert made.leased() == 2
    yield made
    event.remove(bench.store.database.engine, "begin", made._begin)


def outage(works: Works) -> None:
    works.away = True
    works.run(3 * LEASE)
    works.away = False


def outage_before_reap_alone(works: Works) -> None:
    works.away = True
    works.run(1)
    works.away = False
    works.bench.now[0] += 3 * LEASE


def sleep(works: Works) -> None:
    works.bench.now[0] += 1e5


def leap_back(works: Works) -> None:
    works.bench.now[0] -= 3600


def leap_back_unseen(works: Works) -> None:
    """Set back further than a lease, but a heartbeat that read the clock before is written after it was noticed."""
    leap_back(works)
    works.run(2)
    works.bench.now[0] += 3600
    for batch in (1, 2):
        works.bench.leases.heartbeat(batch, "token-of-a", pb.Progress())
    works.bench.now[0] -= 3600


@pytest.mark.parametrize("absence", [outage, outage_before_reap_alone, sleep, leap_back, leap_back_unseen])
def test_a_worker_that_could_not_be_heard_gets_a_whole_lease_and_no_more(works: Works, absence: Any) -> None:
    absence(works)
    works.run(LEASE)
    assert works.leased() == 2
    works.run(3)
    assert works.leased() == 0
    assert works.bench.store.progress(works.bench.store.ladders(1, None)[0].id)[pb.GAME_STATE_WAITING] == 8


def test_a_worker_that_is_silent_while_all_is_well_is_lost(works: Works) -> None:
    works.run(LEASE / 2 + 2)
    assert works.leased() == 0


@pytest.mark.parametrize("leap", [0, -3600, 3600])
def test_lost_messages_are_sent_again_whatever_the_clock_does(works: Works, leap: float) -> None:
    works.run(LEASE / 2 + 3)
    waiting = set(works.bench.batches())
    assert set(works.broker.sent) >= waiting
    works.broker.sent.clear()
    works.bench.now[0] += leap
    works.run(RESEND + 2)
    assert sorted(works.broker.sent) in (sorted(waiting), sorted([*waiting, *waiting]))
