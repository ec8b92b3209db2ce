"""A bot's eye for Hawaii: how good a position looks for a seat, in hundredths of a point."""

from __future__ import annotations

import cython

from engines.core.evaluate import Evaluator
from engines.core.state import State
from engines.hawaii.facts import (
    ANY_PER_ROUND,
    BUY,
    END_VP,
    END_VP_BOAT,
    END_VP_FRUIT_REALM,
    END_VP_FRUIT_VILLAGE,
    END_VP_SURFER,
    END_VP_TILE_VILLAGE,
    END_VP_VILLAGE,
    EXCHANGE,
    FEET,
    FISHING,
    FRUIT,
    GOAL_BONUS_VP,
    GOAL_REDUCTION,
    INCOME_FEET,
    INCOME_FRUIT,
    INCOME_SHELLS,
    OVER,
    PASSED,
    PAY_PRICE,
    PAY_TRIP,
    PAY_WALK,
    PLACE,
    SHELLS,
    SPEAR_VP,
    STANDING,
    TAKE_FISH,
    TAKE_TILE,
    WALK_DISCOUNT,
)
from engines.hawaii.rules import Hawaii

POINT = 100
SHELL, FOOT, FRUIT_UNIT = 28, 34, 48
LAST = 4  # goods are worth this part less once no further round begins
TOKEN = 40  # a unit of the token sum while the goal is not met
COLUMN = 55  # a column of a village that is still too short
GOAL = 75  # the part in hundredths of the points of a goal that seems to be met
SPECIAL = 260  # a kahuna, a tiki, a tile of an island
BOAT_FOOT = 18  # a foot of a boat's capacity, by round
WIN = 100_000

if not cython.compiled:
    WORTH = [0] * 9


def fill_worth() -> None:
    """WORTH: a unit of each standing effect, by round in which it works."""
    for effect, worth in (
        (INCOME_SHELLS, SHELL),
        (INCOME_FEET, FOOT),
        (INCOME_FRUIT, FRUIT_UNIT),
        (ANY_PER_ROUND, FRUIT_UNIT),
        (EXCHANGE, 25),
        (GOAL_REDUCTION, 45),
        (GOAL_BONUS_VP, 70),
        (SPEAR_VP, 130),
        (WALK_DISCOUNT, 110),
    ):
        WORTH[effect] = worth


fill_worth()


