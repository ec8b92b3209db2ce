"""Writes the Grafana dashboard "Engine hot path": `make docs` (a test holds the file to it)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "dashboards" / "engine-hot-path.json"
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
WIDTH, HEIGHT = 12, 8


@dataclass(frozen=True)
class Panel:
    """One panel: its queries as (expression, legend)."""

    title: str
    about: str
    unit: str
    queries: tuple[tuple[str, str], ...]
    kind: str = "timeseries"
    options: dict[str, Any] = field(default_factory=dict)

    def json(self, number: int) -> dict[str, Any]:
        """As Grafana has it; panels stand two in a row."""
        heat = self.kind == "heatmap"
        return {
            "id": number + 1,
            "type": self.kind,
            "title": self.title,
            "description": self.about,
            "datasource": SOURCE,
            "gridPos": {"x": number % 2 * WIDTH, "y": number // 2 * HEIGHT, "w": WIDTH, "h": HEIGHT},
            "fieldConfig": {"defaults": {"unit": self.unit}, "overrides": []},
            "options": self.options,
            "targets": [
                {
                    "refId": chr(ord("A") + i),
                    "datasource": SOURCE,
                    "expr": expr,
                    "legendFormat": legend,
                    "format": "heatmap" if heat else "time_series",
                }
                for i, (expr, legend) in enumerate(self.queries)
            ],
        }


ENGINE = 'game=~"$game", op=~"$op"'
RATE = "[$__rate_interval]"


def _quantile(q: float) -> tuple[str, str]:
    buckets = f"sum by (le, game, op) (rate(papamu_engine_seconds_bucket{{{ENGINE}}}{RATE}))"
    return f"histogram_quantile({q}, {buckets})", f"{{{{game}}}} {{{{op}}}} p{100 * q:g}"


_FAILED = f'rate(grpc_server_handled_total{{grpc_code!="OK"}}{RATE})'
PANELS = (
    Panel("Engine latency, median", "Half of the operations take less.", "s", (_quantile(0.5),)),
    Panel("Engine latency, 99 %", "One operation of a hundred takes longer.", "s", (_quantile(0.99),)),
    Panel(
        "Engine latency, heat map",
        "How the times of the chosen operations are spread.",
        "s",
        ((f"sum by (le) (increase(papamu_engine_seconds_bucket{{{ENGINE}}}{RATE}))", "{{le}}"),),
        "heatmap",
        {"calculate": False, "yAxis": {"unit": "s"}, "color": {"mode": "scheme", "scheme": "Oranges"}},
    ),
    Panel(
        "Engine throughput",
        "Operations a second, timed or not.",
        "ops",
        ((f"sum by (game, op) (rate(papamu_engine_ops_total{{{ENGINE}}}{RATE}))", "{{game}} {{op}}"),),
    ),
    Panel(
        "Calls",
        "Calls answered a second, by method.",
        "reqps",
        ((f"sum by (grpc_method) (rate(grpc_server_handled_total{RATE}))", "{{grpc_method}}"),),
    ),
    Panel(
        "Calls that failed",
        "Calls a second that ended with another status than OK.",
        "reqps",
        (
            (
                f"sum by (grpc_method, grpc_code) ({_FAILED}) > 0 or sum({_FAILED})",
                "{{grpc_method}} {{grpc_code}}",
            ),
        ),
    ),
    Panel(
        "Queues and leases",
        "Messages that no worker has taken; batches that wait and that are leased.",
        "short",
        (
            ("sum by (queue) (papamu_queue_messages)", "messages {{queue}}"),
            ("sum by (state) (papamu_batches)", "batches {{state}}"),
            ("sum(papamu_games_leased)", "games leased"),
        ),
    ),
    Panel(
        "Games ended",
        "Results stored a second, by ending.",
        "short",
        ((f"sum by (ending) (rate(papamu_ladder_games_total{RATE}))", "{{ending}}"),),
    ),
    Panel(
        "Outbox",
        "Records on their way to the record service.",
        "short",
        (("sum by (state) (papamu_outbox_records)", "{{state}}"),),
    ),
    Panel(
        "Workers",
        "Batches a second, by what became of them.",
        "short",
        ((f"sum by (outcome) (rate(papamu_worker_batches_total{RATE}))", "{{outcome}}"),),
    ),
)


def _labels(name: str) -> dict[str, Any]:
    query = f"label_values(papamu_engine_ops_total, {name})"
    return {
        "name": name,
        "type": "query",
        "datasource": SOURCE,
        "query": query,
        "definition": query,
        "includeAll": True,
        "multi": True,
        "current": {"text": "All", "value": "$__all"},
        "refresh": 2,
    }


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana's JSON model."""
    source = {
        "name": "datasource",
        "type": "datasource",
        "query": "prometheus",
        "current": {"text": "Prometheus", "value": "prometheus"},
    }
    return {
        "uid": "papamu-engine",
        "title": "Engine hot path",
        "tags": ["papamu"],
        "schemaVersion": 39,
        "refresh": "15s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [source, _labels("game"), _labels("op")]},
        "panels": [panel.json(number) for number, panel in enumerate(PANELS)],
    }


def text() -> str:
    """The file's content."""
    return json.dumps(dashboard(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text())
