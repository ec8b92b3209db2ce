"""Edition data and options of Hawaii (README sections 1 and 2): every number of the rules is data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engines.core.checks import check_options, check_table
from engines.core.game import BadInput, OptionSpec, OptionValue, Violation
from engines.hawaii.facts import (
    AMOUNT,
    BOATS,
    CLASSES,
    DOCKS,
    EFFECTS,
    HUT_CAPACITY,
    ISLAND_TILES,
    KINDS,
    POSITIONS,
    SLOTS,
    START_CODE,
    START_HUT,
    TILES,
    TYPES,
    VILLAGES,
)

OPTIONS = (
    OptionSpec(
        "beach_return",
        "enum",
        "the free way back to the beach: part of a walk, a turn of its own, or not there",
        choices=("path", "turn", "off"),
    ),
    OptionSpec("exchange_scope", "enum", "an exchange hut works once per", choices=("turn", "payment")),
    OptionSpec("row_skip", "bool", "a new village may start in any empty row"),
    OptionSpec("limit_equal_stays", "bool", "a price token that makes a sum equal to the limit stays"),
    OptionSpec("laka_scope", "enum", "whose fruit tiles Laka counts", choices=("valid", "all")),
    OptionSpec("tie_break", "enum", "what decides between equal points", choices=("resources", "none")),
    OptionSpec("open_hands", "bool", "shells, feet and fruit of everybody are visible"),
    OptionSpec("open_scores", "bool", "points of everybody are visible"),
)
INVALID = "hawaii.edition.invalid"

_TOP = {
    "edition": dict,
    "start": dict,
    "round": list,
    "realm": dict,
    "position": list,
    "area": list,
    "token": list,
    "dock": list,
    "island": list,
    "kind": list,
    "defaults": dict,
}
_EDITION = {"id": str, "seats_min": int, "seats_max": int, "level_price": list, "first_spot_vp_last_round": int}
_START = {"shells": int, "feet": int, "fruit": list}
_REALM = {
    "villages": int,
    "columns": int,
    "printed_tiki_column": int,
    "start_boat_capacity": int,
    "start_hut_width": int,
    "tiki": list,
    "kahuna": list,
}
_ROWS: dict[str, Mapping[str, type]] = {
    "round": {"target": int, "vp": list, "next_shells": int, "next_feet": int},
    "position": {"x": int, "row": int, "beach": bool, "adj": list},
    "area": {"id": str, "kinds": list, "slots": int, "limit": int},
    "token": {"value": int, "spear": bool, "fish": int, "count": int},
    "dock": {"cost": int, "vp": int},
    "island": {"id": str, "fruit": int, "vp": int, "kinds": list},
    "kind": {"id": str, "name": str, "code": str, "class": str, "count": int, "width": int, "levels": list},
}
_TIKI = {"column": int, "feet": int}
_KAHUNA = {"vp": int, "shells": int}

Fault = tuple[str, str]
"""Field path and sentence."""


def check(data: Mapping[str, Any]) -> list[Violation]:
    """Every fault of a parsed edition file, id `hawaii.edition.invalid`; empty when it is sound.

    Shapes come first, then ranges, then what the parts say of each other: a stage with faults hides the next.
    """
    shape = check_table(data, _TOP, "", INVALID) or _shapes(data)
    if shape:
        return shape
    for stage in (_ranges, _relations):
        faults = [Violation(field, sentence, INVALID) for field, sentence in stage(data)]
        if faults:
            return faults
    try:
        options(data, {})
    except BadInput as error:
        return [Violation(f"defaults.{v.field}", v.sentence, INVALID) for v in error.violations]
    return []


def options(data: Mapping[str, Any], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options, defaults filled in. Raises BadInput (`hawaii.option.range`) with one violation per illegal value."""
    return check_options(OPTIONS, data["defaults"], given, "hawaii.option.range")


