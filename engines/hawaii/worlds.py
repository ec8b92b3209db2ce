"""Hawaii: worlds that look the same to a viewer (README section 6.2)."""

from __future__ import annotations

import cython

from engines.core.rng import draw
from engines.hawaii.course import Course
from engines.hawaii.facts import (
    ANY_PER_ROUND,
    BUY,
    COLLECT,
    FEET,
    FIRST_SPOT,
    FRUIT,
    GOAL_BONUS,
    GOAL_BONUS_VP,
    GOALS,
    INCOME_SHELLS,
    ISLANDS,
    OVER,
    PAY_PRICE,
    PAY_TRIP,
    PAY_WALK,
    SHELLS,
    SPEAR_VP,
    SPEARS,
    TURN,
)

DRAWS = 16
"""Draws that belong to one seat: five for goals, two each for bonus and spears, from the tenth on two for each good."""
GOODS_DRAWS = 10


def c_small(key: int, index: int, most: int) -> int:
    """The smaller of two even draws of 0 to `most`: what comes in is mostly spent soon."""
    one = cython.cast(cython.int, draw(key, index, most + 1))
    other = cython.cast(cython.int, draw(key, index + 1, most + 1))
    return min(one, other)


class Worlds(Course):
    """The purses that a viewer does not see, drawn anew."""

    def c_redeal(self, viewer: int, key: int, index: int) -> None:
        if self.d.phase == OVER:
            return
        for s in range(self.rules.seats):
            if s != viewer and not self.rules.open_scores:
                self.c_draw_points(s, key, index + s * DRAWS)
            if s != viewer and not self.rules.open_hands:
                for i in range(3):
                    self.d.goods[s][i] = self.c_most(s, i)
                    if self.d.round > 1 or self.d.phase >= TURN:
                        self.d.goods[s][i] = c_small(key, index + s * DRAWS + GOODS_DRAWS + 2 * i, self.d.goods[s][i])
        if not self.rules.open_scores:
            for s in range(self.rules.seats):
                if s != viewer:
                    self.d.points[s][ISLANDS] = 0
            self.c_draw_islands(viewer, key, index + self.rules.seats * DRAWS)
        if self.d.phase >= TURN and self.d.actor != viewer and not self.rules.open_hands:
            self.c_raise()

    def c_draw_islands(self, viewer: int, key: int, index: int) -> None:
        """Each visited island went to any seat, from any dock; what the viewer has is known."""
        for i in range(self.rules.n_islands):
            if self.c_visited(i):
                seat = cython.cast(cython.int, draw(key, index + 2 * i, self.rules.seats))
                dock = cython.cast(cython.int, draw(key, index + 2 * i + 1, self.rules.n_docks))
                if seat != viewer:
                    self.d.points[seat][ISLANDS] += self.rules.island_vp[i] + self.rules.dock_vp[dock]

    def c_visited(self, island: int) -> bool:
        if self.d.islands_left >> island & 1:
            return False
        for i in range(self.rules.n_docks):
            if self.d.docks[i] == island:
                return False
        return True

    def c_scored_rounds(self) -> int:
        return self.d.round if self.d.phase >= COLLECT else self.d.round - 1

    def c_draw_points(self, seat: int, key: int, index: int) -> None:
        """Each round that was scored ended in any of its four ways; bonus and spears are small numbers."""
        met = 0
        self.d.points[seat][GOALS] = 0
        for r in range(self.c_scored_rounds()):
            way = cython.cast(cython.int, draw(key, index + r, 4))
            if way < 3:
                self.d.points[seat][GOALS] += self.rules.goal_vp[r][way]
                met += 1
        spears = 0
        for t in range(self.rules.n_types):
            if self.rules.spear[t]:
                spears += self.rules.copies[t]
        spears *= self.c_scored_rounds() * self.d.eff[seat][SPEAR_VP]
        self.d.points[seat][GOAL_BONUS] = c_small(key, index + 5, met * self.d.eff[seat][GOAL_BONUS_VP])
        self.d.points[seat][SPEARS] = c_small(key, index + 7, spears)
        self.d.points[seat][FIRST_SPOT] = 0
        if self.d.round == self.rules.n_rounds and self.d.spot_seat[0] == seat:
            self.d.points[seat][FIRST_SPOT] = self.rules.first_spot_vp

    def c_most(self, seat: int, resource: int) -> int:
        """All of one resource that a seat can have received since the start of the game, by what lies on the table."""
        most = self.rules.start_fruit[seat] if resource == FRUIT else self.rules.start_goods[resource]
        if resource != FRUIT:
            for r in range(self.d.round - 1):
                most += self.rules.next_goods[r][resource]
        most += (self.d.round - 1) * self.d.eff[seat][INCOME_SHELLS + resource]
        most += self.c_scored_rounds() * self.d.eff[seat][ANY_PER_ROUND]
        if resource == SHELLS:
            for i in range(self.d.kahunas[seat]):
                most += self.rules.kahuna_shells[i]
        elif resource == FEET:
            for i in range(self.d.tikis[seat]):
                most += self.rules.tiki_feet[i]
        else:
            for i in range(self.rules.n_islands):
                if self.c_visited(i):
                    most += self.rules.island_fruit[i]
        return most

    def c_can_go_on(self) -> bool:
        """Whether the actor can pay what is due."""
        seat = self.d.actor
        shells = self.d.goods[seat][SHELLS]
        feet = self.d.goods[seat][FEET]
        fruit = self.d.goods[seat][FRUIT]
        if self.d.phase == PAY_WALK:
            return self.c_can_walk(seat, self.d.at[seat], self.d.amount)
        if self.d.phase == BUY:
            return self.c_can_buy(seat, self.d.at[seat], shells, feet, fruit, self.d.walk_sub)
        if self.d.phase == PAY_PRICE:
            return self.c_payable(self.d.amount, shells, fruit, feet, self.c_cap())
        return self.d.phase != PAY_TRIP or self.c_feet_payable(seat, self.d.amount)

    def c_raise(self) -> None:
        """Gives the actor the fewest more shells and feet that let it go on, as it is bound to be able to."""
        seat = self.d.actor
        shells = self.d.goods[seat][SHELLS]
        feet = self.d.goods[seat][FEET]
        more = 0
        while True:
            for f in range(more + 1):
                self.d.goods[seat][SHELLS] = shells + more - f
                self.d.goods[seat][FEET] = feet + f
                if self.c_can_go_on():
                    return
            more += 1

    # -- for Python callers ---------------------------------------------------------------------------------------

    def redeal(self, viewer: int, key: int, index: int) -> None:
        """Draws anew what `viewer` does not see, with draws `index`... of the stream `key`: 16 a seat, 2 an island.

        Raises IndexError for a seat that does not exist.
        """
        self._seat(viewer)
        self.c_redeal(viewer, key, index)

    def most_goods(self, seat: int) -> tuple[int, int, int]:
        """Shells, feet and fruit that a seat can have received so far, by what lies on the table."""
        self._seat(seat)
        return self.c_most(seat, SHELLS), self.c_most(seat, FEET), self.c_most(seat, FRUIT)
