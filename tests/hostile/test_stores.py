"""Nothing that a caller sends harms what the record and ladder services keep, and no answer tells of their inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message
from papamu.ladder.v1 import ladder_pb2
from papamu.records.v1 import service_pb2, service_pb2_grpc

from engines import registry
from engines.record.forms import FORMS
from services.common.metrics import CallMetrics, new_registry
from services.common.server import Server
from services.common.settings import load
from services.ladder.app import LadderApp
from services.records.app import RecordsApp
from tests.hostile.corpus import Requests, a_record, messages
from tests.hostile.test_corpus import ANSWERS, LEAK, LONGEST, SEED, readable
from tests.support.ladders import Ladders

pytestmark = pytest.mark.slow

COUNT = 4000
"""Messages to each service."""
EXPECTED = ANSWERS | {
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,  # a watch that nothing happens to
}
FORMATS = {"pgr": "RECORD_FORMAT_PGR", "json": "RECORD_FORMAT_JSON", "pb": "RECORD_FORMAT_PROTOBUF"}
STREAMS = ("WatchRecord",)
TOKEN = "a token of sixteen or more"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[str]:
    """Both services on one socket."""
    folder: Path = tmp_path_factory.mktemp("stores")
    settings = load(
        data_dir=folder, ladder_address=f"unix:{folder}/all.sock", records_address=f"unix:{folder}/all.sock"
    )
    registered = new_registry()
    ladder, kept = LadderApp(settings, redis_url, registered), RecordsApp(settings)
    server = Server(settings.ladder_address, settings, CallMetrics(registered))
    ladder.add_to(server.add)
    kept.add_to(server.add)
    ladder.start()
    with server:
        yield settings.ladder_address
    ladder.close()
    kept.close()


@pytest.fixture(scope="module")
def channel(address: str) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(address) as made:
        yield made


def record_requests() -> Requests:
    """What an honest client asks of the record service, about a finished and a running game of every kind."""
    asked: dict[str, list[Message]] = {}

    def add(method: str, request: Message) -> None:
        asked.setdefault(method, []).append(request)

    for slug in registry.SLUGS:
        whole = a_record(slug)
        whole.game_id = f"whole-{slug}"
        running = type(whole)()
        running.CopyFrom(whole)
        running.game_id = f"running-{slug}"
        running.ClearField("result")
        last = running.actions.pop()
        plies = len(running.actions)
        for record in (whole, running):
            add("CreateRecord", service_pb2.CreateRecordRequest(record=record))
            add("GetRecord", service_pb2.GetRecordRequest(game_id=record.game_id))
            add("VerifyRecord", service_pb2.VerifyRecordRequest(game_id=record.game_id))
            add("WatchRecord", service_pb2.WatchRecordRequest(game_id=record.game_id, from_ply=3))
            add("ExportRecord", service_pb2.ExportRecordRequest(game_id=record.game_id, format="RECORD_FORMAT_PGR"))
        add("BatchCreateRecords", service_pb2.BatchCreateRecordsRequest(records=[whole, running]))
        for form, number in FORMATS.items():
            add("ImportRecord", service_pb2.ImportRecordRequest(data=FORMS[form].write(whole), format=number))
        add("AppendActions", service_pb2.AppendActionsRequest(game_id=running.game_id, from_ply=plies, actions=[last]))
        add("FinishRecord", service_pb2.FinishRecordRequest(game_id=running.game_id, plies=plies, result=whole.result))
    add("ListRecords", service_pb2.ListRecordsRequest(filter='event = "x" AND game = "tiki"', page_size=3))
    return asked


def test_the_record_service(channel: grpc.Channel) -> None:
    stub = service_pb2_grpc.RecordServiceStub(channel)
    asked = record_requests()
    kept = {}
    for request in asked["CreateRecord"]:
        stub.CreateRecord(request)
        if request.record.HasField("result"):  # type: ignore[attr-defined]
            kept[request.record.game_id] = request.record  # type: ignore[attr-defined]
    seen = bombard(channel, "papamu.records.v1.RecordService", asked)
    for game_id, record in kept.items():
        assert stub.GetRecord(service_pb2.GetRecordRequest(game_id=game_id)).record == record
    token = ""
    while True:
        page = stub.ListRecords(service_pb2.ListRecordsRequest(page_size=500, page_token=token))
        for summary in page.records:  # whatever got in proves itself, but for a result that nobody has sent yet
            faults = stub.VerifyRecord(service_pb2.VerifyRecordRequest(game_id=summary.game_id)).faults
            waiting = [] if summary.HasField("result") else ["result is missing: the game is over"]
            assert [f"{fault.field} {fault.sentence}" for fault in faults] in ([], waiting)
        token = page.next_page_token
        if not token:
            break
    assert {method for method, code in seen if code == "OK"} == set(asked)


def ladder_requests(ladder: str, game: str) -> Requests:
    """What honest clients ask of the ladder service."""
    setups = [ladder_pb2.CreateLadderRequest(setup={slug: {}}).setup for slug in registry.SLUGS]
    bot = ladder_pb2.Bot(name="mine", kind="greedy", options=[{"name": "blunder_percent", "value": 5}])
    by_id = ("GetLadder", "PauseLadder", "ResumeLadder", "CancelLadder", "GetStandings", "RebuildStandings")
    return {
        "CreateBot": [ladder_pb2.CreateBotRequest(bot=bot)],
        "ListBots": [ladder_pb2.ListBotsRequest()],
        "CreateLadder": [
            ladder_pb2.CreateLadderRequest(request_id=f"r{i}", setup=setup, bots=["random", "greedy"], blocks=2)
            for i, setup in enumerate(setups)
        ],
        "ListLadders": [ladder_pb2.ListLaddersRequest(page_size=2)],
        "ListGames": [ladder_pb2.ListGamesRequest(ladder_id=ladder, page_size=2)],
        "GetGame": [ladder_pb2.GetGameRequest(game_id=game)],
        "GetGameRecord": [ladder_pb2.GetGameRecordRequest(game_id=game)],
        "GetStatus": [ladder_pb2.GetStatusRequest()],
        **{method: [getattr(ladder_pb2, f"{method}Request")(ladder_id=ladder)] for method in by_id},
    }


def worker_requests(game: str) -> Requests:
    """What workers ask, about batches that may be there."""
    record = a_record("tiki")
    record.game_id = game
    finished = [ladder_pb2.FinishedGame(record=record, play_ms=7)]
    progress = ladder_pb2.Progress(game_id=game, from_ply=0, actions=record.actions)
    asked: dict[str, list[Message]] = {"ClaimBatch": [], "Heartbeat": [], "ReportResults": [], "ReleaseBatch": []}
    for batch in map(str, range(1, 8)):
        asked["ClaimBatch"].append(ladder_pb2.ClaimBatchRequest(batch_id=batch, worker="w", token=TOKEN))
        asked["Heartbeat"].append(ladder_pb2.HeartbeatRequest(batch_id=batch, token=TOKEN, progress=progress))
        asked["ReportResults"].append(ladder_pb2.ReportResultsRequest(batch_id=batch, token=TOKEN, games=finished))
        asked["ReleaseBatch"].append(ladder_pb2.ReleaseBatchRequest(batch_id=batch, token=TOKEN, progress=progress))
    return asked


def test_the_ladder_service(channel: grpc.Channel, address: str) -> None:
    client = Ladders(address)
    with client.channel:
        ladder = client.create(["random", "greedy"], 20)
        games = client.games(ladder.id)
        victim = client.create(["random", "greedy"], 5, "victim")  # some of the messages may pause or cancel it
        seen = bombard(channel, "papamu.ladder.v1.LadderService", ladder_requests(victim.id, games[0].id))
        for method in ("CreateBot", "CreateLadder", "ListLadders", "GetGame", "GetStatus"):
            assert seen[method, "OK"] > 0
        bombard(channel, "papamu.ladder.v1.WorkerService", worker_requests(games[0].id))
        after = client.games(ladder.id)
        assert [(game.id, list(game.seats)) for game in after] == [(game.id, list(game.seats)) for game in games]
        assert not any(game.HasField("result") for game in after)  # no game was really played
        assert client.create(["random", "greedy"], 20).id == ladder.id


def bombard(channel: grpc.Channel, service: str, asked: Requests) -> Counter[tuple[str, str]]:
    """Sends spoiled requests; every answer is one that a service may give. Counts them by method and code."""
    seen: Counter[tuple[str, str]] = Counter()
    for method, data in messages(SEED + 4, COUNT, asked):
        path = f"/{service}/{method}"
        try:
            if method in STREAMS:
                answers = channel.unary_stream(path)(data, timeout=0.2)
                answer = next(answers)
                answers.cancel()
            else:
                answer = channel.unary_unary(path)(data, timeout=LONGEST)
            assert not LEAK.search(readable(answer)), (answer, method, data)
            seen[method, "OK"] += 1
        except grpc.RpcError as error:
            code, text = error.code(), error.details() + repr(error.trailing_metadata())
            assert code in EXPECTED, (code, text, method, data)
            assert not LEAK.search(text), (text, method, data)
            seen[method, code.name] += 1
    for (method, code), count in sorted(seen.items()):
        print(f"  {method:18} {code:20} {count}")
    return seen
