"""How a process that is one service starts and ends."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from engines.core.game import BadInput
from services.common import cluster, logs
from services.common.address import Address
from services.common.metrics import CallMetrics, EngineCollector, new_registry, start_metrics
from services.common.server import Server, serve
from services.common.settings import SettingsError, load, unknown


def main(module: str, address_setting: str, add: Callable[[Server], None]) -> None:
    """The command line of `python -m module`: serves what `add` puts on a server, and /metrics, until SIGTERM.

    With `--processes N` it starts N such processes that share the port instead. Ends the process with status 2 and
    words on standard error when it cannot start.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--processes", type=int, default=1, help="processes that share the port")
    parser.add_argument("--share-port", action="store_true", help=argparse.SUPPRESS)  # said by --processes
    given = parser.parse_args()
    try:
        settings = load()
        logs.setup(settings.log_level, json=settings.log_json)
        address = Address.parse(getattr(settings, address_setting))
        if given.processes > 1:
            sys.exit(cluster.run(module, address_setting, address, given.processes))
        for name in unknown(os.environ):
            logs.logger(__name__).warning("nothing reads this variable", name=name)
        registry = new_registry()
        registry.register(EngineCollector())
        server = Server(address, settings, CallMetrics(registry), share_port=given.share_port)
        add(server)
        metrics = start_metrics(Address.parse(settings.metrics_address), registry)
        try:
            serve([server])
        finally:
            metrics.close()
    except (SettingsError, BadInput, OSError) as error:
        print(f"papamu: {error}", file=sys.stderr)
        sys.exit(2)
