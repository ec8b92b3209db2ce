"""What waits inside the service, at a cost that does not grow with what was ever played.

SQLite chooses its plans without statistics here, so each query is written in the order in which it is to be answered:
it starts at what waits (batches, outbox) and looks up games from there.
"""

from __future__ import annotations

from typing import Any

from papamu.ladder.v1 import ladder_pb2 as pb
from sqlalchemy import ColumnElement, Connection, Select, exists, func, select

from services.ladder.tables import BATCH_LEASED, BATCH_WAITING, batch, game, ladder, outbox

OPEN = (pb.GAME_STATE_WAITING, pb.GAME_STATE_LEASED)
"""States of games that may still get a result."""


def block_is_open(ladder_id: Any, block: Any) -> ColumnElement[bool]:
    """Whether a game of the seat block may still get a result; takes columns or values."""
    other = game.alias()
    return exists().where(other.c.ladder_id == ladder_id, other.c.block == block, other.c.state.in_(OPEN))


def status(connection: Connection) -> pb.GetStatusResponse:
    """What waits."""
    running = select(ladder.c.id).where(ladder.c.state == pb.LADDER_STATE_RUNNING)
    leased = select(batch.c.id).where(batch.c.state == BATCH_LEASED)
    held = select(block_is_open(game.c.ladder_id, game.c.block)).where(game.c.id == outbox.c.game_id).scalar_subquery()
    counts: dict[str, Select[Any]] = {
        # Those of a paused ladder wait for people, not for workers.
        "batches_waiting": _count(batch.c.state == BATCH_WAITING, batch.c.ladder_id.in_(running)),
        "batches_leased": _count(batch.c.state == BATCH_LEASED),
        "games_leased": _count(game.c.batch_id.in_(leased), game.c.state == pb.GAME_STATE_LEASED),
        "outbox": select(func.count()).select_from(outbox),
        "outbox_held": select(func.count()).select_from(outbox).where(held),
        "outbox_refused": _count(outbox.c.refusal != ""),
    }
    return pb.GetStatusResponse(**{name: connection.scalar(query) for name, query in counts.items()})


def _count(*conditions: ColumnElement[bool]) -> Select[Any]:
    return select(func.count()).where(*conditions)
