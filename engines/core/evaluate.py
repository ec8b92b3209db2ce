"""The bot's eye that every game has: a number per seat, without Python objects."""

from __future__ import annotations

from engines.core.state import State


class Evaluator:
    """A game overrides `c_evaluate`: how good `state` looks for `seat`, comparable between states of one game."""

    def c_evaluate(self, state: State, seat: int) -> int:
        return 0

    def evaluate(self, state: State, seat: int) -> int:
        """`c_evaluate`, checked. Raises TypeError without a state and ValueError for a seat that does not exist."""
        if state is None:
            raise TypeError("state is None")
        if not 0 <= seat < state.c_seats():
            raise ValueError(f"no seat {seat}")
        return self.c_evaluate(state, seat)
