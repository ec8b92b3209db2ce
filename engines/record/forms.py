"""The forms a record travels in: protobuf bytes, JSON (protobuf's own mapping) and `.pgr` text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from google.protobuf.message import DecodeError
from papamu.records.v1 import records_pb2 as pb

from engines.core.game import BadInput, Violation
from engines.core.patience import Check, go_on
from engines.record import json_form, pgr
from engines.record.record import to_bytes

MAX_BYTES = 4 << 20
"""Longest input that is read, in bytes."""


class Read(Protocol):
    """Makes a record of bytes from outside; `check` is called again and again and may end it by raising."""

    def __call__(self, data: bytes, check: Check = go_on, /) -> pb.Record:
        """Raises BadInput, or registry.UnknownEdition where moves are text."""


class Form(NamedTuple):
    """How to write and read one form."""

    write: Callable[[pb.Record], bytes]
    read: Read


def _read_pgr(data: bytes, check: Check = go_on) -> pb.Record:
    return pgr.read(_text(data), check)


def _read_json(data: bytes, check: Check = go_on) -> pb.Record:
    return json_form.read(_text(data), check)


def _read_protobuf(data: bytes, check: Check = go_on) -> pb.Record:
    check()
    try:
        return pb.Record.FromString(_bounded(data))
    except DecodeError:
        raise BadInput([Violation("", "no record in protobuf")]) from None


def _bounded(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise BadInput([Violation("", f"must be at most {MAX_BYTES} bytes")])
    return data


def _text(data: bytes) -> str:
    try:
        return _bounded(data).decode()
    except UnicodeDecodeError:
        raise BadInput([Violation("", "must be UTF-8 text")]) from None


FORMS = {
    "pgr": Form(lambda record: pgr.write(record).encode(), _read_pgr),
    "json": Form(lambda record: json_form.write(record).encode(), _read_json),
    "pb": Form(to_bytes, _read_protobuf),
}
"""By file name extension."""
