"""Village of Gaul on real processes, for every number of seats: ladders, pairwise Elo, records that hold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from papamu.gaul.v1 import gaul_pb2
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.rules.v1 import envelope_pb2

from engines.record.redact import redact
from tests.support.ladders import Ladders, check_books, ladders
from tests.support.processes import cluster

pytestmark = pytest.mark.slow

BOTS = ("random", "greedy", "half", "quarter")
BLOCKS = {2: 6, 3: 6, 4: 12}
"""Seat blocks of a ladder, by seats."""


def test_ladders_of_two_to_four_seats(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=2) as machines, ladders(machines.address("ladder")) as client:
        machines.serve("ladder", "records")
        machines.work()
        for name, blunder in (("half", 50), ("quarter", 25)):
            client.name_bot(name, "greedy", blunder_percent=blunder)
        made = {}
        for seats, blocks in BLOCKS.items():
            setup = envelope_pb2.Setup(seats=seats, gaul=gaul_pb2.Options())
            made[seats] = client.create(BOTS[:seats] if seats < 4 else BOTS, blocks, f"gaul-{seats}", setup)
        for seats, ladder in made.items():
            done = client.wait(ladder.id)
            check_books(client, done, machines.address("records"))
            _check_standings(client, done, seats)


def _check_standings(client: Ladders, ladder: pb.Ladder, seats: int) -> None:
    """Every game compares each pair of its seats once; more blunders, fewer points."""
    answer = client.standings(ladder.id)
    games = client.games(ladder.id)
    assert answer.connected
    assert sum(standing.pairs for standing in answer.standings) == len(games) * seats * (seats - 1)
    wins = Counter[str]()
    for game in games:
        for seat, bot in enumerate(game.seats):
            wins[bot] += sum(game.result.placements[seat] < place for place in game.result.placements)
    assert {standing.bot: standing.wins for standing in answer.standings} == {bot: wins[bot] for bot in game.seats}
    order = [standing.bot for standing in answer.standings]
    assert order[-1] == "random"
    if seats == 4:
        assert answer.standings[0].elo - answer.standings[0].error > answer.standings[-1].elo
        view = redact(client.record(games[0].id), 1)
        assert sum(action.HasField("move") for action in view.actions[:40]) == 10
