"""Services side by side in one process: `python -m services.serve rules ladder`.

The services know nothing of each other here either: they call each other over gRPC, as on separate machines.

SIGTERM or SIGINT drains: health says NOT_SERVING, new calls are UNAVAILABLE, those under way finish (at most
`PAPAMU_DRAIN_GRACE` seconds), and the process exits with 0. A second signal ends it at once, as by that signal (shells
say 143). The rules service keeps nothing, so that `rules --processes N` may share its port among N processes.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from prometheus_client import CollectorRegistry

from engines.core.game import BadInput
from services.common import cluster, logs, ready
from services.common.address import Address
from services.common.database import DatabaseUnusable
from services.common.metrics import CallMetrics, EngineCollector, new_registry, start_metrics
from services.common.server import Server, serve, stop_signals
from services.common.settings import Settings, SettingsError, load, unknown
from services.ladder.app import LadderApp
from services.records.app import RecordsApp
from services.rules.server import add_rules


@dataclass(frozen=True)
class Part:
    """A service that is to be served."""

    address: str
    add_to: Callable[[Server], None]
    start: Callable[[Mapping[str, str]], None] = lambda _: None
    """Called with their addresses by name when all services listen."""
    close: Callable[[], None] = lambda: None
    """Called when none listens any more."""


def _rules(settings: Settings, _registry: CollectorRegistry) -> Part:
    return Part(settings.rules_address, add_rules)


def _ladder(settings: Settings, registry: CollectorRegistry) -> Part:
    if not settings.redis_url:
        raise SettingsError("PAPAMU_REDIS_URL: must name a Redis for ladders; `papamu up` starts one of its own")
    app = LadderApp(settings, settings.redis_url, registry)

    def start(addresses: Mapping[str, str]) -> None:
        app.start(addresses.get("records", ""))

    return Part(settings.ladder_address, lambda server: app.add_to(server.add), start, app.close)


def _records(settings: Settings, _registry: CollectorRegistry) -> Part:
    app = RecordsApp(settings)
    return Part(settings.records_address, lambda server: app.add_to(server.add), close=app.close)


PARTS: dict[str, Callable[[Settings, CollectorRegistry], Part]] = {
    "rules": _rules,
    "ladder": _ladder,
    "records": _records,
}
"""Makers of the services by name."""


def run(names: Sequence[str], settings: Settings, ready_fd: int | None = None, *, share_port: bool = False) -> bool:
    """Serves until SIGTERM or SIGINT. Raises what `main` tells in words when it cannot start.

    Returns whether all calls came to their end, as `services.common.server.serve`.
    """
    registry = new_registry()
    registry.register(EngineCollector())
    calls = CallMetrics(registry)
    parts: dict[str, Part] = {}
    servers: dict[str, Server] = {}
    with stop_signals() as stop, ExitStack() as opened:
        for name in names:
            parts[name] = PARTS[name](settings, registry)
            opened.callback(parts[name].close)
            servers[name] = Server(parts[name].address, settings, calls, share_port=share_port)
            parts[name].add_to(servers[name])
        metrics = start_metrics(Address.parse(settings.metrics_address), registry)
        opened.callback(metrics.close)

        def on_ready() -> None:
            told = {name: str(server.address) for name, server in servers.items()}
            for part in parts.values():
                part.start(told)
            ready.tell(ready_fd, {**told, "metrics": str(metrics.address)})

        return serve(list(servers.values()), stop, on_ready)


def main() -> None:
    """Reads settings and command line; ends with status 2 and words on standard error when it cannot start."""
    parser = argparse.ArgumentParser(prog="python -m services.serve", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("services", nargs="+", choices=sorted(PARTS))
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="processes that share the port of `rules`"
    )
    parser.add_argument("--ready-fd", type=int, help="pipe that is told the addresses once all listen")
    parser.add_argument("--share-port", action="store_true", help=argparse.SUPPRESS)  # said to each of the processes
    given = parser.parse_args()
    if given.processes < 1 or (given.processes > 1 and given.services != ["rules"]):
        parser.error("--processes: at least 1, and more only for `rules` alone")
    try:
        settings = load()
        logs.setup(settings.log_level, json=settings.log_json)
        for name in unknown(os.environ):
            logs.logger(__name__).warning("nothing reads this variable", name=name)
        if given.processes > 1:
            command = [sys.executable, "-m", "services.serve", "rules", "--share-port"]
            sys.exit(cluster.run(command, "rules_address", settings, given.processes))
        if not run(given.services, settings, given.ready_fd, share_port=given.share_port):
            sys.stdout.flush()
            os._exit(0)  # not waiting for threads whose calls were cut off
    except (SettingsError, BadInput, DatabaseUnusable, OSError) as error:
        print(f"papamu: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
