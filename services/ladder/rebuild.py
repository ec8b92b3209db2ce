"""Standings from the records alone: proof that the rows they are usually made of say the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from sqlalchemy import Row

from engines.core.patience import Check, go_on
from engines.record import record as records
from services.ladder.standings import Row as Result


@dataclass
class Books:
    """What the records say."""

    rows: list[Result] = field(default_factory=list)
    replayed: int = 0
    discrepancies: list[pb.Discrepancy] = field(default_factory=list)


def rebuild(games: Iterable[tuple[Row[Any], bytes | None]], names: Sequence[str], check: Check = go_on) -> Books:
    """Replays every record; `check` is called before each, and within long ones, and may end it all by raising.

    A game whose record is missing, does not prove itself or says something else than its row is left out and named.
    """
    books = Books()
    for row, data in games:
        check()
        if data is None:
            fault = "has no record"
        else:
            record = records_pb2.Record.FromString(data)
            books.replayed += 1
            fault = _fault(row, record, names, check)
            if not fault:
                books.rows.append((row.block, json.loads(row.players), record.result))
        if fault:
            books.discrepancies.append(pb.Discrepancy(game_id=row.id, sentence=fault))
    return books


def _fault(row: Row[Any], record: records_pb2.Record, names: Sequence[str], check: Check) -> str:
    """What is wrong with a row or its record; "" when nothing is."""
    faults = records.verify(record, check)
    if faults:
        return f"its record does not prove itself: {faults[0].field} {faults[0].sentence}"
    if record.game_id != row.id or [p.name for p in record.players] != [names[i] for i in json.loads(row.players)]:
        return "its record is of another game"
    if record.result != records_pb2.Result.FromString(row.result):
        return "its row has another result than its record"
    return ""
