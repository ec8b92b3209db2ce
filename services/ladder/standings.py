"""Standings of a ladder as a pure function of its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2

from engines.core.patience import Check, go_on
from engines.record.results import FORFEITS
from services.ladder import elo

Row = tuple[int, Sequence[int], records_pb2.Result]
"""(seat block, bot by seat as position in the ladder, result)"""


def whole_blocks(rows: Iterable[Row], seats: int) -> list[Row]:
    """The rows of blocks in which every rotation has a result that counts."""
    counted = [row for row in rows if row[2].ending != records_pb2.ENDING_VOID]
    size = Counter(block for block, _, _ in counted)
    return [row for row in counted if size[row[0]] == seats]


def pairs(rows: Iterable[Row]) -> list[elo.Pair]:
    """Every game as comparisons of its bots, two by two; team mates are not compared."""
    found = []
    for block, bots, result in rows:
        for a, b in combinations(range(len(bots)), 2):
            if result.teams[a] != result.teams[b]:
                ahead, behind = result.placements[a], result.placements[b]
                score = 0.5 if ahead == behind else float(ahead < behind)
                found.append(elo.Pair(block, bots[a], bots[b], score))
    return found


def standings(names: Sequence[str], seats: int, rows: Iterable[Row]) -> pb.GetStandingsResponse:
    """The standings, best first; equal ratings in the order of the names."""
    counted = whole_blocks(rows, seats)
    compared = pairs(counted)
    ratings = elo.pool(len(names), compared)
    entries = [
        pb.Standing(bot=name, elo=round(rating.elo, 6), error=round(rating.error, 6))
        for name, rating in zip(names, ratings, strict=True)
    ]
    for _, bots, result in counted:
        for bot in bots:
            entries[bot].games += 1
        if result.ending in FORFEITS:
            entries[bots[result.offender]].forfeits += 1
    for pair in compared:
        for bot, score in ((pair.first, pair.score), (pair.second, 1 - pair.score)):
            entry = entries[bot]
            entry.pairs += 1
            entry.wins += score == 1
            entry.draws += score == 0.5
            entry.losses += score == 0
    entries.sort(key=lambda entry: (-entry.elo, entry.bot))
    return pb.GetStandingsResponse(
        standings=entries, games_counted=len(counted), connected=elo.connected(len(names), compared)
    )


def history(
    names: Sequence[str], seats: int, rows: Iterable[Row], points: int, check: Check = go_on
) -> pb.GetRatingHistoryResponse:
    """Ratings after ever more whole blocks, at most `points` times; `check` is called before each.

    Blocks come in the order of their numbers, not in that of their ends: so the history is that of the games alone.
    """
    counted = sorted(whole_blocks(rows, seats), key=lambda row: row[0])
    blocks = len(counted) // seats
    points = min(points, blocks)
    ends = [seats * (blocks * i // points) for i in range(points + 1)] if points else []

    def chunks() -> Iterator[list[elo.Pair]]:
        for start, end in pairwise(ends):
            check()
            yield pairs(counted[start:end])

    found = elo.history(len(names), chunks())
    return pb.GetRatingHistoryResponse(
        bots=names,
        points=[
            pb.RatingPoint(games_counted=end, elos=[round(value, 6) for value in elos])
            for end, elos in zip(ends[1:], found, strict=True)
        ],
    )
