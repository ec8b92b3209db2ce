"""Elo ratings as a pure function of results: order does not matter, and every answer is finite.

A pool is fitted by maximum likelihood: the ratings at which every bot's expected score equals its score (Elo 1978,
chapter 8; Zermelo 1929, Bradley and Terry 1952, with a draw as half a win). A weak prior, a fraction of a game won and
lost against the average, keeps perfect scores finite. Intervals come from the scatter of whole seat blocks, since the
games of a block share their chance and the pairs of a game their course.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import mul, truediv
from typing import NamedTuple

SCALE = 400 / math.log(10)
"""Elo points of one unit of log-odds."""
Z95 = 1.959963984540054
"""Half width of the central 95 % of a normal distribution."""
PRIOR = 0.25
"""Games that every bot wins and loses, each, against the average before it has played."""


class Pair(NamedTuple):
    """Two bots of one game compared."""

    block: int
    """Pairs of a block are taken together when the scatter is measured."""
    first: int
    second: int
    score: float
    """1 = first is placed better, 0.5 = equal, 0 = worse."""


class Rating(NamedTuple):
    """A rating and the half width of its 95 % interval, in Elo points; ratings of a pool have the mean 0."""

    elo: float
    error: float


class Difference(NamedTuple):
    """What a match between two says, in Elo points."""

    elo: float
    error: float
    """Half width of the 95 % interval."""
    superiority: float
    """Likelihood that the first is the better one, 0..1."""


def difference(wins: int, draws: int, losses: int) -> Difference:
    """The difference that the score of a match says, game by game.

    Raises ValueError without any game, or when one side has all points: then there is no finite answer, and `pool`
    gives one with a prior.
    """
    games = wins + draws + losses
    if min(wins, draws, losses) < 0 or 2 * wins + draws == 0 or 2 * losses + draws == 0:
        raise ValueError("needs points on both sides")
    score = (wins + draws / 2) / games
    scatter = (wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2) / games
    deviation = math.sqrt(scatter / games)
    edge = 1e-9
    low, high = (min(max(score + side * Z95 * deviation, edge), 1 - edge) for side in (-1, 1))
    likely = 0.5 * (1 + math.erf((score - 0.5) / (deviation * math.sqrt(2)))) if deviation else 0.5
    return Difference(elo_of(score), (elo_of(high) - elo_of(low)) / 2, likely)


def elo_of(score: float) -> float:
    """The Elo difference at which `score` (0 < score < 1) is expected."""
    return SCALE * math.log(score / (1 - score))


def pool(bots: int, pairs: Sequence[Pair], prior: float = PRIOR) -> list[Rating]:
    """Ratings of the bots 0..bots-1 from all their comparisons."""
    totals = _totals(pairs)
    strengths = _fit([0.0] * bots, totals, prior)
    inverse = _inverse(_information(bots, totals, strengths, prior))
    scatter = _scatter(bots, pairs, strengths, prior)
    covariance = _product(_product(inverse, scatter), inverse)
    elos = _elos(strengths)
    ratings = []
    for i in range(bots):
        # Variance of strength i minus the mean of all.
        row = sum(covariance[i]) / bots
        whole = sum(map(sum, covariance)) / bots**2
        variance = max(covariance[i][i] - 2 * row + whole, 0.0)
        ratings.append(Rating(elos[i], SCALE * Z95 * math.sqrt(variance)))
    return ratings


def history(bots: int, chunks: Iterable[Sequence[Pair]], prior: float = PRIOR) -> Iterator[list[float]]:
    """The ratings alone, in Elo points, after each of the chunks: as `pool` gives them for all pairs until then."""
    totals: dict[tuple[int, int], tuple[float, int]] = {}
    strengths = [0.0] * bots
    for chunk in chunks:
        for key, (points, games) in _totals(chunk).items():
            before = totals.get(key, (0.0, 0))
            totals[key] = before[0] + points, before[1] + games
        strengths = _fit(strengths, totals, prior)  # from where the last fit ended: it is near
        yield _elos(strengths)


def connected(bots: int, pairs: Sequence[Pair]) -> bool:
    """Whether comparisons link all bots, if only through third ones."""
    parent = list(range(bots))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for pair in pairs:
        parent[root(pair.first)] = root(pair.second)
    return len({root(i) for i in range(bots)}) <= 1


def _win(advantage: float) -> float:
    """Expected score at a difference of strengths."""
    return 1 / (1 + math.exp(-advantage))


def _elos(strengths: Sequence[float]) -> list[float]:
    mean = sum(strengths) / len(strengths)
    return [SCALE * (strength - mean) for strength in strengths]


Totals = Mapping[tuple[int, int], tuple[float, int]]
"""(score of the first, games) by (first, second), first < second."""
Matrix = list[list[float]]


def _totals(pairs: Sequence[Pair]) -> Totals:
    totals: dict[tuple[int, int], tuple[float, int]] = {}
    for pair in pairs:
        key, score = (pair.first, pair.second), pair.score
        if pair.first > pair.second:
            key, score = (pair.second, pair.first), 1 - pair.score
        points, games = totals.get(key, (0.0, 0))
        totals[key] = points + score, games + 1
    return totals


def _fit(start: Sequence[float], totals: Totals, prior: float) -> list[float]:
    """Strengths (log-odds) by Newton's method; the likelihood is concave, steps are capped at 1.

    With a prior there is one answer, wherever it starts.
    """
    strengths = list(start)
    for _ in range(200):
        slope = [-2 * prior * (_win(s) - 0.5) for s in strengths]
        for (i, j), (points, games) in totals.items():
            surplus = points - games * _win(strengths[i] - strengths[j])
            slope[i] += surplus
            slope[j] -= surplus
        (steps,) = _solve(_information(len(strengths), totals, strengths, prior), [slope])
        longest = max(map(abs, steps))
        shrink = min(1.0, 1.0 / longest) if longest else 1.0
        strengths = [s + shrink * step for s, step in zip(strengths, steps, strict=True)]
        if longest < 1e-10:
            break
    return strengths


def _information(bots: int, totals: Totals, strengths: Sequence[float], prior: float) -> Matrix:
    """Minus the second derivative of the log-likelihood."""
    # Without a prior only differences are fixed; a tiny pull to 0 picks one solution and moves no difference.
    info = [[0.0] * bots for _ in range(bots)]
    for i, s in enumerate(strengths):
        info[i][i] = max(2 * prior * _win(s) * _win(-s), 1e-9)
    for (i, j), (_, games) in totals.items():
        won = _win(strengths[i] - strengths[j])
        spread = games * won * (1 - won)
        info[i][i] += spread
        info[j][j] += spread
        info[i][j] -= spread
        info[j][i] -= spread
    return info


def _scatter(bots: int, pairs: Sequence[Pair], strengths: Sequence[float], prior: float) -> Matrix:
    """Sum over blocks of the outer square of what each block pulls at the strengths, the prior's games included."""
    pulls: dict[int, dict[int, float]] = {}
    for pair in pairs:
        surplus = pair.score - _win(strengths[pair.first] - strengths[pair.second])
        pull = pulls.setdefault(pair.block, {})
        pull[pair.first] = pull.get(pair.first, 0.0) + surplus
        pull[pair.second] = pull.get(pair.second, 0.0) - surplus
    scatter = [[0.0] * bots for _ in range(bots)]
    for pull in pulls.values():
        for i, a in pull.items():
            for j, b in pull.items():
                scatter[i][j] += a * b
    for i, s in enumerate(strengths):
        scatter[i][i] += prior * (_win(s) ** 2 + _win(-s) ** 2)
    return scatter


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a]


