"""Edition data and options of Kilauea (README sections 1 and 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engines.core.checks import check_options, check_table, is_of
from engines.core.game import BadInput, OptionSpec, OptionValue, Violation
from engines.kilauea import steps
from engines.kilauea.facts import (
    EXTRAS,
    FACE_LETTERS,
    FACES,
    FACTS,
    MAX_COLOURS,
    MAX_DIGIT,
    MAX_SEALS,
    MAX_SPACES,
    MAX_TRACK,
    SECTIONS,
    TILES,
)
from engines.kilauea.forests import TILE_SLOT, Face, read_faces

OPTIONS = (
    OptionSpec("extra", "enum", "which extra tile stands in for the plain one", choices=EXTRAS),
    OptionSpec(
        "faces",
        "text",
        "for boards 1 to 5 the side that lies up: f front, b back, r drawn by chance",
        examples=("bbbbb", "rrrrr", "fbrfb"),
    ),
    OptionSpec("turn_limit", "int", "the game is scored as it stands after this many turns", low=1, high=2000),
)
INVALID = "kilauea.edition.invalid"

_SHAPE = {
    "edition": dict,
    "limits": dict,
    "score": dict,
    "volcano": dict,
    "tiles": dict,
    "track": dict,
    "seats": dict,
    "forest": list,
    "effect": dict,
    "defaults": dict,
}
_TABLES: dict[str, dict[str, type]] = {
    "edition": {"id": str, "colours": list, "flowers": list},
    "limits": {
        "canoe_tikis": int,
        "canoe_stones": int,
        "pillar_height": int,
        "crater_start": int,
        "volcano_stones_max": int,
        "island_cost": int,
        "seals": int,
        "stones_in_box": int,
    },
    "score": {
        "tallest": int,
        "other": int,
        "all_islands": int,
        "stones_per_vp": int,
        "canoe_tiki": int,
        "intermediate_at": int,
        "final_at": int,
    },
    "volcano": {"pillars": list},
    "tiles": {"reef_face": str, "volcano_face": str, "extra_replaces": int},
    "track": {"start": int, "space": list},
}
_SPACE = {"section": int, "reef": int, "p34": bool}
_SEATS = {"tikis_per_colour": int, "marked_spaces_used": bool, "start_stones": list}
_FOREST = {"board": int, "face": str, "rows": list, "paths": list, "p34": str}
_LIMITS = {
    "canoe_tikis": (2, MAX_DIGIT),
    "canoe_stones": (0, MAX_DIGIT),
    "pillar_height": (1, MAX_DIGIT),
    "crater_start": (0, 60),
    "volcano_stones_max": (0, MAX_DIGIT),
    "island_cost": (0, MAX_DIGIT),
    "seals": (1, MAX_SEALS),
    "stones_in_box": (0, 99),
}
_SCORE = {
    "tallest": (0, 20),
    "other": (0, 20),
    "all_islands": (0, 100),
    "stones_per_vp": (1, 99),
    "canoe_tiki": (0, 20),
    "intermediate_at": (1, SECTIONS),
    "final_at": (1, SECTIONS),
}


class _Faults(list[Violation]):
    def need(self, holds: bool, field: str, sentence: str) -> None:
        if not holds:
            self.append(Violation(field, sentence, INVALID))

    def ranges(self, table: Mapping[str, Any], path: str, bounds: Mapping[str, tuple[int, int]]) -> None:
        for key, (low, high) in bounds.items():
            self.need(low <= table[key] <= high, f"{path}.{key}", f"must be {low} to {high}")


def check(data: Mapping[str, Any]) -> list[Violation]:
    """Every fault of a parsed edition file, id `kilauea.edition.invalid`; empty when it is sound.

    What a later part takes for granted is checked by an earlier one, so a fault hides those of the parts after it.
    """
    for part in (_shape, _numbers, _forests, _whole):
        faults = part(data)
        if faults:
            return faults
    return []


def _shape(data: Mapping[str, Any]) -> list[Violation]:
    faults = check_table(data, _SHAPE, "", INVALID)
    if faults:
        return faults
    for name, shape in _TABLES.items():
        faults += check_table(data[name], shape, name, INVALID)
    if faults:
        return faults
    for i, space in enumerate(data["track"]["space"]):
        faults += check_table(space, _SPACE, f"track.space[{i}]", INVALID)
    faults += check_table(data["seats"], {str(n): dict for n in FACTS.seats}, "seats", INVALID)
    for n, table in data["seats"].items():
        faults += check_table(table, _SEATS, f"seats.{n}", INVALID)
    for i, forest in enumerate(data["forest"]):
        faults += check_table(forest, _FOREST, f"forest[{i}]", INVALID)
    return faults or _lists(data)


def _lists(data: Mapping[str, Any]) -> list[Violation]:
    """Lists of the right length and type."""
    faults = _Faults()

    def each(values: list[Any], kind: type, field: str) -> None:
        faults.need(all(is_of(value, kind) for value in values), field, "holds a value of the wrong type")

    each(data["edition"]["colours"], str, "edition.colours")
    each(data["edition"]["flowers"], str, "edition.flowers")
    faults.need(len(data["edition"]["flowers"]) == SECTIONS, "edition.flowers", f"must name {SECTIONS} sections")
    pillars = data["volcano"]["pillars"]
    each(pillars, list, "volcano.pillars")
    faults.need(len(pillars) == SECTIONS, "volcano.pillars", f"must have {SECTIONS} sections")
    for n, table in data["seats"].items():
        each(table["start_stones"], int, f"seats.{n}.start_stones")
        faults.need(len(table["start_stones"]) == int(n), f"seats.{n}.start_stones", "needs one entry per seat")
    for i, forest in enumerate(data["forest"]):
        each(forest["rows"], str, f"forest[{i}].rows")
        each(forest["paths"], str, f"forest[{i}].paths")
    return faults


def _numbers(data: Mapping[str, Any]) -> list[Violation]:
    """Colours, limits, scores, pillars, track and effects."""
    faults = _Faults()
    colours = data["edition"]["colours"]
    letters = all(re.fullmatch("[A-Z]", colour) for colour in colours)
    faults.need(letters and len(set(colours)) == len(colours), "edition.colours", "must be different capital letters")
    faults.need(1 <= len(colours) <= MAX_COLOURS, "edition.colours", f"must be 1 to {MAX_COLOURS}")
    faults.ranges(data["limits"], "limits", _LIMITS)
    faults.ranges(data["score"], "score", _SCORE)
    for t, section in enumerate(data["volcano"]["pillars"]):
        known = all(colour in colours for colour in section) and len(set(section)) == len(section)
        faults.need(known, f"volcano.pillars[{t}]", "must be different colours of the edition")
    total = sum(len(section) for section in data["volcano"]["pillars"])
    faults.need(total >= 2 * max(FACTS.seats), "volcano.pillars", "the draft needs two tikis for each seat")

    tiles = data["tiles"]
    for key in ("reef_face", "volcano_face"):
        faults.need(tiles[key] in ("A", "B"), f"tiles.{key}", "must be A or B")
    faults.need(1 <= tiles["extra_replaces"] <= TILES, "tiles.extra_replaces", f"must be 1 to {TILES}")

    spaces = data["track"]["space"]
    faults.need(1 <= len(spaces) <= MAX_TRACK, "track.space", f"must have 1 to {MAX_TRACK} entries")
    for i, space in enumerate(spaces):
        faults.ranges(space, f"track.space[{i}]", {"section": (0, SECTIONS - 1), "reef": (0, SECTIONS - 1)})
    start = data["track"]["start"]
    faults.need(0 <= start < len(spaces) and not spaces[start]["p34"], "track.start", "must be an unmarked space")
    open_sections = {space["section"] for space in spaces if not space["p34"]}
    faults.need(open_sections == set(range(SECTIONS)), "track.space", "each section needs an unmarked space")
    faults.extend(Violation(field, sentence, INVALID) for field, sentence in steps.faults(data["effect"], tiles))
    return faults


def _forests(data: Mapping[str, Any]) -> list[Violation]:
    """Each `[[forest]]` table by itself."""
    faults = _Faults()
    boards = sorted((forest["board"], forest["face"]) for forest in data["forest"])
    wanted = sorted((board, face) for board in range(1, FACES // 2 + 1) for face in FACE_LETTERS)
    faults.need(boards == wanted, "forest", "must be boards 1 to 5, each with a face f and a face b")
    for i, forest in enumerate(data["forest"]):
        path = f"forest[{i}]"
        text = "".join(forest["rows"])
        letters = text.replace(TILE_SLOT, "")
        lettered = letters == "abcdefghijklmnopqrstuvwxyz"[: len(letters)] and 1 <= len(letters) <= MAX_SPACES
        faults.need(lettered, f"{path}.rows", f"must be lettered from a in reading order, at most {MAX_SPACES}")
        faults.need(text.count(TILE_SLOT) == 1, f"{path}.rows", "must have one slot * for the volcano tile")
        marked = forest["p34"]
        unique = set(marked) <= set(letters) and len(set(marked)) == len(marked)
        faults.need(unique, f"{path}.p34", "must name spaces of the face, each once")
        row = {letter: r for r, line in enumerate(forest["rows"]) for letter in line}
        for k, line in enumerate(forest["paths"]):
            inland = re.fullmatch("[a-z]>[a-z]", line) is not None and set(line) <= {*letters, ">"}
            inland = inland and row[line[0]] < row[line[2]]
            faults.need(inland, f"{path}.paths[{k}]", "must lead from a space to one of a later row")
        reached = {line[-1:] for line in forest["paths"]} | {letter for letter in letters if row[letter] == 0}
        faults.need(reached == set(letters), f"{path}.paths", "every space off the shore needs a path into it")
    return faults


def _whole(data: Mapping[str, Any]) -> list[Violation]:
    """What holds between the parts: equal sides of a board, as many tikis as spaces, options."""
    faults = _Faults()
    faces = read_faces(data["forest"])
    for board in range(1, FACES // 2 + 1):
        front, back = faces[2 * board - 2], faces[2 * board - 1]
        equal = len(front.spaces) == len(back.spaces) and front.marked.bit_count() == back.marked.bit_count()
        faults.need(equal, "forest", f"both faces of board {board} need equally many spaces and marked spaces")
    for face in faces:
        faults.need(face.tile_row & ~face.marked != 0, "forest", f"{face.name} needs an unmarked space beside its tile")
    for n, table in data["seats"].items():
        _check_seats(data, faces, n, table, faults)
    if not faults:
        try:
            options(data, {})
        except BadInput as error:
            faults += [Violation(f"defaults.{v.field}", v.sentence, INVALID) for v in error.violations]
    return faults


def _check_seats(
    data: Mapping[str, Any], faces: tuple[Face, ...], seats: str, table: Mapping[str, Any], faults: _Faults
) -> None:
    path = f"seats.{seats}"
    top = data["limits"]["canoe_stones"]
    stones = table["start_stones"]
    faults.need(all(0 <= stone <= top for stone in stones), f"{path}.start_stones", f"must be 0 to {top}")
    per_colour = table["tikis_per_colour"]
    faults.need(1 <= per_colour <= 99, f"{path}.tikis_per_colour", "must be 1 to 99")
    left = [per_colour - sum(c in s for s in data["volcano"]["pillars"]) for c in data["edition"]["colours"]]
    faults.need(min(left) >= 0, f"{path}.tikis_per_colour", "is less than the pillar spaces of a colour")
    used = sum(len(f.spaces) - (0 if table["marked_spaces_used"] else f.marked.bit_count()) for f in faces[::2])
    faults.need(
        used == sum(left), f"{path}.tikis_per_colour", f"leaves {sum(left)} tikis for {used} forest spaces in use"
    )


def options(data: Mapping[str, Any], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options, defaults filled in. Raises BadInput with `kilauea.state.options` per illegal value."""
    values = check_options(OPTIONS, data["defaults"], given, "kilauea.state.options")
    if not re.fullmatch("[fbr]{5}", str(values["faces"])):
        raise BadInput([Violation("faces", "must be five letters out of f, b and r", "kilauea.state.options")])
    return values
