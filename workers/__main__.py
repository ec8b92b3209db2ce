"""`python -m workers`: plays the batches that the ladder service hands out, with as many processes as settings say."""

from __future__ import annotations

import argparse
import sys

from engines.core.game import BadInput
from engines.external import roster
from services.common import logs, ready
from services.common.address import Address
from services.common.metrics import EngineCollector, new_registry, start_metrics
from services.common.settings import SettingsError, load
from workers.app import make_worker_app, run
from workers.metrics import WorkCollector
from workers.slots import Slots


def main() -> int:
    """Starts the worker; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m workers", description=__doc__)
    parser.add_argument("--ready-fd", type=int, help="file descriptor that is told, as JSON, once tasks are taken")
    arguments = parser.parse_args()
    try:
        settings = load()
        if settings.bots is not None:
            roster.install(settings.bots)
    except (SettingsError, BadInput) as error:
        print(error, file=sys.stderr)
        return 2
    if not settings.redis_url:
        print("PAPAMU_REDIS_URL: must name the Redis of the ladder service", file=sys.stderr)
        return 2
    logs.setup(settings.log_level, json=settings.log_json)
    slots = Slots(2 * settings.workers)  # a child may start before the one it replaces is quite gone
    registry = new_registry()
    registry.register(EngineCollector(slots.totals))
    registry.register(WorkCollector(slots))

    def on_ready() -> None:
        endpoint = start_metrics(Address.parse(settings.workers_metrics_address), registry)
        ready.tell(arguments.ready_fd, {"metrics": str(endpoint.address)})

    return run(make_worker_app(settings, settings.redis_url, slots, on_ready), settings)


if __name__ == "__main__":
    sys.exit(main())