class HawaiiEvaluator(Evaluator):
    """Points, what the villages promise, what comes in every round, and goods; against the best of the others."""

    def c_evaluate(self, state: State, seat: int) -> int:
        best = -WIN
        for s in range(state.c_seats()):
            if s != seat:
                value = self.c_seat(cython.cast(Hawaii, state), s)
                best = max(best, value)
        value = self.c_seat(cython.cast(Hawaii, state), seat) - best
        if cython.cast(Hawaii, state).d.phase == OVER and state.c_place(seat) == 1:
            value += WIN
        return value

    def c_seat(self, state: Hawaii, seat: int) -> int:
        value = POINT * state.c_score(seat)
        if state.d.phase == OVER:
            return value
        value += self.c_goods(state, seat) + self.c_lasting(state, seat) + self.c_villages(state, seat)
        value += self.c_goal(state, seat)
        if state.d.actor == seat:
            value += self.c_pending(state, seat)
        return value

    def c_goods(self, state: Hawaii, seat: int) -> int:
        value = SHELL * state.d.goods[seat][SHELLS] + FOOT * state.d.goods[seat][FEET]
        value += FRUIT_UNIT * state.d.goods[seat][FRUIT]
        if state.d.round == state.rules.n_rounds:
            value = value // (8 * LAST) if state.d.at[seat] == PASSED else value // LAST
        return value

    def c_lasting(self, state: Hawaii, seat: int) -> int:
        """Standing effects and boats, by the rounds in which they still work."""
        rounds = state.rules.n_rounds - state.d.round
        value = 0
        for e in range(STANDING):
            value += state.d.eff[seat][e] * WORTH[e]
        value += BOAT_FOOT * state.d.boats[seat][1] * state.rules.boat_capacity[1]
        value += BOAT_FOOT * state.d.boats[seat][2] * (state.rules.boat_capacity[2] + state.rules.boat_prepaid[2])
        return value * rounds

    def c_villages(self, state: Hawaii, seat: int) -> int:
        """End points of valid villages; of the others the part that grows with the square of what is reached."""
        need = state.c_need(seat)
        value = 0
        for v in range(state.rules.n_villages):
            points = state.c_kahuna_points(seat, v)
            for i in range(state.d.tile_n[seat][v]):
                points += state.c_tile_points(seat, v, i)
            reached = min(state.d.width[seat][v], need)
            value += POINT * points * reached * reached // (need * need) + COLUMN * reached
        return value

    def c_goal(self, state: Hawaii, seat: int) -> int:
        target = state.rules.target[state.d.round - 1] - state.d.eff[seat][GOAL_REDUCTION]
        total = state.d.total[seat]
        if total < target:
            return TOKEN * total
        value = TOKEN * max(target, 0) + GOAL * (state.c_goal_points(seat) + state.d.eff[seat][GOAL_BONUS_VP])
        return (
            value + TOKEN // 4 * (total - max(target, 0)) + POINT * state.d.eff[seat][SPEAR_VP] * state.d.spears[seat]
        )

    def c_pending(self, state: Hawaii, seat: int) -> int:
        """What the decision that has begun will still bring and cost."""
        if state.d.phase == PAY_WALK or state.d.phase == BUY:
            return self.c_best_purchase(state, seat) - FOOT * state.d.amount
        if state.d.phase == PAY_PRICE:
            return self.c_tile(state, seat, state.d.kind, state.d.level) - SHELL * state.d.amount
        if state.d.phase == PLACE:
            return self.c_tile(state, seat, state.d.kind, state.d.level)
        if state.d.phase == TAKE_FISH:
            return 2 * TOKEN * state.d.take
        if state.d.phase == TAKE_TILE:
            return SPECIAL
        if state.d.phase != PAY_TRIP:
            return 0
        value = -FOOT * state.d.amount
        if state.d.trip == FISHING:
            return value + 2 * TOKEN * state.d.take
        island = state.d.docks[state.d.dock - 1]
        value += POINT * (state.rules.dock_vp[state.d.dock - 1] + state.rules.island_vp[island])
        value += FRUIT_UNIT * state.rules.island_fruit[island]
        return value + (SPECIAL if state.rules.island_kinds[island] & state.d.in_stock != 0 else 0)

    def c_best_purchase(self, state: Hawaii, seat: int) -> int:
        """The best tile of level I with the cheapest token where the seat stands."""
        position = state.d.at[seat]
        best = 0
        for k in range(state.rules.n_kinds):
            if (state.rules.sold[state.d.board[position]] & state.d.in_stock) >> k & 1:
                best = max(best, self.c_tile(state, seat, k, 1))
        price = state.rules.value[state.d.area[position][0]]
        return best + TOKEN * price - SHELL * price * state.rules.level_price[0]

    def c_tile(self, state: Hawaii, seat: int, kind: int, level: int) -> int:
        """A tile that is bought but not yet placed."""
        rounds = state.rules.n_rounds - state.d.round
        if kind == state.rules.kahuna_kind:
            return SPECIAL if state.d.kahunas[seat] < state.rules.n_villages else 0
        if kind == state.rules.tiki_kind:
            return SPECIAL if state.d.tikis[seat] < state.rules.n_tikis else 0
        if kind == state.rules.boat_kind:
            return BOAT_FOOT * rounds * (state.rules.boat_capacity[level] + state.rules.boat_prepaid[level])
        if not state.c_has_room(seat, kind):
            return 0
        value = 0
        for e in range(STANDING):
            value += state.rules.effect[kind][level - 1][e] * WORTH[e] * rounds
        value += POINT * state.rules.effect[kind][level - 1][END_VP] // 2
        value += POINT * state.rules.effect[kind][level - 1][END_VP_TILE_VILLAGE] * 2
        value += POINT * state.rules.effect[kind][level - 1][END_VP_FRUIT_VILLAGE] // 2
        value += POINT * state.rules.effect[kind][level - 1][END_VP_FRUIT_REALM]
        value += POINT * state.rules.effect[kind][level - 1][END_VP_SURFER]
        value += POINT * state.rules.effect[kind][level - 1][END_VP_BOAT] // 2
        value += POINT * state.rules.effect[kind][level - 1][END_VP_VILLAGE]
        return value + COLUMN * state.rules.width[kind]


EVALUATOR = HawaiiEvaluator()


def evaluate(state: Hawaii, seat: int) -> int:
    """How good `state` looks for `seat`, in hundredths of a point ahead of the best other seat."""
    return EVALUATOR.evaluate(state, seat)
