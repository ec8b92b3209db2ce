"""Text of Hawaii moves and positions (README section 8)."""

from __future__ import annotations

import re
from collections.abc import Callable

from engines.core.state import Rules
from engines.hawaii.facts import DOCKS, NONE
from engines.hawaii.moves import (
    Buy,
    Collect,
    DrawArea,
    DrawIsland,
    DrawToken,
    Fish,
    HawaiiMove,
    Pass,
    Pay,
    Place,
    Return,
    Sail,
    TakeFish,
    TakeTile,
    Walk,
)
from engines.hawaii.position import read_position, write_position
from engines.hawaii.spelling import amounts_text, bad, boats_text, token_text
from engines.hawaii.tables import HawaiiRules

__all__ = ["parse", "read_position", "token", "write_position"]

MOST_AMOUNT = 999
"""Most units of one resource that a move names; also most feet and fish."""
MOST_BOATS = 30
"""Most boats of one level that a move names."""

MOST_CHARACTERS = 80

_N = "0|[1-9][0-9]{0,2}"
_AMOUNTS = r"0|(?=[0-9])(?:([1-9][0-9]{0,2})s)?(?:([1-9][0-9]{0,2})f)?(?:([1-9][0-9]{0,2})u)?"
_BOATS = rf"-|(a?)(b{{0,{MOST_BOATS}}})(c{{0,{MOST_BOATS}}})"


def token(rules: Rules, move: HawaiiMove) -> str:
    """The text of a well-formed move."""
    assert isinstance(rules, HawaiiRules)
    match move:
        case Walk(area):
            return f"W:{rules.areas[area]}"
        case Fish(start, level1, level2, feet):
            return f"F:{boats_text(start, level1, level2)}/{feet}"
        case Sail(dock, start, level1, level2):
            return f"S:{dock}/{boats_text(start, level1, level2)}"
        case Pass(spot):
            return f"X:{spot}"
        case Return():
            return "R"
        case Pay(shells, feet, fruit):
            return f"${amounts_text(shells, feet, fruit)}"
        case Buy(kind, level, token):
            return f"B:{rules.kind_codes[kind]}{level}@{token_text(rules, token)}"
        case Place(village):
            return f"V:{village}"
        case TakeFish(fish):
            return f"T:{fish}"
        case TakeTile(kind):
            return f"K:{rules.kind_codes[kind]}"
        case Collect(shells, feet, fruit):
            return f"C:{amounts_text(shells, feet, fruit)}"
        case DrawArea(area):
            return f"@A:{rules.areas[area]}"
        case DrawIsland(island):
            return f"@I:{rules.islands[island]}"
        case DrawToken(token):
            return f"@P:{token_text(rules, token)}"


def parse(rules: Rules, token: str) -> HawaiiMove:
    """The move of a token. Raises BadInput (`hawaii.parse`) when it is none."""
    assert isinstance(rules, HawaiiRules)
    head, colon, rest = token.partition(":")
    if token.startswith("$"):
        move = _amounts(Pay, token[1:])
    elif colon and head in _PARSERS and len(token) <= MOST_CHARACTERS:
        move = _PARSERS[head](rules, rest)
    else:
        move = Return() if (head, colon) == ("R", "") else None
    if move is None:
        raise bad("token", f"{token[:40]!r} is no Hawaii move")
    return move


def _amounts(kind: type[Pay] | type[Collect], text: str) -> HawaiiMove | None:
    found = re.fullmatch(_AMOUNTS, text)
    return kind(*(int(part or 0) for part in found.groups())) if found else None


def _number(text: str, low: int) -> int:
    """The number of a text without leading zero; NONE when it is none, or below `low`."""
    found = re.fullmatch(_N, text)
    return int(text) if found and int(text) >= low else NONE


def _index(names: tuple[str, ...], text: str) -> int:
    return names.index(text) if text in names else NONE


def _token_index(rules: HawaiiRules, text: str) -> int:
    return _index(tuple(token_text(rules, t) for t in range(rules.n_types)), text)


def _sold_index(rules: HawaiiRules, text: str) -> int:
    return _index(rules.kind_codes[: rules.n_kinds], text)


def _boats(text: str) -> tuple[int, int, int] | None:
    found = re.fullmatch(_BOATS, text)
    if found is None or not text:
        return None
    start, level1, level2 = (len(part or "") for part in found.groups())
    return start, level1, level2


def _parse_walk(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    area = _index(rules.areas, text)
    return Walk(area) if area != NONE else None


def _parse_fish(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    boats, _, feet = text.partition("/")
    fleet, paid = _boats(boats), _number(feet, 0)
    return Fish(*fleet, paid) if fleet and paid != NONE else None


def _parse_sail(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    dock, _, boats = text.partition("/")
    fleet = _boats(boats)
    return Sail(int(dock), *fleet) if fleet and re.fullmatch(f"[1-{DOCKS}]", dock) else None


def _parse_pass(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    spot = _number(text, 1)
    return Pass(spot) if spot != NONE else None


def _parse_buy(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    found = re.fullmatch(rf"([a-z]{{2}})({_N})@([0-9]x?)", text)
    if found is None:
        return None
    kind, token = _sold_index(rules, found[1]), _token_index(rules, found[3])
    return Buy(kind, int(found[2]), token) if kind != NONE and token != NONE else None


def _parse_place(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    return Place(int(text)) if re.fullmatch(f"[1-{rules.n_villages}]", text) else None


def _parse_take(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    fish = _number(text, 0)
    return TakeFish(fish) if fish != NONE else None


def _parse_tile(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    kind = _sold_index(rules, text)
    return TakeTile(kind) if kind != NONE else None


def _parse_draw_area(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    area = _index(rules.areas, text)
    return DrawArea(area) if area != NONE else None


def _parse_draw_island(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    island = _index(rules.islands, text)
    return DrawIsland(island) if island != NONE else None


def _parse_draw_token(rules: HawaiiRules, text: str) -> HawaiiMove | None:
    token = _token_index(rules, text)
    return DrawToken(token) if token != NONE else None


_PARSERS: dict[str, Callable[[HawaiiRules, str], HawaiiMove | None]] = {
    "W": _parse_walk,
    "F": _parse_fish,
    "S": _parse_sail,
    "X": _parse_pass,
    "B": _parse_buy,
    "V": _parse_place,
    "T": _parse_take,
    "K": _parse_tile,
    "C": lambda rules, text: _amounts(Collect, text),
    "@A": _parse_draw_area,
    "@I": _parse_draw_island,
    "@P": _parse_draw_token,
}
