"""RecordService over a real socket, on SQLite: what it takes, what it refuses, what it tells."""

from __future__ import annotations

import threading
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from papamu.records.v1 import records_pb2, service_pb2
from papamu.records.v1.service_pb2_grpc import RecordServiceStub

from engines import registry
from engines.record import record as records
from engines.record.forms import FORMS
from engines.referee import Referee
from engines.search.bots import make_bot
from services.common.errors import Conflict
from services.common.settings import load
from services.records.app import RecordsApp


def played(game_id: str, seed: int = 1, kind: str = "greedy", event: str = "tests") -> records_pb2.Record:
    game = registry.game("tiki")
    rules = registry.make_rules(registry.make_setup(game))
    referee = Referee(rules, [make_bot(game, k, {}, seed, s) for s, k in enumerate((kind, "random"))], seed)
    result = referee.run()
    players = [records.player(f"my-{kind}", kind), records.player("random", "random")]
    return records.new_record(game_id, rules, players, referee.moves, result, event=event, chance_seed=seed)


def begun(game_id: str, plies: int) -> tuple[records_pb2.Record, records_pb2.Record]:
    """A record cut off after some moves, and the whole one."""
    whole = played(game_id)
    part = records_pb2.Record()
    part.CopyFrom(whole)
    part.ClearField("result")
    del part.actions[plies:]
    return part, whole


def refused(call: grpc.RpcError, code: grpc.StatusCode) -> list[str]:
    """The fields at fault, once the code is as expected."""
    assert call.code() == code, call.details()
    status = rpc_status.from_call(call)
    fields = []
    for detail in status.details if status else []:
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            fields += [violation.field for violation in bad.field_violations]
    return fields


def test_create_is_idempotent_and_refuses_another_game(stub: RecordServiceStub) -> None:
    record = played("once")
    first = stub.CreateRecord(service_pb2.CreateRecordRequest(record=record)).summary
    again = stub.CreateRecord(service_pb2.CreateRecordRequest(record=record)).summary
    assert first == again
    assert first.game == "tiki"
    assert first.plies == len(record.actions)
    assert stub.GetRecord(service_pb2.GetRecordRequest(game_id="once")).record == record
    with pytest.raises(grpc.RpcError) as caught:
        stub.CreateRecord(service_pb2.CreateRecordRequest(record=played("once", seed=2)))
    refused(caught.value, grpc.StatusCode.ALREADY_EXISTS)


def test_a_record_that_does_not_prove_itself_is_refused_by_field(stub: RecordServiceStub) -> None:
    record = played("false")
    record.result.placements[:] = reversed(record.result.placements)
    with pytest.raises(grpc.RpcError) as caught:
        stub.CreateRecord(service_pb2.CreateRecordRequest(record=record))
    assert refused(caught.value, grpc.StatusCode.INVALID_ARGUMENT) == ["record.result.placements"]
    with pytest.raises(grpc.RpcError) as caught:
        stub.GetRecord(service_pb2.GetRecordRequest(game_id="false"))
    refused(caught.value, grpc.StatusCode.NOT_FOUND)


def test_a_batch_stores_the_good_ones(stub: RecordServiceStub) -> None:
    good, bad, other = played("good"), played("bad"), played("once", seed=3)
    stub.CreateRecord(service_pb2.CreateRecordRequest(record=played("once")))
    del bad.actions[-1]
    request = service_pb2.BatchCreateRecordsRequest(records=[good, bad, good, other])
    for _ in range(2):
        receipts = stub.BatchCreateRecords(request).receipts
        assert [receipt.stored for receipt in receipts] == [True, False, True, False]
        assert receipts[1].refusal.startswith("result.ending")


def test_a_game_is_appended_move_by_move_and_finished(stub: RecordServiceStub) -> None:
    part, whole = begun("live", 12)
    stub.CreateRecord(service_pb2.CreateRecordRequest(record=part))
    for ply in range(12, len(whole.actions)):
        request = service_pb2.AppendActionsRequest(game_id="live", from_ply=ply, actions=[whole.actions[ply]])
        assert stub.AppendActions(request).plies == ply + 1
        assert stub.AppendActions(request).plies == ply + 1  # a resend
    # The beginning again is no other game.
    stub.CreateRecord(service_pb2.CreateRecordRequest(record=part))
    finish = service_pb2.FinishRecordRequest(game_id="live", plies=len(whole.actions), result=whole.result)
    assert stub.FinishRecord(finish) == stub.FinishRecord(finish)
    assert stub.GetRecord(service_pb2.GetRecordRequest(game_id="live")).record == whole
    assert stub.VerifyRecord(service_pb2.VerifyRecordRequest(game_id="live")).verified


def test_append_is_optimistic_and_says_why_a_move_is_refused(stub: RecordServiceStub) -> None:
    part, whole = begun("optimist", 12)
    stub.CreateRecord(service_pb2.CreateRecordRequest(record=part))
    late = service_pb2.AppendActionsRequest(game_id="optimist", from_ply=11, actions=[whole.actions[12]])
    with pytest.raises(grpc.RpcError) as caught:
        stub.AppendActions(late)
    refused(caught.value, grpc.StatusCode.ABORTED)
    wrong = service_pb2.AppendActionsRequest(game_id="optimist", from_ply=12, actions=[whole.actions[11]])
    with pytest.raises(grpc.RpcError) as caught:
        stub.AppendActions(wrong)
    assert refused(caught.value, grpc.StatusCode.FAILED_PRECONDITION)
    early = service_pb2.FinishRecordRequest(game_id="optimist", plies=12, result=whole.result)
    with pytest.raises(grpc.RpcError) as caught:
        stub.FinishRecord(early)
    assert refused(caught.value, grpc.StatusCode.INVALID_ARGUMENT) == ["result.ending"]


