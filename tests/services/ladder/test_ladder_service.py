"""LadderService over a real socket, on both kinds of database: what it takes and refuses, pages, metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.ladder.v1.ladder_pb2_grpc import LadderServiceStub, WorkerServiceStub
from papamu.rules.v1 import envelope_pb2
from papamu.tiki.v1 import tiki_pb2
from prometheus_client import generate_latest

from services.common.metrics import CallMetrics, new_registry
from services.common.server import Server
from services.common.settings import load
from services.ladder.app import LadderApp
from tests.support.databases import KINDS, Databases

TIKI = envelope_pb2.Setup(tiki=tiki_pb2.Options())


class Service:
    """A running ladder service without workers."""

    def __init__(self, app: LadderApp, channel: grpc.Channel, registry: Any) -> None:
        self.app = app
        self.stub = LadderServiceStub(channel)
        self.work = WorkerServiceStub(channel)
        self.registry = registry

    def create(self, **given: Any) -> pb.Ladder:
        request = {"request_id": "one", "setup": TIKI, "bots": ["random", "greedy"], "blocks": 3} | given
        return self.stub.CreateLadder(pb.CreateLadderRequest(**request)).ladder


@pytest.fixture(scope="module", params=KINDS)
def service(
    request: pytest.FixtureRequest, databases: Databases, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("ladder")
    settings = load(
        data_dir=folder,
        database_url=databases.url(request.param),
        ladder_address=f"unix:{folder}/ladder.sock",
        records_address=f"unix:{folder}/records.sock",
    )
    registry = new_registry()
    app = LadderApp(settings, redis_url, registry)
    server = Server(settings.ladder_address, settings, CallMetrics(registry))
    app.add_to(server.add)
    app.start()
    with server, grpc.insecure_channel(settings.ladder_address) as channel:
        yield Service(app, channel, registry)
    app.close()


def refused(call: Callable[[], Any], code: grpc.StatusCode) -> list[str]:
    """The fields at fault, once the code is as expected."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    assert caught.value.code() == code, caught.value.details()
    status = rpc_status.from_call(caught.value)
    fields = []
    for detail in status.details if status else []:
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            fields += [violation.field for violation in bad.field_violations]
    return fields


def test_a_ladder_is_scheduled_and_listed(service: Service) -> None:
    made = service.create(name="first")
    assert made == service.create(name="first")
    assert (made.games_total, made.state, made.priority) == (6, pb.LADDER_STATE_RUNNING, pb.PRIORITY_NORMAL)
    assert made.setup.edition_hash
    assert [bot.name for bot in made.bots] == ["random", "greedy"]
    games: list[pb.Game] = []
    token = ""
    while True:
        request = pb.ListGamesRequest(ladder_id=made.id, page_size=4, page_token=token)
        page = service.stub.ListGames(request)
        games += page.games
        token = page.next_page_token
        if not token:
            break
    assert [game.number for game in games] == list(range(6))
    assert not any(game.HasField("block") for game in games)  # it would tell which games share a seed
    assert service.stub.GetGame(pb.GetGameRequest(game_id=games[3].id)).game == games[3]
    standings = service.stub.GetStandings(pb.GetStandingsRequest(ladder_id=made.id))
    assert [entry.elo for entry in standings.standings] == [0, 0]
    assert not standings.connected
    ask = service.stub.GetRatingHistory
    assert not ask(pb.GetRatingHistoryRequest(ladder_id=made.id, points=200)).points
    too_many = pb.GetRatingHistoryRequest(ladder_id=made.id, points=201)
    assert refused(lambda: ask(too_many), grpc.StatusCode.INVALID_ARGUMENT) == ["points"]


