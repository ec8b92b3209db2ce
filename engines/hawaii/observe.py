"""What a seat sees of a Hawaii game: the table and its own purse (README section 3), and worlds drawn from that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engines.hawaii.facts import (
    NONE,
    OVER,
    SOURCES,
    TURN,
)
from engines.hawaii.moves import HawaiiMove
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

    @cached_property
    def _world(self) -> Hawaii:
        """One state that agrees: hidden seats have the goods of the start, later enough to pay anything that is due."""
        in_setup = self.table.round == 1 and self.table.phase < TURN
        enough = (self.rules.most_paid, self.rules.most_paid, 0)
        purses = []
        for seat, purse in enumerate(self.purses):
            points = (0,) * len(SOURCES) if NONE in purse.points else purse.points
            goods = (purse.shells, purse.feet, purse.fruit)
            if purse.shells == NONE:
                goods = self.rules.start(seat) if in_setup else enough
            purses.append(Purse(points, *goods))
        return load(self.rules, Snapshot(self.table, tuple(purses)))

    def sample(self, key: int, index: int) -> Hawaii:
        """A state that agrees with the observation. README section 6.2 tells how what is hidden is drawn.

        Takes 16 draws a seat and two an island, from `index` on.
        """
        world = self._world.clone()
        assert isinstance(world, Hawaii)
        world.redeal(self.viewer, key, index)
        return world


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
