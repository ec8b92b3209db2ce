"""A bot's eye for Village of Gaul: how good a position looks for a seat."""

from __future__ import annotations

import cython

from engines.core.evaluate import Evaluator
from engines.core.state import State
from engines.gaul.facts import OVER
from engines.gaul.rules import Gaul

WIN = 1_000_000
POINT = 120  # one point on the track


class GaulEvaluator(Evaluator):
    """Points count in full, a charged card by what it would bring now and by how near its tool is to a scoring.

    A seat is measured against the others' best and against their mean.
    """

    def c_evaluate(self, state: State, seat: int) -> int:
        own = self.c_prospects(state, seat)
        best = -WIN
        total = 0
        for s in range(cython.cast(Gaul, state).rules.seats):
            if s != seat:
                other = self.c_prospects(state, s)
                total += other
                best = max(best, other)
        total = 2 * own - best - total // (cython.cast(Gaul, state).rules.seats - 1)
        if cython.cast(Gaul, state).d.phase == OVER and state.c_place(seat) == 1:
            total += WIN
        return total

    def c_prospects(self, state: State, seat: int) -> int:
        value = POINT * cython.cast(Gaul, state).d.score[seat]
        for i in range(cython.cast(Gaul, state).d.charged_n[seat]):
            face = cython.cast(Gaul, state).d.charged[seat][i]
            colour = cython.cast(Gaul, state).rules.face_colour[face]
            tool = cython.cast(Gaul, state).rules.face_tool[face]
            worth = cython.cast(Gaul, state).rules.points_per_menhir * cython.cast(Gaul, state).d.menhirs[colour]
            if cython.cast(Gaul, state).d.aisling == colour:
                worth += cython.cast(Gaul, state).rules.aisling_bonus
            value += worth * self.c_symbols(state, tool)
        return value

    def c_symbols(self, state: State, tool: int) -> int:
        """What a point on a charged card of the tool is worth: POINT when a scoring is due, less before."""
        symbols = 0
        for s in range(cython.cast(Gaul, state).rules.seats):
            for i in range(cython.cast(Gaul, state).d.charged_n[s]):
                face = cython.cast(Gaul, state).d.charged[s][i]
                if cython.cast(Gaul, state).rules.face_tool[face] == tool:
                    symbols += cython.cast(Gaul, state).rules.face_symbols[face]
        if symbols >= cython.cast(Gaul, state).rules.trigger:
            return POINT
        return POINT * symbols // (2 * cython.cast(Gaul, state).rules.trigger)


EVALUATOR = GaulEvaluator()


def evaluate(state: Gaul, seat: int) -> int:
    """How good `state` looks for `seat`."""
    return EVALUATOR.evaluate(state, seat)
