"""RecordService: checks what comes in, stores it, gives it out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from papamu.records.v1 import records_pb2, service_pb2_grpc
from papamu.records.v1 import service_pb2 as pb
from sqlalchemy import Row

from engines import envelope
from engines.core.constants import ABSENT
from engines.core.game import BadInput, Reason, Violation
from engines.core.patience import Check, go_on, polled
from engines.record import record as records
from engines.record.forms import FORMS, Form
from engines.record.redact import ONLOOKER, redact
from engines.registry import UnknownEdition
from services.common.calls import Call
from services.common.database import MAX_ID
from services.common.errors import AlreadyExists, Refused
from services.records import filters
from services.records.store import Store

PAGE, MAX_PAGE = 50, 500
MAX_BATCH = 200
"""Records of a BatchCreateRecords."""
MAX_ACTIONS = 4096
"""Moves of an AppendActions."""
MAX_PLAYER = 80
"""Characters of a player's name or kind."""
LOOK = 5.0
"""Seconds after which a watch looks whether anybody still listens."""

_FORMS: dict[int, Form] = {
    pb.RECORD_FORMAT_PGR: FORMS["pgr"],
    pb.RECORD_FORMAT_JSON: FORMS["json"],
    pb.RECORD_FORMAT_PROTOBUF: FORMS["pb"],
}


