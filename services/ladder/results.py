"""How a game gets its one result: in its row, with the record and a place in the outbox, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from papamu.rules.v1 import envelope_pb2
from sqlalchemy import Connection, Row, bindparam, insert, select, update

from engines import envelope
from engines.core.game import BadInput
from engines.record import record as records
from engines.record import results
from services.ladder.rows import event_of, moves_of, player_of, seated
from services.ladder.schedule import chance_seed
from services.ladder.tables import game, game_record, ladder, outbox

LOST = "WORKER_LOST"
"""Reason of a game that is void because it lost too many workers."""


class Checked(NamedTuple):
    """A reported game after its record was looked at."""

    game_id: str
    data: bytes
    """Canonical bytes of the record."""
    result: records_pb2.Result
    plies: int
    play_ms: int


def store_results(connection: Connection, games: Sequence[Checked], now: float) -> None:
    """Writes results and records; the records are on their way from then on."""
    if not games:
        return
    connection.execute(
        update(game)
        .where(game.c.id == bindparam("game"))
        .values(
            state=pb.GAME_STATE_DONE,
            ending=bindparam("new_ending"),
            result=bindparam("new_result"),
            plies=bindparam("new_plies"),
            moves=b"",  # they are in the record now
            ended_at=now,
        ),
        [
            {
                "game": c.game_id,
                "new_ending": c.result.ending,
                "new_result": c.result.SerializeToString(deterministic=True),
                "new_plies": c.plies,
            }
            for c in games
        ],
    )
    connection.execute(insert(game_record), [{"game_id": c.game_id, "data": c.data} for c in games])
    connection.execute(insert(outbox), [{"game_id": c.game_id} for c in games])


def finish(connection: Connection, ladder_id: str, now: float) -> None:
    """Ends the ladder when no game of it can get a result any more."""
    is_open = (pb.GAME_STATE_WAITING, pb.GAME_STATE_LEASED)
    left = select(game.c.id).where(game.c.ladder_id == ladder_id, game.c.state.in_(is_open)).limit(1)
    if connection.scalar(left) is None:
        connection.execute(
            update(ladder)
            .where(ladder.c.id == ladder_id, ladder.c.state != pb.LADDER_STATE_CANCELLED)
            .values(state=pb.LADDER_STATE_FINISHED, ended_at=now)
        )


def void(owner: Row[Any], row: Row[Any]) -> Checked:
    """The void result of a game that lost too many workers, with the moves that were reported.

    Nobody has looked at those yet. When they do not make a record that proves itself, it is one without moves.
    """
    made = records.new_record(
        row.id,
        envelope.read_rules(envelope_pb2.Setup.FromString(owner.setup)),
        [player_of(b) for b in seated(owner, row)],
        (),
        None,
        event=event_of(owner.id),
        chance_seed=chance_seed(owner.secret, row.block),
    )
    made.actions.extend(moves_of(row))
    if not _ends_void(made):
        del made.actions[:]
        _ends_void(made)
    return Checked(row.id, records.to_bytes(made), made.result, len(made.actions), 0)


def _ends_void(made: records_pb2.Record) -> bool:
    """Gives the record its result; whether it proves itself then."""
    try:
        *_, state = records.replay(made)
    except BadInput:
        return False
    made.result.CopyFrom(results.void(state, LOST))
    return not records.verify(made)