def _inverse(matrix: Matrix) -> Matrix:
    n = len(matrix)
    return _solve(matrix, [[float(i == j) for j in range(n)] for i in range(n)])


def _solve(matrix: Matrix, rights: Iterable[Sequence[float]]) -> Matrix:
    """The x of matrix x = right for each right side.

    The matrices here are symmetric and positive definite: Cholesky without roots, matrix = L D L' with 1 on the
    diagonal of L. `low` holds the rows of L below it, `pulled` is a row of L D.
    """
    low: Matrix = []
    pivots: list[float] = []
    for row in matrix:
        pulled: list[float] = []
        for j, above in enumerate(low):
            pulled.append(row[j] - sum(map(mul, pulled, above)))
        factors = list(map(truediv, pulled, pivots))
        pivots.append(row[len(low)] - sum(map(mul, pulled, factors)))
        low.append(factors)
    return [_substitute(low, pivots, right) for right in rights]


def _substitute(low: Matrix, pivots: Sequence[float], right: Sequence[float]) -> list[float]:
    """The x of L D L' x = right."""
    found: list[float] = []
    for factors, value in zip(low, right, strict=True):
        found.append(value - sum(map(mul, factors, found)))
    found = list(map(truediv, found, pivots))
    for i in range(len(found) - 1, 0, -1):
        known = found[i]
        for j, factor in enumerate(low[i]):
            found[j] -= factor * known
    return found
