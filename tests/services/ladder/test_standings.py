"""Standings and how they came about, from rows alone."""

from __future__ import annotations

import random

import pytest
from papamu.records.v1 import records_pb2

from services.ladder.standings import Row, history, standings

NAMES = ["a", "b", "c"]
BLOCKS = 40


def result(first_wins: bool) -> records_pb2.Result:
    places = [1, 2] if first_wins else [2, 1]
    return records_pb2.Result(ending=records_pb2.ENDING_NORMAL, placements=places, teams=[0, 1])


def rows() -> list[Row]:
    """Blocks of two games between all three, the better bot being the one with the lower number."""
    rng = random.Random(3)
    made: list[Row] = []
    for block in range(BLOCKS):
        first, second = [(0, 1), (0, 2), (1, 2)][block % 3]
        made += [
            (block, [first, second], result(rng.random() < 0.7)),
            (block, [second, first], result(rng.random() < 0.3)),
        ]
    return made


def test_history_ends_with_the_standings() -> None:
    told = history(NAMES, 2, rows(), 10)
    assert list(told.bots) == NAMES
    assert [point.games_counted for point in told.points] == [8 * i for i in range(1, 11)]
    now = {standing.bot: standing.elo for standing in standings(NAMES, 2, rows()).standings}
    assert dict(zip(told.bots, told.points[-1].elos, strict=True)) == pytest.approx(now, abs=1e-5)
    half = [row for row in rows() if row[0] < BLOCKS // 2]
    then = {standing.bot: standing.elo for standing in standings(NAMES, 2, half).standings}
    assert dict(zip(told.bots, told.points[4].elos, strict=True)) == pytest.approx(then, abs=1e-5)


def test_history_is_the_same_in_whatever_order_games_end() -> None:
    shuffled = random.Random(4).sample(rows(), 2 * BLOCKS)
    for one, other in zip(history(NAMES, 2, rows(), 7).points, history(NAMES, 2, shuffled, 7).points, strict=True):
        assert one.games_counted == other.games_counted
        assert list(one.elos) == pytest.approx(list(other.elos), abs=1e-5)


def test_history_counts_whole_blocks_only_and_has_no_more_points_than_these() -> None:
    broken = [row for i, row in enumerate(rows()) if i != 5]
    told = history(NAMES, 2, broken, 200)
    assert len(told.points) == BLOCKS - 1
    assert told.points[-1].games_counted == 2 * (BLOCKS - 1)
    assert not history(NAMES, 2, rows()[:1], 50).points


def test_history_ends_when_nobody_waits() -> None:
    asked = 0

    def give_up() -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        history(NAMES, 2, rows(), 10, give_up)
