"""Loops that a measurement times: what they call, they call as compiled code does."""

from __future__ import annotations

import cython

from engines.core.state import State


def clones(state: State, count: int) -> None:
    """Makes `count` clones of `state`, each dropped at once."""
    if state is None:
        raise TypeError("state is None")
    for _ in range(count):
        state.clone()


def copies(state: State, count: int) -> None:
    """Copies `state` into another one `count` times: what a search does at every step."""
    if state is None:
        raise TypeError("state is None")
    other = state.clone()
    with cython.nogil:
        for _ in range(count):
            other.c_copy_from(state)
