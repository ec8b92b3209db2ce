"""Both kinds of database, for tests that must hold on each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import psycopg

from services.common.database import Database
from tests.support.postgresql import Server, postgresql

KINDS = ("sqlite", "postgresql")


class Databases:
    """Makes empty databases; one PostgreSQL serves all tests, started by the first that needs it."""

    def __init__(self, folder: Path, started: ExitStack) -> None:
        self._folder = folder
        self._started = started
        self._server: Server | None = None
        self._numbers = count()

    def url(self, kind: str) -> str:
        """The URL of a new database. Skips the test where there is no PostgreSQL."""
        name = f"test{next(self._numbers)}"
        if kind == "sqlite":
            return f"sqlite:///{self._folder}/{name}.sqlite"
        if self._server is None:
            self._server = self._started.enter_context(postgresql(self._folder))
        with psycopg.connect(self._server.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._server.url(name)

    @contextmanager
    def open(self, kind: str, *migrations: str) -> Iterator[Database]:
        """A new database with its schema."""
        opened = Database(self.url(kind))
        try:
            for package in migrations:
                opened.migrate(package)
            yield opened
        finally:
            opened.close()
