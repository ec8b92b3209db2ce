"""Bots, ladders and games in the database: making and reading them. What workers do to games is in `leases`."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from sqlalchemy import Connection, Row, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from engines.record.record import GAME_ID
from engines.search.bots import KINDS, check_options
from services.common.database import Database
from services.common.errors import AlreadyExists, NotFound, Precondition
from services.ladder import schedule
from services.ladder.status import OPEN, block_is_open, status
from services.ladder.tables import BATCH_DONE, LADDER_MAKING, batch, bot, game, game_record, ladder

VOID = records_pb2.ENDING_VOID
INSERT_ROWS = 1_000
"""Games that are written in one transaction when a ladder is made: it keeps all other writers waiting."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as ladders keep it."""

    name: str
    kind: str
    options: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LadderPlan:
    """A checked request for a ladder."""

    request_id: str
    request: bytes
    name: str
    setup: bytes
    seats: int
    bots: Sequence[str]
    blocks: int
    priority: int
    secret: bytes


class Store:
    """Everything but leases. `clock` gives seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self.database = database
        self.clock = clock

    # -- bots ---------------------------------------------------------------------------------------------------------

    def add_built_in_bots(self) -> None:
        """Names every built-in kind that has no bot of its name yet."""
        with self.database.write() as connection:
            known = set(connection.scalars(select(bot.c.name)))
            for kind in KINDS.keys() - known:
                _insert_bot(connection, BotSpec(kind, kind, check_options(kind, {})))

    def create_bot(self, spec: BotSpec) -> None:
        """Names a bot; the same bot again changes nothing. Raises AlreadyExists when the name is taken."""
        with self.database.write() as connection:
            found = _find_bots(connection, [spec.name])
            if not found:
                _insert_bot(connection, spec)
            elif found[0] != spec:
                raise AlreadyExists(f"bot {spec.name} is a different one")

    def bots(self) -> list[BotSpec]:
        """All bots by name."""
        with self.database.read() as connection:
            return _find_bots(connection)

    # -- ladders ------------------------------------------------------------------------------------------------------

    def create_ladder(self, plan: LadderPlan) -> str:
        """Writes the ladder and its whole schedule; returns its id.

        It is written bit by bit, so that workers are heard meanwhile, and seen by nobody until it is whole. The same
        request gives the same ladder, and completes one that was left half-way. Raises AlreadyExists when the request
        id stands for another request, and NotFound for an unknown bot.
        """
        ladder_id = "l" + hashlib.sha256(plan.request_id.encode()).hexdigest()[:12]
        try:
            secret = self._begin_ladder(ladder_id, plan)
        except IntegrityError:  # the same request, at the same time, was quicker
            secret = self._begin_ladder(ladder_id, plan)
        games = schedule.schedule(len(plan.bots), plan.seats, plan.blocks, secret)
        while self._add_games(ladder_id, list(islice(games, INSERT_ROWS))):
            pass
        return ladder_id

    def _begin_ladder(self, ladder_id: str, plan: LadderPlan) -> bytes:
        """Writes the row of a ladder unless it is there; returns the ladder's secret."""
        secret = plan.secret or secrets.token_bytes(32)
        with self.database.write() as connection:
            made = connection.execute(select(ladder.c.request, ladder.c.secret).where(ladder.c.id == ladder_id)).first()
            if made is not None:
                if made.request != plan.request:
                    raise AlreadyExists(f"request {plan.request_id} made another ladder")
                return bytes(made.secret)
            specs = {spec.name: spec for spec in _find_bots(connection, plan.bots)}
            for name in plan.bots:
                if name not in specs:
                    raise NotFound(f"no bot {name}")
            connection.execute(
                insert(ladder).values(
                    id=ladder_id,
                    request_id=plan.request_id,
                    request=plan.request,
                    name=plan.name,
                    setup=plan.setup,
                    seats=plan.seats,
                    bots=json.dumps([asdict(specs[name]) for name in plan.bots]),
                    blocks=plan.blocks,
                    priority=plan.priority,
                    state=LADDER_MAKING,
                    secret=secret,
                    games=schedule.games(len(plan.bots), plan.seats, plan.blocks),
                    created_at=self.clock(),
                )
            )
        return secret

    def _add_games(self, ladder_id: str, games: Sequence[schedule.Scheduled]) -> bool:
        """Writes those of the next games that are not there; whether more are to come. The last ones start the ladder.

        Somebody else may write the same ones at the same time: a caller who tries again while his first call runs on.
        """
        rows = [
            {
                "id": f"{ladder_id}-{scheduled.number}",
                "ladder_id": ladder_id,
                "number": scheduled.number,
                "block": scheduled.block,
                "rotation": scheduled.rotation,
                "players": json.dumps(scheduled.players),
                "state": pb.GAME_STATE_WAITING,
            }
            for scheduled in games
        ]
        more = len(games) == INSERT_ROWS
        making = (ladder.c.id == ladder_id, ladder.c.state == LADDER_MAKING)
        with self.database.write() as connection:
            if connection.execute(select(ladder.c.id).where(*making).with_for_update()).first() is None:
                return False
            last = connection.scalar(select(func.max(game.c.number)).where(game.c.ladder_id == ladder_id))
            new = rows if last is None else [row for row in rows if row["number"] > last]
            if new:
                connection.execute(insert(game), new)
            if not more:
                connection.execute(update(ladder).where(*making).values(state=pb.LADDER_STATE_RUNNING))
        return more

    def ladder(self, ladder_id: str) -> Row[Any]:
        """The row of a ladder. Raises NotFound."""
        with self.database.read() as connection:
            return find_ladder(connection, ladder_id)

    def ladders(self, limit: int, before: tuple[float, str] | None) -> list[Row[Any]]:
        """Rows newest first, those older than `before` = (created_at, id)."""
        newest = select(ladder).order_by(ladder.c.created_at.desc(), ladder.c.id.desc())
        query = newest.where(ladder.c.state != LADDER_MAKING).limit(limit)
        if before is not None:
            at, ladder_id = before
            older = (ladder.c.created_at < at) | ((ladder.c.created_at == at) & (ladder.c.id < ladder_id))
            query = query.where(older)
        with self.database.read() as connection:
            return list(connection.execute(query))

    def progress(self, ladder_id: str) -> dict[int, int]:
        """Games by state, void ones also under -1."""
        here = game.c.ladder_id == ladder_id
        by_state = select(game.c.state, func.count().label("n")).where(here).group_by(game.c.state)
        voids = select(func.count()).where(here, game.c.state == pb.GAME_STATE_DONE, game.c.ending == VOID)
        with self.database.read() as connection:
            counts = {row.state: row.n for row in connection.execute(by_state)}
            counts[-1] = connection.scalar(voids) or 0
        return counts

    def set_state(self, ladder_id: str, state: int) -> None:
        """Pauses, resumes or cancels a ladder; a finished one stays finished.

        Raises NotFound, or Precondition when a cancelled ladder is to go on.
        """
        with self.database.write() as connection:
            now = find_ladder(connection, ladder_id, lock=True).state
            if now == state or now == pb.LADDER_STATE_FINISHED:
                return
            if now == pb.LADDER_STATE_CANCELLED:
                raise Precondition("the ladder is cancelled")
            values: dict[str, object] = {"state": state}
            if state == pb.LADDER_STATE_CANCELLED:
                values["ended_at"] = self.clock()
                here = game.c.ladder_id == ladder_id
                connection.execute(
                    update(game).where(here, game.c.state.in_(OPEN)).values(state=pb.GAME_STATE_CANCELLED)
                )
                connection.execute(update(batch).where(batch.c.ladder_id == ladder_id).values(state=BATCH_DONE))
            connection.execute(update(ladder).where(ladder.c.id == ladder_id).values(values))

    # -- games --------------------------------------------------------------------------------------------------------

    def games(self, ladder_id: str, limit: int, start: int, state: int) -> list[Row[Any]]:
        """Rows of a ladder in the order of the schedule, from number `start`; `state` 0 = all. Raises NotFound."""
        query = select(game).where(game.c.ladder_id == ladder_id, game.c.number >= start)
        if state:
            query = query.where(game.c.state == state)
        with self.database.read() as connection:
            find_ladder(connection, ladder_id)
            return list(connection.execute(query.order_by(game.c.number).limit(limit)))

    def game(self, game_id: str) -> Row[Any]:
        """The row of a game. Raises NotFound."""
        with self.database.read() as connection:
            return _find_game(connection, game_id)

    def ended_blocks(self, ladder_id: str, blocks: set[int]) -> set[int]:
        """Those of `blocks` in which no game can get a result any more."""
        query = select(game.c.block).where(
            game.c.ladder_id == ladder_id, game.c.block.in_(blocks), game.c.state.in_(OPEN)
        )
        with self.database.read() as connection:
            return blocks - set(connection.scalars(query))

    def record(self, game_id: str) -> bytes:
        """The record of a game. Raises NotFound, or Precondition while its block runs or when it has none."""
        with self.database.read() as connection:
            row = _find_game(connection, game_id)
            if connection.scalar(select(block_is_open(row.ladder_id, row.block))):
                raise Precondition("the record is held back until its seat block has ended")
            data = connection.scalar(select(game_record.c.data).where(game_record.c.game_id == game_id))
        if data is None:
            raise Precondition("the game was never played")
        return bytes(data)

    def results(self, ladder_id: str) -> list[tuple[int, Sequence[int], bytes]]:
        """(block, players, Result bytes) of the games that have a result, in the order of the schedule."""
        query = select(game.c.block, game.c.players, game.c.result).where(
            game.c.ladder_id == ladder_id, game.c.state == pb.GAME_STATE_DONE
        )
        with self.database.read() as connection:
            find_ladder(connection, ladder_id)
            rows = connection.execute(query.order_by(game.c.number))
            return [(block, json.loads(players), bytes(result)) for block, players, result in rows]

    def books(self, ladder_id: str) -> Iterator[tuple[Row[Any], bytes | None]]:
        """(row, record) of the games that have a result, in the order of the schedule, read in one transaction."""
        query = (
            select(game, game_record.c.data)
            .outerjoin(game_record, game_record.c.game_id == game.c.id)
            .where(game.c.ladder_id == ladder_id, game.c.state == pb.GAME_STATE_DONE)
            .order_by(game.c.number)
        )
        with self.database.read() as connection:
            for row in connection.execute(query.execution_options(yield_per=500)):
                yield row, row.data

    def status(self) -> pb.GetStatusResponse:
        """What waits."""
        with self.database.read() as connection:
            return status(connection)


