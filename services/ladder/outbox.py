"""The way of records from the ladder's database to the record service.

An outbox row is written with its result, in one transaction, and removed when the record service has it. Records
whose seat block has not ended are held back: they show the chance that other games of the block still have before them.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import grpc
from papamu.records.v1 import records_pb2, service_pb2, service_pb2_grpc
from papamu.sdk.channel import authorization
from sqlalchemy import delete, select, update

from services.common import logs
from services.common.channel import dial
from services.common.database import AWAY, Database
from services.common.settings import Settings
from services.ladder.metrics import LadderMetrics
from services.ladder.status import block_is_open
from services.ladder.tables import game, game_record, outbox

BATCH = 50
"""Records of one call; MAX_BATCH_BYTES bounds it too."""
BATCH_BYTES = 512 * 1024
CALL_SECONDS = 30.0
LOOK = 1.0
"""Seconds between two looks into an empty outbox."""
LONGEST_WAIT = 10.0
"""Seconds between two tries while the record service does not answer; doubled from LOOK to this."""

log = logs.logger(__name__)


class Outgoing(NamedTuple):
    """A record on its way."""

    game_id: str
    data: bytes


class Outbox:
    """The rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def next(self, limit: int) -> list[Outgoing]:
        """The oldest records that may go."""
        query = (
            select(outbox.c.game_id, game_record.c.data)
            .join(game, game.c.id == outbox.c.game_id)
            .join(game_record, game_record.c.game_id == outbox.c.game_id)
            .where(outbox.c.refusal == "", ~block_is_open(game.c.ladder_id, game.c.block))
            .order_by(outbox.c.id)
            .limit(limit)
        )
        with self._database.read() as connection:
            return [Outgoing(game_id, bytes(data)) for game_id, data in connection.execute(query)]

    def settle(self, delivered: Sequence[str], refused: Mapping[str, str]) -> None:
        """Removes what was delivered and notes why others never will be."""
        with self._database.write() as connection:
            if delivered:
                connection.execute(delete(outbox).where(outbox.c.game_id.in_(delivered)))
            for game_id, refusal in refused.items():
                connection.execute(update(outbox).where(outbox.c.game_id == game_id).values(refusal=refusal))


class Relay:
    """A thread that delivers what is in the outbox, as long as it takes."""

    def __init__(self, rows: Outbox, settings: Settings, metrics: LadderMetrics) -> None:
        self._rows = rows
        self._metrics = metrics
        self._settings = settings
        self._dial(settings.records_address)
        self._metadata = authorization(settings.token.get_secret_value())
        self._woken = threading.Event()
        self._stopping = False
        self._wait = LOOK
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)

    def _dial(self, address: str) -> None:
        self._channel = dial(address, self._settings, retries=False)
        self._stub = service_pb2_grpc.RecordServiceStub(self._channel)

    def start(self, records_address: str = "") -> None:
        """Starts the thread. `records_address` is where the record service got to listen, when it is known."""
        if records_address:
            self._channel.close()
            self._dial(records_address)
        self._thread.start()

    def wake(self) -> None:
        """There may be something to deliver."""
        if self._wait == LOOK:  # while the record service is away, results must not make us hammer at it
            self._woken.set()

    def stop(self) -> None:
        """Ends the thread; what is left is delivered after the next start."""
        self._stopping = True
        self._channel.close()  # ends a call under way
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping:
            self._woken.clear()
            try:
                while not self._stopping and self.deliver():
                    self._wait = LOOK
            except (grpc.RpcError, ValueError) as error:  # ValueError: the channel was closed by `stop`
                self._metrics.relay_failures.inc()
                if self._wait == LOOK and not self._stopping:
                    code = error.code().name if isinstance(error, grpc.RpcError) else "CLOSED"
                    log.warning("records cannot be delivered; trying on", code=code)
                self._wait = min(2 * self._wait, LONGEST_WAIT)
            except Exception as error:  # a bad moment of the database
                away = isinstance(error, AWAY)  # anything else is our fault: show where
                log.error("the relay failed; trying on", error=str(error)[:200], exc_info=None if away else error)
                self._wait = min(2 * self._wait, LONGEST_WAIT)
            self._woken.wait(self._wait)

    def deliver(self) -> int:
        """Delivers the next records; returns how many rows were settled. Raises grpc.RpcError."""
        outgoing = self._rows.next(BATCH)
        size = 0
        request = service_pb2.BatchCreateRecordsRequest()
        for record in outgoing:
            size += len(record.data)
            if size > BATCH_BYTES and request.records:
                break
            request.records.append(records_pb2.Record.FromString(record.data))
        if not request.records:
            return 0
        answer = self._stub.BatchCreateRecords(request, timeout=CALL_SECONDS, metadata=self._metadata)
        refused = {r.game_id: r.refusal or "?" for r in answer.receipts if not r.stored}
        for game_id, refusal in refused.items():
            log.error("the record service refuses a record", game=game_id, refusal=refusal)
        delivered = [r.game_id for r in answer.receipts if r.stored]
        self._rows.settle(delivered, refused)
        self._metrics.relayed.inc(len(delivered))
        return len(answer.receipts)
