"""How a process that is one service starts and ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from engines.core.game import BadInput
from services.common import logs
from services.common.address import Address
from services.common.metrics import CallMetrics, EngineCollector, new_registry, start_metrics
from services.common.server import Server, serve
from services.common.settings import SettingsError, load, unknown


def main(address_setting: str, add: Callable[[Server], None]) -> None:
    """Serves what `add` puts on a server at the address of that setting, and /metrics, until SIGTERM.

    Ends the process with status 2 and words on standard error when it cannot start.
    """
    try:
        settings = load()
        logs.setup(settings.log_level, json=settings.log_json)
        for name in unknown(os.environ):
            logs.logger(__name__).warning("nothing reads this variable", name=name)
        registry = new_registry()
        registry.register(EngineCollector())
        server = Server(getattr(settings, address_setting), settings, CallMetrics(registry))
        add(server)
        metrics = start_metrics(Address.parse(settings.metrics_address), registry)
        try:
            serve([server])
        finally:
            metrics.close()
    except (SettingsError, BadInput, OSError) as error:
        sys.exit(_fail(error))


def _fail(error: Exception) -> int:
    print(f"papamu: {error}", file=sys.stderr)
    return 2
