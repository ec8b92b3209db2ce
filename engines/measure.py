"""The engine counters of this process: what `papamu_engine_seconds` is made of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engines.core import latency as native
from engines.core.latency import OPS, Latency, now_ns
from engines.core.totals import Totals
from engines.registry import SLUGS

MODE = "interpreted" if native.__file__.endswith(".py") else "compiled"
"""Which build of the hot modules this process runs."""

_bound = [Totals(SLUGS)]


def bind(buffer: memoryview) -> None:
    """Counts into `buffer` from now on (`totals.size(len(SLUGS))` bytes): a worker child's slot of a shared map."""
    _bound[0] = Totals(SLUGS, buffer)


def totals() -> Totals:
    """The totals of this process."""
    return _bound[0]


def publish(game: str, latency: Latency) -> None:
    """Adds what a search or rollout gathered to the totals of the process."""
    totals().add(game, latency)


@contextmanager
def timed(game: str, op: str) -> Iterator[None]:
    """Times a block that is one operation of Python code (decode, encode, explain, a single legal)."""
    start = now_ns()
    try:
        yield
    finally:
        totals().time(game, OPS.index(op), now_ns() - start)
