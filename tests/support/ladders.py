"""Ladders in tests: making one, waiting for its end, looking at what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import grpc
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.ladder.v1.ladder_pb2_grpc import LadderServiceStub
from papamu.records.v1 import records_pb2
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

    def standings(self, ladder_id: str) -> pb.GetStandingsResponse:
        return self.stub.GetStandings(pb.GetStandingsRequest(ladder_id=ladder_id), timeout=60, wait_for_ready=True)


@contextmanager
def ladders(address: str) -> Iterator[Ladders]:
    """A client whose channel is closed at the end."""
    client = Ladders(address)
    with client.channel:
        yield client


def check_books(client: Ladders, ladder: pb.Ladder) -> None:
    """Every scheduled game has exactly one result that counts, and a record that proves itself and says the same."""
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
        assert records.verify(record) == []
    assert client.standings(ladder.id).games_counted == ladder.games_total
