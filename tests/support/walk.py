"""Random games for tests to look into."""

from __future__ import annotations

from collections.abc import Iterator

from engines import envelope
from engines.chance import chance_key, draw_chance
from engines.core.constants import CHANCE, TERMINAL
from engines.core.rng import draw
from engines.core.state import Moves, Rules, State


def walk(rules: Rules, seed: int, plies: int = 300) -> Iterator[State]:
    """The states of a random game, each a copy, of at most so many."""
    state, moves, chances = envelope.game_of(rules).rules.start(rules), Moves(), 0
    for ply in range(plies):
        yield state.clone()
        if state.actor == TERMINAL:
            return
        if state.actor == CHANCE:
            state.play(draw_chance(state, chance_key(seed), chances))
            chances += 1
        else:
            state.legal(moves)
            state.play(moves.to_list()[draw(seed, ply, len(moves))])
