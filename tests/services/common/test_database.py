"""SQLite and PostgreSQL behind one door: migrations, the writer's lock, transactions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from services.common.database import Database, DatabaseBusy
from services.ladder import tables as ladder_tables
from services.records import tables as records_tables
from tests.support.databases import KINDS, Databases

MIGRATIONS = ("services.ladder.migrations", "services.records.migrations")


@pytest.mark.parametrize("kind", KINDS)
def test_migrations_make_what_the_tables_say(kind: str, databases: Databases) -> None:
    with databases.open(kind, *MIGRATIONS, *MIGRATIONS) as opened, opened.read() as connection:
        for tables, version in ((ladder_tables, "ladder_version"), (records_tables, "records_version")):
            own = set(tables.metadata.tables)
            options = {
                "version_table": version,
                "compare_type": True,
                "include_name": lambda name, kind, _, own=own: kind != "table" or name in own,
            }
            context = MigrationContext.configure(connection, opts=options)
            assert compare_metadata(context, tables.metadata) == []
            assert own <= set(inspect(connection).get_table_names())


@pytest.mark.slow
def test_a_second_process_is_kept_out_and_let_in_afterwards(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/one.sqlite"
    again = f"from services.common.database import Database; Database({url!r})"
    first = Database(url)
    with pytest.raises(DatabaseBusy, match="another process"):
        Database(url)
    refused = subprocess.run([sys.executable, "-c", again], capture_output=True, text=True)
    assert "DatabaseBusy" in refused.stderr
    first.close()
    assert subprocess.run([sys.executable, "-c", again]).returncode == 0


def _insert_and_fail(opened: Database) -> None:
    with opened.write() as connection:
        connection.execute(text("INSERT INTO t VALUES (1)"))
        raise ZeroDivisionError


@pytest.mark.parametrize("kind", KINDS)
def test_a_transaction_that_raises_leaves_nothing(kind: str, databases: Databases) -> None:
    with databases.open(kind) as opened:
        with opened.write() as connection:
            connection.execute(text("CREATE TABLE t (x INTEGER)"))
        with pytest.raises(ZeroDivisionError):
            _insert_and_fail(opened)
        with opened.read() as connection:
            assert connection.scalar(text("SELECT count(*) FROM t")) == 0
