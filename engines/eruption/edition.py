"""Edition data and options of Eruption (README sections 1 and 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engines.core.checks import check_options, check_table, is_of
from engines.core.game import OptionSpec, OptionValue, Violation
from engines.eruption.facts import (
    AT,
    CARDS,
    ERUPTION_TILES,
    HEXES,
    KINDS,
    MATERIALS,
    MODES,
    NAME_AT,
    PILES,
    STEPS,
    VILLAGE_EDGES,
    VILLAGES,
    VOLCANO_HEXES,
)
from engines.eruption.geometry import edge_of

LAYOUTS = ("halves", "opposite")
OPTIONS = (
    OptionSpec("mode", "enum", "base rules, teams, or play until one village is left", choices=MODES),
    OptionSpec("clans_layout", "enum", "who is a team in clans: half the table, or facing seats", choices=LAYOUTS),
    OptionSpec("forecast", "bool", "the lava tiles lie in three piles with open tops to choose from"),
    OptionSpec("no_rain", "bool", "the Rain cards stay in the box"),
    OptionSpec("ply_limit", "int", "the game ends after this many moves", low=500, high=1_000_000),
)
DEFAULTS = {"mode": "base", "clans_layout": "halves", "forecast": False, "no_rain": False, "ply_limit": 5000}
INVALID = "eruption.edition.invalid"
SOURCE = "ERUPTION"
"""Name of the eruption tile in the edition file."""
CLAN_SEATS = (4, 6)

_TABLES = dict.fromkeys(
    (
        "edition",
        "numbers",
        "materials",
        "cards",
        "tiles",
        "board",
        "resources",
        "villages",
        "villages_by_seats",
        "clans",
        "forecast",
    ),
    dict,
)
_NUMBERS = {
    "damage_open_flow": (0, 290),
    "damage_lost_wall": (0, 290),
    "eruption_heat": (0, 290),
    "rain": (0, 290),
    "meter_step": (1, 290),
    "meter_last": (1, 1000),
    "hand_start": (1, 6),
    "hand_limit": (0, 36),
    "builds_per_turn": (0, 9),
    "extra_builds_from_zone": (1, ERUPTION_TILES + 1),
    "extra_card_from_zone": (1, ERUPTION_TILES + 1),
    "extra_tile_from_zone": (1, ERUPTION_TILES + 1),
    "pair_size": (2, 2),
    "eruption_tiles_per_turn": (1, 1),
    "die_sides": (6, 6),
}
_HEATS = ("damage_open_flow", "damage_lost_wall", "eruption_heat", "rain", "meter_last")

Fault = tuple[str, str]
"""Field path and sentence."""


def check(data: Mapping[str, Any]) -> list[Violation]:
    """Every fault of a parsed edition file, id `eruption.edition.invalid`; empty when it is sound.

    Shapes come first: when one of them is broken, the contents are not looked at.
    """
    shape = check_table(data, _TABLES, "", INVALID) or [v for part in _shapes(data) for v in part]
    if shape:
        return shape
    parts = (_numbers, _materials, _cards, _tiles, _board, _resources, _villages, _seats)
    return [Violation(field, sentence, INVALID) for part in parts for field, sentence in part(data)]


def options(data: Mapping[str, Any], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options, defaults filled in. Raises BadInput (`eruption.option.range`)."""
    return check_options(OPTIONS, DEFAULTS, given, "eruption.option.range")


def check_seats(seats: int, values: Mapping[str, OptionValue]) -> list[Violation]:
    """Options that do not go with the number of seats: clans need 4 or 6."""
    if values["mode"] == "clans" and seats not in CLAN_SEATS:
        return [Violation("seats", f"clans are played by 4 or 6 seats, not {seats}", "eruption.option.clans")]
    return []


def _shapes(data: Mapping[str, Any]) -> Iterator[list[Violation]]:
    def table(value: object, shape: Mapping[str, type], path: str) -> list[Violation]:
        return check_table(value, shape, path, INVALID)

    yield table(data["edition"], {"id": str}, "edition")
    lists: dict[str, type] = {"zone_starts": list, "eruption_spaces": list, "walls_start": dict}
    yield table(data["numbers"], dict.fromkeys(_NUMBERS, int) | lists, "numbers")
    yield table(data["materials"], dict.fromkeys(MATERIALS, dict), "materials")
    for name, row in data["materials"].items():
        yield table(row, {"stock": int, "die_bonus": int, "points": int, "weaker": str}, f"materials.{name}")
    yield table(data["cards"], dict.fromkeys(CARDS, dict), "cards")
    for name, row in data["cards"].items():
        yield table(row, {"name": str, "count": int, "wall": str}, f"cards.{name}")
    for name, row in data["tiles"].items():
        yield table(row, {"edges": list, "count": int, "source": bool}, f"tiles.{name}")
    yield table(data["board"], dict.fromkeys(("volcano", "mouths", "hexes"), list), "board")
    yield table(data["resources"], dict.fromkeys(MATERIALS, list), "resources")
    for name, row in data["villages"].items():
        yield table(row, {"letter": str, "edges": list}, f"villages.{name}")
    yield table(data["villages_by_seats"], dict.fromkeys(("2", "3", "4", "5", "6"), list), "villages_by_seats")
    clans = [f"{layout}_{seats}" for layout in LAYOUTS for seats in CLAN_SEATS]
    yield table(data["clans"], dict.fromkeys(clans, list), "clans")
    yield table(data["forecast"], {"piles": list}, "forecast")


