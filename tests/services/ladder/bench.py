"""A ladder's store and leases on one database, with a clock that the test moves, and a worker without a process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from papamu.rules.v1 import envelope_pb2
from papamu.tiki.v1 import tiki_pb2
from prometheus_client import CollectorRegistry

from engines import envelope
from engines.core.patience import go_on
from engines.record import record as records
from engines.referee import Referee
from engines.search.bots import make_bot
from services.ladder import check
from services.ladder.leases import Leases
from services.ladder.metrics import LadderMetrics
from services.ladder.store import Store
from services.ladder.work import WorkerService

LEASE = 10.0
CALL: Any = SimpleNamespace(check=go_on)
"""A caller who waits for ever."""


@dataclass
class Bench:
    """Store and leases over one database, and a clock."""

    store: Store
    leases: Leases
    now: list[float]

    @cached_property
    def work(self) -> WorkerService:
        """The door for workers."""
        return WorkerService(self.leases, lambda: None, LadderMetrics(CollectorRegistry()))

    def ladder(self, blocks: int = 4, bots: tuple[str, ...] = ("random", "greedy"), request_id: str = "r") -> str:
        setup = envelope_pb2.Setup(tiki=tiki_pb2.Options())
        request = pb.CreateLadderRequest(
            request_id=request_id, setup=setup, bots=bots, blocks=blocks, secret=b"0123456789abcdef"
        )
        made = self.store.create_ladder(check.plan(request))
        self.leases.plan(100)
        return made

    def batches(self) -> list[int]:
        return [waiting.batch_id for waiting in self.leases.waiting(self.now[0] + 1)]

    def done(self, ladder_id: str) -> int:
        return self.store.progress(ladder_id).get(pb.GAME_STATE_DONE, 0)

    def report(self, batch_id: int, token: str, games: list[records_pb2.Record]) -> list[int]:
        """Through the door that checks records."""
        request = pb.ReportResultsRequest(
            batch_id=str(batch_id), token=token, games=[pb.FinishedGame(record=g, play_ms=5) for g in games]
        )
        return [receipt.outcome for receipt in self.work.ReportResults(request, CALL).receipts]


def play(claim: pb.ClaimBatchResponse, assignment: pb.Assignment) -> records_pb2.Record:
    rules = envelope.read_rules(claim.setup)
    known = envelope.game_of(rules)
    bots = [
        make_bot(known, bot.kind, {o.name: o.value for o in bot.options}, assignment.bot_seed, seat)
        for seat, bot in enumerate(assignment.players)
    ]
    referee = Referee(rules, bots, assignment.chance_seed, records.read_moves(rules, assignment.actions))
    result = referee.run()
    players = [records_pb2.Player(name=b.name, kind=b.kind, options=b.options) for b in assignment.players]
    return records.new_record(
        assignment.game_id, rules, players, referee.moves, result, event=claim.event, chance_seed=assignment.chance_seed
    )
