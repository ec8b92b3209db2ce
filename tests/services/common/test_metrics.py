"""The engine's counters as Prometheus sees them."""

from __future__ import annotations

from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from engines.core.latency import OPS, Latency
from engines.core.totals import Totals
from engines.measure import MODE
from engines.registry import SLUGS
from services.common.address import Address
from services.common.metrics import EngineCollector, new_registry, start_metrics


def totals(*times_ns: int) -> Totals:
    made = Totals(SLUGS)
    made.overrun("tiki")
    for ns in times_ns:
        made.time("tiki", OPS.index("legal"), ns)
    return made


def test_sources_are_summed_and_cells_accumulated() -> None:
    registry = new_registry()
    registry.register(EngineCollector(lambda: [totals(100, 101), totals(5_000_000)]))
    endpoint = start_metrics(Address("127.0.0.1", 0), registry)
    try:
        with urlopen(f"http://{endpoint.address}/metrics", timeout=60) as answer:
            text = answer.read().decode()
    finally:
        endpoint.close()
    families = {f.name: f for f in text_string_to_metric_families(text)}
    labels = {"game": "tiki", "op": "legal", "mode": MODE}
    samples = [s for s in families["papamu_engine_seconds"].samples if labels.items() <= s.labels.items()]
    buckets = {float(s.labels["le"]): s.value for s in samples if s.name.endswith("_bucket")}
    assert [buckets[5e-08], buckets[1e-07], buckets[2e-07], buckets[float("inf")]] == [0, 1, 2, 3]
    assert next(s.value for s in samples if s.name.endswith("_sum")) == 5_000_201 / 1e9
    ops = families["papamu_engine_ops"].samples
    assert len(ops) == len(SLUGS) * len(OPS)  # zeros included
    assert next(s.value for s in ops if labels.items() <= s.labels.items()) == 3
    overruns = {s.labels["game"]: s.value for s in families["papamu_search_overruns"].samples}
    assert overruns == {**dict.fromkeys(SLUGS, 0), "tiki": 2}


def test_counting_one_call_is_what_a_latency_of_one_call_adds() -> None:
    for ns in (0, 1, 12, 13, 25, 26, 99, 100, 101, 10**6, 10**12):
        watch = Latency()
        watch.add(OPS.index("legal"), ns)
        added = Totals(SLUGS)
        added.add("tiki", watch)
        assert added.rows() == totals(ns).rows(), ns
