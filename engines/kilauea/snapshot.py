"""A Kilauea state as plain frozen data: what wire, notation, invariants and views read and write."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.kilauea.facts import HOME_NONE, NONE

Vector = tuple[int, ...]
"""One number per colour of the edition."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect that is being carried out, waiting for a choice."""

    tile: int = 0
    step: int = 0
    hand: int = NONE
    """Colour of the tiki in hand."""
    home_kind: int = HOME_NONE
    """Where its first tiki came from: HOME_FOREST, HOME_VOLCANO or HOME_ISLAND."""
    home_section: int = NONE
    home_space: int = NONE
    """Only for a forest."""
    put_section: int = NONE
    put_colour: int = NONE
    """The tiki it last put on the volcano."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every field of README section 3, in its order."""

    stage: int
    actor: int
    starter: int
    turn: int
    boards: tuple[int, ...]
    """5 face numbers (`forests.Face.number`)."""
    forests: tuple[tuple[int, ...], ...]
    """5 lists of colours by space, NONE where no tiki stands; empty where no board lies."""
    pool: Vector
    reef: tuple[int, ...]
    heart: tuple[int, ...]
    flank: tuple[int, ...]
    """5 tiles each, 0 for none."""
    pillars: tuple[Vector, ...]
    seals: tuple[tuple[int, int], ...]
    """(section, colour), oldest first."""
    crater: int
    canoe: int
    tikis: tuple[Vector, ...]
    """Canoe tikis of each seat."""
    stones: tuple[int, ...]
    islands: tuple[tuple[Vector, ...], ...]
    """By seat and section."""
    vp: tuple[int, ...]
    removed: Vector
    intermediate_done: bool
    pending: tuple[int, ...]
    effect: Effect
    reason: int
    """0 while the game runs, else a reason of `facts`."""

    def timeless(self) -> Snapshot:
        """Without the number of turns and the starter, who follows from it and the actor."""
        return replace(self, turn=0, starter=NONE)
