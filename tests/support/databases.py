"""Both kinds of database, for tests that must hold on each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from services.common.database import Database
from tests.support.postgresql import postgresql

KINDS = ("sqlite", "postgresql")


@contextmanager
def database(kind: str, folder: Path, *migrations: str) -> Iterator[Database]:
    """A database with its schema."""
    if kind == "sqlite":
        with _opened(f"sqlite:///{folder}/test.sqlite", migrations) as opened:
            yield opened
    else:
        with postgresql(folder) as url, _opened(url, migrations) as opened:
            yield opened


@contextmanager
def _opened(url: str, migrations: tuple[str, ...]) -> Iterator[Database]:
    opened = Database(url)
    try:
        for package in migrations:
            opened.migrate(package)
        yield opened
    finally:
        opened.close()
