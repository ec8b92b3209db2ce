"""One ply at a time, for callers that play move by move: what `State` offers, counted and timed natively.

One ply in `SAMPLE_MASK + 1` is timed, as in `rollout`: without Python's own cost, so that the numbers of a played game
and of a rollout can be compared.
"""

from __future__ import annotations

import cython

from engines.core.latency import APPLY, LEGAL, Latency
from engines.core.state import IllegalMove, Moves, State

if not cython.compiled:
    from engines.core.latency import c_now

SAMPLE_MASK = 15
BATCH = 8  # times a sampled `legal` is repeated between two clock readings


def legal(state: State, moves: Moves, latency: Latency) -> None:
    """`state.legal(moves)`, counted in `latency`. Raises TypeError when one is None."""
    if state is None or moves is None or latency is None:
        raise TypeError("state, moves or latency is None")
    if (latency.tick & SAMPLE_MASK) == 0 and latency.enabled:
        start = c_now()
        for _ in range(BATCH):
            state.c_legal(moves)
        latency.c_add(LEGAL, start, c_now(), BATCH)
    else:
        state.c_legal(moves)
    latency.ops[LEGAL] += 1


def play(state: State, code: int, latency: Latency) -> None:
    """`state.play(code)` for the actor, counted in `latency`. Raises TypeError when one is None, else as `play`."""
    if state is None or latency is None:
        raise TypeError("state or latency is None")
    moves = Moves()
    state.c_legal(moves)
    if not moves.has(code):
        raise IllegalMove(f"code {code} is not legal here")
    if (latency.tick & SAMPLE_MASK) == 0 and latency.enabled:
        start = c_now()
        state.c_apply(code)
        latency.c_add(APPLY, start, c_now(), 1)
    else:
        state.c_apply(code)
    latency.tick += 1
    latency.ops[APPLY] += 1
