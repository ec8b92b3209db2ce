"""Random play and counting, for any game: the loops that need no Python object per ply."""

from __future__ import annotations

from typing import Any

import cython

from engines.core.constants import CHANCE, ROLLOUT_STREAM, TERMINAL
from engines.core.latency import APPLY, LEGAL, Latency
from engines.core.rng import stream_key
from engines.core.state import Moves, State

if not cython.compiled:
    from engines.core.latency import c_now

SAMPLE_MASK = 255  # one ply in SAMPLE_MASK + 1 is timed, so that measuring stays below 3 % of a ply
BATCH = 8  # times a sampled `legal` is repeated between two clock readings: it is shorter than the clock is fine


def c_random_code(state: State, moves: Moves, key: int, index: int) -> int:
    state.c_legal(moves)
    if state.c_actor() == CHANCE:
        state.c_weights(moves)
        return moves.c_weighted(key, index)
    return moves.c_uniform(key, index)


def c_timed_ply(state: State, moves: Moves, key: int, index: int, latency: Latency) -> None:
    start = c_now()
    for _ in range(BATCH):
        state.c_legal(moves)
    latency.c_add(LEGAL, start, c_now(), BATCH)
    code = c_random_code(state, moves, key, index)
    start = c_now()
    state.c_apply(code)
    latency.c_add(APPLY, start, c_now(), 1)


def c_rollout(state: State, moves: Moves, key: int, limit: int, latency: Latency) -> int:
    ply = 0
    while ply < limit and state.c_actor() != TERMINAL:
        if (latency.tick & SAMPLE_MASK) == 0 and latency.enabled:
            c_timed_ply(state, moves, key, ply, latency)
        else:
            state.c_apply(c_random_code(state, moves, key, ply))
        latency.tick += 1
        ply += 1
    latency.ops[LEGAL] += ply
    latency.ops[APPLY] += ply
    return ply


def rollout(state: State, seed: int, limit: int, latency: Latency | None = None) -> int:
    """Plays random moves on `state` until it ends or `limit` plies were made; returns the plies.

    Chance moves are drawn by weight, seats' moves uniformly, from the ROLLOUT stream of `seed` (0..2**64-1). Runs
    without the GIL. What `latency` gathered is the caller's to publish. Raises TypeError when `state` is None,
    OverflowError when a number is outside its range.
    """
    if state is None:
        raise TypeError("state is None")
    moves = Moves()
    watch = Latency(False) if latency is None else latency
    key = stream_key(seed, ROLLOUT_STREAM)
    with cython.nogil:
        n = c_rollout(state, moves, key, limit, watch)
    return n


def rollouts(start: State, seed: int, count: int, limit: int, latency: Latency | None = None) -> int:
    """Plays `count` random games from `start`, which stays as it is, game i with seed `seed + i`; returns all plies."""
    if start is None:
        raise TypeError("start is None")
    state = start.clone()
    moves = Moves()
    watch = Latency(False) if latency is None else latency
    total = 0
    with cython.nogil:
        for i in range(count):
            state.c_copy_from(start)
            total += c_rollout(state, moves, stream_key(seed + i, ROLLOUT_STREAM), limit, watch)
    return total


class Frame:
    """One level of a depth-first walk: a state, its moves, and the level below."""

    def __init__(self, state: State, depth: int) -> None:
        self.state = state.clone()
        self.moves = Moves()
        self.below: Any = Frame(state, depth - 1) if depth > 0 else None


def c_perft(frame: Frame, depth: int) -> int:
    frame.state.c_legal(frame.moves)
    if depth == 1:
        return frame.moves.n
    count = 0
    for i in range(frame.moves.n):
        frame.below.state.c_copy_from(frame.state)
        frame.below.state.c_apply(frame.moves.code[i])
        count += c_perft(frame.below, depth - 1)
    return count


def perft(state: State, depth: int) -> int:
    """Counts the sequences of exactly `depth` moves; each chance outcome of positive weight counts once.

    A finished game has no further moves. `depth` 0 gives 1. Raises ValueError for a depth outside 0..64.
    """
    if state is None:
        raise TypeError("state is None")
    if not 0 <= depth <= 64:
        raise ValueError("depth must be 0..64")
    if depth == 0:
        return 1
    frame = Frame(state, depth)
    with cython.nogil:
        n = c_perft(frame, depth)
    return n


def divide(state: State, depth: int) -> dict[int, int]:
    """`perft` of depth - 1 after each legal move, by code. Raises ValueError for a depth outside 1..64."""
    if not 1 <= depth <= 64:
        raise ValueError("depth must be 1..64")
    moves = Moves()
    state.legal(moves)
    counts = {}
    for code in moves.to_list():
        below = state.clone()
        below.play(code)
        counts[code] = perft(below, depth - 1)
    return counts
