"""A bot's eye for Eruption: how good a position looks for a seat."""

from __future__ import annotations

import cython

from engines.core.evaluate import Evaluator
from engines.core.state import State
from engines.eruption.facts import OVER
from engines.eruption.rules import Eruption

WIN = 1_000_000
DEGREE = 10
BEHIND = [300, 90, 70, 50]  # lava at a village edge behind no wall, straw, wood, stone: it heats in each turn to come
NEAR = 60  # lava that faces a hex beside the village, for each of its village edges
CARD = 60
PIECE = 40  # for each point of a piece
TILE = 250  # an eruption tile in hand: 30 degrees for the others
BURNT_DOWN = 100_000


class EruptionEvaluator(Evaluator):
    """What stands against a seat, in tenths of a degree; its team's average against that of all others."""

    def c_evaluate(self, state: State, seat: int) -> int:
        own = 0
        others = 0
        n_own = 0
        n_others = 0
        for s in range(state.c_seats()):
            cost = self.c_cost(state, s)
            if state.c_team(s) == state.c_team(seat):
                own += cost
                n_own += 1
            else:
                others += cost
                n_others += 1
        value = others * n_own - own * n_others  # the averages' difference, times a number that is fixed in a game
        if cython.cast(Eruption, state).d.phase == OVER:
            value += WIN * (state.c_seats() - state.c_place(seat))
        return value

    def c_cost(self, state: State, seat: int) -> int:
        cost = DEGREE * cython.cast(Eruption, state).d.temp[seat]
        v = cython.cast(Eruption, state).rules.t.village[seat]
        for e in range(7):
            wall = cython.cast(Eruption, state).c_wall_at(v, e)
            site = cython.cast(Eruption, state).rules.t.village_site[v][e]
            h = site // 6
            if cython.cast(Eruption, state).c_contact(v, e):
                cost += BEHIND[wall]
            elif cython.cast(Eruption, state).d.kind[h] < 0 and cython.cast(Eruption, state).d.facing[h]:
                cost += NEAR if wall == 0 else NEAR // 4
            elif wall > 0:
                cost -= PIECE * cython.cast(Eruption, state).rules.t.points[wall - 1]
        for m in range(3):
            cost -= (
                PIECE
                * cython.cast(Eruption, state).rules.t.points[m]
                * cython.cast(Eruption, state).d.hand_walls[seat][m]
            )
        cost -= CARD * cython.cast(Eruption, state).d.hand_size[seat]
        for k in range(3):
            if cython.cast(Eruption, state).d.eruption[k] == seat:
                cost -= TILE
        if cython.cast(Eruption, state).c_dead(seat):
            cost += BURNT_DOWN
        return cost


EVALUATOR = EruptionEvaluator()


def evaluate(state: Eruption, seat: int) -> int:
    """How good `state` looks for `seat`: what stands against the others, less what stands against its own team."""
    return EVALUATOR.evaluate(state, seat)
