"""Hawaii on real processes, for every number of seats: ladders, pairwise comparisons, records that hold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from papamu.hawaii.v1 import hawaii_pb2
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.rules.v1 import envelope_pb2

from tests.support.ladders import Ladders, check_books, ladders
from tests.support.processes import cluster

pytestmark = pytest.mark.slow

BLUNDERS = {"third": 33, "half": 50, "most": 75}
BOTS = ("random", "greedy", *BLUNDERS)
BLOCKS = {2: 6, 3: 3, 4: 2, 5: 3}
"""Seat blocks of a ladder, by seats."""


def test_ladders_of_two_to_five_seats(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=2) as machines, ladders(machines.address("ladder")) as client:
        machines.serve("ladder", "records")
        machines.work()
        for name, blunder in BLUNDERS.items():
            client.name_bot(name, "greedy", blunder_percent=blunder)
        made = {}
        for seats, blocks in BLOCKS.items():
            setup = envelope_pb2.Setup(seats=seats, hawaii=hawaii_pb2.Options())
            made[seats] = client.create(BOTS[:seats], blocks, f"hawaii-{seats}", setup)
        for seats, ladder in made.items():
            done = client.wait(ladder.id)
            check_books(client, done, machines.address("records"))
            _check_standings(client, done, seats)


def _check_standings(client: Ladders, ladder: pb.Ladder, seats: int) -> None:
    """Every game is whole and compares each pair of its seats once; a greedy bot stands above a random one."""
    games = client.games(ladder.id)
    assert len(games) == BLOCKS[seats] * seats
    assert {game.result.reason for game in games} == {"LAST_ROUND"}
    answer = client.standings(ladder.id)
    assert answer.connected
    assert sum(standing.pairs for standing in answer.standings) == len(games) * seats * (seats - 1)
    wins = Counter[str]()
    for game in games:
        for seat, bot in enumerate(game.seats):
            wins[bot] += sum(game.result.placements[seat] < place for place in game.result.placements)
    assert {standing.bot: standing.wins for standing in answer.standings} == {bot: wins[bot] for bot in game.seats}
    elo = {standing.bot: standing.elo for standing in answer.standings}
    assert elo["greedy"] > elo["random"]
