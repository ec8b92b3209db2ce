"""Observations of any game as arrays of one length, for learners.

An observation is plain data: numbers, tuples and dataclasses of those. Each number gets a slot of its own; a tuple of
varying length gets as many slots as it may need and one for its length. Nobody declares how long such a tuple may
become, so a layout is measured: random and greedy games of fixed seeds are played, and half as much again is added to
the longest tuple seen. The same setup has the same layout on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines import envelope
from engines.chance import chance_key, draw_chance
from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Observation
from engines.core.rng import mix
from engines.core.state import Moves, Rules
from engines.search.bots import make_bot

FILL = -1
"""What stands in slots that an observation does not need."""
GAMES = 12
"""Games that a layout is measured by, one half between random bots and one between greedy ones."""
PLIES = 150
"""About how many plies are looked at in the longest game, spread evenly over it."""

_LIMIT = 2**31


def content(observation: Observation[Any]) -> dict[str, Any]:
    """What is seen, by name: all fields of an observation but the rules, which do not change in a game."""
    names = [f.name for f in fields(observation) if f.name != "rules"]  # type: ignore[arg-type]
    return {name: getattr(observation, name) for name in names}


@dataclass(slots=True)
class _Shape:
    """What is known of one place of the data, by what was seen there."""

    kind: str = ""
    """number, tuple, or the name of a dataclass."""
    least: int = 0
    most: int = 0
    """Lengths of the tuples seen."""
    parts: dict[str, _Shape] = field(default_factory=dict)
    """Of a dataclass by name, of a tuple one under ""."""
    size: int = 1

    def see(self, value: object) -> None:
        first = not self.kind
        kind = "number" if isinstance(value, int) else "tuple" if isinstance(value, tuple) else type(value).__name__
        if not first and kind != self.kind:
            raise TypeError(f"one place of an observation holds a {self.kind} and a {kind}")
        self.kind = kind
        if isinstance(value, tuple):
            self.least = len(value) if first else min(self.least, len(value))
            self.most = max(self.most, len(value))
            part = self._part("")
            if part.kind != "number" or not _are_numbers(value):
                for item in value:
                    part.see(item)
            if not part.kind:
                del self.parts[""]  # nothing but empty ones so far
        elif is_dataclass(value):
            for item in fields(value):
                self._part(item.name).see(getattr(value, item.name))
        elif kind != "number":
            raise TypeError(f"a {kind} in an observation has no place in an array")

    def _part(self, name: str) -> _Shape:
        if name not in self.parts:
            self.parts[name] = _Shape()
        return self.parts[name]

    @property
    def counted(self) -> bool:
        """Whether the length has a slot."""
        return self.least < self.most

    def close(self) -> int:
        """Fixes the number of slots and returns it."""
        inner = sum([part.close() for part in self.parts.values()])
        if self.kind == "tuple":
            if self.counted:
                self.most += self.most // 2 + 1
            self.size = self.counted + self.most * inner
        elif self.kind != "number":
            self.size = inner
        return self.size

    def write(self, value: Any, out: list[int]) -> int:
        """Appends `size` numbers to `out`; returns how many items found no place."""
        if self.kind == "number":
            out.append(_slot(value))
            return 0
        if self.kind != "tuple":
            return sum([part.write(getattr(value, name), out) for name, part in self.parts.items()])
        if self.counted:
            out.append(len(value))
        lost = max(0, len(value) - self.most)
        for part in self.parts.values():
            if part.kind == "number":
                out.extend(map(_slot, value[: self.most]))
            else:
                lost += sum([part.write(item, out) for item in value[: self.most]])
            out.extend([FILL] * (part.size * max(0, self.most - len(value))))
        return lost

    def names(self, name: str) -> Iterator[str]:
        if self.kind == "number":
            yield name
        elif self.kind != "tuple":
            for inner, part in self.parts.items():
                yield from part.names(f"{name}.{inner}")
        else:
            if self.counted:
                yield f"{name}.length"
            for part in self.parts.values():
                for i in range(self.most):
                    yield from part.names(f"{name}[{i}]")


def _are_numbers(values: tuple[object, ...]) -> bool:
    return {int, bool}.issuperset(map(type, values))


def _slot(value: int) -> int:
    """Packed sets and positions may be wider than a slot: what counts is that equal ones stay equal."""
    return value if -_LIMIT <= value < _LIMIT else mix(value % 2**64) >> 33


class Layout:
    """Where each number of an observation of one setup stands in its array."""

    def __init__(self, shapes: dict[str, _Shape]) -> None:
        self._shapes = shapes
        self.size = sum(shape.close() for shape in shapes.values())
        """Length of the arrays."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each slot holds, as `snapshot.stacks[3].length`."""
        return tuple(name for top, shape in self._shapes.items() for name in shape.names(top))

    def _write(self, observation: Observation[Any]) -> tuple[list[int], int]:
        out: list[int] = []
        seen = content(observation)
        lost = sum([shape.write(seen[name], out) for name, shape in self._shapes.items()])
        return out, lost

    def encode(self, observation: Observation[Any]) -> NDArray[np.int32]:
        """The array of an observation, shape (size,)."""
        return np.array(self._write(observation)[0], dtype=np.int32)

    def lost(self, observation: Observation[Any]) -> int:
        """How many items of longer tuples than any measured find no place in the array; their lengths still show."""
        return self._write(observation)[1]


@lru_cache(maxsize=64)
def layout(rules: Rules) -> Layout:
    """The layout of a setup, measured once. Raises TypeError when its observations hold more than numbers."""
    shapes: dict[str, _Shape] = {}
    for number in range(GAMES):
        for observation in _observations(rules, number):
            for name, value in content(observation).items():
                shapes.setdefault(name, _Shape()).see(value)
    return Layout(shapes)


def _observations(rules: Rules, seed: int) -> Iterator[Observation[Any]]:
    """What the seats see in one game, each ply by another seat."""
    game = envelope.game_of(rules)
    state, moves, key = game.rules.start(rules), Moves(), chance_key(seed)
    kind = "random" if seed % 2 else "greedy"
    bots = [make_bot(game, kind, {}, seed, seat) for seat in range(rules.seats)]
    ply = chances = 0
    stride = max(1, game.facts.max_plies // PLIES)
    while True:
        if ply % stride == 0 or state.actor == TERMINAL:
            yield state.observe(ply // stride % rules.seats)
        if state.actor == TERMINAL:
            return
        if state.actor == CHANCE:
            code = draw_chance(state, key, chances)
            chances += 1
        else:
            state.legal(moves)
            code = bots[state.actor].choose(state.observe(state.actor), moves, ply)
        state.play(code)
        ply += 1