def _range(path: str, value: object, low: int, high: int) -> Iterator[Fault]:
    if not is_of(value, int) or not low <= value <= high:  # type: ignore[operator]  # an int by then
        yield path, f"must be {low}" if low == high else f"must be {low} to {high}"


def _numbers(data: Mapping[str, Any]) -> Iterator[Fault]:
    numbers = data["numbers"]
    for name, (low, high) in _NUMBERS.items():
        yield from _range(f"numbers.{name}", numbers[name], low, high)
    if numbers["hand_start"] > numbers["hand_limit"]:
        yield "numbers.hand_start", "must not exceed hand_limit"
    step = numbers["meter_step"]
    for name in _HEATS:
        if step > 0 and numbers[name] % step:
            yield f"numbers.{name}", f"must be a multiple of meter_step, {step}"
    for name in ("zone_starts", "eruption_spaces"):
        spaces = numbers[name]
        for i, space in enumerate(spaces[:ERUPTION_TILES]):
            yield from _range(f"numbers.{name}[{i}]", space, 1, max(numbers["meter_last"], 1))
        if len(spaces) != ERUPTION_TILES or any(not is_of(space, int) for space in spaces) or spaces != sorted(spaces):
            yield f"numbers.{name}", "must be three rising temperatures"
    if set(numbers["walls_start"]) != set(MATERIALS):
        yield "numbers.walls_start", f"must have {', '.join(MATERIALS)}"
    for name, pieces in numbers["walls_start"].items():
        yield from _range(f"numbers.walls_start.{name}", pieces, 0, 9)
        if name in MATERIALS and is_of(pieces, int) and 6 * pieces > data["materials"][name]["stock"]:
            yield f"numbers.walls_start.{name}", "the stock has fewer pieces than six seats start with"


def _materials(data: Mapping[str, Any]) -> Iterator[Fault]:
    for m, name in enumerate(MATERIALS):
        row = data["materials"][name]
        yield from _range(f"materials.{name}.stock", row["stock"], 0, 99)
        yield from _range(f"materials.{name}.die_bonus", row["die_bonus"], 0, 6)
        yield from _range(f"materials.{name}.points", row["points"], 0, 99)
        if row["weaker"] not in ("", *MATERIALS[:m]):
            yield f"materials.{name}.weaker", "must be a weaker material, or empty"


def _cards(data: Mapping[str, Any]) -> Iterator[Fault]:
    for name in CARDS:
        row = data["cards"][name]
        yield from _range(f"cards.{name}.count", row["count"], 0, 20)
        if row["wall"] not in MATERIALS:
            yield f"cards.{name}.wall", f"must be one of {', '.join(MATERIALS)}"
    without_rain = sum(row["count"] for name, row in data["cards"].items() if name != "RN")
    if not 6 * data["numbers"]["hand_start"] <= without_rain <= 99:
        yield "cards", "without Rain there must be enough cards for six seats, and at most 99"


def _tiles(data: Mapping[str, Any]) -> Iterator[Fault]:
    tiles = data["tiles"]
    if not 2 <= len(tiles) <= KINDS:
        yield "tiles", f"must have 2 to {KINDS} kinds"
    for name, row in tiles.items():
        edges = row["edges"]
        sound = all(is_of(e, int) and 0 <= e < 6 for e in edges) and 0 < len(edges) == len(set(edges))
        if not sound or edges != sorted(edges):
            yield f"tiles.{name}.edges", "must be rising directions 0 to 5"
            continue
        digits = "".join(str(e) for e in edges)
        if name not in ("T" + digits, SOURCE) or row["source"] != (name == SOURCE):
            yield f"tiles.{name}", f"must be named T{digits}, or {SOURCE} for the one kind that is a source"
        if name == SOURCE and (row["count"] != ERUPTION_TILES or len(edges) != 6):
            yield f"tiles.{name}", f"must be {ERUPTION_TILES} tiles with lava on all edges"
        yield from _range(f"tiles.{name}.count", row["count"], 0, 60)
    if SOURCE not in tiles:
        yield "tiles", f"must have the kind {SOURCE}"
    if not 1 <= sum(row["count"] for row in tiles.values()) <= 99:
        yield "tiles", "must be 1 to 99 tiles"
    piles = data["forecast"]["piles"]
    lava = sum(row["count"] for name, row in tiles.items() if name != SOURCE)
    if len(piles) != PILES or not all(is_of(p, int) and p >= 0 for p in piles) or sum(piles) != lava:
        yield "forecast.piles", f"must be {PILES} piles of {lava} tiles together"


