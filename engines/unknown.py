"""Fields that a message holds and this version does not know: a newer sender means something by them.

Protobuf skips them. Where rules are told by messages that would be to play by other rules than the sender wants.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from engines.core.game import BadInput, Violation

MOST_BYTES = 10_000
"""Of unknown fields: where there are more, which only somebody hostile sends, their paths are not looked for."""
MOST_PARTS = 10_000
"""Messages in a message that are searched for paths: more than a position has."""
MOST_TOLD = 16
"""Fields that one error names."""


def refuse_unknown(message: Message) -> None:
    """Raises BadInput with the path of each unknown field, at any depth; the last word of a path is its number."""
    known = type(message)()
    known.CopyFrom(message)
    known.DiscardUnknownFields()
    unknown = message.ByteSize() - known.ByteSize()
    if unknown:
        paths = islice(_unknown(message), MOST_TOLD) if unknown <= MOST_BYTES else ()
        found = [Violation(path, "is not known here") for path in paths]
        raise BadInput(found or [Violation("", "holds a field that is not known here")])


def _unknown(message: Message) -> Iterator[str]:
    for path, part in islice(_parts(message, ""), MOST_PARTS):
        fields = UnknownFieldSet(part)
        yield from dict.fromkeys(f"{path}{fields[i].field_number}" for i in range(len(fields)))


def _parts(message: Message, path: str) -> Iterator[tuple[str, Message]]:
    """The message and all messages in it, each with the path of its fields."""
    yield path, message
    for field, value in message.ListFields():
        if field.type == Field.TYPE_MESSAGE:
            if isinstance(value, Message):
                yield from _parts(value, f"{path}{field.name}.")
            else:
                for i, one in enumerate(value):
                    yield from _parts(one, f"{path}{field.name}[{i}].")