def _shapes(data: Mapping[str, Any]) -> list[Violation]:
    faults = check_table(data["edition"], _EDITION, "edition", INVALID)
    faults += check_table(data["start"], _START, "start", INVALID)
    faults += check_table(data["realm"], _REALM, "realm", INVALID)
    for name, shape in _ROWS.items():
        for i, row in enumerate(data[name]):
            faults += check_table(row, shape, f"{name}[{i}]", INVALID)
    if faults:
        return faults
    for name, spaces in (("tiki", _TIKI), ("kahuna", _KAHUNA)):
        for i, row in enumerate(data["realm"][name]):
            faults += check_table(row, spaces, f"realm.{name}[{i}]", INVALID)
    numbers = [("edition.level_price", data["edition"]["level_price"]), ("start.fruit", data["start"]["fruit"])]
    numbers += [(f"round[{i}].vp", row["vp"]) for i, row in enumerate(data["round"])]
    numbers += [(f"position[{i}].adj", row["adj"]) for i, row in enumerate(data["position"])]
    for field, values in numbers:
        if any(type(value) is not int for value in values):
            faults.append(Violation(field, "must be a list of whole numbers", INVALID))
    for name in ("area", "island"):
        for i, row in enumerate(data[name]):
            if any(type(kind) is not str for kind in row["kinds"]):
                faults.append(Violation(f"{name}[{i}].kinds", "must be a list of kind ids", INVALID))
    for i, row in enumerate(data["kind"]):
        for k, level in enumerate(row["levels"]):
            path = f"kind[{i}].levels[{k}]"
            if not isinstance(level, Mapping):
                faults.append(Violation(path, "must be a table", INVALID))
            else:
                faults += check_table(level, {key: int for key in level if key in EFFECTS}, path, INVALID)
    return faults


def _within(field: str, value: int, low: int, high: int) -> Iterator[Fault]:
    if not low <= value <= high:
        yield field, f"must be {low} to {high}"


def _length(field: str, rows: Sequence[object], low: int, high: int) -> Iterator[Fault]:
    if not low <= len(rows) <= high:
        yield field, f"must have {low} entries" if low == high else f"must have {low} to {high} entries"


