"""A bot's eye for Tiki: how good a position looks for a seat."""

from __future__ import annotations

import cython

from engines.core.evaluate import Evaluator
from engines.core.state import State
from engines.tiki.facts import OVER
from engines.tiki.rules import Tiki

WIN = 1_000_000
FRUIT = 1000
TOP = 12  # a totem of height 2 under the seat's tiki, per fruit of its village


class TikiEvaluator(Evaluator):
    """Fruits decide; totems that are nearly full on good villages promise more."""

    def c_evaluate(self, state: State, seat: int) -> int:
        return self.c_side(state, seat) - self.c_side(state, 1 - seat)

    def c_side(self, state: State, seat: int) -> int:
        value = 0
        for u in range(9):
            stack = cython.cast(Tiki, state).d.stack[u]
            height = 0 if stack < 2 else 1 if stack < 4 else 2
            if height > 0 and stack & 1 == seat:
                value += 1
                fruits = cython.cast(Tiki, state).rules.tile_fruits[cython.cast(Tiki, state).d.layout[u]]
                value += TOP * height * fruits
        value += FRUIT * cython.cast(Tiki, state).d.fruits[seat]
        if cython.cast(Tiki, state).d.phase == OVER and state.c_place(seat) < state.c_place(1 - seat):
            value += WIN
        return value


EVALUATOR = TikiEvaluator()


def evaluate(state: Tiki, seat: int) -> int:
    """How good `state` looks for `seat`; the other seat's value is the negative."""
    return EVALUATOR.evaluate(state, seat)
