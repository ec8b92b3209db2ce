"""A Tiki state as plain frozen data: what wire, notation, invariants and views read and write."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.tiki.facts import NONE


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every field of README section 3, in its order; absent seats, tiles, villages and gaps are NONE (-1)."""

    phase: int
    layout: tuple[int, ...]
    """9 tile types, as rows of the edition."""
    starter: int
    turn: int
    turn_seat: int
    stacks: tuple[tuple[int, ...], ...]
    """9 lists of seats, bottom first."""
    hands: tuple[int, ...]
    fruits: tuple[int, ...]
    reserve: int
    spoiled: int
    shaman: int
    resolving: int
    sudden_death: bool
    history: tuple[int, ...]
    """Packed positions (`history.pack`) at the start of turns since a fruit last moved."""
    winner: int
    reason: int
    """0 while the game runs, else a reason of `facts`."""

    def timeless(self) -> Snapshot:
        """Without turn, starter (it follows from turn and seat) and history."""
        return replace(self, turn=0, starter=NONE, history=())
