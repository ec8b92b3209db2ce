"""Hawaii: the legal moves of every decision (README section 5), in the order of their codes."""

from __future__ import annotations

from engines.core.state import Moves
from engines.hawaii.board import Board
from engines.hawaii.facts import (
    ANY_PER_ROUND,
    BEACH,
    BUY,
    BUY_CODE,
    COLLECT,
    COLLECT_CODE,
    DRAW_AREA_CODE,
    DRAW_AREAS,
    DRAW_ISLAND_CODE,
    DRAW_ISLANDS,
    DRAW_TOKEN_CODE,
    FEET,
    FISH_CODE,
    FRUIT,
    OVER,
    PASS_CODE,
    PAY_CODE,
    PAY_PRICE,
    PAY_TRIP,
    PAY_WALK,
    PLACE,
    PLACE_CODE,
    POSITIONS,
    RETURN_CODE,
    SAIL_CODE,
    SHELLS,
    TAKE_FISH,
    TAKE_FISH_CODE,
    TAKE_TILE_CODE,
    TURN,
    WALK_CODE,
)


class Legal(Board):
    """The moves of one position of Hawaii."""

    def c_legal(self, out: Moves) -> None:
        out.n = 0
        if self.d.phase < TURN:
            self.c_draws(out)
        elif self.d.phase == TURN:
            self.c_turn(out)
        elif self.d.phase == PAY_WALK:
            self.c_payments(out, FEET, True)
        elif self.d.phase == PAY_TRIP:
            self.c_payments(out, FEET, False)
        elif self.d.phase == PAY_PRICE:
            self.c_payments(out, SHELLS, False)
        elif self.d.phase == BUY:
            self.c_purchases(out)
        elif self.d.phase == COLLECT:
            self.c_collections(out)
        elif self.d.phase != OVER:
            self.c_small(out)

    def c_draws(self, out: Moves) -> None:
        """Section 6."""
        n = 0
        if self.d.phase == DRAW_AREAS:
            for i in range(POSITIONS):
                if self.d.place[i] < 0:
                    out.code[n] = DRAW_AREA_CODE + i
                    n += 1
        elif self.d.phase == DRAW_ISLANDS:
            for i in range(self.rules.n_islands):
                if self.d.islands_left >> i & 1:
                    out.code[n] = DRAW_ISLAND_CODE + i
                    n += 1
        else:
            for i in range(self.rules.n_types):
                if self.d.bag[i] > 0:
                    out.code[n] = DRAW_TOKEN_CODE + i
                    n += 1
        out.n = n

    def c_weights(self, out: Moves) -> None:
        for i in range(out.n):
            out.weight[i] = self.d.bag[out.code[i] - DRAW_TOKEN_CODE] if out.code[i] >= DRAW_TOKEN_CODE else 1

    def c_turn(self, out: Moves) -> None:
        seat = self.d.actor
        n = 0
        for area in range(POSITIONS):
            position = self.d.place[area]
            if self.c_can_walk(seat, position, self.c_walk_cost(seat, position)):
                out.code[n] = WALK_CODE + area
                n += 1
        n = self.c_sailing(out, seat, self.c_fishing(out, seat, n))
        for i in range(self.rules.seats):
            if self.d.spot_seat[i] < 0:
                out.code[n] = PASS_CODE + i
                n += 1
        if self.rules.turn_return and self.d.at[seat] != BEACH:
            out.code[n] = RETURN_CODE
            n += 1
        out.n = n

    def c_real_capacity(self, start: int, one: int, two: int) -> int:
        """Feet that a set of boats can be paid: its capacity without what is prepaid."""
        return (
            start * (self.rules.boat_capacity[0] - self.rules.boat_prepaid[0])
            + one * (self.rules.boat_capacity[1] - self.rules.boat_prepaid[1])
            + two * (self.rules.boat_capacity[2] - self.rules.boat_prepaid[2])
        )

    def c_prepaid(self, start: int, one: int, two: int) -> int:
        return start * self.rules.boat_prepaid[0] + one * self.rules.boat_prepaid[1] + two * self.rules.boat_prepaid[2]

    def c_fishing(self, out: Moves, seat: int, n: int) -> int:
        """Appends the fishing trips: each boat carries a paid foot, and neither boats nor feet go out in vain."""
        for start in range(self.d.boats[seat][0] - self.d.used[seat][0] + 1):
            for one in range(self.d.boats[seat][1] - self.d.used[seat][1] + 1):
                for two in range(self.d.boats[seat][2] - self.d.used[seat][2] + 1):
                    boats = start + one + two
                    if 0 < boats <= self.d.bay_n and self.c_feet_payable(seat, boats):
                        number = FISH_CODE + ((start * 9 + one) * 9 + two) * 10 - 1
                        real = min(
                            self.d.bay_n - self.c_prepaid(start, one, two), self.c_real_capacity(start, one, two)
                        )
                        out.code[n] = number + boats
                        n += 1
                        for feet in range(boats + 1, real + 1):
                            if self.c_feet_payable(seat, feet):
                                out.code[n] = number + feet
                                n += 1
        return n

    def c_sailing(self, out: Moves, seat: int, n: int) -> int:
        """Appends the trips to islands: cost of the dock = paid feet + prepaid feet of the boats."""
        for dock in range(self.rules.n_docks):
            if self.d.docks[dock] >= 0:
                for start in range(self.d.boats[seat][0] - self.d.used[seat][0] + 1):
                    for one in range(self.d.boats[seat][1] - self.d.used[seat][1] + 1):
                        for two in range(self.d.boats[seat][2] - self.d.used[seat][2] + 1):
                            boats = start + one + two
                            real = self.rules.dock_cost[dock] - self.c_prepaid(start, one, two)
                            if (
                                0 < boats <= real
                                and real <= self.c_real_capacity(start, one, two)
                                and self.c_feet_payable(seat, real)
                            ):
                                out.code[n] = SAIL_CODE + dock * 162 + (start * 9 + one) * 9 + two
                                n += 1
        return n

    def c_payments(self, out: Moves, natural: int, walking: bool) -> None:
        """All payments of `amount` units; after a walk something must be left to buy with."""
        seat = self.d.actor
        cap = self.c_cap()
        due = self.d.amount
        shells = self.d.goods[seat][SHELLS]
        feet = self.d.goods[seat][FEET]
        fruit = self.d.goods[seat][FRUIT]
        n = 0
        for s in range((min(due, shells) if natural == SHELLS else min(due, shells, cap)) + 1):
            for f in range((min(due - s, feet) if natural == FEET else min(due - s, feet, cap)) + 1):
                u = due - s - f
                best = max(u, s) if natural == SHELLS else max(u, f)
                if u <= fruit and due - best <= cap:
                    if not walking or self.c_can_buy(
                        seat, self.d.at[seat], shells - s, feet - f, fruit - u, due - best
                    ):
                        out.code[n] = PAY_CODE + s * 256 + f * 16 + u
                        n += 1
        out.n = n

    def c_purchases(self, out: Moves) -> None:
        seat = self.d.actor
        p = self.d.at[seat]
        cap = self.c_cap()
        kinds = self.rules.sold[self.d.board[p]] & self.d.in_stock
        n = 0
        for k in range(self.rules.n_kinds):
            if kinds >> k & 1:
                for level in range(self.rules.levels[k]):
                    for i in range(self.d.area_n[p]):
                        if i == 0 or self.d.area[p][i] != self.d.area[p][i - 1]:
                            price = self.rules.value[self.d.area[p][i]] * self.rules.level_price[level]
                            if self.c_payable(
                                price,
                                self.d.goods[seat][SHELLS],
                                self.d.goods[seat][FRUIT],
                                self.d.goods[seat][FEET],
                                cap,
                            ):
                                out.code[n] = BUY_CODE + (k * 2 + level) * 16 + self.d.area[p][i]
                                n += 1
        out.n = n

    def c_small(self, out: Moves) -> None:
        """PLACE, TAKE_FISH and TAKE_TILE: one short range each."""
        n = 0
        if self.d.phase == PLACE:
            for i in range(self.rules.n_villages):
                if self.c_fits(self.d.actor, i, self.d.kind):
                    out.code[n] = PLACE_CODE + i
                    n += 1
        elif self.d.phase == TAKE_FISH:
            for i in range(1, 10):
                if self.c_first_fish(i) >= 0:
                    out.code[n] = TAKE_FISH_CODE + i
                    n += 1
        else:
            kinds = self.rules.island_kinds[self.d.island] & self.d.in_stock
            for i in range(self.rules.n_kinds):
                if kinds >> i & 1:
                    out.code[n] = TAKE_TILE_CODE + i
                    n += 1
        out.n = n

    def c_collections(self, out: Moves) -> None:
        due = self.d.eff[self.d.actor][ANY_PER_ROUND]
        n = 0
        for s in range(due + 1):
            for f in range(due - s + 1):
                out.code[n] = COLLECT_CODE + s * 256 + f * 16 + due - s - f
                n += 1
        out.n = n
