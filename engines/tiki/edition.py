"""Edition data and options of Tiki (README sections 1 and 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engines.core.checks import check_options, check_table
from engines.core.game import BadInput, OptionSpec, OptionValue, Violation

OPTIONS = (
    OptionSpec("shaman", "bool", "marshlands let their totem's owner place or move the shaman"),
    OptionSpec(
        "layout",
        "text",
        'nine tile codes as in "1,M,1/X,2,M/1,M,1"; empty = drawn by chance',
        examples=("1,M,1/X,2,M/1,M,1", "1,1,1/M,2,X/M,M,1"),
    ),
    OptionSpec("starter", "enum", "who takes turn 1", choices=("DRAW", "SEAT0", "SEAT1")),
    OptionSpec("tie_return", "enum", "how many spoiled fruits return at a tie", choices=("ALL", "ONE")),
    OptionSpec("turn_limit", "int", "the game ends after this many turns of both seats together", low=1, high=1000),
    OptionSpec("repetition_limit", "int", "ends at this many equal positions; 0 = off, else 2 to 9", low=0, high=9),
)
INVALID = "tiki.edition.invalid"
MAX_TILES = 16

_HEAD = {"id": str, "tikis_per_seat": int, "fruits": int, "win_fruits": int}
_TILE = {"code": str, "name": str, "fruits": int, "shaman": bool, "copies": int}


def check(data: Mapping[str, Any]) -> list[Violation]:
    """Every fault of a parsed edition file, id `tiki.edition.invalid`; empty when it is sound."""
    shape = check_table(data, {"edition": dict, "tile": list, "defaults": dict}, "", INVALID)
    if shape:
        return shape
    head, tiles = data["edition"], data["tile"]
    shape = check_table(head, _HEAD, "edition", INVALID)
    for i, tile in enumerate(tiles):
        shape += check_table(tile, _TILE, f"tile[{i}]", INVALID)
    if shape:
        return shape

    faults: list[Violation] = []

    def need(holds: bool, field: str, sentence: str) -> None:
        if not holds:
            faults.append(Violation(field, sentence, INVALID))

    need(1 <= head["win_fruits"] <= head["fruits"] <= 99, "edition.win_fruits", "needs 1 <= win_fruits <= fruits <= 99")
    need(3 <= head["tikis_per_seat"] <= 27, "edition.tikis_per_seat", "must be 3 to 27")
    need(1 <= len(tiles) <= MAX_TILES, "tile", f"must have 1 to {MAX_TILES} types")
    codes = [tile["code"] for tile in tiles]
    for i, tile in enumerate(tiles):
        path = f"tile[{i}]"
        code_ok = re.fullmatch("[0-9A-Z]{1,2}", tile["code"]) is not None
        need(code_ok, f"{path}.code", "must be one or two of 0-9 and A-Z")
        need(codes.index(tile["code"]) == i, f"{path}.code", f"{tile['code']} is there twice")
        need(-1 <= tile["fruits"] <= 3, f"{path}.fruits", "must be -1 to 3")
        need(tile["fruits"] == 0 or not tile["shaman"], f"{path}.shaman", "only a tile of 0 fruits has the flag")
        need(1 <= tile["copies"] <= 99, f"{path}.copies", "must be 1 to 99")
    need(sum(tile["copies"] for tile in tiles) >= 9, "tile", "the copies must add up to at least 9")
    if not faults:
        try:
            options(data, {})
        except BadInput as error:
            faults += [Violation(f"defaults.{v.field}", v.sentence, INVALID) for v in error.violations]
    return faults


def options(data: Mapping[str, Any], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options, defaults filled in.

    Raises BadInput with `tiki.option.range`, `.layout_size`, `.layout_tile` or `.layout_copies`.
    """
    values = check_options(OPTIONS, data["defaults"], given, "tiki.option.range")
    if values["repetition_limit"] == 1:
        raise BadInput([Violation("repetition_limit", "must be 0, or 2 to 9", "tiki.option.range")])
    layout = str(values["layout"])
    if layout:
        _check_layout(data, layout)
    return values


def split_layout(layout: str) -> list[str]:
    """The nine codes of a layout text, in reading order. Raises BadInput (`tiki.option.layout_size`)."""
    rows = [row.split(",") for row in layout.split("/")]
    if [len(row) for row in rows] != [3, 3, 3]:
        raise BadInput([Violation("layout", "must be three rows of three codes", "tiki.option.layout_size")])
    return [code for row in rows for code in row]


def _check_layout(data: Mapping[str, Any], layout: str) -> None:
    codes = split_layout(layout)
    copies = {tile["code"]: tile["copies"] for tile in data["tile"]}
    unknown = sorted({code for code in codes if code not in copies})
    if unknown:
        raise BadInput(
            [
                Violation("layout", f"the edition has no tile {code[:8]!r}", "tiki.option.layout_tile")
                for code in unknown
            ]
        )
    spent = sorted(code for code in copies if codes.count(code) > copies[code])
    if spent:
        raise BadInput(
            [
                Violation("layout", f"tile {code} has only {copies[code]} copies", "tiki.option.layout_copies")
                for code in spent
            ]
        )
