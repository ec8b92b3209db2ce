"""Ladders in tests: making one, waiting for its end, looking at what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import grpc
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.ladder.v1.ladder_pb2_grpc import LadderServiceStub
from papamu.records.v1 import records_pb2, service_pb2
from papamu.records.v1.service_pb2_grpc import RecordServiceStub
from papamu.rules.v1 import envelope_pb2
from papamu.tiki.v1 import tiki_pb2

from engines.record import record as records
from tests.support.processes import wait_until

TIKI = envelope_pb2.Setup(tiki=tiki_pb2.Options())
SECRET = b"a secret of sixteen bytes or more"


class Ladders:
    """A client of the ladder service."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.insecure_channel(address, options=[("grpc.max_reconnect_backoff_ms", 500)])
        self.stub = LadderServiceStub(self.channel)

    def create(
        self, bots: Sequence[str], blocks: int, request_id: str = "ladder", setup: envelope_pb2.Setup = TIKI
    ) -> pb.Ladder:
        request = pb.CreateLadderRequest(
            request_id=request_id, setup=setup, bots=bots, blocks=blocks, secret=SECRET, name="test"
        )
        return self.stub.CreateLadder(request, timeout=30, wait_for_ready=True).ladder

    def name_bot(self, name: str, kind: str, **options: int) -> None:
        given = [records_pb2.BotOption(name=option, value=value) for option, value in options.items()]
        request = pb.CreateBotRequest(bot=pb.Bot(name=name, kind=kind, options=given))
        self.stub.CreateBot(request, timeout=30, wait_for_ready=True)

    def pause(self, ladder_id: str) -> pb.Ladder:
        return self.stub.PauseLadder(pb.PauseLadderRequest(ladder_id=ladder_id), timeout=30).ladder

    def resume(self, ladder_id: str) -> pb.Ladder:
        return self.stub.ResumeLadder(pb.ResumeLadderRequest(ladder_id=ladder_id), timeout=30).ladder

    def cancel(self, ladder_id: str) -> pb.Ladder:
        return self.stub.CancelLadder(pb.CancelLadderRequest(ladder_id=ladder_id), timeout=30).ladder

    def rebuild(self, ladder_id: str) -> pb.RebuildStandingsResponse:
        return self.stub.RebuildStandings(pb.RebuildStandingsRequest(ladder_id=ladder_id), timeout=60)

    def get(self, ladder_id: str) -> pb.Ladder:
        request = pb.GetLadderRequest(ladder_id=ladder_id)
        return self.stub.GetLadder(request, timeout=30, wait_for_ready=True).ladder

    def wait(self, ladder_id: str, state: pb.LadderState = pb.LADDER_STATE_FINISHED) -> pb.Ladder:
        return wait_until(lambda: (now := self.get(ladder_id)).state == state and now, f"{ladder_id} is {state}")

    def wait_for_games(self, ladder_id: str, done: int) -> pb.Ladder:
        return wait_until(lambda: (now := self.get(ladder_id)).games_done >= done and now, f"{done} games are done")

    def games(self, ladder_id: str) -> list[pb.Game]:
        found: list[pb.Game] = []
        token = ""
        while True:
            request = pb.ListGamesRequest(ladder_id=ladder_id, page_size=500, page_token=token)
            page = self.stub.ListGames(request, timeout=30, wait_for_ready=True)
            found += page.games
            token = page.next_page_token
            if not token:
                return found

    def record(self, game_id: str) -> records_pb2.Record:
        return self.stub.GetGameRecord(pb.GetGameRecordRequest(game_id=game_id), timeout=30, wait_for_ready=True).record

    def status(self) -> pb.GetStatusResponse:
        return self.stub.GetStatus(pb.GetStatusRequest(), timeout=30, wait_for_ready=True)

    def wait_for_relay(self) -> None:
        wait_until(lambda: self.status().outbox == 0, "the outbox is empty")

    def standings(self, ladder_id: str) -> pb.GetStandingsResponse:
        return self.stub.GetStandings(pb.GetStandingsRequest(ladder_id=ladder_id), timeout=60, wait_for_ready=True)


@contextmanager
def ladders(address: str) -> Iterator[Ladders]:
    """A client whose channel is closed at the end."""
    client = Ladders(address)
    with client.channel:
        yield client


def stored_records(address: str, event: str) -> dict[str, bytes]:
    """What the record service has of an event: canonical bytes by game, each seen to prove itself."""
    found: dict[str, bytes] = {}
    with grpc.insecure_channel(address) as channel:
        stub = RecordServiceStub(channel)
        token = ""
        while True:
            request = service_pb2.ListRecordsRequest(filter=f'event = "{event}"', page_size=500, page_token=token)
            page = stub.ListRecords(request, timeout=30, wait_for_ready=True)
            for summary in page.records:
                answer = stub.GetRecord(service_pb2.GetRecordRequest(game_id=summary.game_id), timeout=30)
                assert records.verify(answer.record) == []
                assert summary.game_id not in found
                found[summary.game_id] = records.to_bytes(answer.record)
            token = page.next_page_token
            if not token:
                return found


def check_books(client: Ladders, ladder: pb.Ladder, records_address: str) -> dict[str, bytes]:
    """Every scheduled game has exactly one result that counts, and one record that proves itself and says the same.

    The record service has the same records, and the outbox is empty. Returns the records.
    """
    client.wait_for_relay()
    stored = stored_records(records_address, f"ladders/{ladder.id}")
    games = client.games(ladder.id)
    assert [game.number for game in games] == list(range(ladder.games_total))
    assert ladder.games_done == ladder.games_total
    assert ladder.games_void == 0
    for game in games:
        assert game.state == pb.GAME_STATE_DONE
        record = client.record(game.id)
        assert record.game_id == game.id
        assert record.result == game.result
        assert [player.name for player in record.players] == list(game.seats)
        assert stored[game.id] == records.to_bytes(record)
    assert len(stored) == len(games)
    assert client.status().outbox_refused == 0
    assert client.standings(ladder.id).games_counted == ladder.games_total
    return stored
