"""Counters in shared memory outlive the children that made them, and never go back."""

from __future__ import annotations

import os
import signal

import pytest

from engines import measure
from engines.core.latency import APPLY, Latency
from engines.core.totals import Totals
from engines.registry import SLUGS
from services.common.metrics import EngineCollector, new_registry
from workers.metrics import WorkCollector
from workers.slots import WORK, Slots


def child(slots: Slots, games: int) -> int:
    """Forks a process that counts and then waits to be killed; returns when it has counted."""
    ready, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        slot = slots.take()
        totals = Totals(SLUGS, slot.engine)
        for _ in range(games):
            watch = Latency()
            watch.add(APPLY, 100)
            totals.add("tiki", watch)
            totals.overrun("tiki")
            slot.work[WORK.index("games")] += 1
        os.write(told, b"x")
        signal.pause()
        os._exit(0)
    os.read(ready, 1)
    os.close(ready)
    os.close(told)
    return pid


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def applied(slots: Slots) -> int:
    return sum(row.ops for totals in slots.totals() for row in totals.rows() if (row.game, row.op) == ("tiki", "apply"))


def overran(slots: Slots) -> int:
    return sum(totals.overruns()["tiki"] for totals in slots.totals())


def test_counts_of_the_living_and_the_dead_add_up() -> None:
    slots = Slots(2)
    first, second = child(slots, 3), child(slots, 4)
    assert (applied(slots), slots.work()["games"]) == (7, 7)
    kill(first)
    assert (applied(slots), slots.work()["games"]) == (7, 7)
    third = child(slots, 5)  # takes the freed slot
    assert (applied(slots), slots.work()["games"]) == (12, 12)
    kill(second)
    kill(third)
    assert (applied(slots), overran(slots), slots.work()["games"]) == (12, 12, 12)


@pytest.mark.slow
def test_300_children_come_and_go_and_the_scrape_is_exact() -> None:
    slots = Slots(8)
    registry = new_registry()
    registry.register(EngineCollector(slots.totals))
    registry.register(WorkCollector(slots))
    series = len(list(registry.collect()))
    living = [child(slots, 1) for _ in range(4)]
    for number in range(300):
        kill(living.pop(0))
        living.append(child(slots, 1 + number % 3))
    made = 4 + sum(1 + number % 3 for number in range(300))
    for _ in range(2):  # with children, and when they are gone
        applied = {"game": "tiki", "mode": measure.MODE, "op": "apply"}
        assert registry.get_sample_value("papamu_engine_ops_total", applied) == made
        assert registry.get_sample_value("papamu_worker_games_total") == made
        assert len(list(registry.collect())) == series
        while living:
            kill(living.pop())


def test_a_child_without_a_slot_is_told() -> None:
    slots = Slots(1)
    only = child(slots, 1)
    with pytest.raises(RuntimeError, match="slots"):
        slots.take()
    kill(only)
    assert slots.take().work[WORK.index("games")] == 0


def test_the_word_to_stop_reaches_children() -> None:
    slots = Slots(1)
    pid = os.fork()
    if pid == 0:
        slots.stop()
        os._exit(0)
    os.waitpid(pid, 0)
    assert slots.stopping
    assert measure.MODE in ("compiled", "interpreted")
