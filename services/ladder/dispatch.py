"""The service's own clockwork: makes batches, tells the broker about them, and takes lost leases back.

The database is the truth. A message that the broker lost is sent again after a while; one that is still in its queue is
not, so that a queue never grows longer than the work that waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import redis
from celery import Celery
from kombu.exceptions import OperationalError

from services.common import logs
from services.common.database import AWAY
from services.common.queues import PLAY, QUEUES, SOCKET_SECONDS
from services.ladder.leases import Leases, Waiting
from services.ladder.metrics import LadderMetrics

TICK = 1.0
"""Seconds between two looks when nothing happens."""
ABSENCE = 5 * TICK
"""Seconds without a look after which every lease gets its whole time again."""
RESEND = 10.0
"""Seconds after which a batch that nobody claimed is told to the broker again, unless the message is still there."""
BACKLOG = 16
"""Batches that wait for workers even when none is leased."""
BROKER_ERRORS = (OperationalError, redis.RedisError, OSError)

log = logs.logger(__name__)


class Broker:
    """The queues as the ladder service uses them."""

    def __init__(self, app: Celery, redis_url: str) -> None:
        self._app = app
        self._redis = redis.Redis.from_url(
            redis_url, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=SOCKET_SECONDS
        )

    def send(self, waiting: Waiting) -> None:
        """Names a batch to the workers. Raises one of BROKER_ERRORS."""
        self._app.send_task(PLAY, args=[waiting.batch_id], queue=QUEUES[waiting.priority], retry=False)

    def lengths(self) -> dict[str, int]:
        """Messages by queue that no worker has taken yet. Raises one of BROKER_ERRORS."""
        return {name: int(self._redis.llen(name)) for name in QUEUES.values()}

    def close(self) -> None:
        """Closes the connections."""
        self._app.close()
        self._redis.close()


class Dispatcher:
    """A thread that looks every TICK seconds, and at once when it is woken."""

    def __init__(
        self, leases: Leases, broker: Broker, metrics: LadderMetrics, clock: Callable[[], float] = time.time
    ) -> None:
        self._leases = leases
        self._metrics = metrics
        self._broker = broker
        self._clock = clock
        self._woken = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="dispatcher", daemon=True)
        self._broker_down = False
        self._looked: float | None = None
        """When the last look ended that could reap; none when there was none, or the last could not."""
        self._failures: dict[str, str] = {}
        """What went wrong with a step when it was last tried."""

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def queues(self) -> dict[str, int]:
        """Messages by queue; none while the broker is away."""
        try:
            return self._broker.lengths()
        except BROKER_ERRORS:
            return {}

    def wake(self) -> None:
        """Something changed: look at once."""
        self._woken.set()

    def stop(self) -> None:
        """Ends the thread and waits for it."""
        self._stopping = True
        self._woken.set()
        self._thread.join()
        self._broker.close()

    def _run(self) -> None:
        while not self._stopping:
            self._woken.clear()
            self.tick()
            self._woken.wait(TICK)

    def tick(self) -> None:
        """One look: reap, plan, send. What cannot be done now keeps nothing else from being done."""
        reaped = self._attempt(self._reap)
        self._attempt(self._plan)
        self._attempt(self._send)
        self._looked = self._clock() if reaped else None

    def _attempt(self, step: Callable[[], None]) -> bool:
        """Whether the step succeeded; a failure is told once, until it is another one or passes."""
        name = step.__name__.strip("_")
        try:
            step()
        except Exception as error:  # the clockwork must outlive a bad moment of the database
            told = f"{type(error).__name__}: {error}".partition("\n")[0]
            if self._failures.get(name) != told:
                away = isinstance(error, AWAY)  # anything else is our fault: show where
                log.error(f"{name} failed; trying on", error=told, exc_info=None if away else error)
            self._failures[name] = told
            return False
        if self._failures.pop(name, None):
            log.info(f"{name} goes on")
        return True

    def _reap(self) -> None:
        # After a start, an outage of the database, a sleep of the machine or a leap of the clock, workers could not be
        # heard or leases not be timed: then a silent worker is not a lost one yet.
        if self._looked is None or not 0 <= self._clock() - self._looked <= ABSENCE:
            self._leases.prolong()
        with self._metrics.store["reap"].time():
            lost = self._leases.reap()
        if lost:
            self._metrics.leases["lost"].inc(lost)
            log.warning("leases ran out", batches=lost)

    def _plan(self) -> None:
        with self._metrics.store["plan"].time():
            self._leases.plan(BACKLOG)

    def _send(self) -> None:
        now = self._clock()
        due = self._leases.waiting(sent_before=now - RESEND)
        if not due:
            return
        sent = []
        try:
            again = [waiting for waiting in due if waiting.sent]
            if again and sum(self._broker.lengths().values()) >= len(again):  # their messages are still there
                due = [waiting for waiting in due if not waiting.sent]
            for waiting in due:
                self._broker.send(waiting)
                sent.append(waiting.batch_id)
            self._broker_down = False
        except BROKER_ERRORS as error:
            if not self._broker_down:
                log.warning("the broker cannot be reached; trying on", error=type(error).__name__)
            self._broker_down = True
        self._leases.mark_sent(sent)
