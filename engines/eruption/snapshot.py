"""An Eruption state as plain frozen data: what wire, notation, invariants and views read and write."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Table:
    """What everybody sees: the public fields of README section 3; absent kinds, piles, places, teams are NONE (-1)."""

    phase: int
    ply: int
    turn_seat: int
    temps: tuple[int, ...]
    """Degrees by seat."""
    stock: tuple[int, ...]
    """Pieces by material."""
    pieces: tuple[tuple[int, ...], ...]
    """By seat: its pieces by material."""
    card_discard: tuple[int, ...]
    """Discarded cards by card."""
    board: tuple[tuple[int, int, int], ...]
    """(hex, kind, rotation), by hex."""
    stack: tuple[int, ...]
    """Unseen lava tiles by kind, those of all piles together."""
    pile_sizes: tuple[int, ...]
    pile_tops: tuple[int, ...]
    tile_discard: tuple[int, ...]
    """Tiles out of play by kind, the eruption tile last."""
    walls: tuple[tuple[int, int], ...]
    """(site, material), by site; see `facts.FLOW_SITES`."""
    eruption: tuple[int, ...]
    """Where each eruption tile is: `facts.ROW`, a seat, or `facts.USED`."""
    final_left: int
    final_out: int
    burnt: tuple[bool, ...]
    burn_order: tuple[int, ...]
    turn_quiet: bool
    quiet_turns: int
    purpose: int
    """What the tile being drawn is for (`facts.PURPOSES`)."""
    tile: int
    tile_pile: int
    held: tuple[int, ...]
    """Barred hexes, ascending."""
    target: int
    """6 * hex + rotation of the placement that is rolled for."""
    roll_pos: int
    """Edge 1..7 of the damage roll, or direction 0..5 of the placement's."""
    roll_lost: bool
    draws_left: int
    resume: int
    tray: tuple[int, ...]
    tray_edge: int
    builds_done: int
    reveal_resume: int
    reveal_restricted: bool
    ended_by: int
    """0 while the game runs, else a reason of `facts`."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole truth: the table, and what is hidden."""

    table: Table
    hands: tuple[tuple[int, ...], ...]
    """By seat: its cards by card."""
    deck: tuple[int, ...]
    """Cards still to be dealt, by card."""

    def timeless(self) -> Snapshot:
        """Without the ply."""
        return replace(self, table=replace(self.table, ply=0))
