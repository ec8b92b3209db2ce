"""The record service as one running thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from papamu.records.v1 import service_pb2_grpc

from services.common.database import Database
from services.common.settings import Settings
from services.records.service import RecordService
from services.records.store import Store

DATABASE = "records.sqlite"
"""File in the data folder, where no database is named."""


class RecordsApp:
    """Opens the database; `add_to` puts the service on a server, `close` ends it.

    Raises DatabaseUnusable, as when another process has the SQLite file.
    """

    def __init__(self, settings: Settings) -> None:
        self.database = Database(settings.database_url or f"sqlite:///{settings.path(DATABASE)}")
        self.database.migrate("services.records.migrations")
        self.store = Store(self.database)

    def add_to(self, add: Callable[[Callable[[Any, Any], None], object], None]) -> None:
        """Adds the service by `Server.add`."""
        add(service_pb2_grpc.add_RecordServiceServicer_to_server, RecordService(self.store))

    def close(self) -> None:
        """Lets watchers go, and the database."""
        self.store.close()
        self.database.close()
