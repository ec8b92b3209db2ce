"""The typed moves of Hawaii and their codes (README section 5).

Indices are rows of the edition: areas, kinds, token types, islands. Numbers that a table shows from 1 on (villages,
docks, order spots, levels) are kept as the table shows them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engines.core.state import Rules
from engines.hawaii.facts import (
    BOATS,
    BUY_CODE,
    CODES,
    COLLECT_CODE,
    DRAW_AREA_CODE,
    DRAW_ISLAND_CODE,
    DRAW_TOKEN_CODE,
    FISH_CODE,
    PASS_CODE,
    PAY_CODE,
    PLACE_CODE,
    POSITIONS,
    RETURN_CODE,
    SAIL_CODE,
    TAKE_FISH_CODE,
    TAKE_TILE_CODE,
    WALK_CODE,
)
from engines.hawaii.tables import HawaiiRules


@dataclass(frozen=True, slots=True)
class Walk:
    """Go to an area in order to buy there."""

    area: int


@dataclass(frozen=True, slots=True)
class Fish:
    """Send boats into the bay and pay so many feet."""

    start: int
    level1: int
    level2: int
    feet: int


@dataclass(frozen=True, slots=True)
class Sail:
    """Send boats to the island at a dock."""

    dock: int
    start: int
    level1: int
    level2: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the round and stand on an order spot."""

    spot: int


@dataclass(frozen=True, slots=True)
class Return:
    """Go back to the beach for a whole turn; only with the option `beach_return = turn`."""


@dataclass(frozen=True, slots=True)
class Pay:
    """Pay for the walk, the tile or the trip that was chosen."""

    shells: int
    feet: int
    fruit: int


@dataclass(frozen=True, slots=True)
class Buy:
    """Take a price token of the area and a tile that is sold there."""

    kind: int
    level: int
    token: int


@dataclass(frozen=True, slots=True)
class Place:
    """Lay the tile at the right end of a village."""

    village: int


@dataclass(frozen=True, slots=True)
class TakeFish:
    """Take a token with so many fish out of the bay."""

    fish: int


@dataclass(frozen=True, slots=True)
class TakeTile:
    """Take one of the tiles that the visited island offers."""

    kind: int


@dataclass(frozen=True, slots=True)
class Collect:
    """Choose the goods that come at the end of every round."""

    shells: int
    feet: int
    fruit: int


@dataclass(frozen=True, slots=True)
class DrawArea:
    """Chance: the place board of the next position."""

    area: int


@dataclass(frozen=True, slots=True)
class DrawIsland:
    """Chance: the island of the leftmost empty dock."""

    island: int


@dataclass(frozen=True, slots=True)
class DrawToken:
    """Chance: the next price token out of the bag."""

    token: int


HawaiiMove = (
    Walk
    | Fish
    | Sail
    | Pass
    | Return
    | Pay
    | Buy
    | Place
    | TakeFish
    | TakeTile
    | Collect
    | DrawArea
    | DrawIsland
    | DrawToken
)


def _amounts(most: int) -> Iterator[tuple[int, int, int]]:
    """All (shells, feet, fruit) of 1 to `most` units."""
    for shells in range(most + 1):
        for feet in range(most + 1 - shells):
            for fruit in range(most + 1 - shells - feet):
                if shells + feet + fruit > 0:
                    yield shells, feet, fruit


def _fleets(boats: int) -> Iterator[tuple[int, int, int]]:
    """All sets of boats that a seat could own, the empty one left out."""
    for start in (0, 1):
        for level1 in range(boats + 1):
            for level2 in range(boats + 1 - level1):
                if start + level1 + level2 > 0:
                    yield start, level1, level2


def _moves(rules: HawaiiRules) -> Iterator[HawaiiMove]:
    kinds = range(rules.n_kinds)
    types = range(rules.n_types)
    fleets = list(_fleets(rules.kind(rules.boat_kind)[1]))
    yield from (Walk(area) for area in range(POSITIONS))
    yield from (Fish(*fleet, feet) for fleet in fleets for feet in range(1, POSITIONS + 1))
    yield from (Sail(dock, *fleet) for dock in range(1, rules.n_docks + 1) for fleet in fleets)
    yield from (Pass(spot) for spot in range(1, rules.seats_max + 1))
    yield Return()
    yield from (Pay(*amounts) for amounts in _amounts(rules.most_paid))
    yield from (
        Buy(kind, level, token) for kind in kinds for level in range(1, rules.kind(kind)[3] + 1) for token in types
    )
    yield from (Place(village) for village in range(1, rules.n_villages + 1))
    yield from (TakeFish(fish) for fish in sorted({rules.token(token)[2] for token in types}))
    yield from (TakeTile(kind) for kind in kinds)
    yield from (Collect(*amounts) for amounts in _amounts(rules.most_collected))
    yield from (DrawArea(area) for area in range(POSITIONS))
    yield from (DrawIsland(island) for island in range(rules.n_islands))
    yield from (DrawToken(token) for token in types)


def vocabulary(rules: Rules) -> list[HawaiiMove | None]:
    """The move of each code; None where the edition has no use for a code."""
    moves: list[HawaiiMove | None] = [None] * CODES
    for move, code in _codes(rules).items():
        moves[code] = move
    return moves


def encode(rules: Rules, move: HawaiiMove) -> int | None:
    """The code of a well-formed move; None when it is outside the vocabulary."""
    return _codes(rules).get(move)


@lru_cache(maxsize=64)
def _codes(rules: Rules) -> dict[HawaiiMove, int]:
    assert isinstance(rules, HawaiiRules)
    return {move: _code(move) for move in _moves(rules)}


def _fleet_number(start: int, level1: int, level2: int) -> int:
    """The number of a set of boats inside a code."""
    return (start * (BOATS + 1) + level1) * (BOATS + 1) + level2


def _code(move: HawaiiMove) -> int:
    """The code of a move of the vocabulary."""
    match move:
        case Walk(area):
            return WALK_CODE + area
        case Fish(start, level1, level2, feet):
            return FISH_CODE + _fleet_number(start, level1, level2) * POSITIONS + feet - 1
        case Sail(dock, start, level1, level2):
            return SAIL_CODE + (dock - 1) * 162 + _fleet_number(start, level1, level2)
        case Pass(spot):
            return PASS_CODE + spot - 1
        case Return():
            return RETURN_CODE
        case Pay(shells, feet, fruit):
            return PAY_CODE + shells * 256 + feet * 16 + fruit
        case Buy(kind, level, token):
            return BUY_CODE + (kind * 2 + level - 1) * 16 + token
        case Place(village):
            return PLACE_CODE + village - 1
        case TakeFish(fish):
            return TAKE_FISH_CODE + fish
        case TakeTile(kind):
            return TAKE_TILE_CODE + kind
        case Collect(shells, feet, fruit):
            return COLLECT_CODE + shells * 256 + feet * 16 + fruit
        case DrawArea(area):
            return DRAW_AREA_CODE + area
        case DrawIsland(island):
            return DRAW_ISLAND_CODE + island
        case DrawToken(token):
            return DRAW_TOKEN_CODE + token