def find_ladder(connection: Connection, ladder_id: str, *, lock: bool = False) -> Row[Any]:
    """The row of a ladder, locked until the transaction ends when asked. Raises NotFound."""
    if not GAME_ID.fullmatch(ladder_id):
        raise NotFound(f"no ladder {ladder_id[:40]!r}: that is no id")
    query = select(ladder).where(ladder.c.id == ladder_id, ladder.c.state != LADDER_MAKING)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound(f"no ladder {ladder_id[:40]}")
    return row


def _find_game(connection: Connection, game_id: str) -> Row[Any]:
    if not GAME_ID.fullmatch(game_id):
        raise NotFound(f"no game {game_id[:40]!r}: that is no id")
    row = connection.execute(select(game).where(game.c.id == game_id)).one_or_none()
    if row is None:
        raise NotFound(f"no game {game_id[:40]}")
    return row


def _find_bots(connection: Connection, names: Sequence[str] | None = None) -> list[BotSpec]:
    query = select(bot).order_by(bot.c.name)
    if names is not None:
        query = query.where(bot.c.name.in_(names))
    return [BotSpec(row.name, row.kind, json.loads(row.options)) for row in connection.execute(query)]


def _insert_bot(connection: Connection, spec: BotSpec) -> None:
    connection.execute(insert(bot).values(name=spec.name, kind=spec.kind, options=json.dumps(spec.options)))
