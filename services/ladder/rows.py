"""What rows of ladders and games say, as the messages that workers get and records hold."""

from __future__ import annotations

import json
from typing import Any

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from papamu.rules.v1 import envelope_pb2
from sqlalchemy import Connection, Row, select

from engines.record import record as records
from services.ladder.tables import batch, ladder


def event_of(ladder_id: str) -> str:
    """What records of a ladder's games say they were played for."""
    return f"ladders/{ladder_id}"


def owner_of(connection: Connection, batch_id: int) -> Row[Any]:
    """The ladder that a batch belongs to."""
    return connection.execute(
        select(ladder).join(batch, batch.c.ladder_id == ladder.c.id).where(batch.c.id == batch_id)
    ).one()


def seated(owner: Row[Any], row: Row[Any]) -> list[dict[str, Any]]:
    """The bots of a game by seat: name, kind and options, as the ladder keeps them."""
    bots = json.loads(owner.bots)
    return [bots[i] for i in json.loads(row.players)]


def bot_of(spec: dict[str, Any]) -> pb.Bot:
    """A seated bot for workers."""
    options = [records_pb2.BotOption(name=name, value=value) for name, value in sorted(spec["options"].items())]
    return pb.Bot(name=spec["name"], kind=spec["kind"], options=options)


def player_of(spec: dict[str, Any]) -> records_pb2.Player:
    """A seated bot for records."""
    return records.player(spec["name"], spec["kind"], sorted(spec["options"].items()))


def moves_of(row: Row[Any]) -> list[envelope_pb2.Action]:
    """The moves of a game that were reported so far."""
    return list(pb.Progress.FromString(row.moves).actions)
