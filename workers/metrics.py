"""What Prometheus is told of a worker: batches, games and the time spent on them, summed over its children."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector

from workers.slots import Slots

OUTCOMES = ("played", "empty", "failed")


class WorkCollector(Collector):
    """The counters in the shared slots."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots

    def collect(self) -> Iterator[Metric]:
        """Three families, every series from the start."""
        work = self._slots.work()
        batches = CounterMetricFamily(
            "papamu_worker_batches",
            "Batches by what became of them; an empty one was somebody else's.",
            labels=("outcome",),
        )
        for outcome in OUTCOMES:
            batches.add_metric((outcome,), work[outcome])
        yield batches
        yield CounterMetricFamily("papamu_worker_games", "Games reported.", value=work["games"])
        yield SummaryMetricFamily(
            "papamu_worker_batch_seconds",
            "Time spent on batches.",
            count_value=sum(work[outcome] for outcome in OUTCOMES),
            sum_value=work["nanoseconds"] / 1e9,
        )
