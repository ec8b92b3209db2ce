"""The databases of the services: SQLite files by default, PostgreSQL by URL; one way to open both."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from google.rpc.status_pb2 import Status
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from services.common import errors, logs

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Names of constraints, so that migrations can speak of them in every database."""


MAX_ID = 2**31 - 1
"""Greatest number of a row: PostgreSQL refuses greater ones in a query instead of finding nothing."""


AWAY = (OperationalError, InterfaceError, PoolTimeout)
"""What a database raises that does not answer now."""

log = logs.logger(__name__)


def _away(error: SQLAlchemyError) -> Status:
    cause = error.orig if isinstance(error, DBAPIError) else error
    log.error("the database does not answer", cause=errors.clip(" ".join(str(cause).split())))
    return errors.status_of(errors.Unavailable("the database does not answer"))


errors.TABLE.update(dict.fromkeys(AWAY, _away))


class DatabaseUnusable(RuntimeError):
    """A database cannot be used; the text says why, for the one who named it."""


class DatabaseBusy(DatabaseUnusable):
    """Another process is the writer of this SQLite file."""


class Database:
    """One database that this process writes.

    SQLite: WAL, `BEGIN IMMEDIATE` (so that a transaction never fails half-way for want of the write lock), and a lock
    that keeps a second process out. Services of one process may share a file. PostgreSQL: serialises writers by row
    locks; `write` is READ COMMITTED.
    """

    def __init__(self, url: str) -> None:
        """Raises DatabaseBusy when another process holds the SQLite file, DatabaseUnusable for an URL of none."""
        try:
            self.url = make_url(url)
            self.is_sqlite = self.url.get_backend_name() == "sqlite"
            self.engine = _sqlite(self.url) if self.is_sqlite else _postgresql(self.url)
        except (ArgumentError, ImportError) as error:
            raise DatabaseUnusable(f"PAPAMU_DATABASE_URL: {error}") from error
        self._lock = _Lock.take(Path(self.url.database)) if self.is_sqlite and self.url.database else None

    @property
    def name(self) -> str:
        """For people: the file, or the URL without its password."""
        return self.url.database or "" if self.is_sqlite else str(self.url)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may write: committed at the end of the block, rolled back when it raises."""
        with self.engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that reads one consistent state."""
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self.engine.connect().execution_options(papamu_read=True, **options) as connection:
            yield connection

    def migrate(self, migrations: str) -> None:
        """Brings the schema up to date; `migrations` is a package with an `env.py`, as `services.ladder.migrations`.

        Alembic does it in one transaction, under a lock where several processes may start at once. Raises
        DatabaseUnusable when the database cannot be opened, or has a schema that is not known here.
        """
        try:
            self._migrate(migrations)
        except CommandError as error:
            raise DatabaseUnusable(f"{self.name} was made by a newer Papamu: {error}") from error
        except SQLAlchemyError as error:
            why = " ".join(str(getattr(error, "orig", None) or error).split())
            raise DatabaseUnusable(f"{self.name} cannot be opened as a database: {why}") from error

    def _migrate(self, migrations: str) -> None:
        package, _, folder = migrations.rpartition(".")
        config = Config()
        config.set_main_option("script_location", f"{package}:{folder}")
        with self.write() as connection:
            if not self.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": migrations})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        """Closes all connections and lets the next process in."""
        self.engine.dispose()  # first: SQLite's own locks would go with the handle below
        if self._lock is not None:
            self._lock.leave()
            self._lock = None


@dataclass
class _Lock:
    """Keeps other processes out of a file until this one ends, however it ends, or its last user here leaves.

    It is of another kind than SQLite's own locks. Those are lost when any handle of the file is closed, so that a
    second user here gets the same handle.
    """

    file: tuple[int, int]
    handle: int
    users: int = 0

    _held: ClassVar[dict[tuple[int, int], _Lock]] = {}
    _guard: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def take(cls, database: Path) -> _Lock:
        """Raises DatabaseBusy when another process has it."""
        with cls._guard:
            lock = cls._find(database) or cls._open(database)
            lock.users += 1
            return lock

    @classmethod
    def _find(cls, database: Path) -> _Lock | None:
        with suppress(FileNotFoundError):
            return cls._held.get(_identity(database.stat()))
        return None

    @classmethod
    def _open(cls, database: Path) -> _Lock:
        handle = os.open(database, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise DatabaseBusy(f"{database} is in use by another process") from None
        lock = cls(_identity(os.fstat(handle)), handle)
        cls._held[lock.file] = lock
        return lock

    def leave(self) -> None:
        """Lets the next process in, if nobody else here uses the file."""
        with self._guard:
            self.users -= 1
            if not self.users:
                del self._held[self.file]
                os.close(self.handle)


def _identity(file: os.stat_result) -> tuple[int, int]:
    return file.st_dev, file.st_ino


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": 30})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver's own BEGIN is deferred; `begin` below sends the right one
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reads = connection.get_execution_options().get("papamu_read")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def _postgresql(url: URL) -> Engine:
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    return create_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8)
