"""The filter language of ListRecords: terms `field = value` joined by AND (a subset of google.aip.dev/160)."""

from __future__ import annotations

import re

from papamu.records.v1 import records_pb2
from sqlalchemy import ColumnElement, select

from engines.core.game import BadInput, Violation
from services.records.tables import record, record_player

MAX_LENGTH = 1000
MAX_TERMS = 12
RUNNING = "RUNNING"
"""Value of `ending` of a game without a result."""

_TERM = re.compile(r'\s*(?P<field>[a-z]+)\s*=\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>[\w./-]+))\s*')
_COLUMNS = {"game": record.c.game, "edition": record.c.edition, "event": record.c.event}
_PLAYER = {"player": record_player.c.name, "kind": record_player.c.kind}


def conditions(text: str) -> list[ColumnElement[bool]]:
    """What a row must meet. Raises BadInput (field `filter`) that says where the text stops making sense."""
    if len(text) > MAX_LENGTH or not text.isprintable():
        raise _bad(f"must be at most {MAX_LENGTH} printable characters")
    found = []
    at = 0
    while text[at:].strip():
        term = _TERM.match(text, at)
        if term is None:
            raise _bad(f"expected `field = value` at character {at}")
        value = term["bare"] if term["quoted"] is None else re.sub(r"\\(.)", r"\1", term["quoted"])
        found.append(_condition(term["field"], value))
        if len(found) > MAX_TERMS:
            raise _bad(f"must be at most {MAX_TERMS} terms")
        at = term.end()
        if text[at:].strip():
            if not re.match(r"AND\s", text[at:]):
                raise _bad(f"expected AND at character {at}")
            at += 3
            if not text[at:].strip():
                raise _bad("ends with AND")
    return found


def _condition(field: str, value: str) -> ColumnElement[bool]:
    if field in _COLUMNS:
        return _COLUMNS[field] == value
    if field in _PLAYER:
        return record.c.id.in_(select(record_player.c.record_id).where(_PLAYER[field] == value))  # by its index
    if field == "ending":
        if value == RUNNING:
            return record.c.ending == records_pb2.ENDING_UNSPECIFIED
        number = records_pb2.Ending.DESCRIPTOR.values_by_name.get(f"ENDING_{value}")
        if number is None or number.number == records_pb2.ENDING_UNSPECIFIED:
            raise _bad(f"unknown ending {value[:40]!r}")
        return record.c.ending == number.number
    known = ", ".join([*_COLUMNS, *_PLAYER, "ending"])
    raise _bad(f"unknown field {field[:40]!r}; there are {known}")


def _bad(sentence: str) -> BadInput:
    return BadInput([Violation("filter", sentence)])
