"""Plays one batch: claims it, plays its games, reports them, gives back what is left."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

import grpc
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2

from engines import envelope
from engines.core.state import Rules
from engines.external.failures import MachineFailure
from engines.record import record as records
from engines.referee import Referee
from engines.search.bots import make_bot
from services.common import logs
from workers.heart import Heart
from workers.ladder_client import LadderClient

CLAIM_SECONDS = 5.0
"""How long a claim is tried: the batch is told to somebody again anyway."""
REPORT_SECONDS = 600.0
"""How long results are held on to while the ladder service is away."""
REPORT_EVERY = 2.0
"""Seconds after which finished games are reported before the batch is done."""

log = logs.logger(__name__)


def play_batch(client: LadderClient, batch_id: str, worker: str, stopping: Callable[[], bool]) -> int:
    """Plays the batch unless somebody else has it; returns the number of games reported.

    When `stopping` says so, the game being played is handed back with its moves. Raises grpc.RpcError when the ladder
    service stays away: the lease then runs out, and the games go to somebody else.
    """
    token = secrets.token_hex(16)
    request = pb.ClaimBatchRequest(batch_id=batch_id, worker=worker, token=token)
    lease = client.call(client.stub.ClaimBatch, request, give_up=lambda waited: waited > CLAIM_SECONDS)
    if not lease.games:
        return 0
    with Heart(client, batch_id, token, lease.lease_ms / 1000) as heart:
        return _Batch(client, batch_id, token, lease, heart, stopping).play()


class _Batch:
    def __init__(
        self,
        client: LadderClient,
        batch_id: str,
        token: str,
        lease: pb.ClaimBatchResponse,
        heart: Heart,
        stopping: Callable[[], bool],
    ) -> None:
        self._client = client
        self._batch_id = batch_id
        self._token = token
        self._lease = lease
        self._heart = heart
        self._stopping = stopping
        self._finished: list[pb.FinishedGame] = []
        self._reported = 0

    def play(self) -> int:
        rules = envelope.read_rules(self._lease.setup)
        last_report = time.monotonic()
        for assignment in self._lease.games:
            try:
                if self._stopped() or not self._play_game(rules, assignment):
                    break
            except (MachineFailure, MemoryError) as failure:  # the lease runs out, and others try what is left of it
                log.error("a game cannot be played here", game=assignment.game_id, reason=str(failure))
                self._report()
                return self._reported
            if time.monotonic() - last_report > REPORT_EVERY:
                self._report()
                last_report = time.monotonic()
        if self._heart.command != pb.COMMAND_DROP:
            self._report()
            if self._reported < len(self._lease.games):
                self._release()
        return self._reported

    def _stopped(self) -> bool:
        return self._heart.command != pb.COMMAND_CONTINUE or self._stopping()

    def _play_game(self, rules: Rules, assignment: pb.Assignment) -> bool:
        """Whether the game came to its end."""
        start = time.monotonic()
        game = envelope.game_of(rules)
        bots = [
            make_bot(game, bot.kind, {o.name: o.value for o in bot.options}, assignment.bot_seed, seat)
            for seat, bot in enumerate(assignment.players)
        ]
        before = records.read_moves(rules, assignment.actions)
        referee = Referee(rules, bots, assignment.chance_seed, before)
        self._heart.watch(assignment.game_id, rules, referee)
        result = referee.run(self._stopped)
        if result is None:
            return False
        record = records.new_record(
            assignment.game_id,
            rules,
            [records_pb2.Player(name=b.name, kind=b.kind, options=b.options) for b in assignment.players],
            referee.moves,
            result,
            event=self._lease.event,
            chance_seed=assignment.chance_seed,
        )
        play_ms = int((time.monotonic() - start) * 1000)
        self._finished.append(pb.FinishedGame(record=record, play_ms=play_ms))
        return True

    def _report(self) -> None:
        if not self._finished:
            return
        request = pb.ReportResultsRequest(batch_id=self._batch_id, token=self._token, games=self._finished)
        answer = self._client.call(
            self._client.stub.ReportResults, request, give_up=lambda waited: waited > REPORT_SECONDS
        )
        for receipt in answer.receipts:
            if receipt.outcome != pb.OUTCOME_STORED:
                log.warning("a result was not taken", game=receipt.game_id, outcome=pb.Outcome.Name(receipt.outcome))
        self._reported += len(self._finished)
        self._finished.clear()

    def _release(self) -> None:
        request = pb.ReleaseBatchRequest(batch_id=self._batch_id, token=self._token, progress=self._heart.progress())
        try:
            self._client.call(self._client.stub.ReleaseBatch, request, give_up=lambda waited: waited > CLAIM_SECONDS)
        except grpc.RpcError as error:  # the lease runs out by itself
            log.warning("a batch could not be given back", batch=self._batch_id, code=error.code().name)
