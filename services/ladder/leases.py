"""Batches and their leases: who plays which games, and what comes back.

A lease is one row changed by compare-and-set. Attempts are counted when a worker takes a game; a worker that gives it
back gets the attempt back, one that vanishes does not. The games of a lost batch go on one by one, so that a game that
kills its worker cannot take others down with it: after MAX_ATTEMPTS it is void.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from sqlalchemy import Connection, Select, func, select, update

from engines.core.game import BadInput, Violation
from engines.search.bots import resumes
from services.common import logs
from services.common.database import AWAY, Database
from services.ladder.batches import new_batch, plan_batch, playable, unplanned_ladders
from services.ladder.results import Checked, finish, store_results, void
from services.ladder.rows import bot_of, event_of, moves_of, owner_of, player_of, seated
from services.ladder.schedule import bot_seed, chance_seed
from services.ladder.tables import BATCH_DONE, BATCH_LEASED, BATCH_WAITING, batch, game, ladder

MAX_ATTEMPTS = 3
"""Workers that a game may lose before it is void."""
CLOCK_SLACK = 1.0
"""Seconds by which the clocks of those who write to one database may differ."""
MAX_MOVES_BYTES = 1 << 20
"""Moves of one game that are kept while it runs: more than a game of the most moves that a record may have."""

log = logs.logger(__name__)


class Waiting(NamedTuple):
    """A batch that no worker has yet, and the queue it belongs to."""

    batch_id: int
    priority: int
    sent: bool
    """Whether the broker was told before."""


class Leases:
    """Hands out batches and takes results in.

    `clock` gives seconds since 1970, `lease_seconds` is how long a worker may be silent; `on_result` is called once for
    every result that was stored.
    """

    def __init__(
        self,
        database: Database,
        lease_seconds: float,
        clock: Callable[[], float] = time.time,
        on_result: Callable[[records_pb2.Ending], None] = lambda _: None,
    ) -> None:
        self._database = database
        self._on_result = on_result
        self.lease_seconds = lease_seconds
        self._clock = clock
        self._stuck: set[int] = set()
        """Lost batches that could not be taken back when it was last tried."""

    # -- what workers call --------------------------------------------------------------------------------------------

    def claim(self, batch_id: int, worker: str, token: str) -> pb.ClaimBatchResponse:
        """Takes a waiting batch of a running ladder; without games when there is nothing to take.

        The same token again gives the same lease.
        """
        with self._write(batch_id) as connection:
            owner = connection.execute(select(ladder).join(batch).where(batch.c.id == batch_id)).one_or_none()
            if owner is None or not playable(connection, owner):
                return pb.ClaimBatchResponse()
            running = select(ladder.c.id).where(ladder.c.state == pb.LADDER_STATE_RUNNING)
            taken = connection.execute(
                update(batch)
                .where(batch.c.id == batch_id, batch.c.state == BATCH_WAITING, batch.c.ladder_id.in_(running))
                .values(state=BATCH_LEASED, token=token, worker=worker, lease_until=self._lease_end())
            )
            if taken.rowcount:
                connection.execute(
                    update(game)
                    .where(game.c.batch_id == batch_id, game.c.state == pb.GAME_STATE_WAITING)
                    .values(state=pb.GAME_STATE_LEASED, attempts=game.c.attempts + 1)
                )
            elif not self._holds(connection, batch_id, token):
                return pb.ClaimBatchResponse()
            return self._assignments(connection, batch_id)

    def heartbeat(self, batch_id: int, token: str, progress: pb.Progress) -> pb.HeartbeatResponse:
        """Prolongs the lease and stores the moves made since."""
        with self._write(batch_id) as connection:
            if not self._holds(connection, batch_id, token):
                return pb.HeartbeatResponse(command=pb.COMMAND_DROP)
            connection.execute(update(batch).where(batch.c.id == batch_id).values(lease_until=self._lease_end()))
            plies = _store_progress(connection, batch_id, progress)
            running = connection.scalar(
                select(ladder.c.state).join(batch, batch.c.ladder_id == ladder.c.id).where(batch.c.id == batch_id)
            )
        command = pb.COMMAND_CONTINUE if running == pb.LADDER_STATE_RUNNING else pb.COMMAND_RELEASE
        return pb.HeartbeatResponse(command=command, stored_plies=plies)

    def assigned(self, batch_id: int, token: str) -> dict[str, tuple[bytes, str, list[records_pb2.Player], int]]:
        """What the records of a lease's games must say: (setup, event, players, chance seed) by game id.

        Empty when the token is not that of the batch's last lease.
        """
        with self._database.read() as connection:
            if connection.scalar(select(batch.c.token).where(batch.c.id == batch_id)) != token:
                return {}
            owner = owner_of(connection, batch_id)
            rows = connection.execute(select(game).where(game.c.batch_id == batch_id))
            return {
                row.id: (
                    bytes(owner.setup),
                    event_of(owner.id),
                    [player_of(b) for b in seated(owner, row)],
                    chance_seed(owner.secret, row.block),
                )
                for row in rows
            }

    def report(self, batch_id: int, token: str, games: Sequence[Checked]) -> dict[str, pb.Outcome]:
        """Stores results and records in one transaction; what was stored before stays as it is. Outcome by game id."""
        now = self._clock()
        with self._write(batch_id) as connection:
            lease = connection.execute(select(batch).where(batch.c.id == batch_id)).one_or_none()
            if lease is None or lease.token != token:
                return {checked.game_id: pb.OUTCOME_STALE for checked in games}
            rows = connection.execute(select(game.c.id, game.c.state).where(game.c.batch_id == batch_id))
            states = {row.id: row.state for row in rows}
            fresh = [checked for checked in games if states.get(checked.game_id) == pb.GAME_STATE_LEASED]
            if fresh:
                store_results(connection, fresh, now)
                connection.execute(
                    update(ladder)
                    .where(ladder.c.id == lease.ladder_id)
                    .values(
                        played=ladder.c.played + len(fresh),
                        play_ms=ladder.c.play_ms + sum(checked.play_ms for checked in fresh),
                    )
                )
                left = {c.game_id for c in fresh}
                if all(state != pb.GAME_STATE_LEASED for g, state in states.items() if g not in left):
                    connection.execute(update(batch).where(batch.c.id == batch_id).values(state=BATCH_DONE))
                finish(connection, lease.ladder_id, now)
            stored = {c.game_id for c in fresh} | {g for g, s in states.items() if s == pb.GAME_STATE_DONE}
        for checked in fresh:
            self._on_result(checked.result.ending)
        return {c.game_id: pb.OUTCOME_STORED if c.game_id in stored else pb.OUTCOME_STALE for c in games}

    def release(self, batch_id: int, token: str, progress: pb.Progress) -> None:
        """Takes the lease back: its games wait again, their attempt does not count. Nothing when it is not held."""
        with self._write(batch_id) as connection:
            if not self._holds(connection, batch_id, token):
                return
            _store_progress(connection, batch_id, progress)
            connection.execute(
                update(game)
                .where(game.c.batch_id == batch_id, game.c.state == pb.GAME_STATE_LEASED)
                .values(state=pb.GAME_STATE_WAITING, attempts=game.c.attempts - 1)
            )
            connection.execute(
                update(batch).where(batch.c.id == batch_id).values(state=BATCH_WAITING, token="", enqueued_at=0.0)
            )

    # -- what the service itself does from time to time ---------------------------------------------------------------

    def prolong(self) -> None:
        """Gives every lease its whole time from now: while the service was away, no worker could reach it."""
        with self._database.write() as connection:
            connection.execute(update(batch).where(batch.c.state == BATCH_LEASED).values(lease_until=self._lease_end()))

    def reap(self) -> int:
        """Takes back the leases that ran out; returns how many.

        A batch that cannot be taken back holds up no other: it is told once and tried again at the next call.
        """
        now = self._clock()
        overdue = select(batch).where(batch.c.state == BATCH_LEASED, batch.c.lease_until < now)
        # Nobody gets more than a whole lease: the end of such a one was set before the clock was set back.
        endless = (batch.c.state == BATCH_LEASED, batch.c.lease_until > now + self.lease_seconds + CLOCK_SLACK)
        with self._database.read() as connection:
            suspects = connection.execute(overdue).all()
            found = connection.execute(select(batch.c.id).where(*endless).limit(1)).first()
        if found:
            with self._database.write() as connection:
                connection.execute(update(batch).where(*endless).values(lease_until=now + self.lease_seconds))
        lost = 0
        stuck = set()
        for suspect in suspects:
            try:
                lost += self._take_back(suspect.id, overdue, now)
            except AWAY:  # for all of them
                raise
            except Exception as error:
                stuck.add(suspect.id)
                if suspect.id not in self._stuck:
                    log.error("a lost batch cannot be taken back; trying on", batch=suspect.id, exc_info=error)
        self._stuck = stuck
        return lost

    def _take_back(self, batch_id: int, overdue: Select[Any], now: float) -> bool:
        """Whether the lease of the batch was indeed lost: then its games wait again, each alone, or are void."""
        with self._write(batch_id) as connection:
            lease = connection.execute(overdue.where(batch.c.id == batch_id)).one_or_none()
            if lease is None:  # a heartbeat or a report was quicker
                return False
            connection.execute(update(batch).where(batch.c.id == lease.id).values(state=BATCH_DONE))
            rows = connection.execute(
                select(game).where(game.c.batch_id == lease.id, game.c.state == pb.GAME_STATE_LEASED)
            ).all()
            owner = owner_of(connection, lease.id)
            # A game whose rules are not here cannot even be void: its record would prove nothing.
            spent = {row.id: row for row in rows if row.attempts >= MAX_ATTEMPTS} if playable(connection, owner) else {}
            store_results(connection, [void(owner, row) for row in spent.values()], now)
            for row in rows:
                if row.id not in spent:
                    alone = new_batch(connection, lease.ladder_id)
                    connection.execute(
                        update(game).where(game.c.id == row.id).values(state=pb.GAME_STATE_WAITING, batch_id=alone)
                    )
            finish(connection, lease.ladder_id, now)
        for _ in spent:
            self._on_result(records_pb2.ENDING_VOID)
        return True

    def plan(self, backlog: int) -> None:
        """Makes batches until `backlog` and twice as many as are leased wait, for every running ladder.

        Batches of other ladders do not count: nobody may take them, so they would keep the running ones from theirs.
        """
        with self._database.read() as connection:
            if not connection.execute(unplanned_ladders(1)).first():
                return
        with self._database.write() as connection:
            by_state = (
                select(batch.c.state, func.count().label("n"))
                .join(ladder)
                .where(batch.c.state.in_((BATCH_WAITING, BATCH_LEASED)), ladder.c.state == pb.LADDER_STATE_RUNNING)
                .group_by(batch.c.state)
            )
            counts: dict[int, int] = {row.state: row.n for row in connection.execute(by_state)}
            wanted = backlog + 2 * counts.get(BATCH_LEASED, 0) - counts.get(BATCH_WAITING, 0)
            owners = connection.execute(unplanned_ladders(1_000)).all()
            for owner in owners:
                _lock(connection, owner.id)
                for _ in range(max(wanted // len(owners), 1) if wanted > 0 else 0):
                    if not plan_batch(connection, owner):
                        break

    def waiting(self, sent_before: float) -> list[Waiting]:
        """Batches of running ladders that wait and were not sent to the broker since `sent_before`, oldest first.

        Those sent in the future are among them: the clock was set back since.
        """
        query = (
            select(batch.c.id, ladder.c.priority, batch.c.enqueued_at > 0)
            .join(ladder)
            .where(
                batch.c.state == BATCH_WAITING,
                ladder.c.state == pb.LADDER_STATE_RUNNING,
                (batch.c.enqueued_at < sent_before) | (batch.c.enqueued_at > self._clock() + CLOCK_SLACK),
            )
            .order_by(batch.c.id)
        )
        with self._database.read() as connection:
            return [Waiting(batch_id, priority, bool(sent)) for batch_id, priority, sent in connection.execute(query)]

    def mark_sent(self, batch_ids: Iterable[int]) -> None:
        """Notes that the broker has messages for these batches."""
        ids = list(batch_ids)
        if ids:
            with self._database.write() as connection:
                connection.execute(update(batch).where(batch.c.id.in_(ids)).values(enqueued_at=self._clock()))

    # -- inside -------------------------------------------------------------------------------------------------------

    def _lease_end(self) -> float:
        return self._clock() + self.lease_seconds

    @contextmanager
    def _write(self, batch_id: int) -> Iterator[Connection]:
        """A transaction that has locked the batch's ladder: all that change its games come one after the other.

        (SQLite has one writer anyway.) Everybody locks the ladder first, so nobody waits for each other in a ring.
        """
        with self._database.write() as connection:
            ladder_id = connection.scalar(select(batch.c.ladder_id).where(batch.c.id == batch_id))
            if ladder_id is not None:
                _lock(connection, ladder_id)
            yield connection

    def _holds(self, connection: Connection, batch_id: int, token: str) -> bool:
        held = select(batch.c.id).where(batch.c.id == batch_id, batch.c.state == BATCH_LEASED, batch.c.token == token)
        return connection.scalar(held) is not None

    def _assignments(self, connection: Connection, batch_id: int) -> pb.ClaimBatchResponse:
        owner = owner_of(connection, batch_id)
        rows = connection.execute(
            select(game)
            .where(game.c.batch_id == batch_id, game.c.state == pb.GAME_STATE_LEASED)
            .order_by(game.c.number)
        )
        response = pb.ClaimBatchResponse(event=event_of(owner.id), lease_ms=int(self.lease_seconds * 1000))
        response.setup.ParseFromString(owner.setup)
        for row in rows.all():
            bots = seated(owner, row)
            actions = moves_of(row)
            if actions and not all(resumes(b["kind"], b["options"]) for b in bots):
                connection.execute(update(game).where(game.c.id == row.id).values(plies=0, moves=b""))
                actions = []
            response.games.add(
                game_id=row.id,
                players=[bot_of(b) for b in bots],
                chance_seed=chance_seed(owner.secret, row.block),
                bot_seed=bot_seed(owner.secret, row.block, row.rotation),
                actions=actions,
            )
        return response


def _lock(connection: Connection, ladder_id: str) -> None:
    connection.execute(select(ladder.c.id).where(ladder.c.id == ladder_id).with_for_update())


def _store_progress(connection: Connection, batch_id: int, progress: pb.Progress) -> int:
    """Adds moves to the game when they follow on what is stored; returns the number stored then."""
    mine = (game.c.id == progress.game_id, game.c.batch_id == batch_id, game.c.state == pb.GAME_STATE_LEASED)
    row = connection.execute(select(game.c.plies, game.c.moves).where(*mine)).one_or_none()
    if row is None:
        return 0
    if row.plies != progress.from_ply or not progress.actions:
        return int(row.plies)
    # Only the repeated field, so that the texts one after the other are one message with all moves.
    moves = bytes(row.moves) + pb.Progress(actions=progress.actions).SerializeToString()
    if len(moves) > MAX_MOVES_BYTES:
        raise BadInput([Violation("progress.actions", f"make more than {MAX_MOVES_BYTES} bytes with those before")])
    plies = int(row.plies) + len(progress.actions)
    connection.execute(update(game).where(*mine).values(plies=plies, moves=moves))
    return plies