@pytest.mark.parametrize("plies", [11, 13, 2**32 - 1])
def test_nobody_ends_a_game_whose_moves_they_do_not_know(stub: RecordServiceStub, plies: int) -> None:
    part, whole = begun("unknown", 12)
    stub.CreateRecord(service_pb2.CreateRecordRequest(record=part))
    unseen = service_pb2.FinishRecordRequest(game_id="unknown", plies=plies, result=whole.result)
    with pytest.raises(grpc.RpcError) as caught:
        stub.FinishRecord(unseen)
    refused(caught.value, grpc.StatusCode.ABORTED)
    kept = stub.GetRecord(service_pb2.GetRecordRequest(game_id="unknown")).record
    assert len(kept.actions) == 12
    assert not kept.HasField("result")


def test_moves_that_were_not_checked_are_never_added(tmp_path: Path) -> None:
    """They were asked for behind moves that came only after the look at the game."""
    app = RecordsApp(load(data_dir=tmp_path))
    part, whole = begun("raced", 12)
    app.store.create([part])
    with pytest.raises(Conflict):
        app.store.append("raced", 12, whole.actions[12:13], checked=False)
    assert app.store.get("raced")[0] == part
    app.close()


def test_watch_tells_moves_as_they_come_and_ends_with_the_result(stub: RecordServiceStub) -> None:
    part, whole = begun("watched", 5)
    stub.CreateRecord(service_pb2.CreateRecordRequest(record=part))
    seen: list[service_pb2.WatchRecordResponse] = []
    first = threading.Event()

    def watch() -> None:
        for news in stub.WatchRecord(service_pb2.WatchRecordRequest(game_id="watched", from_ply=2), timeout=30):
            seen.append(news)
            first.set()

    thread = threading.Thread(target=watch)
    thread.start()
    assert first.wait(10)
    stub.AppendActions(service_pb2.AppendActionsRequest(game_id="watched", from_ply=5, actions=whole.actions[5:]))
    stub.FinishRecord(service_pb2.FinishRecordRequest(game_id="watched", plies=len(whole.actions), result=whole.result))
    thread.join(10)
    assert not thread.is_alive()
    assert [action for news in seen for action in news.actions] == list(whole.actions[2:])
    assert seen[-1].result == whole.result


def test_list_pages_and_filters(stub: RecordServiceStub) -> None:
    for i in range(5):
        kind = "greedy" if i % 2 else "random"
        stub.CreateRecord(
            service_pb2.CreateRecordRequest(record=played(f"listed-{i}", seed=i, kind=kind, event="lists/a b"))
        )

    def ids(text: str, size: int = 0) -> list[str]:
        found, token = [], ""
        while True:
            page = stub.ListRecords(service_pb2.ListRecordsRequest(filter=text, page_size=size, page_token=token))
            found += [summary.game_id for summary in page.records]
            token = page.next_page_token
            if not token:
                return found
            assert len(page.records) == size

    everything = [f"listed-{i}" for i in (4, 3, 2, 1, 0)]
    assert ids('event = "lists/a b"') == ids('event = "lists/a b"', 2) == everything
    assert ids('event = "lists/a b" AND player = "my-greedy"') == ["listed-3", "listed-1"]
    assert ids('event="lists/a b" AND kind=greedy AND ending=NORMAL AND game=tiki') == ["listed-3", "listed-1"]
    assert ids('event = "lists/a b" AND ending = RUNNING') == []
    assert ids("game = gaul") == []


@pytest.mark.parametrize(
    "text",
    ["game", "game = ", "color = red", "game = tiki AND", "game = tiki OR game = gaul", 'game = "', "ending = WON"],
)
def test_a_filter_that_makes_no_sense_is_refused(stub: RecordServiceStub, text: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.ListRecords(service_pb2.ListRecordsRequest(filter=text))
    assert refused(caught.value, grpc.StatusCode.INVALID_ARGUMENT) == ["filter"]


@pytest.mark.parametrize("name", ["pgr", "json", "pb"])
def test_files_go_out_and_come_in(stub: RecordServiceStub, name: str) -> None:
    formats = {"pgr": "RECORD_FORMAT_PGR", "json": "RECORD_FORMAT_JSON", "pb": "RECORD_FORMAT_PROTOBUF"}
    record = played(f"file-{name}", seed=9)
    data = FORMS[name].write(record)
    stub.ImportRecord(service_pb2.ImportRecordRequest(format=formats[name], data=data))
    out = stub.ExportRecord(service_pb2.ExportRecordRequest(game_id=record.game_id, format=formats[name]))
    assert out.data == data
    with pytest.raises(grpc.RpcError) as caught:
        stub.ImportRecord(service_pb2.ImportRecordRequest(format=formats[name], data=b"\x00nonsense"))
    refused(caught.value, grpc.StatusCode.INVALID_ARGUMENT)


def test_records_outlive_the_service(tmp_path: Path) -> None:
    settings = load(data_dir=tmp_path, records_address=f"unix:{tmp_path}/records.sock")
    record = played("kept")
    for _ in range(2):
        app = RecordsApp(settings)
        app.store.create([record])
        assert app.store.get("kept")[0] == record
        app.close()
