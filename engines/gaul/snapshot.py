"""A state of Village of Gaul as plain frozen data: what wire, notation, invariants and views read and write."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every field of README section 3, in its order. Multisets are ascending tuples, an element once per card."""

    phase: int
    round: int
    turn: int
    menhirs: tuple[int, ...]
    aisling: int
    """District, or NONE (-1) outside the wall."""
    scores: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    """Kinds, by seat."""
    charged: tuple[tuple[int, ...], ...]
    """Faces (places in `GaulRules.faces`), by seat."""
    played: tuple[int, ...]
    """Kinds."""
    in_play: int
    """Kind, or NONE (-1)."""

    def timeless(self) -> Snapshot:
        """Without the round: how many cards are played tells it anyway."""
        return replace(self, round=0)


@dataclass(frozen=True, slots=True)
class View:
    """What one seat sees of a Snapshot: its own hand, and of the other hands the sizes."""

    phase: int
    round: int
    turn: int
    menhirs: tuple[int, ...]
    aisling: int
    scores: tuple[int, ...]
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    charged: tuple[tuple[int, ...], ...]
    played: tuple[int, ...]
    in_play: int
