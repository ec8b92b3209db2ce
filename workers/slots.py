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

from engines.core import totals
from engines.core.totals import Totals
from engines.registry import SLUGS

HEADER = 8
"""Bytes before the counters: in a slot the child's process id, in the map the word to stop."""


class Slots:
    """`count` slots for children, one for those that are gone."""

    def __init__(self, count: int) -> None:
        self._size = HEADER + totals.size(len(SLUGS))
        self._count = count
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the process
        self._file.truncate(HEADER + self._size * (count + 1))
        self._map = memoryview(mmap.mmap(self._file.fileno(), 0))
        self._stop = self._map[:HEADER].cast("Q")
        self._threads = threading.Lock()

    def stop(self) -> None:
        """Tells the children to give back what they play and take nothing more."""
        self._stop[0] = 1

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called, in whichever process."""
        return bool(self._stop[0])

    def take(self) -> memoryview:
        """The counters of this process: a slot that is its own from now on. Raises RuntimeError when none is free."""
        with self._locked():
            self._retire()
            for i in range(1, self._count + 1):
                pid = self._pid(i)
                if pid[0] == 0:
                    pid[0] = os.getpid()
                    return self._counters(i)
        raise RuntimeError(f"all {self._count} slots are taken")

    def totals(self) -> list[Totals]:
        """The counters of all children there are and were."""
        with self._locked():
            self._retire()
            return [Totals(SLUGS, self._counters(i)) for i in range(self._count + 1)]

    def _retire(self) -> None:
        gone = Totals(SLUGS, self._counters(0))
        for i in range(1, self._count + 1):
            pid = self._pid(i)
            if pid[0] and not _alive(pid[0]):
                counters = self._counters(i)
                gone.merge(Totals(SLUGS, counters))
                counters[:] = bytes(len(counters))
                pid[0] = 0

    def _slot(self, i: int) -> memoryview:
        start = HEADER + i * self._size
        return self._map[start : start + self._size]

    def _pid(self, i: int) -> memoryview:
        return self._slot(i)[:HEADER].cast("Q")

    def _counters(self, i: int) -> memoryview:
        return self._slot(i)[HEADER:]

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
