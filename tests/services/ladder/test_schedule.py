"""The schedule is fair, whole, secret where it must be, and the same for the same secret."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from services.ladder import schedule

SECRET = b"0123456789abcdef"


@pytest.mark.parametrize(("bots", "seats", "blocks"), [(2, 2, 1), (3, 2, 50), (5, 4, 7), (6, 6, 40)])
def test_every_combination_plays_every_rotation_of_every_block(bots: int, seats: int, blocks: int) -> None:
    games = list(schedule.schedule(bots, seats, blocks, SECRET))
    assert len(games) == schedule.games(bots, seats, blocks)
    assert [g.number for g in games] == list(range(len(games)))
    of_block: dict[int, list[schedule.Scheduled]] = {}
    for game in games:
        of_block.setdefault(game.block, []).append(game)
    meetings = Counter()
    for block in of_block.values():
        assert {g.rotation for g in block} == set(range(seats))
        assert len({frozenset(g.players) for g in block}) == 1
        for seat in range(seats):
            assert {g.players[seat] for g in block} == set(block[0].players)
        meetings[tuple(sorted(block[0].players))] += 1
    assert meetings == dict.fromkeys(combinations(range(bots), seats), blocks)


def test_rotations_of_a_block_lie_apart_but_within_a_window() -> None:
    games = list(schedule.schedule(2, 2, 200, SECRET))
    first: dict[int, int] = {}
    distances = []
    for game in games:
        if game.block in first:
            distances.append(game.number - first[game.block])
        first.setdefault(game.block, game.number)
    assert max(distances) < 2 * schedule.WINDOW
    assert sum(d == 1 for d in distances) < 20


def test_the_order_tells_nothing_without_the_secret() -> None:
    orders = {tuple((g.block, g.rotation) for g in schedule.schedule(2, 2, 64, s)) for s in (SECRET, SECRET[::-1])}
    assert len(orders) == 2
    assert list(schedule.schedule(3, 2, 9, SECRET)) == list(schedule.schedule(3, 2, 9, SECRET))


def test_seeds_are_shared_by_a_block_and_by_nothing_else() -> None:
    chance = {schedule.chance_seed(SECRET, block) for block in range(100)}
    bots = {schedule.bot_seed(SECRET, block, rotation) for block in range(100) for rotation in range(2)}
    assert len(chance | bots) == 300
    assert all(0 <= seed < 2**64 for seed in chance | bots)
    assert schedule.chance_seed(SECRET, 0) != schedule.chance_seed(SECRET[::-1], 0)
