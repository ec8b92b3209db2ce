"""Hawaii: the state and what one looks up in it. Section numbers are those of README.md.

`Board` holds the data and answers questions (what does this walk cost, can that be paid, where does a tile fit);
`Legal` lists the moves on top of it, and `Hawaii` (rules.py) makes them.
"""

from __future__ import annotations

import cython

from engines.core.constants import CHANCE, TERMINAL
from engines.core.state import State
from engines.hawaii.facts import (
    ANY_PER_ROUND,
    EXCHANGE,
    FEET,
    FRUIT,
    OVER,
    POSITIONS,
    SHELLS,
    TURN,
    WALK_DISCOUNT,
)
from engines.hawaii.tables import HawaiiRules

ONE = 1

if not cython.compiled:
    from engines.core.layout import struct

    Data = struct(__file__, "Data")


@cython.no_gc  # see docs/adding-a-game.md
@cython.cclass
class Board(State):
    """The data of one position of Hawaii."""

    def __init__(self, rules: HawaiiRules) -> None:
        if not isinstance(rules, HawaiiRules):
            raise TypeError("rules must be HawaiiRules")
        self.rules = rules
        if not cython.compiled:
            self.d = Data()

    # -- the hot path ---------------------------------------------------------------------------------------------

    def c_actor(self) -> int:
        if self.d.phase < TURN:
            return CHANCE
        if self.d.phase == OVER:
            return TERMINAL
        return self.d.actor

    def c_seats(self) -> int:
        return self.rules.seats

    def c_copy_from(self, other: State) -> None:
        if cython.compiled:
            self.d = cython.cast(Board, other).d
        else:
            self.d = cython.cast(Board, other).d.copy()

    def c_score(self, seat: int) -> int:
        score = self.d.end[seat]
        for i in range(5):
            score += self.d.points[seat][i]
        return score

    def c_place(self, seat: int) -> int:
        better = 0
        for s in range(self.rules.seats):
            if self.c_beats(s, seat):
                better += 1
        return 1 + better

    def c_beats(self, one: int, other: int) -> bool:
        """Section 7.3."""
        mine = self.c_score(one)
        theirs = self.c_score(other)
        if mine == theirs and self.rules.by_resources:
            mine = self.d.goods[one][SHELLS] + self.d.goods[one][FEET] + self.d.goods[one][FRUIT]
            theirs = self.d.goods[other][SHELLS] + self.d.goods[other][FEET] + self.d.goods[other][FRUIT]
        return mine > theirs

    def c_walk_cost(self, seat: int, position: int) -> int:
        """Feet to a position; the way over the free beach is part of the table `walk`."""
        cost = self.rules.walk[self.d.at[seat]][position] - self.d.eff[seat][WALK_DISCOUNT]
        return max(0, cost)

    def c_left(self, seat: int, used: int) -> int:
        """Exchange capacity that is left for this payment after a payment of the turn that exchanged `used` units.

        A hut serves one payment a turn, so what is left is outside the cheapest set of huts that covers `used`.
        """
        total = self.d.eff[seat][EXCHANGE]
        if self.rules.every_payment:
            return total
        c = used
        while c < total and self.d.hut_sums[seat] >> c & 1 == 0:
            c += 1
        return total - c

    def c_cap(self) -> int:
        """Exchange capacity of the payment that is due."""
        return self.c_left(self.d.actor, self.d.walk_sub)

    def c_payable(self, n: int, natural: int, fruit: int, other: int, cap: int) -> bool:
        """Whether some payment of `n` units exists: nearly all natural or nearly all fruit, the rest exchanged."""
        return natural + fruit + other >= n and (max(fruit, natural)) >= n - cap

    def c_feet_payable(self, seat: int, n: int) -> bool:
        """Whether the seat can pay so many feet as the first payment of a turn."""
        return self.c_payable(
            n,
            self.d.goods[seat][FEET],
            self.d.goods[seat][FRUIT],
            self.d.goods[seat][SHELLS],
            self.d.eff[seat][EXCHANGE],
        )

    def c_can_buy(self, seat: int, position: int, shells: int, feet: int, fruit: int, used: int) -> bool:
        """Whether something can be bought on a position with these goods, `used` units of exchange being spent."""
        if self.d.area_n[position] == 0 or self.rules.sold[self.d.board[position]] & self.d.in_stock == 0:
            return False
        price = self.rules.value[self.d.area[position][0]] * self.rules.level_price[0]
        return self.c_payable(price, shells, fruit, feet, self.c_left(seat, used))

    def c_can_walk(self, seat: int, position: int, n: int) -> bool:
        """Whether some payment of a walk of `n` feet leaves enough to buy something at its end."""
        cap = self.d.eff[seat][EXCHANGE]
        shells = self.d.goods[seat][SHELLS]
        feet = self.d.goods[seat][FEET]
        fruit = self.d.goods[seat][FRUIT]
        for s in range(min(n, cap, shells) + 1):
            for f in range(min(n - s, feet) + 1):
                u = n - s - f
                sub = n - max(f, u)
                if u <= fruit and sub <= cap:
                    if self.c_can_buy(seat, position, shells - s, feet - f, fruit - u, sub):
                        return True
        return False

    def c_fits(self, seat: int, village: int, kind: int) -> bool:
        """Whether a tile may be laid in a village (0, 1, ...)."""
        bit = ONE << kind
        mask = self.d.mask[seat][village]
        if mask == 0:
            if self.rules.huts & bit == 0:
                return False
            if not self.rules.row_skip:
                for w in range(village):
                    if self.d.mask[seat][w] == 0:
                        return False
        elif mask & bit != 0:
            return False
        if self.rules.gods & bit != 0:
            if mask & self.rules.gods != 0:
                return False
            for w in range(self.rules.n_villages):
                if self.d.mask[seat][w] & bit != 0:
                    return False
        return True

    def c_has_room(self, seat: int, kind: int) -> bool:
        for v in range(self.rules.n_villages):
            if self.c_fits(seat, v, kind):
                return True
        return False

    def c_need(self, seat: int) -> int:
        """The column that a village must reach: the printed one, or that of a placed tiki."""
        need = self.rules.printed_column
        for i in range(self.d.tikis[seat]):
            if self.rules.tiki_column[i] < need:
                need = self.rules.tiki_column[i]
        return need

    def c_first_fish(self, fish: int) -> int:
        """The lowest token type in the bay with so many fish; -1 where there is none."""
        for t in range(self.rules.n_types):
            if self.d.bay[t] > 0 and self.rules.fish[t] == fish:
                return t
        return -1

    # -- for Python callers: what explain, observe and pictures ask ------------------------------------------------

    def phase(self) -> int:
        """The phase, one of `facts`."""
        return self.d.phase

    def pending(self) -> tuple[int, int, int, int, int, int, int, int]:
        """amount, walk_sub, kind, level, trip, take, dock, island (`snapshot.Pending`)."""
        return (
            self.d.amount,
            self.d.walk_sub,
            self.d.kind,
            self.d.level,
            self.d.trip,
            self.d.take,
            self.d.dock,
            self.d.island,
        )

    def goods(self, seat: int) -> tuple[int, int, int]:
        """Shells, feet and fruit of a seat."""
        self._seat(seat)
        return self.d.goods[seat][SHELLS], self.d.goods[seat][FEET], self.d.goods[seat][FRUIT]

    def at(self, seat: int) -> int:
        """Position 0 to 9, BEACH or PASSED."""
        self._seat(seat)
        return self.d.at[seat]

    def area_of(self, seat: int) -> int:
        """The area where a seat stands, or NONE."""
        at = self.at(seat)
        return self.d.board[at] if at < POSITIONS else -1

    def boats_left(self, seat: int) -> tuple[int, int, int]:
        """Unused boats: start boat, level I, level II."""
        self._seat(seat)
        free = [self.d.boats[seat][i] - self.d.used[seat][i] for i in range(3)]
        return free[0], free[1], free[2]

    def capacity(self) -> int:
        """Exchange capacity of the payment that is due now, or of the price in BUY."""
        if self.d.actor < 0:
            return 0
        return self.c_left(self.d.actor, self.d.walk_sub)

    def left(self, seat: int, used: int) -> int:
        """Exchange capacity of the second payment of a turn whose first one exchanged `used` units."""
        self._seat(seat)
        if not 0 <= used <= self.d.eff[seat][EXCHANGE]:
            raise ValueError(f"{used} units cannot have been exchanged")
        return self.c_left(seat, used)

    def walk_cost(self, seat: int, area: int) -> int:
        """Feet from where the seat stands to an area of the board."""
        return self.c_walk_cost(self._seat(seat), self._position(area))

    def can_walk(self, seat: int, area: int) -> bool:
        """Whether the walk to an area can be paid so that something there can be bought."""
        position = self._position(area)
        return self.c_can_walk(self._seat(seat), position, self.c_walk_cost(seat, position))

    def feet_payable(self, seat: int, n: int) -> bool:
        """Whether the seat can pay `n` feet as the first payment of a turn."""
        return self.c_feet_payable(self._seat(seat), n)

    def price_payable(self, price: int) -> bool:
        """Whether the actor can pay so many shells after its walk."""
        shells, feet, fruit = self.goods(self.d.actor)
        return self.c_payable(price, shells, fruit, feet, self.c_left(self.d.actor, self.d.walk_sub))

    def can_buy_after(self, shells: int, feet: int, fruit: int) -> bool:
        """Whether the actor, having paid this (at most its stock) for its walk, can still buy something there."""
        have = self.goods(self.d.actor)
        left = [have[i] - paid for i, paid in enumerate((shells, feet, fruit))]
        if min(left) < 0:
            raise ValueError("more than the stock")
        sub = self.d.amount - max(feet, fruit)
        return self.c_can_buy(self.d.actor, self.d.at[self.d.actor], left[0], left[1], left[2], sub)

    def area_tokens(self, area: int) -> tuple[int, ...]:
        """Token types on an area, ascending."""
        p = self._position(area)
        return tuple([self.d.area[p][i] for i in range(self.d.area_n[p])])

    def stock(self, kind: int) -> int:
        """Tiles of a kind that are still for sale."""
        if not 0 <= kind < self.rules.n_kinds:
            raise IndexError(kind)
        return self.d.stock[kind]

    def bay(self) -> tuple[int, ...]:
        """Tokens in the bay, count by type."""
        return tuple([self.d.bay[t] for t in range(self.rules.n_types)])

    def dock_island(self, dock: int) -> int:
        """The island at dock 1 to 4, or NONE."""
        if not 1 <= dock <= self.rules.n_docks:
            raise IndexError(dock)
        return self.d.docks[dock - 1]

    def spot_seat(self, spot: int) -> int:
        """The seat on order spot 1, 2, ..., or NONE."""
        if not 1 <= spot <= self.rules.seats:
            raise IndexError(spot)
        return self.d.spot_seat[spot - 1]

    def village_kinds(self, seat: int) -> tuple[int, ...]:
        """The kinds in each village as bits."""
        self._seat(seat)
        return tuple([self.d.mask[seat][v] for v in range(self.rules.n_villages)])

    def fits(self, seat: int, village: int, kind: int) -> bool:
        """Whether a tile of `kind` may be laid in village 1, 2, ... of a seat."""
        self._seat(seat)
        if not (1 <= village <= self.rules.n_villages and 0 <= kind < self.rules.n_kinds):
            raise IndexError((village, kind))
        return self.c_fits(seat, village - 1, kind)

    def collect_due(self) -> int:
        """Units that the actor chooses in COLLECT."""
        return self.d.eff[self.d.actor][ANY_PER_ROUND] if self.d.actor >= 0 else 0

    def need(self, seat: int) -> int:
        """The column that a village of the seat must reach to be valid."""
        return self.c_need(self._seat(seat))

    def widths(self, seat: int) -> tuple[int, ...]:
        """Columns that each village fills."""
        self._seat(seat)
        return tuple([self.d.width[seat][v] for v in range(self.rules.n_villages)])

    def token_sum(self, seat: int) -> int:
        """What counts towards the goal of the round: values of price tokens and fish of fish tokens."""
        self._seat(seat)
        return self.d.total[seat]

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.rules.seats:
            raise IndexError(seat)
        return seat

    def _position(self, area: int) -> int:
        if not 0 <= area < POSITIONS or self.d.place[area] < 0:
            raise IndexError(area)
        return self.d.place[area]
