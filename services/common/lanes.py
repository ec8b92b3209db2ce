"""Threads and their bounds: each kind of call has a lane of its own, so that none can starve another."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol


class Cancellable(Protocol):
    """A call that can be ended from outside."""

    def cancel(self) -> object:
        """Ends it."""


class Lane:
    """A thread pool that takes at most `threads + queue` calls at a time."""

    def __init__(self, name: str, threads: int, queue: int) -> None:
        self.name = name
        self.threads = threads
        self.limit = threads + queue
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._inside = 0
        self._changed = threading.Condition()

    def enter(self) -> bool:
        """Takes a place; False when there is none. Whoever got one calls `leave` once."""
        with self._changed:
            if self._inside >= self.limit:
                return False
            self._inside += 1
            return True

    def leave(self) -> None:
        """Gives the place back."""
        with self._changed:
            self._inside -= 1
            if self._inside == 0:
                self._changed.notify_all()

    @property
    def inside(self) -> int:
        """Calls that have a place now."""
        return self._inside

    @property
    def crowded(self) -> bool:
        """Whether calls wait for a thread."""
        return self._inside > self.threads

    def wait_idle(self, timeout: float) -> bool:
        """Waits until nobody has a place; whether that came within `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._inside == 0, timeout)

    def close(self) -> None:
        """Lets the threads go. Calls that still wait for one are dropped."""
        self.pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Wait:
    call: Cancellable
    since: float
    until: float
    idle: bool
    lane: Lane


class WaitWatch:
    """Cancels calls whose client keeps a thread waiting: for its next message, or until it takes an answer.

    gRPC for Python waits for both without a limit; this is the limit.
    """

    PERIOD = 0.5
    """Seconds between two looks."""
    CROWDED = 1.0
    """Seconds that a call may wait while others wait for its thread: silent calls must not keep them out."""

    def __init__(self) -> None:
        self._waiting: dict[int, _Wait] = {}
        self._closing = False
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="wait-watch", daemon=True)
        self._thread.start()

    def begin(self, call: Cancellable, wait: float, lane: Lane, *, idle: bool) -> None:
        """`call` begins to wait on a thread of `lane`, at most `wait` seconds. `idle`: it has nothing under way."""
        now = time.monotonic()
        self._waiting[id(call)] = _Wait(call, now, now + wait, idle, lane)
        if idle and self._closing:
            call.cancel()

    def end(self, call: Cancellable) -> None:
        """The wait is over."""
        self._waiting.pop(id(call), None)

    def cancel_idle(self) -> None:
        """Cancels every call that waits for its client and has nothing to finish, now and from now on: at shutdown."""
        self._closing = True
        for wait in list(self._waiting.values()):
            if wait.idle:
                wait.call.cancel()

    def close(self) -> None:
        """Ends the watch."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.wait(self.PERIOD):
            now = time.monotonic()
            for wait in list(self._waiting.values()):
                if wait.until < now or (wait.lane.crowded and wait.since + self.CROWDED < now):
                    wait.call.cancel()
