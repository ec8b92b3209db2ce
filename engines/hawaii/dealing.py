"""Hawaii: what chance does before and between rounds (README sections 4 and 6)."""

from __future__ import annotations

from engines.hawaii.facts import DRAW_ISLANDS, DRAW_LIMITS, DRAW_ORDER, DRAW_PRICES, POSITIONS, TURN
from engines.hawaii.scoring import Scoring

ONE = 1


class Dealing(Scoring):
    """Areas, islands and price tokens coming onto the table."""

    def c_deal_area(self, area: int) -> None:
        i = 0
        while self.d.board[i] >= 0:
            i += 1
        self.d.board[i] = area
        self.d.place[area] = i
        if i == POSITIONS - 1:
            self.c_islands_dealt()

    def c_empty_dock(self) -> int:
        """The leftmost empty dock from 0 on; -1 where there is none."""
        for i in range(self.rules.n_docks):
            if self.d.docks[i] < 0:
                return i
        return -1

    def c_deal_island(self, island: int) -> None:
        self.d.docks[self.c_empty_dock()] = island
        self.d.islands_left ^= ONE << island
        self.c_islands_dealt()

    def c_islands_dealt(self) -> None:
        """Goes on with islands while a dock is empty and one is left, else with prices."""
        if self.d.islands_left != 0 and self.c_empty_dock() >= 0:
            self.d.phase = DRAW_ISLANDS
        elif self.c_open_position() >= 0:
            self.d.phase = DRAW_PRICES
        else:
            self.d.phase = DRAW_LIMITS

    def c_open_position(self) -> int:
        """The first position with an empty slot that bears no limit; -1 where there is none."""
        for p in range(POSITIONS):
            if self.d.area_n[p] < self.rules.slots[self.d.board[p]] - 1:
                return p
        return -1

    def c_deal_token(self, token: int) -> None:
        self.d.bag[token] -= 1
        if self.d.phase == DRAW_ORDER:
            self.d.order_n = self.c_insert_order(token)
            if self.d.order_n == self.rules.seats - 1:
                self.c_order_dealt()
            return
        if self.d.phase == DRAW_PRICES:
            self.c_insert_area(self.c_open_position(), token)
        elif self.c_keeps_limit(self.d.cursor, token):
            self.c_insert_area(self.d.cursor, token)
        else:
            self.d.bay[token] += 1
            self.d.bay_n += 1
        self.d.cursor += 1
        if self.d.phase == DRAW_LIMITS:
            if self.d.cursor == POSITIONS:
                self.d.cursor = 0
                self.d.phase = DRAW_ORDER
        elif self.c_open_position() < 0:
            self.d.cursor = 0
            self.d.phase = DRAW_LIMITS

    def c_keeps_limit(self, position: int, token: int) -> bool:
        total = self.rules.value[token]
        for i in range(self.d.area_n[position]):
            total += self.rules.value[self.d.area[position][i]]
        limit = self.rules.limit[self.d.board[position]]
        return total < limit or (total == limit and self.rules.equal_stays)

    def c_insert_area(self, position: int, token: int) -> None:
        """Tokens of an area are kept in rising order."""
        i = self.d.area_n[position]
        while i > 0 and self.d.area[position][i - 1] > token:
            self.d.area[position][i] = self.d.area[position][i - 1]
            i -= 1
        self.d.area[position][i] = token
        self.d.area_n[position] += 1

    def c_insert_order(self, token: int) -> int:
        """Puts a token among those drawn for the order spots, in rising order; returns their number."""
        i = self.d.order_n
        while i > 0 and self.d.order_draw[i - 1] > token:
            self.d.order_draw[i] = self.d.order_draw[i - 1]
            i -= 1
        self.d.order_draw[i] = token
        return self.d.order_n + 1

    def c_order_dealt(self) -> None:
        """The tokens lie on spots 2, 3, ... in rising order, and the first turn begins."""
        for i in range(self.d.order_n):
            self.d.spot_token[i + 1] = self.d.order_draw[i]
        self.d.order_n = 0
        self.d.phase = TURN
        self.d.actor = self.d.order[0]
