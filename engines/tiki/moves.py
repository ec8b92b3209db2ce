"""The typed moves of Tiki and their codes (README section 5; the code table is part of the specification)."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.state import Rules
from engines.tiki.board import TikiRules
from engines.tiki.facts import FIRST_CODE, GAPS, LAY_CODE, PATHS


@dataclass(frozen=True, slots=True)
class Create:
    """Put a tiki from the hand on an empty village."""

    village: int


@dataclass(frozen=True, slots=True)
class Move:
    """Carry a whole totem along a path of two or three villages, dropping its lowest tiki at each step."""

    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing; only for a seat without any other move."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """Choose which of two full villages takes effect first."""

    village: int


@dataclass(frozen=True, slots=True)
class PlaceShaman:
    """Put the shaman on another gap."""

    gap: int


@dataclass(frozen=True, slots=True)
class Decline:
    """Leave the shaman where it is."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Chance: the village tile that comes to lie on a village; `tile` is its row in the edition."""

    village: int
    tile: int


@dataclass(frozen=True, slots=True)
class First:
    """Chance: the seat that takes turn 1."""

    seat: int


TikiMove = Create | Move | Pass | Resolve | PlaceShaman | Decline | Lay | First

_SEAT_MOVES: tuple[TikiMove, ...] = (
    *(Create(u) for u in range(9)),
    *(Move(path) for path in PATHS),
    Pass(),
    *(Resolve(u) for u in range(9)),
    *(PlaceShaman(g) for g in range(len(GAPS))),
    Decline(),
)
_CODES = {move: code for code, move in enumerate(_SEAT_MOVES)}
assert len(_SEAT_MOVES) == LAY_CODE


def vocabulary(rules: Rules) -> list[TikiMove | None]:
    """The move of each code 0..245; None where the edition has fewer tile types than codes."""
    assert isinstance(rules, TikiRules)
    moves: list[TikiMove | None] = [*_SEAT_MOVES, *[None] * (FIRST_CODE - LAY_CODE), First(0), First(1)]
    for village in range(9):
        for tile in range(len(rules.tiles)):
            moves[LAY_CODE + 16 * village + tile] = Lay(village, tile)
    return moves


def encode(rules: Rules, move: TikiMove) -> int | None:
    """The code of a well-formed move; None for a path that no totem can take."""
    match move:
        case Lay(village, tile):
            return LAY_CODE + 16 * village + tile
        case First(seat):
            return FIRST_CODE + seat
        case _:
            return _CODES.get(move)
