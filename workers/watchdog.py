"""Notices a worker that no longer hears its queues while work waits there, and ends it: its supervisor starts another.

A consumer can go deaf without any error, for instance when a connection dies in a way that nobody is told of. Idle
children and waiting messages for a long time are the symptom; what caused it does not matter.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence

import redis

from services.common import logs
from services.common.queues import SOCKET_SECONDS

DEAF_SECONDS = 30.0
"""Work that waits this long beside an idle worker means that it is deaf."""
LOOKS = 6
"""Looks in that time."""
EXIT_CODE = 75
"""EX_TEMPFAIL of sysexits.h: try again."""

log = logs.logger(__name__)


class Watchdog:
    """A thread that looks. `busy` tells how many tasks the worker holds; `heard` is called for each that it takes."""

    def __init__(
        self,
        redis_url: str,
        queues: Sequence[str],
        busy: Callable[[], int],
        *,
        deaf_seconds: float = DEAF_SECONDS,
        end: Callable[[int], object] = os._exit,  # the orderly end would wait for what hangs
    ) -> None:
        self._redis = redis.Redis.from_url(
            redis_url, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=SOCKET_SECONDS
        )
        self._queues = queues
        self._busy = busy
        self._deaf_seconds = deaf_seconds
        self._end = end
        self._well = time.monotonic()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Starts looking."""
        self._well = time.monotonic()
        self._thread.start()

    def heard(self) -> None:
        """The worker has taken a task."""
        self._well = time.monotonic()

    def stop(self) -> None:
        """Stops looking."""
        self._stopped.set()
        self._thread.join()
        self._redis.close()

    def _run(self) -> None:
        while not self._stopped.wait(self._deaf_seconds / LOOKS):
            if self._busy() or not self._waiting():
                self.heard()
            elif time.monotonic() - self._well > self._deaf_seconds:
                log.critical("work waits and nothing is heard of it; ending", seconds=self._deaf_seconds)
                self._end(EXIT_CODE)
                return

    def _waiting(self) -> int:
        """Messages in the queues; 0 when Redis cannot say, since then nobody can hear."""
        try:
            return sum(int(self._redis.llen(queue)) for queue in self._queues)
        except redis.RedisError:
            return 0
