"""What Prometheus scrapes: calls by go-grpc-middleware's names, and the engine's native counters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

import grpc
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from engines import measure
from engines.core.latency import BOUNDS_NS
from engines.core.totals import Totals
from services.common.address import Address

HANDLING_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Upper bounds in seconds of the time that a call takes on the server."""
CODES = {
    code: "OK" if code is grpc.StatusCode.OK else "".join(word.capitalize() for word in code.name.split("_"))
    for code in grpc.StatusCode
}
"""Names of the status codes as go-grpc-middleware writes them."""
UNKNOWN = "unknown"
"""Service and method of calls to what does not exist: callers must not make up label values."""


def new_registry() -> CollectorRegistry:
    """A registry with the metrics of the process itself."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


@dataclass(frozen=True, slots=True)
class MethodMetrics:
    """The counters of one method, bound once, since looking labels up costs more than counting."""

    started: Counter
    received: Counter
    sent: Counter
    malformed: Counter
    seconds: Histogram
    handled: dict[grpc.StatusCode, Counter]


class CallMetrics:
    """Counters of all calls of a process; `method` gives those of one method, every series at 0 from the start."""

    def __init__(self, registry: CollectorRegistry) -> None:
        labels = ("grpc_type", "grpc_service", "grpc_method")

        def counter(name: str, text: str, *more: str) -> Counter:
            return Counter(name, text, (*labels, *more), registry=registry)

        self._started = counter("grpc_server_started", "Calls started.")
        self._handled = counter("grpc_server_handled", "Calls answered, by status code.", "grpc_code")
        self._received = counter("grpc_server_msg_received", "Messages received.")
        self._sent = counter("grpc_server_msg_sent", "Messages sent.")
        self._malformed = counter("grpc_server_msg_malformed", "Messages received that are no message of their type.")
        self._seconds = Histogram(
            "grpc_server_handling_seconds",
            "Seconds from a call's start to its answer.",
            labels,
            registry=registry,
            buckets=HANDLING_BUCKETS,
        )

    def method(self, kind: str, service: str, method: str) -> MethodMetrics:
        """The counters of a method; `kind` is unary, client_stream, server_stream or bidi_stream."""
        labels = (kind, service, method)
        return MethodMetrics(
            self._started.labels(*labels),
            self._received.labels(*labels),
            self._sent.labels(*labels),
            self._malformed.labels(*labels),
            self._seconds.labels(*labels),
            {code: self._handled.labels(*labels, name) for code, name in CODES.items()},
        )


class EngineCollector(Collector):
    """What the engines of a process count: `papamu_engine_*` and `papamu_search_*`.

    `sources` gives the totals to be added up at a scrape: this process's own, and those of its worker children.
    """

    def __init__(self, sources: Callable[[], Iterable[Totals]] | None = None) -> None:
        self._sources = sources or (lambda: [measure.totals()])

    def collect(self) -> Iterator[Metric]:
        """The families, summed over the sources."""
        summed = Totals(measure.totals().games)
        for totals in self._sources():
            summed.merge(totals)
        labels = ("game", "op", "mode")
        seconds = HistogramMetricFamily(
            "papamu_engine_seconds", "Time of one engine operation; on the hot path a sample is timed.", labels=labels
        )
        ops = CounterMetricFamily("papamu_engine_ops", "Engine operations, timed or not.", labels=labels)
        for row in summed.rows():
            values = (row.game, row.op, measure.MODE)
            seconds.add_metric(values, list(zip(_BOUNDS, accumulate(row.cells), strict=True)), row.sum_ns / 1e9)
            ops.add_metric(values, row.ops)
        overruns = CounterMetricFamily(
            "papamu_search_overruns",
            "Decisions of searching bots that took over a tenth longer than their time budget.",
            labels=("game",),
        )
        for game, count in summed.overruns().items():
            overruns.add_metric((game,), count)
        yield seconds
        yield ops
        yield overruns


_BOUNDS = [f"{ns / 1e9:.9g}" for ns in BOUNDS_NS] + ["+Inf"]


@dataclass(frozen=True)
class MetricsEndpoint:
    """A running `/metrics`."""

    address: Address
    close: Callable[[], None]


def start_metrics(address: Address, registry: CollectorRegistry) -> MetricsEndpoint:
    """Serves `/metrics` over HTTP in a daemon thread. Raises OSError when the port is taken."""
    server, thread = start_http_server(address.port, address.host, registry)

    def close() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return MetricsEndpoint(Address(address.host, server.server_port), close)
