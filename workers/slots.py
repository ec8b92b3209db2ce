"""Memory that a worker and its children share: engine counters in a slot per child, and the word to stop.

The map is made before the children are forked, from a file without a name. A child takes a slot of its own; when it is
gone, however it went, whoever comes next adds its counters to the slot `retired` and frees it, so that no count is lost
and none goes back.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from engines.core import totals
from engines.core.totals import Totals
from engines.registry import SLUGS

HEADER = 8
"""Bytes before the counters: in a slot the child's process id, in the map the word to stop."""
WORK = ("played", "empty", "failed", "games", "nanoseconds")
"""What a child counts of its work: batches by what became of them, games reported, time spent on batches."""


class Slot(NamedTuple):
    """The counters of one child, as numbers of 64 bits that only it writes."""

    work: memoryview
    """In the order of WORK."""
    engine: memoryview
    """As `engines.core.totals` lays them out, in bytes."""


class Slots:
    """`count` slots for children, one for those that are gone."""

    def __init__(self, count: int) -> None:
        self._size = HEADER + 8 * len(WORK) + totals.size(len(SLUGS))
        self._count = count
        self._file, path = tempfile.mkstemp(prefix="papamu-worker-")  # open as long as the process lives
        os.unlink(path)  # noqa: PTH108
        os.ftruncate(self._file, HEADER + self._size * (count + 1))
        self._map = memoryview(mmap.mmap(self._file, 0))
        self._stop = self._map[:HEADER].cast("Q")
        self._threads = threading.Lock()

    def stop(self) -> None:
        """Tells the children to give back what they play and take nothing more."""
        self._stop[0] = 1

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called, in whichever process."""
        return bool(self._stop[0])

    def take(self) -> Slot:
        """The counters of this process: a slot that is its own from now on. Raises RuntimeError when none is free."""
        with self._locked():
            self._retire()
            for i in range(1, self._count + 1):
                pid = self._pid(i)
                if pid[0] == 0:
                    pid[0] = os.getpid()
                    return Slot(self._work(i), self._engine(i))
        raise RuntimeError(f"all {self._count} slots are taken")

    def totals(self) -> list[Totals]:
        """The counters of all children there are and were."""
        with self._locked():
            self._retire()
            return [Totals(SLUGS, self._engine(i)) for i in range(self._count + 1)]

    def work(self) -> dict[str, int]:
        """What all children there are and were have counted of their work."""
        with self._locked():
            self._retire()
            rows = [self._work(i) for i in range(self._count + 1)]
            return {name: sum(row[k] for row in rows) for k, name in enumerate(WORK)}

    def _retire(self) -> None:
        gone, gone_work = Totals(SLUGS, self._engine(0)), self._work(0)
        for i in range(1, self._count + 1):
            pid = self._pid(i)
            if pid[0] and not _alive(pid[0]):
                work = self._work(i)
                for k, value in enumerate(work):
                    gone_work[k] += value
                gone.merge(Totals(SLUGS, self._engine(i)))
                self._slot(i)[:] = bytes(self._size)

    def _slot(self, i: int) -> memoryview:
        start = HEADER + i * self._size
        return self._map[start : start + self._size]

    def _pid(self, i: int) -> memoryview:
        return self._slot(i)[:HEADER].cast("Q")

    def _work(self, i: int) -> memoryview:
        return self._slot(i)[HEADER : HEADER + 8 * len(WORK)].cast("Q")

    def _engine(self, i: int) -> memoryview:
        return self._slot(i)[HEADER + 8 * len(WORK) :]

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Between threads by a lock, between processes by a file lock that the kernel takes from the dead."""
        with self._threads:
            fcntl.lockf(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's: the number was given out again
        return False
    return True