class RecordService(service_pb2_grpc.RecordServiceServicer):
    """The handlers. See services/common/errors.py for what they raise."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def CreateRecord(self, request: pb.CreateRecordRequest, call: Call) -> pb.CreateRecordResponse:  # noqa: N802
        """Stores a record."""
        return pb.CreateRecordResponse(summary=self._create(request.record, "record", call.check))

    def BatchCreateRecords(self, request: pb.BatchCreateRecordsRequest, call: Call) -> pb.BatchCreateRecordsResponse:  # noqa: N802
        """Stores those that prove themselves."""
        if not 1 <= len(request.records) <= MAX_BATCH:
            raise BadInput([Violation("records", f"must be 1 to {MAX_BATCH}")])
        refusals: dict[int, str] = {}
        for i, record in enumerate(request.records):
            call.check()
            try:
                faults = _faults(record, call.check)
            except UnknownEdition as error:
                refusals[i] = str(error)
            else:
                if faults:
                    refusals[i] = f"{faults[0].field}: {faults[0].sentence}"
        stored = self._store.create([r for i, r in enumerate(request.records) if i not in refusals])
        receipts = []
        for i, record in enumerate(request.records):
            refusal = refusals.get(i, "" if stored.get(record.game_id) else "the id stands for another record")
            receipts.append(pb.StoreReceipt(game_id=record.game_id, stored=not refusal, refusal=refusal))
        return pb.BatchCreateRecordsResponse(receipts=receipts)

    def AppendActions(self, request: pb.AppendActionsRequest, call: Call) -> pb.AppendActionsResponse:  # noqa: N802
        """Adds moves that the rules allow."""
        if not 1 <= len(request.actions) <= MAX_ACTIONS:
            raise BadInput([Violation("actions", f"must be 1 to {MAX_ACTIONS}")])
        record, _ = self._store.get(request.game_id)
        checked = len(record.actions) == request.from_ply and not record.HasField("result")
        if checked:
            _play(record, request, call.check)
        # Else it is a resend or a conflict, which the store tells apart.
        plies = self._store.append(request.game_id, request.from_ply, request.actions, checked=checked)
        return pb.AppendActionsResponse(plies=plies)

    def FinishRecord(self, request: pb.FinishRecordRequest, call: Call) -> pb.FinishRecordResponse:  # noqa: N802
        """Ends a running game."""
        record, created_at = self._store.get(request.game_id)
        record.result.CopyFrom(request.result)
        if len(record.actions) == request.plies:  # else the store says what is wrong
            faults = _faults(record, call.check)
            if faults:
                raise BadInput(faults)
        self._store.finish(record, request.plies)
        return pb.FinishRecordResponse(summary=_summary(record, created_at))

    def GetRecord(self, request: pb.GetRecordRequest, call: Call) -> pb.GetRecordResponse:  # noqa: N802
        """A record as the public may see it."""
        record, created_at = self._store.get(request.game_id)
        return pb.GetRecordResponse(record=public(record, call.check), create_time=_timestamp(created_at))

    def ListRecords(self, request: pb.ListRecordsRequest, call: Call) -> pb.ListRecordsResponse:  # noqa: N802
        """A page of records, newest first."""
        if request.page_size > MAX_PAGE:
            raise BadInput([Violation("page_size", f"must be at most {MAX_PAGE}")])
        size = request.page_size or PAGE
        before = _page_token(request.page_token)
        rows = self._store.list(filters.conditions(request.filter), size + 1, before)
        following = str(rows[size - 1].id) if len(rows) > size else ""
        return pb.ListRecordsResponse(
            records=map(_row_summary, polled(rows[:size], call.check)), next_page_token=following
        )

    def WatchRecord(self, request: pb.WatchRecordRequest, call: Call) -> Iterator[pb.WatchRecordResponse]:  # noqa: N802
        """The moves as they come."""
        seen = request.from_ply
        while True:
            call.check()
            record = self._store.wait(request.game_id, seen, LOOK)
            if record is None:
                continue
            record = public(record, call.check)
            ended = record.HasField("result")
            yield pb.WatchRecordResponse(
                from_ply=seen, actions=record.actions[seen:], result=record.result if ended else None
            )
            seen = max(seen, len(record.actions))
            if ended:
                return

    def VerifyRecord(self, request: pb.VerifyRecordRequest, call: Call) -> pb.VerifyRecordResponse:  # noqa: N802
        """Whether a stored record proves itself by the rules that are here now."""
        record, _ = self._store.get(request.game_id)
        found = records.verify(record, call.check)
        faults = [pb.Fault(field=v.field, sentence=v.sentence, rule_id=v.id) for v in found]
        return pb.VerifyRecordResponse(verified=not faults, faults=faults)

    def ExportRecord(self, request: pb.ExportRecordRequest, call: Call) -> pb.ExportRecordResponse:  # noqa: N802
        """A record as a file."""
        form = _form(request.format)
        record, _ = self._store.get(request.game_id)
        return pb.ExportRecordResponse(data=form.write(public(record, call.check)))

    def ImportRecord(self, request: pb.ImportRecordRequest, call: Call) -> pb.ImportRecordResponse:  # noqa: N802
        """Stores a record from a file."""
        record = _form(request.format).read(request.data, call.check)
        return pb.ImportRecordResponse(summary=self._create(record, "data", call.check))

    def _create(self, record: records_pb2.Record, field: str, check: Check) -> pb.RecordSummary:
        faults = _faults(record, check)
        if faults:
            raise BadInput([Violation(f"{field}.{v.field}", v.sentence, v.id) for v in faults])
        if not self._store.create([record])[record.game_id]:
            raise AlreadyExists(f"record {record.game_id} is another one")
        stored, created_at = self._store.get(record.game_id)
        return _summary(stored, created_at)


def public(record: records_pb2.Record, check: Check = go_on) -> records_pb2.Record:
    """The record as everybody may see it: while the game runs, without its chance seed and what is hidden."""
    if record.HasField("result"):
        return record
    view = redact(record, ONLOOKER, check)
    view.ClearField("chance_seed")
    return view


def _faults(record: records_pb2.Record, check: Check) -> list[Violation]:
    """Everything that keeps a record from being stored."""
    faults = records.verify(record, check)
    for seat, player in enumerate(record.players):
        for field, text, least in (("name", player.name, 1), ("kind", player.kind, 0)):
            if not least <= len(text) <= MAX_PLAYER or not text.isprintable():
                sentence = f"must be {least} to {MAX_PLAYER} printable characters"
                faults.append(Violation(f"players[{seat}].{field}", sentence))
    if not record.event.isprintable():
        faults.append(Violation("event", "must be printable characters"))
    return faults


def _play(record: records_pb2.Record, request: pb.AppendActionsRequest, check: Check) -> None:
    """Plays the new moves behind the stored ones. Raises Refused or BadInput."""
    *_, state = records.replay(record, check)
    for index, action in enumerate(polled(request.actions, check)):
        try:
            records.step(state, action, f"actions[{index}]")
        except BadInput as error:
            reasons = _reasons(state, action)
            if reasons:
                raise Refused(reasons, index) from error
            raise


def _reasons(state: Any, action: Any) -> list[Reason]:
    """Why the rules refuse an action; empty when it is no action at all."""
    if records.sender_of(action) == ABSENT:
        return []
    try:
        move, sender = envelope.read_action(state.rules, action)
    except BadInput:
        return []
    return envelope.explain(state, move, sender)


def _form(number: int) -> Form:
    if number not in _FORMS:
        raise BadInput([Violation("format", "unknown format")])
    return _FORMS[number]


def _page_token(token: str) -> int:
    if not token:
        return MAX_ID
    if not token.isascii() or not token.isdigit() or len(token) > 10 or int(token) > MAX_ID:
        raise BadInput([Violation("page_token", "is none that this service gave")])
    return int(token)


def _summary(record: records_pb2.Record, created_at: float) -> pb.RecordSummary:
    return pb.RecordSummary(
        game_id=record.game_id,
        game=record.setup.WhichOneof("options"),
        event=record.event,
        players=record.players,
        plies=len(record.actions),
        result=record.result if record.HasField("result") else None,
        create_time=_timestamp(created_at),
    )


def _row_summary(row: Row[Any]) -> pb.RecordSummary:
    return _summary(records_pb2.Record.FromString(row.data), row.created_at)


def _timestamp(seconds: float) -> Timestamp:
    stamp = Timestamp()
    stamp.FromMicroseconds(int(seconds * 1e6))
    return stamp
