"""A Hawaii state as plain frozen data: what wire, notation, invariants and views read and write."""

from __future__ import annotations

from dataclasses import dataclass

from engines.hawaii.facts import NO_TRIP, NONE


@dataclass(frozen=True, slots=True)
class Purse:
    """What a seat keeps to itself; a number that a viewer does not see is NONE (-1)."""

    points: tuple[int, ...]
    """Gained before the end of the game, by source (`facts.SOURCES`)."""
    shells: int
    feet: int
    fruit: int


@dataclass(frozen=True, slots=True)
class Realm:
    """What everybody sees of a seat."""

    villages: tuple[tuple[tuple[int, int], ...], ...]
    """Tiles (kind, level) of each village, left to right; the start hut is the kind after the last of the edition."""
    kahunas: int
    tikis: int
    boats: tuple[int, int]
    """Boats gained, by level; the start boat is not counted."""
    used: tuple[int, int, int]
    """Boats used this round: start boat, level I, level II."""
    at: int
    """Position 0 to 9, BEACH or PASSED."""
    tokens: tuple[int, ...]
    """Price tokens taken this round, count by type."""
    fish: tuple[int, ...]
    """Fish tokens taken this round, count by type."""


@dataclass(frozen=True, slots=True)
class Pending:
    """What the present decision is about (README section 3); NONE and 0 where it is about something else."""

    amount: int
    walk_sub: int
    kind: int
    level: int
    trip: int
    take: int
    dock: int
    """1 to 4, or NONE."""
    island: int


NOTHING = Pending(0, 0, NONE, 0, NO_TRIP, 0, NONE, NONE)
"""Pending where the decision is about nothing in particular."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that all see."""

    phase: int
    actor: int
    """The seat that decides; NONE where chance does, or nobody."""
    round: int
    board: tuple[int, ...]
    """Area by position; NONE where none is dealt yet."""
    area_tokens: tuple[tuple[int, ...], ...]
    """Token types by position, ascending."""
    bag: tuple[int, ...]
    bay: tuple[int, ...]
    cursor: int
    """Draws made in DRAW_PRICES or DRAW_LIMITS."""
    order_draw: tuple[int, ...]
    """Token types drawn in DRAW_ORDER, ascending."""
    spot_tokens: tuple[int, ...]
    spot_seats: tuple[int, ...]
    docks: tuple[int, ...]
    islands_gone: tuple[int, ...]
    """Visited islands, ascending; those neither here nor at a dock are still to be drawn."""
    stock: tuple[int, ...]
    lost: tuple[int, ...]
    """Tiles that could not be placed, count by kind."""
    order: tuple[int, ...]
    collect_queue: tuple[int, ...]
    pending: Pending
    realms: tuple[Realm, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One whole state: the table and every purse."""

    table: Table
    purses: tuple[Purse, ...]

    def timeless(self) -> Snapshot:
        """The same: the round is part of the position, and no history is kept."""
        return self
