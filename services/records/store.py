"""Records in the database. What comes in is checked before (`service`); here it is written once and never changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from papamu.records.v1 import records_pb2 as pb
from papamu.rules.v1 import envelope_pb2
from sqlalchemy import ColumnElement, Connection, Row, insert, select, update

from engines.record.record import GAME_ID, to_bytes
from services.common.database import Database
from services.common.errors import Conflict, NotFound, Precondition
from services.records.tables import record, record_player

OTHER_WRITERS = 1.0
"""Seconds between two looks of a watcher for what another process wrote."""


class Store:
    """The records. `clock` gives seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._news = threading.Condition()
        self._closed = False

    def create(self, records: Sequence[pb.Record]) -> dict[str, bool]:
        """Stores those whose id is free, all in one transaction. By id: whether the same record is stored now."""
        stored: dict[str, bool] = {}
        fresh: dict[str, tuple[pb.Record, bytes]] = {}
        with self._database.write() as connection:
            ids = [message.game_id for message in records]
            query = select(record.c.game_id, record.c.data).where(record.c.game_id.in_(ids))
            there = {row.game_id: bytes(row.data) for row in connection.execute(query)}
            for message in records:
                data = to_bytes(message)
                known = there.setdefault(message.game_id, data)
                stored[message.game_id] = known is data or _says(known, message, data)
                if known is data:
                    fresh[message.game_id] = message, data
            self._insert(connection, fresh)
        self._tell()
        return stored

    def append(self, game_id: str, from_ply: int, actions: Sequence[envelope_pb2.Action], *, checked: bool) -> int:
        """Adds moves; returns the number of moves then. The same moves again change nothing.

        Raises NotFound, Precondition for a finished game, or Conflict when other moves are there or the moves were not
        `checked`: the game was not at `from_ply` when the caller looked, though it may be there now.
        """
        with self._database.write() as connection:
            row = _find(connection, game_id, lock=True)
            made = pb.Record.FromString(row.data).actions
            if list(made[from_ply : from_ply + len(actions)]) == list(actions):
                return int(row.plies)
            if row.ending:
                raise Precondition("the game has ended")
            if row.plies != from_ply or not checked:
                raise Conflict(f"the game has {row.plies} moves, not {from_ply}")
            data = bytes(row.data) + pb.Record(actions=actions).SerializeToString()
            plies = from_ply + len(actions)
            connection.execute(update(record).where(record.c.id == row.id).values(data=data, plies=plies))
        self._tell()
        return plies

    def finish(self, message: pb.Record, plies: int) -> None:
        """Ends a running game of `plies` moves: `message` is its whole record. The same result again changes nothing.

        Raises NotFound, Conflict when it has more or fewer moves, or Precondition when it has another result.
        """
        with self._database.write() as connection:
            row = _find(connection, message.game_id, lock=True)
            if not row.plies == plies == len(message.actions):
                raise Conflict(f"the game has {row.plies} moves, not {plies}")
            data = to_bytes(message)
            if row.ending:
                if bytes(row.data) != data:
                    raise Precondition("the game has ended with another result")
                return
            ended = {"data": data, "ending": message.result.ending}
            connection.execute(update(record).where(record.c.id == row.id).values(ended))
        self._tell()

    def get(self, game_id: str) -> tuple[pb.Record, float]:
        """A record and when it was stored. Raises NotFound."""
        with self._database.read() as connection:
            row = _find(connection, game_id)
        return pb.Record.FromString(row.data), row.created_at

    def list(self, conditions: Sequence[ColumnElement[bool]], limit: int, before: int) -> list[Row[Any]]:
        """Rows, newest first, with an id below `before`."""
        query = select(record).where(record.c.id < before, *conditions).order_by(record.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return list(connection.execute(query))

    def wait(self, game_id: str, plies: int, patience: float) -> pb.Record | None:
        """The record once it has more than `plies` moves or a result; None after `patience` seconds, or at the end."""
        deadline = time.monotonic() + patience
        with self._news:
            while True:
                found, _ = self.get(game_id)
                left = deadline - time.monotonic()
                if len(found.actions) > plies or found.HasField("result"):
                    return found
                if left <= 0 or self._closed:
                    return None
                self._news.wait(min(left, OTHER_WRITERS))

    def close(self) -> None:
        """Lets the watchers go."""
        self._closed = True
        self._tell()

    def _tell(self) -> None:
        with self._news:
            self._news.notify_all()

    def _insert(self, connection: Connection, fresh: Mapping[str, tuple[pb.Record, bytes]]) -> None:
        if not fresh:
            return
        now = self._clock()
        rows = [
            {
                "game_id": game_id,
                "game": message.setup.WhichOneof("options"),
                "edition": message.setup.edition,
                "event": message.event,
                "ending": message.result.ending,
                "plies": len(message.actions),
                "data": data,
                "created_at": now,
            }
            for game_id, (message, data) in fresh.items()
        ]
        connection.execute(insert(record), rows)
        numbers = select(record.c.game_id, record.c.id).where(record.c.game_id.in_(fresh))
        players = [
            {"record_id": row.id, "seat": seat, "name": player.name, "kind": player.kind}
            for row in connection.execute(numbers)
            for seat, player in enumerate(fresh[row.game_id][0].players)
        ]
        connection.execute(insert(record_player), players)


def _says(known: bytes, message: pb.Record, data: bytes) -> bool:
    """Whether a stored record is the one that comes again: equal, or a running one that has gone on since."""
    if known == data:
        return True
    if message.HasField("result"):
        return False
    stored = pb.Record.FromString(known)
    stored.ClearField("result")
    begun = len(message.actions)
    if list(stored.actions[:begun]) != list(message.actions):
        return False
    del stored.actions[begun:]
    return to_bytes(stored) == data


def _find(connection: Connection, game_id: str, *, lock: bool = False) -> Row[Any]:
    if not GAME_ID.fullmatch(game_id):
        raise NotFound(f"no record {game_id[:64]!r}: that is no id")
    query = select(record).where(record.c.game_id == game_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound(f"no record {game_id[:64]}")
    return row
