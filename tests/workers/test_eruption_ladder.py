"""Eruption on real processes: six seats against each other, and two teams of two."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from papamu.eruption.v1 import eruption_pb2
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.rules.v1 import envelope_pb2

from tests.support.ladders import Ladders, check_books, ladders
from tests.support.processes import cluster

pytestmark = pytest.mark.slow

BLUNDERS = {"tenth": 10, "quarter": 25, "half": 50, "most": 75}
"""Greedy bots that play at random in so many of a hundred decisions."""
SIX = ("random", "greedy", *BLUNDERS)


def test_six_seats_and_clans(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=2) as machines, ladders(machines.address("ladder")) as client:
        machines.serve("ladder", "records")
        machines.work()
        for name, blunder in BLUNDERS.items():
            client.name_bot(name, "greedy", blunder_percent=blunder)
        base = envelope_pb2.Setup(seats=6, eruption=eruption_pb2.Options())
        clans = envelope_pb2.Setup(seats=4, eruption=eruption_pb2.Options(mode="MODE_CLANS"))
        six = client.create(SIX, 4, "eruption-6", base)
        teams = client.create(SIX[:4], 6, "eruption-clans", clans)
        for ladder, rivals in ((six, 5), (teams, 2)):
            done = client.wait(ladder.id)
            check_books(client, done, machines.address("records"))
            _check_standings(client, done, rivals)
        for game in client.games(teams.id):
            first, second = game.result.placements[:2], game.result.placements[2:]
            assert game.result.teams == [0, 0, 1, 1]
            assert sorted((first, second)) in ([[1, 1], [3, 3]], [[1, 1], [1, 1]])


def _check_standings(client: Ladders, ladder: pb.Ladder, rivals: int) -> None:
    """Every game compares each seat with those of other teams, once; teammates never."""
    answer, games = client.standings(ladder.id), client.games(ladder.id)
    assert answer.connected
    wins = Counter[str]()
    for game in games:
        places, sides = game.result.placements, game.result.teams
        for seat, bot in enumerate(game.seats):
            wins[bot] += sum(places[seat] < places[s] for s in range(len(places)) if sides[s] != sides[seat])
    assert sum(standing.pairs for standing in answer.standings) == len(games) * len(games[0].seats) * rivals
    assert {standing.bot: standing.wins for standing in answer.standings} == {bot: wins[bot] for bot in games[0].seats}
    if rivals == 5:
        assert answer.standings[-1].bot == "random"
