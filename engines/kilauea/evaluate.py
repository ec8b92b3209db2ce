"""A bot's eye for Kilauea: how good a position looks for a seat."""

from __future__ import annotations

import cython

from engines.core.evaluate import Evaluator
from engines.core.state import State
from engines.kilauea.facts import MAIN, OVER, STEP
from engines.kilauea.rules import Kilauea

WIN = 1_000_000
POINT = 12
STONE = 8
TIKI = 16  # a tiki in the canoe: a point at the end, and something to build with
FILLED = 30  # an island section with a tiki, on the way to the bonus for all
HOPE = 18  # an effect under way: its best outcome is still open
BUILD = 2  # of its gain, how much a main action that is merely possible counts: half


class KilaueaEvaluator(Evaluator):
    """Points, and what the section scorings to come would bring as things stand, against the best rival."""

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
        scorings = 2 - cython.cast(Kilauea, state).d.intermediate_done
        value += POINT * scorings * cython.cast(Kilauea, state).c_sections(seat)
        for t in range(5):
            if cython.cast(Kilauea, state).c_stack(seat, t) > 0:
                value += FILLED
        value += STONE * cython.cast(Kilauea, state).d.stones[seat]
        value += TIKI * cython.cast(Kilauea, state).d.load[seat]
        if cython.cast(Kilauea, state).d.seat == seat:
            if cython.cast(Kilauea, state).d.stage == STEP:
                value += HOPE
            elif cython.cast(Kilauea, state).d.stage == MAIN:
                value += self.c_main(state, seat, scorings) // BUILD
        return value

    def c_main(self, state: State, seat: int, scorings: int) -> int:
        """What the best main action here would add."""
        t = cython.cast(Kilauea, state).c_section_here()
        room = cython.cast(Kilauea, state).rules.canoe_tikis - cython.cast(Kilauea, state).d.load[seat]
        best = 0
        if room > 0 and cython.cast(Kilauea, state).d.filled[t] != 0:
            best = TIKI * min(room, 2)
        cost = cython.cast(Kilauea, state).rules.island_cost
        if cython.cast(Kilauea, state).d.stones[seat] >= cost and cython.cast(Kilauea, state).c_iput(seat, t):
            gain = 0 if cython.cast(Kilauea, state).c_stack(seat, t) > 0 else FILLED
            gain -= STONE * cost + TIKI
            for c in range(cython.cast(Kilauea, state).rules.n_colours):
                if cython.cast(Kilauea, state).d.tikis[seat][c] > 0:
                    best = max(best, gain + POINT * scorings * cython.cast(Kilauea, state).c_worth(t, c))
        return best


EVALUATOR = KilaueaEvaluator()


def evaluate(state: Kilauea, seat: int) -> int:
    """How good `state` looks for `seat`."""
    return EVALUATOR.evaluate(state, seat)
