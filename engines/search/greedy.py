"""Greedy: the move whose position looks best one ply later, as the game's `evaluate` sees it."""

from __future__ import annotations

import cython

from engines.core.evaluate import Evaluator
from engines.core.rng import draw
from engines.core.state import Moves, State


def c_greedy(state: State, scratch: State, moves: Moves, evaluator: Evaluator, seat: int, key: int, index: int) -> int:
    """Ties are broken evenly by one draw: the k-th of the best, k drawn below their number."""
    state.c_legal(moves)
    best = 0
    ties = 0
    for i in range(moves.n):
        scratch.c_copy_from(state)
        scratch.c_apply(moves.code[i])
        value = evaluator.c_evaluate(scratch, seat)
        moves.weight[i] = value
        if i == 0 or value > best:
            best = value
            ties = 0
        if value == best:
            ties += 1
    k = cython.cast(cython.int, draw(key, index, ties))
    for i in range(moves.n):
        if moves.weight[i] == best:
            if k == 0:
                return moves.code[i]
            k -= 1
    return -1


def greedy(state: State, evaluator: Evaluator, key: int, index: int) -> int:
    """The greedy code for the seat to move in `state`, which stays as it is.

    Raises ValueError when no seat is to move.
    """
    if state is None or evaluator is None:
        raise TypeError("state or evaluator is None")
    if state.c_actor() < 0:
        raise ValueError("no seat is to move")
    scratch = state.clone()
    moves = Moves()
    with cython.nogil:
        code = c_greedy(state, scratch, moves, evaluator, state.c_actor(), key, index)
    return code
