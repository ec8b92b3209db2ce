"""Elo against published numbers, and at the edges where formulas break."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.ladder import elo
from services.ladder.elo import Pair

POOL = {
    (0, 1): (12, 4, 4),
    (0, 2): (14, 4, 2),
    (0, 3): (18, 2, 0),
    (1, 2): (8, 6, 6),
    (1, 3): (12, 4, 4),
    (2, 3): (10, 6, 4),
}
"""Wins, draws, losses of four bots."""


def pairs_of(results: dict[tuple[int, int], tuple[int, int, int]]) -> list[Pair]:
    found = []
    for (a, b), counts in results.items():
        for score, count in zip((1.0, 0.5, 0.0), counts, strict=True):
            found += [Pair(len(found) + i, a, b, score) for i in range(count)]
    return found


def test_a_match_of_two() -> None:
    found = elo.difference(136, 111, 96)
    assert found.elo == pytest.approx(40.70, abs=0.005)
    assert found.error == pytest.approx(30.43, abs=0.005)
    assert found.superiority == pytest.approx(0.9960, abs=0.00005)


def test_a_pool_of_four_is_the_maximum_likelihood_fit() -> None:
    ratings = elo.pool(4, pairs_of(POOL), prior=0.0)
    assert [r.elo for r in ratings] == pytest.approx([201.9, 7.6, -41.9, -167.7], abs=0.06)


def test_the_prior_hardly_moves_a_pool() -> None:
    ratings = elo.pool(4, pairs_of(POOL))
    assert [r.elo for r in ratings] == pytest.approx([201.9, 7.6, -41.9, -167.7], abs=5)


def test_the_pool_agrees_with_the_match_on_two_bots() -> None:
    ratings = elo.pool(2, pairs_of({(0, 1): (136, 111, 96)}), prior=0.0)
    assert ratings[0].elo - ratings[1].elo == pytest.approx(40.70, abs=0.01)
    assert 2 * ratings[0].error == pytest.approx(30.43, rel=0.02)


def test_order_does_not_matter() -> None:
    pairs = pairs_of(POOL)
    shuffled = random.Random(1).sample(pairs, len(pairs))
    swapped = [Pair(p.block, p.second, p.first, 1 - p.score) for p in shuffled]
    for a, b in zip(elo.pool(4, pairs), elo.pool(4, swapped), strict=True):
        assert a.elo == pytest.approx(b.elo, abs=1e-6)
        assert a.error == pytest.approx(b.error, abs=1e-6)


@pytest.mark.parametrize(
    ("bots", "results"),
    [
        (2, {(0, 1): (10, 0, 0)}),
        (2, {(0, 1): (100_00, 0, 0)}),
        (2, {}),
        (4, {(0, 1): (10, 0, 0), (2, 3): (0, 0, 10)}),
        (3, {(0, 1): (0, 10, 0)}),
    ],
)
def test_edges_are_finite_and_never_certain(bots: int, results: dict[tuple[int, int], tuple[int, int, int]]) -> None:
    for rating in elo.pool(bots, pairs_of(results)):
        assert math.isfinite(rating.elo)
        assert math.isfinite(rating.error)
        assert rating.error > 1


def test_groups_that_never_met_are_not_connected() -> None:
    assert not elo.connected(4, pairs_of({(0, 1): (1, 0, 0), (2, 3): (1, 0, 0)}))
    assert elo.connected(4, pairs_of({(0, 1): (1, 0, 0), (2, 3): (1, 0, 0), (1, 3): (0, 1, 0)}))
    assert not elo.connected(3, [])


@pytest.mark.parametrize("score", [(0, 0, 0), (3, 0, 0), (0, 0, 3), (-1, 2, 3)])
def test_a_match_without_points_on_both_sides_is_refused(score: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="points"):
        elo.difference(*score)


def test_intervals_cover_the_truth() -> None:
    """Of many matches between bots 100 points apart about 95 % of the intervals hold the truth."""
    rng = random.Random(7)
    chance = 1 / (1 + 10 ** (-100 / 400))
    held = 0
    for _ in range(300):
        games = [Pair(i, 0, 1, float(rng.random() < chance)) for i in range(120)]
        first, second = elo.pool(2, games)
        held += abs(first.elo - second.elo - 100) <= 2 * first.error
    assert 0.91 < held / 300 < 0.985


@settings(deadline=None)
@given(
    bots=st.integers(2, 6),
    draws=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0])), max_size=60),
    repeat=st.sampled_from([1, 7, 400]),
    ends=st.lists(st.integers(0, 60), max_size=8),
)
def test_a_history_is_what_the_pool_of_each_part_says(
    bots: int, draws: list[tuple[int, int, float]], repeat: int, ends: list[int]
) -> None:
    """Each fit starts where the last one ended, and must not show it, however much the new games overturn."""
    games = [(a % bots, b % bots, score) for a, b, score in draws if a % bots != b % bots]
    bounds = [0, *sorted(min(end, len(games)) for end in ends), len(games)]
    parts = [[Pair(0, *game) for game in games[first:last] for _ in range(repeat)] for first, last in pairwise(bounds)]
    so_far: list[Pair] = []
    for part, told in zip(parts, elo.history(bots, parts), strict=True):
        so_far += part
        assert told == pytest.approx([rating.elo for rating in elo.pool(bots, so_far)], abs=1e-6)


def test_a_history_takes_less_work_than_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    solved = 0
    solve = elo._solve

    def counted(*given: Any) -> list[list[float]]:
        nonlocal solved
        solved += 1
        return solve(*given)

    monkeypatch.setattr(elo, "_solve", counted)
    games = [Pair(i, *rng.sample(range(8), 2), float(rng.random() < 0.8)) for i in range(4000)]
    parts = [games[first : first + 100] for first in range(0, len(games), 100)]
    list(elo.history(8, parts))
    together, solved = solved, 0
    for i in range(len(parts)):
        list(elo.history(8, [games[: 100 * (i + 1)]]))
    assert together < 0.85 * solved


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=30), st.integers(1, 6))
def test_what_is_solved_holds(meetings: list[tuple[int, int]], bots: int) -> None:
    totals = {(a % bots, b % bots): (0.0, 3) for a, b in meetings if a % bots < b % bots}
    matrix = elo._information(bots, totals, [0.3 * i for i in range(bots)], 0.25)
    right = [(-1.5) ** i for i in range(bots)]
    (found,) = elo._solve(matrix, [right])
    assert [sum(a * x for a, x in zip(row, found, strict=True)) for row in matrix] == pytest.approx(right)
    one = elo._product(matrix, elo._inverse(matrix))
    assert [x for row in one for x in row] == pytest.approx([float(i == j) for i in range(bots) for j in range(bots)])
