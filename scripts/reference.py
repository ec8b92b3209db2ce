"""Writes docs/settings.md and docs/metrics.md from the code: `make docs` (tests hold the files to it)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from papamu.ladder.v1 import ladder_pb2
from prometheus_client import CollectorRegistry
from pydantic.fields import FieldInfo

from services.common.metrics import CallMetrics, EngineCollector, new_registry
from services.common.settings import PREFIX, Settings
from services.ladder.metrics import LadderMetrics, WaitingCollector
from workers.metrics import WorkCollector
from workers.slots import Slots

DOCS = Path(__file__).parent.parent / "docs"
MADE = "<!-- made by scripts/reference.py: `make docs` -->"
DEFAULTS = {"data_dir": "~/.local/share/papamu", "workers": "number of processors"}
"""Defaults that depend on the machine, in words."""
OTHERS = {
    "PAPAMU_EDITIONS": "Folder with editions of your own, as `<folder>/<game>/*.toml`.",
    "PAPAMU_PURE": "`1` runs the engines interpreted even where they are compiled.",
    "PAPAMU_BUILD": "When building: `pure` compiles nothing, `compiled` fails instead of falling back.",
}


def _limits(field: FieldInfo) -> str:
    bounds = {name: getattr(m, name) for m in field.metadata for name in ("ge", "gt", "le", "lt") if hasattr(m, name)}
    words = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    return ", ".join(f"{words[name]} {value}" for name, value in bounds.items())


def settings() -> str:
    """The page of all settings."""
    lines = [
        "# Settings",
        "",
        MADE,
        "",
        "All settings are environment variables, read and checked once at the start of a process; everything that is",
        "wrong is told at once. Times are in seconds, sizes in bytes.",
        "",
        "| variable | default | limits | what it does |",
        "|---|---|---|---|",
    ]
    for name, field in Settings.model_fields.items():
        default = DEFAULTS.get(name)
        if default is None:
            value = field.default
            value = value.get_secret_value() if hasattr(value, "get_secret_value") else value
            default = "" if value in (None, "") else f"`{value}`"
        about = " ".join((field.description or "").split())
        lines.append(f"| `{PREFIX}{name.upper()}` | {default} | {_limits(field)} | {about} |")
    lines += [f"| `{name}` | | | {about} |" for name, about in OTHERS.items()]
    return "\n".join(lines) + "\n"


def services_registry() -> CollectorRegistry:
    """The metrics of the process that serves, without a server behind them."""
    registry = new_registry()
    registry.register(EngineCollector())
    CallMetrics(registry).method("unary", "service", "method")
    LadderMetrics(registry)
    registry.register(WaitingCollector(ladder_pb2.GetStatusResponse, lambda: {"queue": 0}))
    return registry


def workers_registry() -> CollectorRegistry:
    """The metrics of a worker process."""
    registry = new_registry()
    slots = Slots(1)
    registry.register(EngineCollector(slots.totals))
    registry.register(WorkCollector(slots))
    return registry


def _rows(registry: CollectorRegistry) -> Iterable[str]:
    for family in sorted(registry.collect(), key=lambda f: f.name):
        if not re.match("papamu|grpc", family.name):
            continue  # process_*, python_*: Prometheus's own client tells of them
        labels = sorted({name for sample in family.samples for name in sample.labels} - {"le"})
        name = f"{family.name}_total" if family.type == "counter" else family.name
        about = " ".join(family.documentation.split())
        yield f"| `{name}` | {family.type} | {', '.join(f'`{label}`' for label in labels)} | {about} |"


def metrics() -> str:
    """The page of all metrics."""
    lines = ["# Metrics", "", MADE, "", "Labels have few values each: never an id, a name or an error's text.", ""]
    for title, registry in (("Services", services_registry()), ("Workers", workers_registry())):
        setting = "PAPAMU_METRICS_ADDRESS" if title == "Services" else "PAPAMU_WORKERS_METRICS_ADDRESS"
        lines += [f"## {title} (`{setting}`)", "", "| metric | type | labels | what it counts |", "|---|---|---|---|"]
        lines += [*_rows(registry), ""]
    lines += [
        "## How engines are timed",
        "",
        "`papamu_engine_ops_total` counts every operation. `papamu_engine_seconds` holds the times of a sample on the",
        "hot path (`legal`, `apply`), counted natively in log-spaced buckets from 100 ns with the clock's cost taken",
        "off, and of every slower operation. Worker children count into shared memory; when one is gone, however it",
        "went, its counts go on in the sums, so nothing is lost and nothing goes back.",
    ]
    return "\n".join(lines) + "\n"


PAGES = {DOCS / "settings.md": settings, DOCS / "metrics.md": metrics}

if __name__ == "__main__":
    for path, make in PAGES.items():
        path.write_text(make())
