"""Edition files and options of Kilauea."""

from __future__ import annotations

import copy
import re
import tomllib
from importlib.resources import files
from typing import Any

import pytest

from engines import registry
from engines.core.game import BadInput
from engines.kilauea.forests import read_faces

KILAUEA = registry.game("kilauea")
FOLDER = files("engines.kilauea") / "editions"
TEXT = (FOLDER / "kilauea-assumed-1.toml").read_text("utf-8")
BASE = tomllib.loads(TEXT)


def _changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    data = copy.deepcopy(BASE)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


FAULTS: list[tuple[tuple[Any, ...], Any, str]] = [
    (("more",), {}, "more"),
    (("limits",), 7, "limits"),
    (("limits", "seals"), True, "limits.seals"),
    (("limits", "seals"), 0, "limits.seals"),
    (("limits", "seals"), 5, "limits.seals"),
    (("limits", "canoe_tikis"), 1, "limits.canoe_tikis"),
    (("limits", "canoe_stones"), 10, "limits.canoe_stones"),
    (("limits", "pillar_height"), 0, "limits.pillar_height"),
    (("score", "stones_per_vp"), 0, "score.stones_per_vp"),
    (("score", "final_at"), 6, "score.final_at"),
    (("edition", "colours"), ["R", "Y", "T", "T"], "edition.colours"),
    (("edition", "colours"), ["R", "Y", "T", "p"], "edition.colours"),
    (("edition", "colours"), ["R", "Y", "T", 4], "edition.colours"),
    (("edition", "colours"), list("RYTPABC"), "edition.colours"),
    (("edition", "flowers"), ["a", "b"], "edition.flowers"),
    (("volcano", "pillars"), [["R"]] * 4, "volcano.pillars"),
    (("volcano", "pillars"), [["R"]] * 5, "volcano.pillars"),
    (("volcano", "pillars", 2), ["R", "R", "Y"], "volcano.pillars[2]"),
    (("volcano", "pillars", 2), ["R", "Q", "Y"], "volcano.pillars[2]"),
    (("tiles", "reef_face"), "C", "tiles.reef_face"),
    (("tiles", "extra_replaces"), 11, "tiles.extra_replaces"),
    (("track", "start"), 1, "track.start"),
    (("track", "start"), 10, "track.start"),
    (("track", "space", 0, "reef"), 5, "track.space[0].reef"),
    (("track", "space", 2, "p34"), True, "track.space"),
    (("track", "space", 3), 5, "track.space[3]"),
    (("seats", "5"), {}, "seats.5"),
    (("seats", "3", "start_stones"), [2, 3], "seats.3.start_stones"),
    (("seats", "3", "start_stones"), [2, 3, 6], "seats.3.start_stones"),
    (("seats", "4", "tikis_per_colour"), 14, "seats.4.tikis_per_colour"),
    (("seats", "2", "tikis_per_colour"), 4, "seats.2.tikis_per_colour"),
    (("seats", "2", "marked_spaces_used"), True, "seats.2.tikis_per_colour"),
    (("forest", 0, "board"), 2, "forest"),
    (("forest", 0, "face"), "x", "forest"),
    (("forest", 0, "rows"), ["abd", "c*e", "fgh"], "forest[0].rows"),
    (("forest", 0, "rows"), ["abc", "de", "fgh"], "forest[0].rows"),
    (("forest", 0, "rows"), ["abc", 5, "fgh"], "forest[0].rows"),
    (("forest", 0, "p34"), "bfz", "forest[0].p34"),
    (("forest", 0, "p34"), "bff", "forest[0].p34"),
    (("forest", 0, "p34"), "bf", "forest"),
    (("forest", 0, "p34"), "bde", "forest"),
    (("forest", 0, "paths"), ["a>d", "c>e", "d>f", "d>g", "e>h", "h>e"], "forest[0].paths[5]"),
    (("forest", 0, "paths"), ["a>d", "c>e", "d>f", "d>g"], "forest[0].paths"),
    (("forest", 0, "paths"), ["ad"], "forest[0].paths[0]"),
    (("effect", "11A"), {"cost": 0, "steps": ["vp:2"]}, "effect.11A"),
    (("effect", "7A", "cost"), 10, "effect.7A.cost"),
    (("effect", "7A", "cost"), "1", "effect.7A.cost"),
    (("effect", "7A", "steps"), [], "effect.7A.steps"),
    (("effect", "7A", "steps"), ["vp:1"] * 7, "effect.7A.steps"),
    (("effect", "7A"), {"cost": 1}, "effect.7A.steps"),
    (("defaults", "turn_limit"), 2001, "defaults.turn_limit"),
    (("defaults", "faces"), "fffb", "defaults.faces"),
    (("defaults", "extra"), "f", "defaults.extra"),
]


