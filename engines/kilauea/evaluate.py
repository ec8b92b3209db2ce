"""A bot's eye for Kilauea: how good a position looks for a seat."""

from __future__ import annotations

import cython

from engines.core.evaluate import Evaluator
from engines.core.state import State
from engines.kilauea.facts import OVER
from engines.kilauea.rules import Kilauea

WIN = 1_000_000
POINT = 12


class KilaueaEvaluator(Evaluator):
    """Points now and at the end as things stand, against the best rival."""

    def c_evaluate(self, state: State, seat: int) -> int:
        own = self.c_side(state, seat)
        best = -WIN
        for other in range(state.c_seats()):
            if other != seat:
                best = max(best, self.c_side(state, other))
        return own - best

    def c_side(self, state: State, seat: int) -> int:
        value = POINT * cython.cast(Kilauea, state).d.vp[seat]
        if cython.cast(Kilauea, state).d.stage == OVER:
            return value + (WIN if state.c_place(seat) == 1 else 0)
        value += POINT * cython.cast(Kilauea, state).c_sections(seat)
        return value


EVALUATOR = KilaueaEvaluator()


def evaluate(state: Kilauea, seat: int) -> int:
    """How good `state` looks for `seat`."""
    return EVALUATOR.evaluate(state, seat)
