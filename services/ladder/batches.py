"""Puts games into batches of about a second of play: what a task names and a worker claims."""

from __future__ import annotations

from typing import Any

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.rules.v1 import envelope_pb2
from sqlalchemy import Connection, Row, Select, insert, select, update

from engines import envelope
from engines.core.game import BadInput
from engines.registry import UnknownEdition
from services.common import logs
from services.ladder.tables import BATCH_WAITING, batch, game, ladder

BATCH_SECONDS = 1.0
"""Play that a batch is made for."""
FIRST_BATCH, MAX_BATCH = 4, 64
"""Games of a batch before it is known how long one takes, and at most."""

log = logs.logger(__name__)


def new_batch(connection: Connection, ladder_id: str) -> int:
    """The number of an empty batch."""
    made = connection.execute(insert(batch).values(ladder_id=ladder_id, state=BATCH_WAITING))
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0])


def unplanned_ladders(limit: int) -> Select[Any]:
    """Running ladders that have games without a batch."""
    unplanned = select(game.c.id).where(
        game.c.ladder_id == ladder.c.id, game.c.state == pb.GAME_STATE_WAITING, game.c.batch_id.is_(None)
    )
    running = ladder.c.state == pb.LADDER_STATE_RUNNING
    return select(ladder).where(running, unplanned.exists()).order_by(ladder.c.created_at).limit(limit)


def plan_batch(connection: Connection, owner: Row[Any]) -> bool:
    """Puts the next games of a ladder (its row) into a batch; False when all have one."""
    size = FIRST_BATCH
    if owner.played:
        each = max(owner.play_ms / owner.played / 1000, 1e-4)
        size = min(max(int(BATCH_SECONDS / each), 1), MAX_BATCH)
    unplanned = (
        select(game.c.id)
        .where(game.c.ladder_id == owner.id, game.c.state == pb.GAME_STATE_WAITING, game.c.batch_id.is_(None))
        .order_by(game.c.number)
        .limit(size)
    )
    ids = list(connection.scalars(unplanned))
    if not ids:
        return False
    connection.execute(update(game).where(game.c.id.in_(ids)).values(batch_id=new_batch(connection, owner.id)))
    return True


def playable(connection: Connection, owner: Row[Any]) -> bool:
    """Whether the rules of a ladder (its row) are here; a running one is paused when they are not.

    Nobody could play its games then, and nobody could check or end them: they wait for the edition to come back.
    """
    try:
        envelope.read_rules(envelope_pb2.Setup.FromString(owner.setup))
    except (UnknownEdition, BadInput) as error:
        running = (ladder.c.id == owner.id, ladder.c.state == pb.LADDER_STATE_RUNNING)
        if connection.execute(update(ladder).where(*running).values(state=pb.LADDER_STATE_PAUSED)).rowcount:
            log.error("a ladder is paused: its rules are not here", ladder=owner.id, error=str(error))
        return False
    return True