def _ranges(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Lengths and numbers, each by itself; the capacities of `facts`."""
    head, start, realm = data["edition"], data["start"], data["realm"]
    yield from _within("edition.seats_min", head["seats_min"], 2, 5)
    yield from _within("edition.seats_max", head["seats_max"], max(2, head["seats_min"]), 5)
    yield from _length("edition.level_price", head["level_price"], 1, 2)
    for i, factor in enumerate(head["level_price"]):
        yield from _within(f"edition.level_price[{i}]", factor, 1, AMOUNT)
    yield from _within("edition.first_spot_vp_last_round", head["first_spot_vp_last_round"], 0, 99)
    for name in ("shells", "feet"):
        yield from _within(f"start.{name}", start[name], 0, 99)
    yield from _length("start.fruit", start["fruit"], head["seats_max"], head["seats_max"])
    for i, fruit in enumerate(start["fruit"]):
        yield from _within(f"start.fruit[{i}]", fruit, 0, 99)

    yield from _within("realm.villages", realm["villages"], 1, VILLAGES)
    yield from _within("realm.columns", realm["columns"], 1, 20)
    yield from _within("realm.printed_tiki_column", realm["printed_tiki_column"], 1, 20)
    yield from _within("realm.start_boat_capacity", realm["start_boat_capacity"], 1, 9)
    yield from _within("realm.start_hut_width", realm["start_hut_width"], 1, 9)
    yield from _length("realm.tiki", realm["tiki"], 0, 8)
    for i, space in enumerate(realm["tiki"]):
        yield from _within(f"realm.tiki[{i}].column", space["column"], 1, 20)
        yield from _within(f"realm.tiki[{i}].feet", space["feet"], 0, 99)
    yield from _length("realm.kahuna", realm["kahuna"], realm["villages"], realm["villages"])
    for i, space in enumerate(realm["kahuna"]):
        yield from _within(f"realm.kahuna[{i}].vp", space["vp"], 0, 99)
        yield from _within(f"realm.kahuna[{i}].shells", space["shells"], 0, 99)

    lengths = {
        "round": (1, 5),
        "position": (POSITIONS, POSITIONS),
        "area": (POSITIONS, POSITIONS),
        "token": (1, TYPES),
        "dock": (DOCKS, DOCKS),
        "island": (1, ISLAND_TILES),
        "kind": (1, KINDS),
    }
    for name, (low, high) in lengths.items():
        yield from _length(name, data[name], low, high)
    numbers = {
        "round": {"target": (0, 99), "next_shells": (0, 99), "next_feet": (0, 99)},
        "position": {"x": (0, 40), "row": (0, 9)},
        "area": {"slots": (1, SLOTS), "limit": (1, 99)},
        "token": {"value": (1, 9), "fish": (1, 9), "count": (1, 99)},
        "dock": {"cost": (1, AMOUNT), "vp": (0, 99)},
        "island": {"fruit": (0, 99), "vp": (0, 99)},
        "kind": {"count": (1, 99), "width": (0, 9)},
    }
    for name, keys in numbers.items():
        for i, row in enumerate(data[name]):
            for key, (low, high) in keys.items():
                yield from _within(f"{name}[{i}].{key}", row[key], low, high)
    for i, row in enumerate(data["round"]):
        yield from _length(f"round[{i}].vp", row["vp"], 3, 3)
        for k, points in enumerate(row["vp"]):
            yield from _within(f"round[{i}].vp[{k}]", points, 0, 99)
    for i, row in enumerate(data["position"]):
        for k, other in enumerate(row["adj"]):
            yield from _within(f"position[{i}].adj[{k}]", other, 0, POSITIONS - 1)
    for name in ("area", "island"):
        for i, row in enumerate(data[name]):
            if re.fullmatch("[0-9A-Z]{1,8}", row["id"]) is None:
                yield f"{name}[{i}].id", "must be one to eight of 0-9 and A-Z"
    for i, row in enumerate(data["kind"]):
        yield from _kind(f"kind[{i}]", row)


def _kind(path: str, row: Mapping[str, Any]) -> Iterator[Fault]:
    if re.fullmatch("[a-z][a-z_]{0,30}", row["id"]) is None:
        yield f"{path}.id", "must be a word of a-z and _"
    if not 1 <= len(row["name"]) <= 40:
        yield f"{path}.name", "must be 1 to 40 characters"
    if re.fullmatch("[a-z]{2}", row["code"]) is None:
        yield f"{path}.code", "must be two letters"
    if row["class"] not in CLASSES:
        yield f"{path}.class", f"must be one of {', '.join(CLASSES)}"
    yield from _length(f"{path}.levels", row["levels"], 1, 2)
    for k, level in enumerate(row["levels"]):
        for key, value in level.items():
            yield from _within(f"{path}.levels[{k}].{key}", value, 0, 15)
        if ("boat_capacity" in level) != (row["class"] == "boat") or (
            "boat_prepaid" in level and row["class"] != "boat"
        ):
            yield f"{path}.levels[{k}]", "every boat has a capacity, and nothing else has"
        elif level.get("boat_prepaid", 0) >= level.get("boat_capacity", 1):
            yield f"{path}.levels[{k}].boat_prepaid", "must be below the capacity"


def _unique(field: str, values: Sequence[object]) -> Iterator[Fault]:
    for i, value in enumerate(values):
        if values.index(value) != i:
            yield field.format(i), f"{value} is there twice"


def _relations(data: Mapping[str, Any]) -> Iterator[Fault]:
    """What the parts of the edition say of each other."""
    kinds, areas, tokens = data["kind"], data["area"], data["token"]
    ids = [kind["id"] for kind in kinds]
    for i, kind in enumerate(kinds):
        for key, reserved in (("id", START_HUT), ("code", START_CODE)):
            if kind[key] == reserved:
                yield f"kind[{i}].{key}", f"{reserved} is the start hut's"
    yield from _unique("kind[{}].id", ids)
    yield from _unique("kind[{}].code", [kind["code"] for kind in kinds])
    yield from _unique("area[{}].id", [area["id"] for area in areas])
    yield from _unique("island[{}].id", [island["id"] for island in data["island"]])
    yield from _unique("token[{}]", [(token["value"], token["spear"]) for token in tokens])
    order = [(token["value"], token["spear"]) for token in tokens]
    if order != sorted(order):
        yield "token", "must be sorted by value, without spear before with spear"
    for name in ("area", "island"):
        for i, row in enumerate(data[name]):
            for k, kind in enumerate(row["kinds"]):
                if kind not in ids:
                    yield f"{name}[{i}].kinds[{k}]", f"there is no kind {kind[:40]}"
            yield from _unique(f"{name}[{i}].kinds[{{}}]", row["kinds"])
    for i, kind in enumerate(ids):
        sold = sum(area["kinds"].count(kind) for area in areas)
        if sold != 1:
            yield f"kind[{i}]", f"{kind} must be sold in exactly one area, not {sold}"
    for name in ("boat", "kahuna", "tiki"):
        if sum(kind["class"] == name for kind in kinds) != 1:
            yield "kind", f"exactly one kind must be of class {name}"
    yield from _prices(data)
    yield from _capacities(data)
    yield from _graph(data["position"])


def _prices(data: Mapping[str, Any]) -> Iterator[Fault]:
    """The bag serves every round, no area can exceed its limit unseen, every level has its price."""
    tokens, levels = data["token"], len(data["edition"]["level_price"])
    dearest = max(token["value"] for token in tokens)
    needed = sum(area["slots"] for area in data["area"]) + data["edition"]["seats_max"] - 1
    there = sum(token["count"] for token in tokens)
    if needed > there:
        yield "token", f"a round needs {needed} tokens, there are {there}"
    for i, area in enumerate(data["area"]):
        if area["limit"] < (area["slots"] - 1) * dearest:
            yield f"area[{i}].limit", f"must be at least {(area['slots'] - 1) * dearest}: the slots without a limit"
    for i, kind in enumerate(data["kind"]):
        if len(kind["levels"]) > levels:
            yield f"kind[{i}].levels", f"edition.level_price has only {levels} entries"
    top = dearest * max(data["edition"]["level_price"])
    if top > AMOUNT:
        yield "edition.level_price", f"the highest price is {top}, more than {AMOUNT}"


def _capacities(data: Mapping[str, Any]) -> Iterator[Fault]:
    """What the native tables hold."""
    kinds, villages = data["kind"], data["realm"]["villages"]

    def most(effect: str) -> int:
        return int(villages * sum(max(level.get(effect, 0) for level in kind["levels"]) for kind in kinds))

    laid = sum(kind["class"] not in ("god", "boat", "kahuna", "tiki") for kind in kinds) + 2
    if laid > TILES:
        yield "kind", f"a village could have {laid} tiles, more than {TILES}"
    boats = sum(kind["count"] for kind in kinds if kind["class"] == "boat")
    if boats > BOATS:
        yield "kind", f"there are {boats} boats, more than {BOATS}"
    if most("any_per_round") > AMOUNT:
        yield "kind", f"any_per_round could add up to {most('any_per_round')}, more than {AMOUNT}"
    if most("exchange") > HUT_CAPACITY:
        yield "kind", f"exchange could add up to {most('exchange')}, more than {HUT_CAPACITY}"
    for i, kind in enumerate(kinds):
        laid_in_village = kind["class"] not in ("boat", "kahuna", "tiki")
        if laid_in_village and kind["width"] == 0:
            yield f"kind[{i}].width", "must be at least 1"
        if not laid_in_village and any(
            key not in ("boat_capacity", "boat_prepaid") for lv in kind["levels"] for key in lv
        ):
            yield f"kind[{i}].levels", f"a {kind['class']} has no effect in a village"


def _graph(positions: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    for i, row in enumerate(positions):
        yield from _unique(f"position[{i}].adj[{{}}]", row["adj"])
        for k, other in enumerate(row["adj"]):
            if other == i or i not in positions[other]["adj"]:
                yield f"position[{i}].adj[{k}]", f"{i} and {other} must be neighbours of each other"
    far = [i for i, steps in enumerate(beach_steps(positions)) if steps < 0]
    if far:
        yield "position", f"{far[0]} cannot be reached from the beach"


def steps_from(positions: Sequence[Mapping[str, Any]], sources: Sequence[int]) -> list[int]:
    """Steps to each position from the nearest of `sources`; -1 where none leads there."""
    steps = [-1] * len(positions)
    for source in sources:
        steps[source] = 0
    reached = list(sources)
    for position in reached:
        for other in positions[position]["adj"]:
            if steps[other] < 0:
                steps[other] = steps[position] + 1
                reached.append(other)
    return steps


def beach_steps(positions: Sequence[Mapping[str, Any]]) -> list[int]:
    """Steps to each position from the nearest one at the beach; -1 where none leads there."""
    return steps_from(positions, [i for i, row in enumerate(positions) if row["beach"]])
