"""Positions of games in play with one to three small changes: most become impossible by little, some stay possible."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import Message
from papamu.rules.v1 import envelope_pb2 as env

from engines import envelope, registry
from tests.hostile.corpus import positions

PLIES = 300
EVERY = 7
"""Of the positions of a game, one in so many is changed."""


def nearly(seed: int, count: int) -> Iterator[env.Position]:
    """`count` changed positions."""
    rng = random.Random(seed)
    found = {
        slug: [envelope.write_position(state) for state in list(positions(slug, seed, PLIES))[::EVERY]]
        for slug in registry.SLUGS
    }
    for _ in range(count):
        slug = rng.choice(registry.SLUGS)
        position = env.Position()
        position.CopyFrom(rng.choice(found[slug]))
        texts = ["", *_texts(position)]
        for _ in range(rng.randint(1, 3)):
            message, field, _ = rng.choice(list(_leaves(getattr(position, slug))))
            _change(rng, message, field, texts)
        yield position


def _leaves(message: Message) -> Iterator[tuple[Message, Any, Any]]:
    """Every list and every number, text or choice in a message: (message it is in, field, value)."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            yield message, field, value
            if field.type == Field.TYPE_MESSAGE:
                for entry in value:
                    yield from _leaves(entry)
        elif field.type != Field.TYPE_MESSAGE:
            yield message, field, value
        elif message.HasField(field.name):
            yield from _leaves(value)


def _texts(message: Message) -> Iterator[str]:
    for _, field, value in _leaves(message):
        if field.type == Field.TYPE_STRING:
            yield from value if field.is_repeated else [value]


def _change(rng: random.Random, message: Message, field: Any, texts: list[str]) -> None:
    value = getattr(message, field.name)
    if not field.is_repeated:
        if field.has_presence and rng.random() < 0.2:
            message.ClearField(field.name)
        else:
            setattr(message, field.name, _beside(rng, field, value, texts))
    elif len(value) == 0 or rng.random() < 0.2:
        if field.type == Field.TYPE_MESSAGE:
            value.add()
        else:
            value.append(_beside(rng, field, 0, texts))
    elif rng.random() < 0.3:
        del value[rng.randrange(len(value))]
    elif field.type == Field.TYPE_MESSAGE:
        rng.choice(value).CopyFrom(rng.choice(value))
    else:
        i = rng.randrange(len(value))
        value[i] = _beside(rng, field, value[i], texts)


def _beside(rng: random.Random, field: Any, value: Any, texts: list[str]) -> Any:
    """Another value of a field, not far from the one it has."""
    if field.type == Field.TYPE_STRING:
        return rng.choice(texts)
    if field.type == Field.TYPE_BOOL:
        return not value
    return max(value + rng.choice((-2, -1, 1, 2)), 0)
