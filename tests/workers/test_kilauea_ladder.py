"""Kilauea on real processes, for every number of seats and with extra tiles: ladders, Elo, records that hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from papamu.kilauea.v1 import kilauea_pb2
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.rules.v1 import envelope_pb2

from engines import envelope
from engines.record import record as records
from tests.support.ladders import check_books, ladders
from tests.support.processes import cluster

pytestmark = pytest.mark.slow

OPTIONS = {
    2: kilauea_pb2.Options(),
    3: kilauea_pb2.Options(extra=kilauea_pb2.EXTRA_E, faces="rrrrr"),
    4: kilauea_pb2.Options(extra=kilauea_pb2.EXTRA_A, turn_limit=40),
}
"""The setup of each ladder, by seats."""
BOTS = ("greedy", "random", "wild", "wilder")
BLOCKS = 4
"""Seat blocks of a ladder: each is played once from every seat."""


def test_ladders_of_two_to_four_seats(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=2) as machines, ladders(machines.address("ladder")) as client:
        machines.serve("ladder", "records")
        machines.work()
        for name in BOTS[2:]:
            request = pb.CreateBotRequest(bot=pb.Bot(name=name, kind="random"))
            client.stub.CreateBot(request, timeout=30, wait_for_ready=True)
        made = {}
        for seats, options in OPTIONS.items():
            setup = envelope_pb2.Setup(seats=seats, kilauea=options)
            made[seats] = client.create(BOTS[:seats], BLOCKS, f"kilauea-{seats}", setup)
        for seats, ladder in made.items():
            done = client.wait(ladder.id)
            check_books(client, done, machines.address("records"))
            assert len(client.games(ladder.id)) == BLOCKS * seats
            assert client.standings(ladder.id).standings[0].bot == "greedy"
        last = client.games(made[4].id)[0]
        assert last.result.reason in ("FORESTS", "LIMIT")
        *_, end = records.replay(client.record(last.id))
        assert envelope.write_position(end).kilauea.turn <= 40
