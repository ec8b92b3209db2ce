"""Filters ask for rows by an index: a list stays quick however many records there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select, text

from services.common.database import Database
from services.records import filters
from services.records.tables import record


@pytest.mark.parametrize("asked", ['player = "x"', "kind = x", "game = tiki", "event = x", "game = tiki AND kind = x"])
def test_no_filter_looks_at_every_record(tmp_path: Path, asked: str) -> None:
    database = Database(f"sqlite:///{tmp_path}/records.sqlite")
    try:
        database.migrate("services.records.migrations")
        with database.read() as connection:
            page = select(record.c.id).where(record.c.id < 9, *filters.conditions(asked)).order_by(record.c.id.desc())
            query = page.limit(5).compile(connection.engine, compile_kwargs={"literal_binds": True})
            steps = [row[-1] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {query}"))]
    finally:
        database.close()
    assert steps
    assert not [step for step in steps if step.startswith("SCAN") or "(rowid<?)" in step]
