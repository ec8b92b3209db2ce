"""Kilauea, the lowest layer: what lies on the table, what may be taken and put where, and what it scores.

Section numbers are those of README.md.
"""

from __future__ import annotations

import cython

from engines.core.constants import CHANCE, TERMINAL
from engines.core.state import State
from engines.kilauea.facts import DRAFT, MAX_COLOURS, ON_FLANK, OVER
from engines.kilauea.tables import KilaueaRules

ONE = 1

if not cython.compiled:
    from typing import Any

    from engines.core.layout import struct

    Data = struct(__file__, "Data")

    def kept(d: Any) -> Any:
        """A copy of the data; compiled, assigning a struct copies it."""
        return d.copy()


@cython.no_gc  # see docs/adding-a-game.md
@cython.cclass
class Board(State):
    """The components, and the small questions and changes that everything else is made of."""

    def __init__(self, rules: KilaueaRules) -> None:
        if not isinstance(rules, KilaueaRules):
            raise TypeError("not the rules of a Kilauea game")
        self.rules = rules
        if not cython.compiled:
            self.d = Data()

    # -- what every state offers ----------------------------------------------------------------------------------

    def c_actor(self) -> int:
        if self.d.stage < DRAFT:
            return CHANCE
        if self.d.stage == OVER:
            return TERMINAL
        return self.d.seat

    def c_copy_from(self, other: State) -> None:
        if cython.compiled:
            self.d = cython.cast(Board, other).d
        else:
            self.d = kept(cython.cast(Board, other).d)

    def c_seats(self) -> int:
        return self.rules.seats

    def c_score(self, seat: int) -> int:
        return self.d.vp[seat]

    def c_place(self, seat: int) -> int:
        """7.3: more points, then fewer tikis on the own island."""
        place = 1
        for other in range(self.rules.seats):
            if self.d.vp[other] > self.d.vp[seat]:
                place += 1
            elif self.d.vp[other] == self.d.vp[seat] and self.c_island_tikis(other) < self.c_island_tikis(seat):
                place += 1
        return place

    # -- questions (5.0) ------------------------------------------------------------------------------------------

    def c_accessible(self, t: int, x: int) -> bool:
        filled = self.d.filled[t]
        return filled >> x & 1 == 1 and filled & self.rules.before[self.d.board[t]][x] == 0

    def c_sealed(self, t: int, c: int) -> bool:
        return self.d.sealed >> (t * MAX_COLOURS + c) & 1 == 1

    def c_vput(self, t: int, c: int) -> bool:
        if self.rules.has_pillar[t][c] == 0 or self.d.pillar[t][c] >= self.rules.pillar_height:
            return False
        return not self.c_sealed(t, c)

    def c_vtake(self, t: int, c: int) -> bool:
        return self.d.pillar[t][c] > 0 and not self.c_sealed(t, c)

    def c_iput(self, seat: int, t: int) -> bool:
        return self.c_stack(seat, t) < self.rules.pillar_height

    def c_stack(self, seat: int, t: int) -> int:
        n = 0
        for c in range(self.rules.n_colours):
            n += self.d.island[seat][t][c]
        return n

    def c_island_tikis(self, seat: int) -> int:
        n = 0
        for t in range(5):
            n += self.c_stack(seat, t)
        return n

    def c_empty_forests(self) -> int:
        n = 0
        for t in range(5):
            if self.d.filled[t] == 0:
                n += 1
        return n

    def c_land(self, distance: int) -> int:
        """The canoe space so many open spaces on."""
        return self.rules.lane[(self.rules.lane_at[self.d.canoe] + distance) % self.rules.lane_length]

    def c_advance_cost(self, distance: int) -> int:
        cost = distance - 1 - (self.rules.canoe_tikis - self.d.load[self.d.seat])
        return max(0, cost)

    def c_stones_within(self, most: int) -> int:
        """Stones that would move from the crater to the actor's canoe, at most so many."""
        n = self.rules.canoe_stones - self.d.stones[self.d.seat]
        n = min(n, most)
        return min(n, self.d.crater)

    # -- changes --------------------------------------------------------------------------------------------------

    def c_take_from_forest(self, t: int, x: int) -> int:
        c = self.d.forest[t][x]
        self.d.forest[t][x] = -1
        self.d.filled[t] &= ~(ONE << x)
        return c

    def c_set_in_forest(self, t: int, x: int, c: int) -> None:
        self.d.forest[t][x] = c
        self.d.filled[t] |= ONE << x

    def c_load(self, seat: int, c: int, n: int) -> None:
        """`n` tikis more (or fewer) in a canoe."""
        self.d.tikis[seat][c] += n
        self.d.load[seat] += n

    def c_pay(self, n: int) -> None:
        """Stones from the actor's canoe to the crater (a negative number: the other way)."""
        self.d.stones[self.d.seat] -= n
        self.d.crater += n

    def c_seal(self, pillar: int) -> None:
        """5.7: a seal is put on a pillar; with none left the oldest one moves."""
        if self.d.n_seals == self.rules.max_seals:
            self.d.sealed &= ~(ONE << self.d.seal[0])
            for i in range(1, self.d.n_seals):
                self.d.seal[i - 1] = self.d.seal[i]
            self.d.n_seals -= 1
        self.d.seal[self.d.n_seals] = pillar
        self.d.n_seals += 1
        self.d.sealed |= ONE << pillar

    def c_unlock(self) -> None:
        """5.3 (a): tiles whose row holds no tiki go to the flank and on offer."""
        for t in range(5):
            tile = self.d.heart[t]
            if tile > 0 and self.d.filled[t] & self.rules.tile_row[self.d.board[t]] == 0:
                self.d.heart[t] = 0
                self.d.flank[t] = tile
                self.d.lies[tile] = ON_FLANK
                self.d.pending |= ONE << tile

    # -- scoring (7) ----------------------------------------------------------------------------------------------

    def c_tallest(self, t: int) -> int:
        tallest = 0
        for c in range(self.rules.n_colours):
            tallest = max(tallest, self.d.pillar[t][c])
        return tallest

    def c_worth(self, t: int, c: int) -> int:
        """7.1: points for each island tiki of a colour in a section."""
        height = self.d.pillar[t][c]
        return height * (self.rules.vp_tallest if height == self.c_tallest(t) else self.rules.vp_other)

    def c_section(self, seat: int, t: int) -> int:
        """7.1: points of a seat in one section."""
        points = 0
        for c in range(self.rules.n_colours):
            n = self.d.island[seat][t][c]
            if n > 0:
                points += n * self.c_worth(t, c)
        return points

    def c_sections(self, seat: int) -> int:
        points = 0
        for t in range(5):
            points += self.c_section(seat, t)
        return points

    def c_all_islands(self, seat: int) -> int:
        for t in range(5):
            if self.c_stack(seat, t) == 0:
                return 0
        return self.rules.vp_all_islands

    def c_leftovers(self, seat: int) -> int:
        """7.2: stones and tikis in the canoe."""
        return self.d.stones[seat] // self.rules.stones_per_vp + self.d.load[seat] * self.rules.vp_canoe_tiki
