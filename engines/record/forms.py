"""The forms a record travels in: protobuf bytes, JSON (protobuf's own mapping) and `.pgr` text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from google.protobuf import json_format
from google.protobuf.message import DecodeError
from papamu.records.v1 import records_pb2 as pb

from engines.core.game import BadInput, Violation
from engines.record import pgr
from engines.record.record import to_bytes

MAX_BYTES = 4 << 20
"""Longest input that is read, in bytes."""


class Form(NamedTuple):
    """How to write and read one form. `read` raises BadInput, or registry.UnknownEdition where moves are text."""

    write: Callable[[pb.Record], bytes]
    read: Callable[[bytes], pb.Record]


def _write_json(record: pb.Record) -> bytes:
    text = json_format.MessageToJson(record, preserving_proto_field_name=True, ensure_ascii=False)
    return (text + "\n").encode()


def _read_json(data: bytes) -> pb.Record:
    text = _text(data)
    if not text.lstrip().startswith("{"):  # protobuf's parser says that in Python's words
        raise BadInput([Violation("", "no record in JSON: it does not begin with {")])
    try:
        return json_format.Parse(text, pb.Record(), max_recursion_depth=30)
    except json_format.ParseError as error:
        raise BadInput([Violation("", f"no record in JSON: {str(error)[:200]}")]) from error


def _read_protobuf(data: bytes) -> pb.Record:
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
    "pgr": Form(lambda record: pgr.write(record).encode(), lambda data: pgr.read(_text(data))),
    "json": Form(_write_json, _read_json),
    "pb": Form(to_bytes, _read_protobuf),
}
"""By file name extension."""
