"""The ladder service as one running thing: store, leases, clockwork and the two gRPC services."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from papamu.ladder.v1 import ladder_pb2_grpc
from prometheus_client import CollectorRegistry

from engines.external import roster
from services.common.database import Database
from services.common.queues import make_app
from services.common.settings import Settings
from services.ladder.dispatch import Broker, Dispatcher
from services.ladder.leases import Leases
from services.ladder.metrics import LadderMetrics, WaitingCollector
from services.ladder.outbox import Outbox, Relay
from services.ladder.service import LadderService
from services.ladder.store import Store
from services.ladder.work import WorkerService

DATABASE = "ladder.sqlite"
"""File in the data folder, where no database is named."""


class LadderApp:
    """Opens the database and starts the clockwork; `add_to` puts the services on a server, `close` ends it.

    Its metrics go into `registry`. Raises DatabaseBusy when another process has the SQLite file.
    """

    def __init__(self, settings: Settings, redis_url: str, registry: CollectorRegistry | None = None) -> None:
        registry = registry or CollectorRegistry()
        self.metrics = LadderMetrics(registry)
        self.database = Database(settings.database_url or f"sqlite:///{settings.path(DATABASE)}")
        self.database.migrate("services.ladder.migrations")
        self.store = Store(self.database)
        if settings.bots is not None:
            roster.install(settings.bots)
        self.store.add_built_in_bots()
        self.leases = Leases(
            self.database, settings.lease_seconds, on_result=lambda ending: self.metrics.endings[ending].inc()
        )
        self.dispatcher = Dispatcher(self.leases, Broker(make_app(redis_url), redis_url), self.metrics)
        self.relay = Relay(Outbox(self.database), settings, self.metrics)
        registry.register(WaitingCollector(self.store.status, self.dispatcher.queues))

    def start(self, records_address: str = "") -> None:
        """Starts handing out games and delivering records; `records_address` as for `Relay.start`."""
        self.dispatcher.start()
        self.relay.start(records_address)

    def add_to(self, add: Callable[[Callable[[Any, Any], None], object], None]) -> None:
        """Adds the services by `Server.add`."""
        add(ladder_pb2_grpc.add_LadderServiceServicer_to_server, LadderService(self.store, self.dispatcher))
        add(ladder_pb2_grpc.add_WorkerServiceServicer_to_server, WorkerService(self.leases, self._wake, self.metrics))

    def _wake(self) -> None:
        self.dispatcher.wake()
        self.relay.wake()

    def close(self) -> None:
        """Stops the clockwork and lets go of the database."""
        self.relay.stop()
        self.dispatcher.stop()
        self.database.close()
