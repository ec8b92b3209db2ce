"""Chance moves as a game is played: drawn by weight from the chance stream of a seed."""

from __future__ import annotations

from itertools import accumulate

from engines.core.constants import CHANCE_STREAM
from engines.core.rng import draw, stream_key
from engines.core.state import Moves, State


def chance_key(seed: int) -> int:
    """The key of the chance stream of a seed (0..2**64-1)."""
    return stream_key(seed, CHANCE_STREAM)


def draw_chance(state: State, key: int, index: int) -> int:
    """The code of a chance outcome, drawn by weight: draw number `index` of the stream `key`.

    `index` is the number of chance moves made before in the game. The same as the compiled `Moves.c_weighted`. Raises
    ValueError when the actor is not CHANCE.
    """
    moves = Moves()
    state.weights(moves)
    sums = list(accumulate(moves.to_weights()))
    left = draw(key, index, sums[-1])
    return next(code for code, total in zip(moves.to_list(), sums, strict=True) if left < total)
