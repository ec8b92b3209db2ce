"""While a game with hidden hands runs, nothing that the service gives out depends on them."""

from __future__ import annotations

import re
from pathlib import Path

import grpc
import pytest
from papamu.records.v1 import records_pb2, service_pb2
from papamu.records.v1.service_pb2_grpc import RecordServiceStub

from engines import registry
from engines.record import record as records
from engines.referee import Referee
from engines.search.bots import make_bot
from tests.support.processes import cluster

PLIES = 70
DEALT = 40
"""The first moves deal the hands."""


def running(game_id: str) -> records_pb2.Record:
    """A game of Village of Gaul for four, cut off after PLIES moves."""
    game = registry.game("gaul")
    rules = registry.make_rules(registry.make_setup(game, seats=4))
    referee = Referee(rules, [make_bot(game, "random", {}, 3, seat) for seat in range(4)], 3)
    referee.run(lambda: len(referee.moves) == PLIES)
    return records.new_record(game_id, rules, [records.player("p", "random")] * 4, referee.moves, None)


def other_hands(record: records_pb2.Record) -> records_pb2.Record:
    """The same game in which seats 0 and 2 hold each other's unplayed cards."""
    played = {action.move.gaul.play.kind for action in record.actions if action.move.gaul.HasField("play")}
    kept = [
        [ply for ply in deal if record.actions[ply].move.gaul.deal.kind not in played]
        for deal in (range(10), range(20, 30))
    ]
    changed = records_pb2.Record()
    changed.CopyFrom(record)
    for one, other in zip(*kept, strict=False):
        changed.actions[one].CopyFrom(record.actions[other])
        changed.actions[other].CopyFrom(record.actions[one])
    assert changed != record
    return changed


@pytest.fixture(scope="module")
def ids(stub: RecordServiceStub) -> tuple[str, str]:
    one, other = running("hands-a"), other_hands(running("hands-b"))
    for record in (one, other):
        stub.CreateRecord(service_pb2.CreateRecordRequest(record=record))
    return one.game_id, other.game_id


def test_records_are_alike(stub: RecordServiceStub, ids: tuple[str, str]) -> None:
    views = [stub.GetRecord(service_pb2.GetRecordRequest(game_id=game_id)).record for game_id in ids]
    for view in views:
        assert view.redacted
        assert not view.HasField("chance_seed")
        view.game_id = ""
    assert views[0] == views[1]
    assert not any(action.HasField("move") for action in views[0].actions[:DEALT])


@pytest.mark.parametrize("form", ["RECORD_FORMAT_PGR", "RECORD_FORMAT_JSON", "RECORD_FORMAT_PROTOBUF"])
def test_files_are_alike(stub: RecordServiceStub, ids: tuple[str, str], form: str) -> None:
    requests = [service_pb2.ExportRecordRequest(game_id=game_id, format=form) for game_id in ids]
    one, other = (stub.ExportRecord(request).data for request in requests)
    assert one.replace(b"hands-a", b"hands-b") == other


def test_streams_are_alike(stub: RecordServiceStub, ids: tuple[str, str]) -> None:
    seen = []
    for game_id in ids:
        stream = stub.WatchRecord(service_pb2.WatchRecordRequest(game_id=game_id))
        seen.append(next(stream))
        stream.cancel()
        with pytest.raises(grpc.RpcError):
            next(stream)
    assert seen[0] == seen[1]
    assert len(seen[0].actions) == PLIES


def log_of_a_running_game(folder: Path, record: records_pb2.Record) -> str:
    """What a record service writes at its most talkative, its times replaced by T.

    Meanwhile it takes in a game move by move, a client watches, and others ask for wrong things.
    """
    folder.mkdir()
    with cluster(folder, log_level="DEBUG") as machines:
        service = machines.serve("records")
        with grpc.insecure_channel(machines.address("records")) as channel:
            stub = RecordServiceStub(channel)
            begun = records_pb2.Record()
            begun.CopyFrom(record)
            del begun.actions[DEALT:]
            stub.CreateRecord(service_pb2.CreateRecordRequest(record=begun), wait_for_ready=True)
            stream = stub.WatchRecord(service_pb2.WatchRecordRequest(game_id=record.game_id))
            assert len(next(stream).actions) == DEALT
            for ply in range(DEALT, PLIES):
                move = service_pb2.AppendActionsRequest(
                    game_id=record.game_id, from_ply=ply, actions=[record.actions[ply]]
                )
                stub.AppendActions(move)
                assert next(stream).from_ply == ply
            stream.cancel()
            refused = [
                (stub.AppendActions, service_pb2.AppendActionsRequest(game_id=record.game_id, from_ply=3)),
                (stub.FinishRecord, service_pb2.FinishRecordRequest(game_id=record.game_id, plies=PLIES)),
            ]
            for call, request in refused:
                with pytest.raises(grpc.RpcError):
                    call(request)
        assert service.stop() == 0
        return re.sub(r"\d+-\d+-\d+T[:.\d]+Z", "T", service.log.read_text().replace(str(folder), "FOLDER"))


@pytest.mark.slow
def test_logs_are_alike(tmp_path: Path) -> None:
    record = running("hands-c")
    one = log_of_a_running_game(tmp_path / "one", record)
    other = log_of_a_running_game(tmp_path / "other", other_hands(record))
    assert one == other
    assert "listening" in one
