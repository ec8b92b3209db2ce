"""Process totals of the native counters: one row per game, in a buffer that may be shared memory.

The buffer is an array of unsigned 64-bit numbers: for each game in the order given, for each operation, the numbers of
`Latency.take` (ops, sum_ns, cells), then one for decisions that overran their time. A worker child binds it to its slot
of a mapped file, where its parent reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from engines.core.latency import BUCKETS, OPS, Latency

OVERRUNS = len(OPS) * (2 + BUCKETS)
"""Where in a game's numbers its overruns stand."""
ROW = OVERRUNS + 1
"""Numbers per game."""


def size(games: int) -> int:
    """Bytes that the totals of so many games take."""
    return 8 * ROW * games


class OpTotal(NamedTuple):
    """What one process, or all of them, did of one operation of one game."""

    game: str
    op: str
    ops: int
    """Every call."""
    timed: int
    """Calls that were timed: a sample of them on the hot path."""
    sum_ns: int
    """Nanoseconds of the timed calls."""
    cells: tuple[int, ...]
    """Timed calls per histogram cell, not accumulated (`latency.BOUNDS_NS`)."""


class Totals:
    """Totals over games; `add` takes what a `Latency` gathered. Threads of one process may share it."""

    def __init__(self, games: Sequence[str], buffer: memoryview | None = None) -> None:
        self.games = tuple(games)
        view = memoryview(bytearray(size(len(games)))) if buffer is None else buffer
        if view.nbytes != size(len(games)):
            raise ValueError(f"the buffer has {view.nbytes} bytes, not {size(len(games))}")
        self._numbers = view.cast("B").cast("Q")
        self._lock = Lock()

    def add(self, game: str, latency: Latency) -> None:
        """Adds the counters of `latency`, which start from zero again. Raises ValueError for an unknown game."""
        base = self.games.index(game) * ROW
        numbers = self._numbers
        with self._lock:
            for i, value in enumerate(latency.take()):
                if value:
                    numbers[base + i] += value

    def time(self, game: str, op: int, ns: int) -> None:
        """Counts one timed call of operation number `op`: what `add` does for a `Latency` of one call, but cheaper."""
        cell = min((2 * ns - 1) // 25 if ns > 0 else 0, 1 << (BUCKETS - 2)).bit_length()
        base = self.games.index(game) * ROW + op * (2 + BUCKETS)
        numbers = self._numbers
        with self._lock:
            numbers[base] += 1
            numbers[base + 1] += ns
            numbers[base + 2 + cell] += 1

    def overrun(self, game: str) -> None:
        """Counts a decision that took longer than it was allotted. Raises ValueError for an unknown game."""
        base = self.games.index(game) * ROW
        with self._lock:
            self._numbers[base + OVERRUNS] += 1

    def overruns(self) -> dict[str, int]:
        """Decisions that took longer than they were allotted, by game."""
        return {game: self._numbers[g * ROW + OVERRUNS] for g, game in enumerate(self.games)}

    def merge(self, other: Totals) -> None:
        """Adds the totals of another process (same games)."""
        numbers = self._numbers
        for i, value in enumerate(other._numbers):
            if value:
                numbers[i] += value

    def rows(self) -> list[OpTotal]:
        """One row per game and operation, zeros included, so that every series exists from the start."""
        rows = []
        for g, game in enumerate(self.games):
            for o, op in enumerate(OPS):
                base = g * ROW + o * (2 + BUCKETS)
                ops, sum_ns, *cells = self._numbers[base : base + 2 + BUCKETS].tolist()
                rows.append(OpTotal(game, op, ops, sum(cells), sum_ns, tuple(cells)))
        return rows
