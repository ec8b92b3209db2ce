"""Edition data and options of Village of Gaul (README sections 1 and 2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from engines.core.checks import check_options, check_table, is_of
from engines.core.constants import MOVES_CAPACITY
from engines.core.game import BadInput, OptionSpec, OptionValue, Violation
from engines.gaul.facts import (
    ACTIONS,
    DECLINE_RULES,
    MAX_DISTRICTS,
    MAX_FACES,
    MAX_HAND,
    MAX_KINDS,
    MAX_SEATS,
    MAX_TOOLS,
    SWAP_SCOPES,
    Face,
)

OPTIONS = (
    OptionSpec("decline", "enum", "which card actions may be turned down", choices=DECLINE_RULES),
    OptionSpec("swap_scope", "enum", "which played cards a swap may name", choices=SWAP_SCOPES),
    OptionSpec("swap_self", "bool", "the swap card just played may be one of the two"),
)
INVALID = "gaul.edition.invalid"
CONFIG = "gaul.state.config"

_HEAD = {
    "id": str,
    "seats_min": int,
    "seats_max": int,
    "rounds": int,
    "hand": int,
    "trigger": int,
    "points_per_menhir": int,
    "aisling_bonus": int,
}
_DISTRICT = {"id": str, "letter": str, "menhirs": int, "xy": list, "adjacent": list}
_TOOL = {"id": str, "letter": str}
_CARD = re.compile(rf"([A-Z])([A-Z])([1-9])([{ACTIONS}])(?:\*([1-9][0-9]?))?")


class Card(NamedTuple):
    """One entry of the deck: a kind and how many cards of it there are."""

    face: Face
    action: int
    copies: int


def deck(data: Mapping[str, Any]) -> list[Card | None]:
    """The kinds of the deck in the order of the edition; None for an entry that is no card."""
    districts = [d["letter"] for d in data["district"]]
    tools = [t["letter"] for t in data["tool"]]
    cards: list[Card | None] = []
    for entry in data["deck"]["cards"]:
        found = _CARD.fullmatch(entry) if isinstance(entry, str) else None
        if found is None or found[1] not in districts or found[2] not in tools:
            cards.append(None)
        else:
            face = Face(districts.index(found[1]), tools.index(found[2]), int(found[3]))
            cards.append(Card(face, ACTIONS.index(found[4]), int(found[5] or 1)))
    return cards


def check(data: Mapping[str, Any]) -> list[Violation]:
    """Every fault of a parsed edition file, id `gaul.edition.invalid`; empty when it is sound."""
    faults = _shape(data)
    if not faults:
        for part in (_numbers, _names, _board, _cards):
            faults += [Violation(field, sentence, INVALID) for field, sentence in part(data)]
    if not faults:
        try:
            options(data, {})
        except BadInput as error:
            faults += [Violation(f"defaults.{v.field}", v.sentence, INVALID) for v in error.violations]
    return faults


def _shape(data: Mapping[str, Any]) -> list[Violation]:
    top = {"edition": dict, "district": list, "tool": list, "deck": dict, "defaults": dict}
    faults = check_table(data, top, "", INVALID)
    if faults:
        return faults
    faults = check_table(data["edition"], _HEAD, "edition", INVALID) + check_table(
        data["deck"], {"cards": list}, "deck", INVALID
    )
    for i, district in enumerate(data["district"]):
        faults += check_table(district, _DISTRICT, f"district[{i}]", INVALID)
    for i, tool in enumerate(data["tool"]):
        faults += check_table(tool, _TOOL, f"tool[{i}]", INVALID)
    return faults


Fault = tuple[str, str]
"""Field path and sentence."""


def _between(table: Mapping[str, Any], path: str, key: str, low: int, high: int) -> list[Fault]:
    if low <= table[key] <= high:
        return []
    return [(f"{path}.{key}", f"must be {low} to {high}")]


def _numbers(data: Mapping[str, Any]) -> list[Fault]:
    head = data["edition"]
    faults = [
        *_between(head, "edition", "seats_max", 2, MAX_SEATS),
        *_between(head, "edition", "seats_min", 2, min(MAX_SEATS, max(2, head["seats_max"]))),
        *_between(head, "edition", "hand", 1, MAX_HAND),
        *_between(head, "edition", "rounds", 1, min(MAX_HAND, max(1, head["hand"]))),
        *_between(head, "edition", "trigger", 1, 99),
        *_between(head, "edition", "points_per_menhir", 0, 99),
        *_between(head, "edition", "aisling_bonus", 0, 99),
    ]
    if not re.fullmatch("[a-z0-9][a-z0-9-]{0,39}", head["id"]):
        faults.append(("edition.id", "must be 1 to 40 small letters, digits and hyphens"))
    # Before a swap card each tool shows fewer symbols than the trigger, so at most this many entries lie on the table,
    # one exhausted card per seat included; spread evenly they make the longest list (README section 11).
    seats = head["seats_max"]
    entries = len(data["tool"]) * (head["trigger"] - 1) + 1 + seats
    if not faults and entries * entries * (seats - 1) // (2 * seats) + 1 > MOVES_CAPACITY:
        faults.append(("edition.trigger", f"lets a swap have more than {MOVES_CAPACITY} moves"))
    return faults


def _names(data: Mapping[str, Any]) -> list[Fault]:
    faults = []
    for table, low, high in (("district", 2, MAX_DISTRICTS), ("tool", 1, MAX_TOOLS)):
        rows = data[table]
        if not low <= len(rows) <= high:
            faults.append((table, f"must have {low} to {high} entries"))
        for key, pattern, words in (("id", "[a-z_]{1,20}", "1 to 20 small letters"), ("letter", "[A-Z]", "a capital")):
            values = [row[key] for row in rows]
            for i, value in enumerate(values):
                if not re.fullmatch(pattern, value):
                    faults.append((f"{table}[{i}].{key}", f"must be {words}"))
                if values.index(value) != i:
                    faults.append((f"{table}[{i}].{key}", f"{value[:20]} is there twice"))
    return faults


def _board(data: Mapping[str, Any]) -> list[Fault]:
    rows = data["district"]
    near = {row["id"]: row["adjacent"] for row in rows}
    faults = []
    for i, row in enumerate(rows):
        path = f"district[{i}]"
        faults += _between(row, path, "menhirs", 0, 127)
        if len(row["xy"]) != 2 or not all(is_of(v, int) and -9 <= v <= 9 for v in row["xy"]):
            faults.append((f"{path}.xy", "must be two whole numbers from -9 to 9"))
        elif any(row["xy"] == other["xy"] for other in rows[:i]):
            faults.append((f"{path}.xy", "is the place of another district"))
        for other in row["adjacent"]:
            if not isinstance(other, str) or other not in near:
                faults.append((f"{path}.adjacent", "names no district of the file"))
            elif other == row["id"]:
                faults.append((f"{path}.adjacent", "a district is not adjacent to itself"))
            elif row["id"] not in near[other]:
                faults.append((f"{path}.adjacent", f"{other} does not name {row['id']} in turn"))
        if len({str(other) for other in row["adjacent"]}) != len(row["adjacent"]):
            faults.append((f"{path}.adjacent", "names a district twice"))
    if sum(row["menhirs"] for row in rows) > 127:
        faults.append(("district", "all menhirs together must be at most 127"))
    return faults


def _cards(data: Mapping[str, Any]) -> list[Fault]:
    cards = deck(data)
    faults = [(f"deck.cards[{i}]", "is no card") for i, card in enumerate(cards) if card is None]
    sound = [card for card in cards if card is not None]
    seen = Counter((card.face, card.action) for card in sound)
    for i, card in enumerate(cards):
        if card is not None and seen[card.face, card.action] > 1:
            faults.append((f"deck.cards[{i}]", "is listed twice (copies are written *n)"))
    if len(cards) > MAX_KINDS:
        faults.append(("deck.cards", f"must be at most {MAX_KINDS} kinds"))
    if len({card.face for card in sound}) > MAX_FACES:
        faults.append(("deck.cards", f"must show at most {MAX_FACES} different faces"))
    need = data["edition"]["seats_max"] * data["edition"]["hand"]
    if sum(card.copies for card in sound) < need:
        faults.append(("deck.cards", f"must be at least {need} cards for the hands"))
    return faults


def options(data: Mapping[str, Any], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options, defaults filled in. Raises BadInput with `gaul.state.config`."""
    return check_options(OPTIONS, data["defaults"], given, CONFIG)