def test_ladders_are_paged_newest_first(service: Service) -> None:
    made = [service.create(request_id=f"page-{i}").id for i in range(5)]
    found: list[str] = []
    token = ""
    while len(found) < 5:
        page = service.stub.ListLadders(pb.ListLaddersRequest(page_size=2, page_token=token))
        found += [ladder.id for ladder in page.ladders]
        token = page.next_page_token
    assert found[:5] == made[::-1]


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"request_id": ""}, ["request_id"]),
        ({"request_id": "a\0b"}, ["request_id"]),
        ({"name": "x" * 81}, ["name"]),
        ({"setup": envelope_pb2.Setup()}, ["setup.options"]),
        ({"bots": ["random"]}, ["bots"]),
        ({"bots": ["random", "random"]}, ["bots"]),
        ({"bots": ["random", "\0"]}, ["bots[1]"]),
        ({"blocks": 0}, ["blocks"]),
        ({"blocks": 100_001}, ["blocks"]),
        ({"priority": 9}, ["priority"]),
        ({"secret": b"short"}, ["secret"]),
    ],
)
def test_a_request_that_makes_no_ladder_is_refused_by_field(
    service: Service, given: dict[str, Any], fields: list[str]
) -> None:
    assert refused(lambda: service.create(**given), grpc.StatusCode.INVALID_ARGUMENT)[: len(fields)] == fields


def test_bots_are_named_once(service: Service) -> None:
    def name(**bot: Any) -> pb.Bot:
        return service.stub.CreateBot(pb.CreateBotRequest(bot=pb.Bot(**bot))).bot

    made = name(name="half", kind="greedy", options=[{"name": "blunder_percent", "value": 50}])
    assert made == name(name="half", kind="greedy", options=[{"name": "blunder_percent", "value": 50}])
    assert made in service.stub.ListBots(pb.ListBotsRequest()).bots
    refused(lambda: name(name="half", kind="random"), grpc.StatusCode.ALREADY_EXISTS)
    for bot, field in (
        ({"name": "A b", "kind": "random"}, "bot.name"),
        ({"name": "x", "kind": "genius"}, "bot.kind"),
        ({"name": "x", "kind": "random", "options": [{"name": "luck", "value": 1}]}, "bot.options.luck"),
        (
            {"name": "x", "kind": "greedy", "options": [{"name": "blunder_percent", "value": 101}]},
            "bot.options.blunder_percent",
        ),
    ):
        assert refused(lambda bot=bot: name(**bot), grpc.StatusCode.INVALID_ARGUMENT) == [field]


@pytest.mark.parametrize("wild", ["", "nothing", "\0", "'; DROP TABLE game; --", "x" * 500, "-1", "99999999999"])
def test_wild_ids_are_answers_not_accidents(service: Service, wild: str) -> None:
    stub, missing, invalid = service.stub, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT
    refused(lambda: stub.GetLadder(pb.GetLadderRequest(ladder_id=wild)), missing)
    refused(lambda: stub.PauseLadder(pb.PauseLadderRequest(ladder_id=wild)), missing)
    refused(lambda: stub.GetStandings(pb.GetStandingsRequest(ladder_id=wild)), missing)
    refused(lambda: stub.GetRatingHistory(pb.GetRatingHistoryRequest(ladder_id=wild)), missing)
    refused(lambda: stub.RebuildStandings(pb.RebuildStandingsRequest(ladder_id=wild)), missing)
    refused(lambda: stub.ListGames(pb.ListGamesRequest(ladder_id=wild)), missing)
    refused(lambda: stub.GetGame(pb.GetGameRequest(game_id=wild)), missing)
    refused(lambda: stub.GetGameRecord(pb.GetGameRecordRequest(game_id=wild)), missing)
    if wild:
        ladder = service.create(request_id="wild")
        refused(lambda: stub.ListLadders(pb.ListLaddersRequest(page_token=wild)), invalid)
        refused(lambda: stub.ListGames(pb.ListGamesRequest(ladder_id=ladder.id, page_token=f"[{wild}]")), invalid)
    assert "batch_id" in refused(
        lambda: service.work.ClaimBatch(pb.ClaimBatchRequest(batch_id=wild, token="t" * 8)), invalid
    )


def test_what_waits_can_be_scraped(service: Service) -> None:
    service.create(request_id="scraped")
    status = service.stub.GetStatus(pb.GetStatusRequest())
    text = generate_latest(service.registry).decode()
    for series in (
        'papamu_batches{state="leased"} 0.0',
        'papamu_outbox_records{state="held"} 0.0',
        'papamu_leases_total{event="claimed"} 0.0',
        'papamu_ladder_games_total{ending="void"} 0.0',
        'papamu_reported_games_total{outcome="stored"} 0.0',
        'papamu_queue_messages{queue="papamu.low"} 0.0',
        'papamu_store_seconds_count{op="heartbeat"} 0.0',
    ):
        assert series in text
    assert status.batches_leased == 0