@pytest.mark.parametrize(("path", "value", "field"), FAULTS)
def test_unsound_edition_is_refused_with_its_field(path: tuple[Any, ...], value: Any, field: str) -> None:
    violations = KILAUEA.edition.check(_changed(path, value))
    assert field in [v.field for v in violations]
    assert {v.id for v in violations} == {"kilauea.edition.invalid"}


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        (["vp"], "is no step"),
        (["vp:0"], "is no step"),
        (["take.forest:1", "discard"], "is no step"),
        (["fly"], "is no step"),
        ([3], "is no step"),
        (["copy.reef", "vp:1"], "a copy must be the last step"),
        (["take.forest", "take.canoe", "discard"], "while another is in hand"),
        (["discard"], "has no tiki in hand"),
        (["take.forest", "seal", "discard"], "stays in hand over another choice"),
        (["take.forest", "discard", "take.island", "discard"], "only one step may take"),
        (["take.canoe", "put.volcano.any", "take.volcano", "discard"], "comes after a tiki was put on the volcano"),
        (["take.canoe", "put.volcano.other"], "needs a tiki taken from forest, volcano or island"),
        (["take.forest", "put.home", "vp:1"], "put.home must be the last step"),
        (["take.forest", "put.canoe", "take.volcano.back", "discard"], "needs a tiki put on the volcano"),
        (["take.canoe", "vp:1", "swap.rival"], "swap.rival must follow take.canoe"),
        (["take.forest"], "left in hand at the end"),
    ],
)
def test_steps_that_do_not_fit_together_are_refused(steps: list[Any], sentence: str) -> None:
    violations = KILAUEA.edition.check(_changed(("effect", "7A", "steps"), steps))
    assert any(sentence in v.sentence and v.field.startswith("effect.7A.steps") for v in violations)


def test_two_copying_tiles_are_refused() -> None:
    violations = KILAUEA.edition.check(_changed(("effect", "7A", "steps"), ["copy.reef"]))
    assert [v.field for v in violations] == ["effect"]


def test_missing_tables_are_named() -> None:
    assert "forest" in [v.field for v in KILAUEA.edition.check({})]


@pytest.mark.parametrize(
    ("name", "rows", "marked", "before"),
    [
        ("1f", "d e", "b f h", {"d": "a", "e": "c", "f": "ad", "g": "acde", "h": "ce"}),
        ("1b", "d e", "b d g", {"d": "ab", "e": "bc", "f": "abd", "g": "abcde", "h": "bce"}),
        ("2f", "c d", "d e h", {"c": "a", "d": "b", "e": "ac", "f": "ac", "g": "bd", "h": "bd"}),
        ("2b", "e f", "b c h", {"d": "", "e": "ab", "f": "cd", "g": "abe", "h": "cdf"}),
        ("3f", "c d e f", "c f", {"c": "a", "d": "a", "e": "b", "f": "b", "g": "acd", "h": "bef"}),
        ("3b", "d e f g", "d g", {"d": "a", "e": "ab", "f": "bc", "g": "c", "h": "abcef"}),
        ("4f", "b c d e", "b e", {"b": "a", "c": "a", "d": "a", "e": "a", "f": "abc", "g": "acd", "h": "ade"}),
        ("4b", "d e", "f h", {"d": "a", "e": "c", "f": "ad", "g": "b", "h": "ce"}),
        ("5f", "e f", "a d", {"d": "", "e": "b", "f": "c", "g": "abe", "h": "cdf"}),
        ("5b", "c d", "e h", {"c": "ab", "d": "ab", "e": "abc", "f": "abcd", "g": "abcd", "h": "abd"}),
    ],
)
def test_derived_table_of_the_faces(name: str, rows: str, marked: str, before: dict[str, str]) -> None:
    """Section 2.3 of the specification."""
    face = next(face for face in read_faces(BASE["forest"]) if face.name == name)

    def letters(mask: int) -> str:
        return "".join(letter for x, letter in enumerate(face.spaces) if mask >> x & 1)

    assert letters(face.tile_row) == rows.replace(" ", "")
    assert letters(face.marked) == marked.replace(" ", "")
    assert {letter: letters(face.before[x]) for x, letter in enumerate(face.spaces)} == {
        letter: before.get(letter, "") for letter in face.spaces
    }


def test_every_table_says_where_its_data_come_from() -> None:
    """Each datum, or the line above its table or list, carries a mark."""
    heads = re.findall(r"(?m)^\[(?:\[?)([a-z.0-9]+)\]", TEXT)
    assert {"edition", "limits", "score", "volcano", "tiles", "track", "forest", "effect"} <= set(heads)
    for line in TEXT[: TEXT.index("[score]")].splitlines():
        if re.match(r"(?!id)\w+ =", line):
            assert re.search(r"# .*(seed|public|assumed)", line), line
    for block in ("pillars =", "[[forest]]", "[effect]", "space = ["):
        above = TEXT[: TEXT.index(block)].splitlines()[-3:]
        assert any("seed" in line or "assumed" in line for line in above), block


@pytest.mark.parametrize(
    "options",
    [
        {"extra": "f"},
        {"extra": 1},
        {"faces": "ffff"},
        {"faces": "ffffx"},
        {"faces": "FFFFF"},
        {"faces": "fffff\n"},
        {"turn_limit": 0},
        {"turn_limit": 2001},
        {"wind": 1},
    ],
)
def test_illegal_option_is_refused_with_its_id(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        registry.make_setup(KILAUEA, options=options)
    assert [(v.id, v.field) for v in refused.value.violations] == [("kilauea.state.options", next(iter(options)))]


def test_options_reach_the_rules() -> None:
    rules = registry.make_rules(registry.make_setup(KILAUEA, seats=2, options={"faces": "fbrff", "turn_limit": 7}))
    assert [rules.weight_of(face) for face in range(10)] == [2, 0, 0, 2, 1, 1, 2, 0, 2, 0]  # type: ignore[attr-defined]
    assert rules.turn_limit == 7  # type: ignore[attr-defined]
