"""The worker's Celery application: one task, played by forked children that share nothing but `Slots`.

Nothing that does not survive a fork (channels, threads) exists in the parent before its children do; a child makes its
channel when it starts.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from typing import Any

import grpc
from celery import Celery, signals
from celery.worker import state

from engines import measure
from services.common import logs, tether
from services.common.queues import PLAY, QUEUES, make_app
from services.common.settings import Settings
from workers.ladder_client import LadderClient
from workers.play import play_batch
from workers.slots import WORK, Slots
from workers.watchdog import Watchdog

log = logs.logger(__name__)


class Child:
    """What a child process has of its own."""

    def __init__(self, settings: Settings, slots: Slots) -> None:
        self._slots = slots
        self.client = LadderClient(settings)
        self._playing = self._leaving = False
        self.name = f"{socket.gethostname()}/{os.getpid()}"[:120]
        slot = slots.take()
        self._work = slot.work
        measure.bind(slot.engine)

    def play(self, batch_id: int) -> None:
        """Plays a batch; takes none any more when the worker is stopping."""
        if self._slots.stopping:
            return
        start = time.perf_counter_ns()
        outcome, games = "failed", 0
        self._playing = True
        try:
            games = play_batch(self.client, str(batch_id), self.name, self._stopping)
            outcome = "played" if games else "empty"
        except grpc.RpcError as error:
            log.error("a batch is given up", batch=batch_id, code=error.code().name)
        finally:
            for name, amount in ((outcome, 1), ("games", games), ("nanoseconds", time.perf_counter_ns() - start)):
                self._work[WORK.index(name)] += amount
            self._playing = False
        if self._leaving:
            os._exit(0)

    def leave(self) -> None:
        """Ends this process, once what it plays is given back: somebody sent SIGTERM to the child itself."""
        if not self._playing:
            os._exit(0)
        self._leaving = True

    def _stopping(self) -> bool:
        return self._leaving or self._slots.stopping


def make_worker_app(settings: Settings, redis_url: str, slots: Slots, on_ready: Callable[[], None]) -> Celery:
    """The application of a worker process; `on_ready` is called when it takes tasks."""
    app = make_app(redis_url, worker_hijack_root_logger=False, worker_redirect_stdouts=False)
    children: list[Child] = []
    watchdog = Watchdog(redis_url, list(QUEUES.values()), lambda: len(state.reserved_requests))

    def start_child(**_: Any) -> None:
        tether.die_with_parent(os.getppid(), signal.SIGKILL)
        children.append(Child(settings, slots))
        signal.signal(signal.SIGTERM, lambda *_: children[0].leave())

    def ready(**_: Any) -> None:
        watchdog.start()
        on_ready()

    def play(batch_id: int) -> None:
        children[0].play(batch_id)

    signals.worker_process_init.connect(start_child, weak=False)
    signals.worker_shutting_down.connect(lambda **_: slots.stop(), weak=False)
    signals.worker_ready.connect(ready, weak=False)
    signals.task_received.connect(lambda **_: watchdog.heard(), weak=False)
    app.task(name=PLAY)(play)
    return app


def run(app: Celery, settings: Settings) -> int:
    """Works until SIGTERM; returns the exit code."""
    for chatty in ("celery.worker.strategy", "celery.app.trace"):  # two lines a batch; what matters we log ourselves
        logging.getLogger(chatty).setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[settings.log_level]))
    worker = app.Worker(
        concurrency=settings.workers,
        pool="prefork",
        optimization="fair",
        queues=list(QUEUES.values()),
        loglevel=settings.log_level,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )
    worker.start()
    return int(worker.exitcode or 0)
