"""WorkerService: what workers call."""

from __future__ import annotations

from collections.abc import Callable

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.ladder.v1 import ladder_pb2_grpc
from papamu.records.v1 import records_pb2

from engines.record import record as records
from services.common import logs
from services.common.calls import Call
from services.ladder import check
from services.ladder.leases import Leases
from services.ladder.metrics import LadderMetrics
from services.ladder.results import Checked

log = logs.logger(__name__)


class WorkerService(ladder_pb2_grpc.WorkerServiceServicer):
    """The handlers. Records are replayed before they are counted: no worker is believed.

    `wake` is called when there may be something to hand out or to deliver.
    """

    def __init__(self, leases: Leases, wake: Callable[[], None], metrics: LadderMetrics) -> None:
        self._leases = leases
        self._metrics = metrics
        self._wake = wake

    def ClaimBatch(self, request: pb.ClaimBatchRequest, call: Call) -> pb.ClaimBatchResponse:  # noqa: N802
        """Takes the lease of a batch."""
        batch_id = check.batch(request.batch_id, request.token, request.worker)
        with self._metrics.store["claim"].time():
            lease = self._leases.claim(batch_id, request.worker, request.token)
        self._metrics.leases["claimed" if lease.games else "nothing"].inc()
        return lease

    def Heartbeat(self, request: pb.HeartbeatRequest, call: Call) -> pb.HeartbeatResponse:  # noqa: N802
        """Prolongs a lease and stores moves."""
        batch_id = check.batch(request.batch_id, request.token)
        progress = check.progress(request.progress)
        with self._metrics.store["heartbeat"].time():
            return self._leases.heartbeat(batch_id, request.token, progress)

    def ReportResults(self, request: pb.ReportResultsRequest, call: Call) -> pb.ReportResultsResponse:  # noqa: N802
        """Stores results whose records prove themselves."""
        batch_id = check.batch(request.batch_id, request.token)
        wanted = self._leases.assigned(batch_id, request.token)
        good = []
        refused = set()
        for finished in check.finished(request.games):
            record = finished.record
            if record.game_id not in wanted:
                continue  # the store says that it is stale
            fault = _fault(record, *wanted[record.game_id], call)
            if fault:
                log.error("a record was refused", game=record.game_id, batch=batch_id, fault=fault)
                refused.add(record.game_id)
            else:
                data = records.to_bytes(record)
                good.append(Checked(record.game_id, data, record.result, len(record.actions), finished.play_ms))
        with self._metrics.store["report"].time():
            outcomes = self._leases.report(batch_id, request.token, good)
        self._wake()
        receipts = [
            pb.Receipt(
                game_id=game.record.game_id,
                outcome=pb.OUTCOME_REFUSED
                if game.record.game_id in refused
                else outcomes.get(game.record.game_id, pb.OUTCOME_STALE),
            )
            for game in request.games
        ]
        for receipt in receipts:
            self._metrics.reports[receipt.outcome].inc()
        return pb.ReportResultsResponse(receipts=receipts)

    def ReleaseBatch(self, request: pb.ReleaseBatchRequest, call: Call) -> pb.ReleaseBatchResponse:  # noqa: N802
        """Takes a lease back."""
        batch_id = check.batch(request.batch_id, request.token)
        progress = check.progress(request.progress)
        with self._metrics.store["release"].time():
            self._leases.release(batch_id, request.token, progress)
        self._metrics.leases["released"].inc()
        self._wake()
        return pb.ReleaseBatchResponse()


def _fault(
    record: records_pb2.Record,
    setup: bytes,
    event: str,
    players: list[records_pb2.Player],
    chance_seed: int,
    call: Call,
) -> str:
    """What is wrong with a reported record, "" when it is the finished game that was given out."""
    if record.setup.SerializeToString(deterministic=True) != setup or record.event != event:
        return "is of another game"
    if list(record.players) != players or record.chance_seed != chance_seed:
        return "has other players or another seed"
    if not record.HasField("result") or record.result.ending == records_pb2.ENDING_VOID:
        return "has no result that counts"
    faults = records.verify(record, call.check)
    return f"{faults[0].field}: {faults[0].sentence}" if faults else ""
