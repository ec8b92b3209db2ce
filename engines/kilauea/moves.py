"""The typed moves of Kilauea and their codes (README section 8). Colours and spaces are letters, as on the boards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from engines.core.state import Rules
from engines.kilauea.facts import (
    ADVANCE_CODE,
    CODES,
    COPY_CODE,
    DRAFT_CODE,
    DRAW_FOREST_CODE,
    DRAW_HEART_CODE,
    DRAW_REEF_CODE,
    DRAW_STARTER_CODE,
    DRAW_TIKI_CODE,
    END_CODE,
    FACE_LETTERS,
    FACES,
    FELL_CODE,
    ISLAND_CODE,
    MAX_COLOURS,
    MAX_DIGIT,
    MAX_PLAYERS,
    MAX_SPACES,
    PUT_ISLAND_CODE,
    PUT_VOLCANO_CODE,
    SEAL_CODE,
    SECTIONS,
    STEAL_CODE,
    STOP_CODE,
    TAKE_CANOE_CODE,
    TAKE_FOREST_CODE,
    TAKE_ISLAND_CODE,
    TAKE_RIVAL_CODE,
    TAKE_VOLCANO_CODE,
    TILES,
    USE_CODE,
    VOLCANO_CODE,
)
from engines.kilauea.tables import KilaueaRules

SPACE_LETTERS = "abcdefghijkl"
assert len(SPACE_LETTERS) == MAX_SPACES


@dataclass(frozen=True, slots=True)
class Draft:
    """Take a tiki of the volcano into the own canoe before the first turn."""

    section: int
    colour: str


@dataclass(frozen=True, slots=True)
class Advance:
    """Move the canoe pawn so many open spaces on."""

    distance: int


@dataclass(frozen=True, slots=True)
class Fell:
    """Take a tiki of the forest at the pawn into the own canoe."""

    space: str


@dataclass(frozen=True, slots=True)
class StopFelling:
    """Leave it at one tiki."""


@dataclass(frozen=True, slots=True)
class BuildVolcano:
    """Put a canoe tiki on the volcano at the pawn, then take stones from the crater."""

    colour: str
    stones: int


@dataclass(frozen=True, slots=True)
class BuildIsland:
    """Put a canoe tiki on the own island at the pawn."""

    colour: str


@dataclass(frozen=True, slots=True)
class Use:
    """Carry out a sub-action on offer."""

    tile: int


@dataclass(frozen=True, slots=True)
class Copy:
    """Choose the tile whose effect is carried out in place of the copying one."""

    tile: int


@dataclass(frozen=True, slots=True)
class TakeForest:
    """Take a tiki of any forest in hand."""

    section: int
    space: str


@dataclass(frozen=True, slots=True)
class TakeVolcano:
    """Take a tiki of the volcano in hand."""

    section: int
    colour: str


@dataclass(frozen=True, slots=True)
class TakeIsland:
    """Take a tiki of the own island in hand."""

    section: int
    colour: str


@dataclass(frozen=True, slots=True)
class TakeCanoe:
    """Take a tiki of the own canoe in hand."""

    colour: str


@dataclass(frozen=True, slots=True)
class TakeRival:
    """Take a tiki of another canoe, or exchange the one in hand for it."""

    seat: int
    colour: str


@dataclass(frozen=True, slots=True)
class PutVolcano:
    """Put the tiki in hand on the volcano."""

    section: int


@dataclass(frozen=True, slots=True)
class PutIsland:
    """Put the tiki in hand on the own island."""

    section: int


@dataclass(frozen=True, slots=True)
class StealStone:
    """Take a stone of another canoe."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlaceSeal:
    """Put the magic seal on a pillar of the volcano."""

    section: int
    colour: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Leave the sub-actions still on offer."""


@dataclass(frozen=True, slots=True)
class DrawForest:
    """Chance: the board at a section and the side that lies up, `f` or `b`."""

    section: int
    board: int
    face: str


@dataclass(frozen=True, slots=True)
class DrawTiki:
    """Chance: the tiki on a forest space."""

    section: int
    space: str
    colour: str


@dataclass(frozen=True, slots=True)
class DrawReef:
    """Chance: the tile in a reef slot."""

    slot: int
    tile: int


@dataclass(frozen=True, slots=True)
class DrawHeart:
    """Chance: the tile in the centre of a forest."""

    section: int
    tile: int


@dataclass(frozen=True, slots=True)
class DrawStarter:
    """Chance: the seat that takes the first turn."""

    seat: int


SeatMove = (
    Draft
    | Advance
    | Fell
    | StopFelling
    | BuildVolcano
    | BuildIsland
    | Use
    | Copy
    | TakeForest
    | TakeVolcano
    | TakeIsland
    | TakeCanoe
    | TakeRival
    | PutVolcano
    | PutIsland
    | StealStone
    | PlaceSeal
    | EndTurn
)
ChanceMove = DrawForest | DrawTiki | DrawReef | DrawHeart | DrawStarter
KilaueaMove = SeatMove | ChanceMove

KINDS: dict[str, Any] = {
    re.sub("(?<!^)([A-Z])", r"_\1", kind.__name__).lower(): kind for kind in get_args(SeatMove) + get_args(ChanceMove)
}
"""The kinds by the name of their field in the Move message, as `draft` or `take_forest`."""
KIND_OF = {kind: name for name, kind in KINDS.items()}


def vocabulary(rules: Rules) -> list[KilaueaMove | None]:
    """The move of each code; None where the edition has fewer colours, spaces or numbers than there are codes."""
    assert isinstance(rules, KilaueaRules)
    moves: list[KilaueaMove | None] = [None] * CODES
    for move in _all_moves(rules):
        code = encode(rules, move)
        assert code is not None
        moves[code] = move
    return moves


def _all_moves(rules: KilaueaRules) -> Iterator[KilaueaMove]:
    """Everything that could ever be legal under the edition."""
    colours, spaces = rules.colours, SPACE_LETTERS[: rules.longest_face]
    sections, tiles, seats = range(SECTIONS), range(1, TILES + 1), range(MAX_PLAYERS)
    pillars = [(t, colour) for t in sections for colour in colours]
    for kind in (Draft, TakeVolcano, TakeIsland, PlaceSeal):
        yield from (kind(t, colour) for t, colour in pillars)
    yield from (Advance(distance) for distance in range(1, rules.max_distance + 1))
    yield from (Fell(space) for space in spaces)
    yield from (BuildVolcano(colour, stones) for colour in colours for stones in range(rules.volcano_stones_max + 1))
    yield from (BuildIsland(colour) for colour in colours)
    yield from (Use(tile) for tile in tiles)
    yield from (Copy(tile) for tile in tiles)
    yield from (TakeForest(t, space) for t in sections for space in spaces)
    yield from (TakeCanoe(colour) for colour in colours)
    yield from (TakeRival(seat, colour) for seat in seats for colour in colours)
    yield from (PutVolcano(t) for t in sections)
    yield from (PutIsland(t) for t in sections)
    yield from (StealStone(seat) for seat in seats)
    yield from (StopFelling(), EndTurn())
    yield from (DrawForest(t, face.board, face.letter) for t in sections for face in rules.faces)
    yield from (DrawTiki(t, space, colour) for t in sections for space in spaces for colour in colours)
    yield from (DrawReef(slot, tile) for slot in sections for tile in tiles)
    yield from (DrawHeart(t, tile) for t in sections for tile in tiles)
    yield from (DrawStarter(seat) for seat in seats)


class _Outside(Exception):
    """A parameter without a place in the code table."""


T = TypeVar("T")


def _at(values: Sequence[T], value: T) -> int:
    if value not in values:
        raise _Outside
    return values.index(value)


def encode(rules: Rules, move: KilaueaMove) -> int | None:
    """The code of a well-formed move; None when a parameter lies outside the edition."""
    assert isinstance(rules, KilaueaRules)
    try:
        return _code(rules, move)
    except _Outside:
        return None


def _code(rules: KilaueaRules, move: KilaueaMove) -> int:
    def section(value: int) -> int:
        return _at(range(SECTIONS), value)

    def colour(value: str) -> int:
        return _at(rules.colours, value)

    def pillar(t: int, value: str) -> int:
        return section(t) * MAX_COLOURS + colour(value)

    def space(value: str) -> int:
        return _at(SPACE_LETTERS[: rules.longest_face], value)

    def tile(value: int) -> int:
        return _at(range(1, TILES + 1), value)

    def seat(value: int) -> int:
        return _at(range(MAX_PLAYERS), value)

    match move:
        case Draft(t, c):
            return DRAFT_CODE + pillar(t, c)
        case Advance(distance):
            return ADVANCE_CODE + _at(range(1, rules.max_distance + 1), distance)
        case Fell(x):
            return FELL_CODE + space(x)
        case StopFelling():
            return STOP_CODE
        case BuildVolcano(c, stones):
            return VOLCANO_CODE + colour(c) * (MAX_DIGIT + 1) + _at(range(rules.volcano_stones_max + 1), stones)
        case BuildIsland(c):
            return ISLAND_CODE + colour(c)
        case Use(number):
            return USE_CODE + tile(number)
        case Copy(number):
            return COPY_CODE + tile(number)
        case TakeForest(t, x):
            return TAKE_FOREST_CODE + section(t) * MAX_SPACES + space(x)
        case TakeVolcano(t, c):
            return TAKE_VOLCANO_CODE + pillar(t, c)
        case TakeIsland(t, c):
            return TAKE_ISLAND_CODE + pillar(t, c)
        case TakeCanoe(c):
            return TAKE_CANOE_CODE + colour(c)
        case TakeRival(s, c):
            return TAKE_RIVAL_CODE + seat(s) * MAX_COLOURS + colour(c)
        case PutVolcano(t):
            return PUT_VOLCANO_CODE + section(t)
        case PutIsland(t):
            return PUT_ISLAND_CODE + section(t)
        case StealStone(s):
            return STEAL_CODE + seat(s)
        case PlaceSeal(t, c):
            return SEAL_CODE + pillar(t, c)
        case EndTurn():
            return END_CODE
        case DrawForest(t, board, face):
            number = 2 * _at(range(1, FACES // 2 + 1), board) + _at(FACE_LETTERS, face)
            return DRAW_FOREST_CODE + section(t) * FACES + number
        case DrawTiki(t, x, c):
            return DRAW_TIKI_CODE + (section(t) * MAX_SPACES + space(x)) * MAX_COLOURS + colour(c)
        case DrawReef(slot, number):
            return DRAW_REEF_CODE + section(slot) * TILES + tile(number)
        case DrawHeart(t, number):
            return DRAW_HEART_CODE + section(t) * TILES + tile(number)
        case DrawStarter(s):
            return DRAW_STARTER_CODE + seat(s)