def _names(path: str, names: list[object], known: Mapping[str, object]) -> Iterator[Fault]:
    for i, name in enumerate(names):
        if not is_of(name, str) or name not in known:
            yield f"{path}[{i}]", "is no hex of the board"
        elif names.index(name) != i:
            yield f"{path}[{i}]", "is there twice"


def _board(data: Mapping[str, Any]) -> Iterator[Fault]:
    board = data["board"]
    faults = [*_names("board.hexes", board["hexes"], AT), *_names("board.volcano", board["volcano"], AT)]
    yield from faults
    if not 1 <= len(board["hexes"]) <= HEXES:
        yield "board.hexes", f"must be 1 to {HEXES} hexes"
    if not 1 <= len(board["volcano"]) <= VOLCANO_HEXES:
        yield "board.volcano", f"must be 1 to {VOLCANO_HEXES} hexes"
    if faults:
        return
    if set(board["hexes"]) & set(board["volcano"]):
        yield "board.volcano", "shares a hex with the tile hexes"
    for i, name in enumerate(board["mouths"]):
        edge = edge_of(name) if is_of(name, str) else None
        if edge is None or edge[0] not in board["volcano"] or _beyond(edge) not in board["hexes"]:
            yield f"board.mouths[{i}]", "must be a volcano edge that faces a tile hex"
        elif board["mouths"].index(name) != i:
            yield f"board.mouths[{i}]", "is there twice"


def _beyond(edge: tuple[str, int]) -> str:
    """The hex on the other side of an edge; "" outside the grid."""
    (q, r), (dq, dr) = AT[edge[0]], STEPS[edge[1]]
    return NAME_AT.get((q + dq, r + dr), "")


def _resources(data: Mapping[str, Any]) -> Iterator[Fault]:
    named = [name for material in MATERIALS for name in data["resources"][material]]
    for material in MATERIALS:
        for i, name in enumerate(data["resources"][material]):
            if name not in data["board"]["hexes"] or named.count(name) > 1:
                yield f"resources.{material}[{i}]", "must be a tile hex that is named once"


def _villages(data: Mapping[str, Any]) -> Iterator[Fault]:
    villages, board = data["villages"], data["board"]
    if not 1 <= len(villages) <= VILLAGES:
        yield "villages", f"must be 1 to {VILLAGES}"
    named: list[object] = []
    letters: list[str] = []
    for name, row in villages.items():
        if not re.fullmatch("[A-Z]", row["letter"]) or row["letter"] in letters:
            yield f"villages.{name}.letter", "must be a capital of its own"
        letters.append(row["letter"])
        if len(row["edges"]) != VILLAGE_EDGES:
            yield f"villages.{name}.edges", f"must be {VILLAGE_EDGES} edges"
        for i, text in enumerate(row["edges"]):
            edge = edge_of(text) if is_of(text, str) else None
            beyond = "" if edge is None else _beyond(edge)
            if edge is None or edge[0] not in board["hexes"] or beyond in (*board["hexes"], *board["volcano"]):
                yield f"villages.{name}.edges[{i}]", "must be an outer edge of a tile hex"
            elif text in named:
                yield f"villages.{name}.edges[{i}]", "is there twice"
            named.append(text)


def _seats(data: Mapping[str, Any]) -> Iterator[Fault]:
    for key, owned in data["villages_by_seats"].items():
        unknown = [name for name in owned if not is_of(name, str) or name not in data["villages"]]
        if unknown or len(owned) != int(key) or len(set(owned)) != int(key):
            yield f"villages_by_seats.{key}", f"must name {key} different villages"
    for key, teams in data["clans"].items():
        seats = int(key[-1])
        known = all(is_of(team, int) and 0 <= team < seats for team in teams)
        if not known or len(teams) != seats or len({teams.count(team) for team in teams}) != 1 or len(set(teams)) < 2:
            yield f"clans.{key}", f"must give {seats} seats to two or more teams of equal size"
