"""Positions as requests bring them: decoded, checked, and remembered for a while.

A client asks about one position several times (list, validate, apply), and the next position it asks about is one that
this server has just written. Checking a position takes longer than everything else, so the last ones are kept, by their
bytes. Nothing depends on it: a position that is not remembered is decoded again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from papamu.rules.v1 import envelope_pb2 as pb

from engines import envelope, measure
from engines.core.game import BadInput
from engines.core.latency import DECODE, ENCODE, now_ns
from engines.core.state import State

REMEMBERED = 4096
"""Positions kept."""
MAX_KEY = 4096
"""Bytes of the longest position that is kept, so that memory stays within REMEMBERED * (MAX_KEY + one state)."""

T = TypeVar("T")


class Memory:
    """The last states by the bytes of their messages. Threads share it; the states in it are never changed."""

    def __init__(self, size: int = REMEMBERED) -> None:
        self._size = size
        self._states: OrderedDict[bytes, State] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes) -> State | None:
        """The state, or None when it is not remembered."""
        with self._lock:
            state = self._states.get(key)
            if state is not None:
                self._states.move_to_end(key)
            return state

    def put(self, key: bytes, state: State) -> None:
        """Remembers a state that nobody changes from now on."""
        if len(key) <= MAX_KEY:
            with self._lock:
                self._states[key] = state
                self._states.move_to_end(key)
                if len(self._states) > self._size:
                    self._states.popitem(last=False)


memory = Memory()


def below(field: str, reader: Callable[..., T], *args: object) -> T:
    """`reader(*args)`; the violations that it raises are put below `field`."""
    try:
        return reader(*args)
    except BadInput as error:
        raise envelope.under(field, error) from error


def read_position(message: pb.Position, field: str = "position") -> State:
    """The state of a request's position, not to be changed: `clone` it first. Raises BadInput and UnknownEdition."""
    key = message.SerializeToString(deterministic=True)
    state = memory.get(key)
    if state is None:
        start = now_ns()
        state = below(field, envelope.read_position, message)
        measure.totals().time(state.rules.setup.game, DECODE, now_ns() - start)
        memory.put(key, state)
    return state


def write_position(state: State) -> pb.Position:
    """The message of a state; `state` is remembered, and so not to be changed from now on."""
    start = now_ns()
    message = envelope.write_position(state)
    measure.totals().time(state.rules.setup.game, ENCODE, now_ns() - start)
    memory.put(message.SerializeToString(deterministic=True), state)
    return message
