"""What a seat sees of a Hawaii game: the table and its own purse (README section 3), and worlds drawn from that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.core.rng import draw
from engines.hawaii.decisions import can_go_on
from engines.hawaii.facts import (
    ANY_PER_ROUND,
    COLLECT,
    FEET,
    FIRST_SPOT,
    FRUIT,
    GOAL_BONUS,
    GOAL_BONUS_VP,
    GOALS,
    INCOME_FEET,
    INCOME_FRUIT,
    INCOME_SHELLS,
    ISLANDS,
    NONE,
    OVER,
    SHELLS,
    SOURCES,
    SPEAR_VP,
    SPEARS,
    TURN,
)
from engines.hawaii.moves import HawaiiMove
from engines.hawaii.payments import standing
from engines.hawaii.rules import Hawaii, load
from engines.hawaii.snapshot import Purse, Snapshot, Table
from engines.hawaii.tables import HawaiiRules


@dataclass(frozen=True)
class HawaiiObservation:
    """The table, and every purse with NONE for what the viewer does not see of it."""

    rules: HawaiiRules
    viewer: int
    table: Table
    purses: tuple[Purse, ...]

    def standing_hidden(self) -> tuple[int, ...]:
        """The seats whose points, or goods where these break ties, the viewer does not see."""
        ties = self.rules.by_resources
        return tuple(
            s for s, purse in enumerate(self.purses) if NONE in purse.points or (ties and purse.shells == NONE)
        )

    def sample(self, key: int, index: int) -> Hawaii:
        """A full state that agrees with the observation. README section 6.2 tells how what is hidden is drawn.

        Takes at most 15 draws a seat and two an island.
        """
        draws = _Draws(key, index)
        islands = _island_points(self.rules, self.table, draws)
        purses = []
        for seat, purse in enumerate(self.purses):
            points = purse.points
            if points[0] == NONE:
                points = _gained(self.rules, self.table, seat, islands[seat], draws)
            goods = [purse.shells, purse.feet, purse.fruit]
            if purse.shells == NONE:
                most = most_goods(self.rules, self.table, seat)
                unspent = self.table.round == 1 and self.table.phase < TURN
                goods = [m if unspent else draws.small(m) for m in most]
            purses.append(Purse(points, *goods))
        actor = self.table.actor
        if actor != NONE and self.purses[actor].shells == NONE:
            purses[actor] = _able(self.rules, self.table, purses[actor])
        return load(self.rules, Snapshot(self.table, tuple(purses)))


class _Draws:
    """Numbers out of one stream, in order."""

    def __init__(self, key: int, index: int) -> None:
        self._key = key
        self._index = index

    def even(self, n: int) -> int:
        """0 to n - 1, each as likely."""
        self._index += 1
        return draw(self._key, self._index - 1, n)

    def small(self, most: int) -> int:
        """The smaller of two even draws of 0 to `most`: what comes in is mostly spent soon."""
        return min(self.even(most + 1), self.even(most + 1))


def _scored_rounds(table: Table) -> int:
    return table.round - (table.phase < COLLECT)


def most_goods(rules: HawaiiRules, table: Table, seat: int) -> tuple[int, int, int]:
    """Shells, feet and fruit that a seat can have received since the start of the game."""
    realm = table.realms[seat]
    most = list(rules.start(seat))
    for r in range(1, table.round):
        for i, amount in enumerate(rules.round(r)[2]):
            most[i] += amount
    for i, effect in enumerate((INCOME_SHELLS, INCOME_FEET, INCOME_FRUIT)):
        most[i] += (table.round - 1) * sum(standing(rules, realm, effect))
        most[i] += _scored_rounds(table) * sum(standing(rules, realm, ANY_PER_ROUND))
    most[SHELLS] += sum(rules.kahuna(i)[1] for i in range(1, realm.kahunas + 1))
    most[FEET] += sum(rules.tiki(i)[1] for i in range(1, realm.tikis + 1))
    most[FRUIT] += sum(rules.island(island)[0] for island in table.islands_gone)
    return most[0], most[1], most[2]


def _island_points(rules: HawaiiRules, table: Table, draws: _Draws) -> list[int]:
    """Points of the islands by seat: each visited one went to any seat, from any dock."""
    points = [0] * rules.seats
    for island in table.islands_gone:
        points[draws.even(rules.seats)] += rules.island(island)[1] + rules.dock(1 + draws.even(rules.n_docks))[1]
    return points


def _gained(rules: HawaiiRules, table: Table, seat: int, islands: int, draws: _Draws) -> tuple[int, ...]:
    """Points by source: each round that was scored ended in any of its four ways."""
    goals = [(*rules.round(r)[1], 0)[draws.even(4)] for r in range(1, _scored_rounds(table) + 1)]
    met = sum(vp > 0 for vp in goals)
    spears = sum(count for _, spear, _, count in map(rules.token, range(rules.n_types)) if spear)
    first = table.round == rules.n_rounds and table.spot_seats[0] == seat
    realm = table.realms[seat]
    gained = {
        GOALS: sum(goals),
        GOAL_BONUS: draws.small(met * sum(standing(rules, realm, GOAL_BONUS_VP))),
        SPEARS: draws.small(len(goals) * spears * sum(standing(rules, realm, SPEAR_VP))),
        ISLANDS: islands,
        FIRST_SPOT: rules.first_spot_vp if first else 0,
    }
    return tuple(gained[source] for source in range(len(SOURCES)))


def _able(rules: HawaiiRules, table: Table, purse: Purse) -> Purse:
    """The purse with the fewest more shells and feet that let the actor go on, as it is bound to be able to."""
    more = 0
    while True:
        for feet in range(more + 1):
            able = Purse(purse.points, purse.shells + more - feet, purse.feet + feet, purse.fruit)
            if can_go_on(rules, table, able):
                return able
        more += 1


def visible(rules: HawaiiRules, table: Table, viewer: int, seat: int) -> tuple[bool, bool]:
    """Whether `viewer` sees the points and the goods of `seat`."""
    all_open = seat == viewer or table.phase == OVER
    return all_open or rules.open_scores, all_open or rules.open_hands


def observe(state: Hawaii, seat: int) -> HawaiiObservation:
    """What `seat` sees. Raises ValueError for a seat that does not exist."""
    if not 0 <= seat < state.rules.seats:
        raise ValueError(f"no seat {seat}")
    s = state.snapshot()
    purses: Sequence[Purse] = [_shown(state.rules, s, seat, other) for other in range(state.rules.seats)]
    return HawaiiObservation(state.rules, seat, s.table, tuple(purses))


def shows(state: Hawaii, move: HawaiiMove, seat: int) -> bool:
    """Whether `seat` sees what a move is: always, since payments are open at the table."""
    return True


def _shown(rules: HawaiiRules, s: Snapshot, viewer: int, seat: int) -> Purse:
    purse = s.purses[seat]
    points, goods = visible(rules, s.table, viewer, seat)
    return Purse(
        purse.points if points else (NONE,) * len(SOURCES),
        *((purse.shells, purse.feet, purse.fruit) if goods else (NONE, NONE, NONE)),
    )
