"""What Prometheus is told of ladders: work that waits, leases, endings, the outbox, the time that the store takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from services.common import logs

STORE_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Upper bounds in seconds of one transaction."""
LEASE_EVENTS = ("claimed", "nothing", "released", "lost")
STORE_OPS = ("claim", "heartbeat", "report", "release", "reap", "plan")
ENDINGS = {number: name.removeprefix("ENDING_").lower() for name, number in records_pb2.Ending.items() if number}
OUTCOMES = {number: name.removeprefix("OUTCOME_").lower() for name, number in pb.Outcome.items() if number}

log = logs.logger(__name__)


class LadderMetrics:
    """The counters; every series is there from the start, at 0."""

    def __init__(self, registry: CollectorRegistry) -> None:
        leases = Counter("papamu_leases", "Leases by what became of them.", ("event",), registry=registry)
        self.leases = {event: leases.labels(event) for event in LEASE_EVENTS}
        games = Counter("papamu_ladder_games", "Results stored, by ending.", ("ending",), registry=registry)
        self.endings = {number: games.labels(name) for number, name in ENDINGS.items()}
        reports = Counter("papamu_reported_games", "Games that workers reported.", ("outcome",), registry=registry)
        self.reports = {number: reports.labels(name) for number, name in OUTCOMES.items()}
        self.relayed = Counter("papamu_outbox_delivered", "Records delivered to the record service.", registry=registry)
        self.relay_failures = Counter(
            "papamu_outbox_failures", "Tries to deliver records that failed.", registry=registry
        )
        seconds = Histogram(
            "papamu_store_seconds", "Seconds of one transaction.", ("op",), registry=registry, buckets=STORE_BUCKETS
        )
        self.store = {op: seconds.labels(op) for op in STORE_OPS}


class WaitingCollector(Collector):
    """What waits now, asked of database and broker at each scrape; what cannot be asked is left out."""

    def __init__(self, status: Callable[[], pb.GetStatusResponse], queues: Callable[[], Mapping[str, int]]) -> None:
        self._status = status
        self._queues = queues

    def describe(self) -> Iterator[Metric]:
        """Nothing is asked when the collector is registered."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """The gauges."""
        yield from self._of_queues()
        try:
            status = self._status()
        except SQLAlchemyError as error:
            log.warning("the database does not tell what waits", error=type(error).__name__)
            return
        batches = GaugeMetricFamily("papamu_batches", "Batches of games that are not done.", labels=("state",))
        batches.add_metric(("waiting",), status.batches_waiting)
        batches.add_metric(("leased",), status.batches_leased)
        yield batches
        yield GaugeMetricFamily("papamu_games_leased", "Games in the hands of workers.", value=status.games_leased)
        outbox = GaugeMetricFamily("papamu_outbox_records", "Records not delivered yet.", labels=("state",))
        outbox.add_metric(("ready",), status.outbox - status.outbox_held - status.outbox_refused)
        outbox.add_metric(("held",), status.outbox_held)
        outbox.add_metric(("refused",), status.outbox_refused)
        yield outbox

    def _of_queues(self) -> Iterator[Metric]:
        queues = GaugeMetricFamily("papamu_queue_messages", "Messages that no worker has taken.", labels=("queue",))
        for name, length in self._queues().items():
            queues.add_metric((name,), length)
        yield queues
