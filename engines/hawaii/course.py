"""Hawaii: the effects of moves and the course of a game. Section numbers are those of README.md."""

from __future__ import annotations

from engines.hawaii.dealing import Dealing
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
    DRAW_TOKEN_CODE,
    EXCHANGE,
    FEET,
    FIRST_SPOT,
    FISH_CODE,
    FISHING,
    FRUIT,
    INCOME_FEET,
    INCOME_FRUIT,
    INCOME_SHELLS,
    ISLANDS,
    NO_TRIP,
    OVER,
    PASS_CODE,
    PASSED,
    PAY_CODE,
    PAY_PRICE,
    PAY_TRIP,
    PAY_WALK,
    PLACE,
    PLACE_CODE,
    POSITIONS,
    RETURN_CODE,
    SAIL_CODE,
    SAILING,
    SHELLS,
    STANDING,
    TAKE_FISH,
    TAKE_FISH_CODE,
    TAKE_TILE,
    TAKE_TILE_CODE,
    TURN,
)

ONE = 1


class Course(Dealing):
    """The moves of Hawaii being made."""

    def c_start(self) -> None:
        """Section 4: goods, start huts and full stocks; everything else is still to be drawn."""
        self.d.round = 1
        self.d.phase = DRAW_AREAS
        self.d.actor = -1
        self.c_clear_pending()
        self.c_clear_round()
        for i in range(POSITIONS):
            self.d.board[i] = -1
            self.d.place[i] = -1
        for i in range(self.rules.n_docks):
            self.d.docks[i] = -1
        for i in range(self.rules.n_islands):
            self.d.islands_left |= ONE << i
        for i in range(self.rules.n_kinds):
            self.d.stock[i] = self.rules.count[i]
            self.d.in_stock |= ONE << i
        for s in range(self.rules.seats):
            self.d.order[s] = s
            self.d.goods[s][SHELLS] = self.rules.start_goods[SHELLS]
            self.d.goods[s][FEET] = self.rules.start_goods[FEET]
            self.d.goods[s][FRUIT] = self.rules.start_fruit[s]
            self.d.boats[s][0] = 1
            self.d.hut_sums[s] = 1
            self.c_lay(s, 0, self.rules.start_hut, 0)

    def c_apply(self, code: int) -> None:
        if code >= DRAW_AREA_CODE:
            if code >= DRAW_TOKEN_CODE:
                self.c_deal_token(code - DRAW_TOKEN_CODE)
            elif code >= DRAW_ISLAND_CODE:
                self.c_deal_island(code - DRAW_ISLAND_CODE)
            else:
                self.c_deal_area(code - DRAW_AREA_CODE)
        elif code < FISH_CODE:
            self.c_walk(code)
        elif code < SAIL_CODE:
            number = code - FISH_CODE
            self.d.amount = number % 10 + 1
            self.d.take = min(self.d.bay_n, self.d.amount + self.c_launch(number // 10, FISHING))
        elif code < PASS_CODE:
            number = code - SAIL_CODE
            self.d.dock = number // 162 + 1
            self.d.amount = self.rules.dock_cost[number // 162] - self.c_launch(number % 162, SAILING)
        elif code < RETURN_CODE:
            self.c_pass(code - PASS_CODE)
        elif code == RETURN_CODE:
            self.d.at[self.d.actor] = BEACH
            self.c_end_turn()
        elif code < BUY_CODE:
            self.c_pay(code - PAY_CODE)
        elif code < PLACE_CODE:
            number = code - BUY_CODE
            self.c_buy(number // 32, number // 16 % 2 + 1, number % 16)
        elif code < TAKE_FISH_CODE:
            self.c_lay(self.d.actor, code - PLACE_CODE, self.d.kind, self.d.level - 1)
            self.c_end_turn()
        elif code < TAKE_TILE_CODE:
            self.c_take_fish(code - TAKE_FISH_CODE)
            self.c_haul()
        elif code < COLLECT_CODE:
            number = code - TAKE_TILE_CODE
            self.d.island = -1
            self.c_take_stock(number)
            self.c_gain(number, self.rules.levels[number])
        else:
            number = code - COLLECT_CODE
            self.d.goods[self.d.actor][SHELLS] += number // 256
            self.d.goods[self.d.actor][FEET] += number // 16 % 16
            self.d.goods[self.d.actor][FRUIT] += number % 16
            self.c_next_collector()

    # a turn, section 5.2

    def c_walk(self, area: int) -> None:
        self.d.amount = self.c_walk_cost(self.d.actor, self.d.place[area])
        self.d.at[self.d.actor] = self.d.place[area]
        self.d.phase = PAY_WALK if self.d.amount > 0 else BUY

    def c_launch(self, fleet: int, trip: int) -> int:
        """Boats leave the beach, where the piece now stands; returns the feet that are prepaid."""
        start = fleet // 81
        one = fleet // 9 % 9
        two = fleet % 9
        self.d.used[self.d.actor][0] += start
        self.d.used[self.d.actor][1] += one
        self.d.used[self.d.actor][2] += two
        self.d.at[self.d.actor] = BEACH
        self.d.trip = trip
        self.d.phase = PAY_TRIP
        return self.c_prepaid(start, one, two)

    def c_pass(self, spot: int) -> None:
        self.d.at[self.d.actor] = PASSED
        self.d.spot[self.d.actor] = spot + 1
        self.d.spot_seat[spot] = self.d.actor
        if self.d.spot_token[spot] >= 0:
            self.c_take_token(self.d.spot_token[spot])
            self.d.spot_token[spot] = -1
        if spot == 0 and self.d.round == self.rules.n_rounds:
            self.d.points[self.d.actor][FIRST_SPOT] += self.rules.first_spot_vp
        self.c_end_turn()

    def c_take_token(self, token: int) -> None:
        """A price token to the actor, price side up."""
        self.d.tokens[self.d.actor][token] += 1
        self.d.total[self.d.actor] += self.rules.value[token]
        self.d.spears[self.d.actor] += self.rules.spear[token]

    def c_pay(self, amounts: int) -> None:
        shells = amounts // 256
        feet = amounts // 16 % 16
        fruit = amounts % 16
        seat = self.d.actor
        self.d.goods[seat][SHELLS] -= shells
        self.d.goods[seat][FEET] -= feet
        self.d.goods[seat][FRUIT] -= fruit
        if self.d.phase == PAY_WALK:
            self.d.walk_sub = self.d.amount - max(feet, fruit)
            self.d.amount = 0
            self.d.phase = BUY
        elif self.d.phase == PAY_PRICE:
            self.d.amount = 0
            self.d.walk_sub = 0
            self.c_gain(self.d.kind, self.d.level)
        else:
            self.d.amount = 0
            if self.d.trip == FISHING:
                self.d.trip = NO_TRIP
                self.c_haul()
            else:
                self.c_visit()

    def c_buy(self, kind: int, level: int, token: int) -> None:
        p = self.d.at[self.d.actor]
        i = 0
        while self.d.area[p][i] != token:
            i += 1
        self.d.area_n[p] -= 1
        while i < self.d.area_n[p]:
            self.d.area[p][i] = self.d.area[p][i + 1]
            i += 1
        self.c_take_token(token)
        self.c_take_stock(kind)
        self.d.kind = kind
        self.d.level = level
        self.d.amount = self.rules.value[token] * self.rules.level_price[level - 1]
        self.d.phase = PAY_PRICE

    def c_take_stock(self, kind: int) -> None:
        self.d.stock[kind] -= 1
        if self.d.stock[kind] == 0:
            self.d.in_stock ^= ONE << kind

    def c_gain(self, kind: int, level: int) -> None:
        """Section 5.1: a tile comes to the actor, who places it in a decision of its own where there is room."""
        seat = self.d.actor
        if kind == self.rules.boat_kind:
            self.d.boats[seat][level] += 1
        elif kind == self.rules.kahuna_kind:
            if self.d.kahunas[seat] < self.rules.n_villages:
                self.d.goods[seat][SHELLS] += self.rules.kahuna_shells[self.d.kahunas[seat]]
                self.d.kahunas[seat] += 1
            else:
                self.d.lost[kind] += 1
        elif kind == self.rules.tiki_kind:
            if self.d.tikis[seat] < self.rules.n_tikis:
                self.d.goods[seat][FEET] += self.rules.tiki_feet[self.d.tikis[seat]]
                self.d.tikis[seat] += 1
            else:
                self.d.lost[kind] += 1
        elif self.c_has_room(seat, kind):
            self.d.kind = kind
            self.d.level = level
            self.d.phase = PLACE
            return
        else:
            self.d.lost[kind] += 1
        self.c_end_turn()

    def c_lay(self, seat: int, village: int, kind: int, side: int) -> None:
        """Appends a tile to a village; its standing effects begin to work."""
        self.d.tiles[seat][village][self.d.tile_n[seat][village]] = kind * 2 + side
        self.d.tile_n[seat][village] += 1
        self.d.mask[seat][village] |= ONE << kind
        self.d.width[seat][village] += self.rules.width[kind]
        for e in range(STANDING):
            self.d.eff[seat][e] += self.rules.effect[kind][side][e]
        self.d.hut_sums[seat] |= self.d.hut_sums[seat] << self.rules.effect[kind][side][EXCHANGE]

    def c_haul(self) -> None:
        """Fish tokens come ashore; the seat decides only where that makes a difference."""
        while self.d.take > 0:
            if self.d.take < self.d.bay_n and not self.c_one_sort_of_fish():
                self.d.phase = TAKE_FISH
                return
            self.c_take_fish(self.c_fewest_fish())
        self.c_end_turn()

    def c_fewest_fish(self) -> int:
        """The lowest number of fish on a token of the bay."""
        fish = 1
        while self.c_first_fish(fish) < 0:
            fish += 1
        return fish

    def c_one_sort_of_fish(self) -> bool:
        fish = self.c_fewest_fish()
        for t in range(self.rules.n_types):
            if self.d.bay[t] > 0 and self.rules.fish[t] != fish:
                return False
        return True

    def c_take_fish(self, fish: int) -> None:
        """The lowest type with so many fish goes to the actor, fish side up."""
        t = self.c_first_fish(fish)
        self.d.bay[t] -= 1
        self.d.bay_n -= 1
        self.d.take -= 1
        self.d.fish[self.d.actor][t] += 1
        self.d.total[self.d.actor] += fish

    def c_visit(self) -> None:
        """The island at the dock of the trip gives points, fruit and a tile of its highest level."""
        seat = self.d.actor
        island = self.d.docks[self.d.dock - 1]
        self.d.points[seat][ISLANDS] += self.rules.dock_vp[self.d.dock - 1] + self.rules.island_vp[island]
        self.d.goods[seat][FRUIT] += self.rules.island_fruit[island]
        self.d.docks[self.d.dock - 1] = -1
        self.d.dock = -1
        self.d.trip = NO_TRIP
        kinds = self.rules.island_kinds[island] & self.d.in_stock
        if kinds == 0:
            self.c_end_turn()
        elif kinds & (kinds - 1) == 0:
            k = 0
            while kinds >> k & 1 == 0:
                k += 1
            self.c_take_stock(k)
            self.c_gain(k, self.rules.levels[k])
        else:
            self.d.island = island
            self.d.phase = TAKE_TILE

    def c_clear_pending(self) -> None:
        self.d.amount = 0
        self.d.walk_sub = 0
        self.d.kind = -1
        self.d.level = 0
        self.d.trip = NO_TRIP
        self.d.take = 0
        self.d.dock = -1
        self.d.island = -1

    def c_end_turn(self) -> None:
        """The next seat that has not passed, perhaps the same; the round ends when there is none."""
        self.c_clear_pending()
        i = 0
        while self.d.order[i] != self.d.actor:
            i += 1
        for k in range(1, self.rules.seats + 1):
            seat = self.d.order[(i + k) % self.rules.seats]
            if self.d.spot[seat] == 0:
                self.d.actor = seat
                self.d.phase = TURN
                return
        self.c_end_round()

    # between rounds, section 5.2

    def c_end_round(self) -> None:
        self.c_score_round()
        self.d.queue_n = 0
        for i in range(self.rules.seats):
            s = self.d.spot_seat[i]
            self.d.order[i] = s
            if self.d.eff[s][ANY_PER_ROUND] > 0:
                self.d.queue[self.d.queue_n] = s
                self.d.queue_n += 1
        self.c_next_collector()

    def c_next_collector(self) -> None:
        if self.d.queue_n > 0:
            self.d.phase = COLLECT
            self.d.actor = self.d.queue[0]
            self.d.queue_n -= 1
            for i in range(self.d.queue_n):
                self.d.queue[i] = self.d.queue[i + 1]
        elif self.d.round < self.rules.n_rounds:
            self.c_start_round()
        else:
            self.c_score_game()
            self.d.actor = -1
            self.d.phase = OVER

    def c_start_round(self) -> None:
        for s in range(self.rules.seats):
            for i in range(2):
                self.d.goods[s][i] += self.rules.next_goods[self.d.round - 1][i]
            self.d.goods[s][SHELLS] += self.d.eff[s][INCOME_SHELLS]
            self.d.goods[s][FEET] += self.d.eff[s][INCOME_FEET]
            self.d.goods[s][FRUIT] += self.d.eff[s][INCOME_FRUIT]
        n = 0
        for i in range(self.rules.n_docks):
            if self.d.docks[i] >= 0:
                self.d.docks[n] = self.d.docks[i]
                n += 1
        for i in range(n, self.rules.n_docks):
            self.d.docks[i] = -1
        self.d.round += 1
        self.d.actor = -1
        self.c_clear_round()
        self.c_islands_dealt()

    def c_clear_round(self) -> None:
        """Every token in the bag, every piece on the beach, boats unused, spots empty."""
        for i in range(self.rules.n_types):
            self.d.bag[i] = self.rules.copies[i]
            self.d.bay[i] = 0
        self.d.bay_n = 0
        for i in range(POSITIONS):
            self.d.area_n[i] = 0
        for s in range(self.rules.seats):
            self.d.spot_token[s] = -1
            self.d.spot_seat[s] = -1
            self.d.spot[s] = 0
            self.d.at[s] = BEACH
            self.d.total[s] = 0
            self.d.spears[s] = 0
            for i in range(3):
                self.d.used[s][i] = 0
            for i in range(self.rules.n_types):
                self.d.tokens[s][i] = 0
                self.d.fish[s][i] = 0
