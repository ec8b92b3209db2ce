"""Native latency counters of the hot path.

A search or rollout object owns a `Latency` and writes it without the GIL; when it holds the GIL again, the caller adds
it to the process totals (`engines.core.totals`). The clock's own cost is measured once and subtracted.
"""

from __future__ import annotations

import cython

OPS = ("legal", "apply", "clone", "explain", "decode", "encode", "rollout", "search")
"""Operations that are timed, in the order of the counter rows."""
LEGAL = 0
APPLY = 1
CLONE = 2
EXPLAIN = 3
DECODE = 4
ENCODE = 5
ROLLOUT = 6
SEARCH = 7

BUCKETS = 32
"""Histogram cells per operation; the last one is open (+Inf)."""
FIRST_NS = 12.5
"""Upper bound of the first cell in nanoseconds. Each further bound is twice the one before, so 100 ns is a bound. Lower
than 100 ns because a whole `legal` of the smaller games takes less."""
BOUNDS_NS = tuple(FIRST_NS * 2**i for i in range(BUCKETS - 1))

if not cython.compiled:
    from time import perf_counter_ns as c_now

    from engines.core.layout import array


class Latency:
    """Counts, sums and histograms per operation: `ops` counts every call, the others only the timed ones."""

    def __init__(self, enabled: bool = True) -> None:
        self.enabled = enabled
        self.tick = 0
        if not cython.compiled:
            self.ops = array("uint64_t", 8)
            self.sum_ns = array("uint64_t", 8)
            self.cell = array("uint64_t", 8, 32)

    def c_count(self, op: int, calls: int) -> None:
        self.ops[op] += calls

    def c_add(self, op: int, start: int, end: int, times: int) -> None:
        ns = end - start
        ns = ns - CLOCK_NS if ns > CLOCK_NS else 0
        self.sum_ns[op] += ns // times
        # Cells are (bound below, bound], and the first bound is 12.5 ns = 25 / 2.
        bound = 0 if ns == 0 else (2 * ns - 1) // (25 * times)
        i = 0
        while bound > 0 and i < 31:
            bound = bound // 2
            i += 1
        self.cell[op][i] += 1

    def add(self, op: int, ns: int) -> None:
        """Adds one timed call of `ns` nanoseconds, for operations timed by Python code."""
        if not 0 <= op < 8 or ns < 0:
            raise ValueError("no such operation or a negative time")
        self.ops[op] += 1
        self.c_add(op, 0, ns + CLOCK_NS, 1)

    def take(self) -> list[int]:
        """All counters as one flat list (per op: ops, sum_ns, then the cells); they start from zero again."""
        flat = []
        for op in range(8):
            flat.append(self.ops[op])
            flat.append(self.sum_ns[op])
            self.ops[op] = 0
            self.sum_ns[op] = 0
            for i in range(32):
                flat.append(self.cell[op][i])
                self.cell[op][i] = 0
        return flat


def now_ns() -> int:
    """The monotonic clock that the counters use."""
    return c_now()


def clock_cost() -> int:
    """Least difference between two adjacent clock readings, in ns."""
    best = 1_000_000
    for _ in range(200):
        start = c_now()
        end = c_now()
        if end - start < best:
            best = end - start
    return best


CLOCK_NS = clock_cost()
