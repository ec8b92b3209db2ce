"""The JSON form of a record: protobuf's own mapping, read action by action.

protobuf's reader is slow, cannot be stopped, and tells of its inside when something is wrong. So it gets the record in
small pieces, and what is wrong is said here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import repeat
from typing import Any, NoReturn, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message
from papamu.records.v1 import records_pb2 as pb

from engines.core.game import BadInput, Violation
from engines.core.patience import Check, go_on, polled
from engines.record.record import MAX_ACTIONS

M = TypeVar("M", bound=Message)

MAX_LIST = 100
"""Longest list that is read, but for the actions."""
MAX_DEPTH = 30
"""Messages in messages that are followed."""
MOST_SAID = 2000
"""Characters of a sentence of protobuf's reader that are looked at, from either end."""

_PLACE = re.compile(r' at "?(?:Record|Action)((?:\.\w{1,40}(?:\[\d{1,9}\])?){1,30})')
"""Where protobuf's reader found a fault: the last of these in its sentence,"""
_WITHIN = re.compile(r"(?:Failed to parse \w{1,40} field: )*")
"""or else what its sentence begins with."""
_UNKNOWN = re.compile(r'has no field named "(.{0,200}?)" at "')


def write(record: pb.Record) -> str:
    """The record in JSON, ending in a newline."""
    return json_format.MessageToJson(record, preserving_proto_field_name=True, ensure_ascii=False) + "\n"


def read(text: str, check: Check = go_on) -> pb.Record:
    """The record of a text. Raises BadInput, whose fields are paths in the record."""
    data = _load(text, check)
    if not isinstance(data, dict):
        _refuse("", "is no record in JSON: it is no object")
    actions = data.pop("actions", None)
    if actions is None:
        actions = []
    if not isinstance(actions, list) or len(actions) > MAX_ACTIONS:
        _refuse("actions", f"must be a list of at most {MAX_ACTIONS}")
    record = _parse(data, pb.Record(), "")
    for ply, action in enumerate(polled(actions, check)):
        _parse(action, record.actions.add(), f"actions[{ply}]")
    return record


def _load(text: str, check: Check) -> Any:
    looks = polled(repeat(None), check)
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, looks))
    except json.JSONDecodeError as error:
        _refuse("", f"is no JSON at line {error.lineno}, character {error.colno}")
    except BadInput:
        raise
    except (ValueError, RecursionError):  # a number, or a nesting, beyond what Python reads
        _refuse("", "is no record in JSON")


def _object(pairs: list[tuple[str, Any]], looks: Iterator[None]) -> dict[str, Any]:
    """One object of the text. Short lists keep what protobuf's reader gets at once small."""
    next(looks)
    found = dict(pairs)
    if len(found) != len(pairs):
        _refuse("", "is no record in JSON: an object has a key twice")
    for name, value in pairs:
        if isinstance(value, list) and len(value) > MAX_LIST and name != "actions":
            _refuse(name, f"must be a list of at most {MAX_LIST}")
    return found


def _parse(data: Any, message: M, path: str) -> M:
    """The message that JSON data says, which stands at `path` in the record."""
    if not isinstance(data, dict):
        _refuse(path, "must be an object")
    try:
        return json_format.ParseDict(data, message, max_recursion_depth=MAX_DEPTH)
    except Exception as error:  # its own ParseError, and whatever its helpers raise on odd keys and values
        sentence = str(error)
        place = _place(sentence)
        unknown = _UNKNOWN.search(sentence[-MOST_SAID:])
        if unknown:
            _refuse(path + place, f"there is no field {unknown[1][:40]!r}")
        _refuse(path + place, "is not what this field takes" if place else "is no record in JSON")


def _place(sentence: str) -> str:
    """The path that a sentence of protobuf's reader names, which quotes the text too; "" when it names none."""
    places = _PLACE.findall(sentence[-MOST_SAID:])
    if places:
        return str(places[-1])
    within = _WITHIN.match(sentence[:MOST_SAID])
    assert within is not None
    return "".join(f".{name}" for name in re.findall(r"parse (\w+) field", within[0]))


def _refuse(field: str, sentence: str) -> NoReturn:
    raise BadInput([Violation(field.removeprefix("."), sentence)]) from None
