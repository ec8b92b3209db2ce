"""SQLite and PostgreSQL behind one door: migrations, the writer's lock, transactions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from services.common.database import Database, DatabaseBusy, DatabaseUnusable
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
    again = f"from services.common.database import Database; Database({url!r}).migrate({MIGRATIONS[0]!r})"

    def refused() -> bool:
        return "DatabaseBusy" in subprocess.run([sys.executable, "-c", again], capture_output=True, text=True).stderr

    first = Database(url)
    assert refused()
    first.close()
    assert not refused()
    with Popen([sys.executable, "-c", f"{again}; input('open')"], stdin=PIPE, stdout=PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.read(4) == b"open"
        with pytest.raises(DatabaseBusy, match="another process"):
            Database(url)
        other.communicate(b"\n")
    Database(url).close()


@pytest.mark.slow
def test_services_of_one_process_share_a_file_and_keep_others_out_to_the_last(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/one.sqlite"
    again = f"from services.common.database import Database; Database({url!r})"
    both = [Database(url), Database(f"sqlite:///{tmp_path}/../{tmp_path.name}/one.sqlite")]
    for opened, migrations in zip(both, MIGRATIONS, strict=True):
        opened.migrate(migrations)
    both[0].close()
    with both[1].write() as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER)"))
    refused = subprocess.run([sys.executable, "-c", again], capture_output=True, text=True)
    assert "DatabaseBusy" in refused.stderr
    both[1].close()
    assert subprocess.run([sys.executable, "-c", again]).returncode == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_that_is_newer_is_told(kind: str, databases: Databases) -> None:
    with databases.open(kind, *MIGRATIONS) as opened:
        with opened.write() as connection:
            connection.execute(text("UPDATE records_version SET version_num = '9999'"))
        with pytest.raises(DatabaseUnusable, match="was made by a newer Papamu"):
            opened.migrate(MIGRATIONS[1])
        opened.migrate(MIGRATIONS[0])


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.sqlite"
    garbage.write_bytes(b"no database" * 1000)
    opened = Database(f"sqlite:///{garbage}")
    with pytest.raises(DatabaseUnusable, match=r"garbage\.sqlite cannot be opened as a database: file is not"):
        opened.migrate(MIGRATIONS[0])
    opened.close()
    nobody = Database("postgresql://somebody:secret@127.0.0.1:1/nothing")
    with pytest.raises(DatabaseUnusable, match="cannot be opened as a database") as told:
        nobody.migrate(MIGRATIONS[0])
    assert "secret" not in str(told.value)
    nobody.close()


@pytest.mark.parametrize("url", ["postgresql:x", "postgresql+nope://x/y", "sqlite+nope:///x", "sqlite:x"])
def test_an_url_of_none_is_told(url: str) -> None:
    with pytest.raises(DatabaseUnusable, match="PAPAMU_DATABASE_URL"):
        Database(url)


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
