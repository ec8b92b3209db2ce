"""Edition files and options of Tiki."""

from __future__ import annotations

import copy
import re
import tomllib
from importlib.resources import files
from typing import Any

import pytest

from engines import editions, registry
from engines.core.game import BadInput

TIKI = registry.game("tiki")
FOLDER = files("engines.tiki") / "editions"
BASE = tomllib.loads((FOLDER / "tiki-base.toml").read_text("utf-8"))


def _changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    data = copy.deepcopy(BASE)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("edition", "win_fruits"), 8, "edition.win_fruits"),
        (("edition", "fruits"), 100, "edition.win_fruits"),
        (("edition", "tikis_per_seat"), 2, "edition.tikis_per_seat"),
        (("edition", "fruits"), True, "edition.fruits"),
        (("edition", "colour"), "red", "edition.colour"),
        (("tile", 0, "code"), "abc", "tile[0].code"),
        (("tile", 1, "code"), "2", "tile[1].code"),
        (("tile", 0, "fruits"), 4, "tile[0].fruits"),
        (("tile", 0, "shaman"), True, "tile[0].shaman"),
        (("tile", 1, "copies"), 0, "tile[1].copies"),
        (("tile", 1, "copies"), 3, "tile"),
        (("tile", 1), 7, "tile[1]"),
        (("tile",), [], "tile"),
        (("tile",), {}, "tile"),
        (("defaults", "turn_limit"), 0, "defaults.turn_limit"),
        (("defaults", "starter"), "NOBODY", "defaults.starter"),
        (("defaults", "layout"), "1,1", "defaults.layout"),
        (("defaults", "wind"), 1, "defaults.wind"),
        (("more",), {}, "more"),
    ],
)
def test_unsound_edition_is_refused_with_its_field(path: tuple[Any, ...], value: Any, field: str) -> None:
    violations = TIKI.edition.check(_changed(path, value))
    assert field in [v.field for v in violations]
    assert {v.id for v in violations} == {"tiki.edition.invalid"}


def test_missing_tables_are_named() -> None:
    assert [v.field for v in TIKI.edition.check({})] == ["edition", "tile", "defaults"]


@pytest.mark.parametrize("name", ["tiki-base.toml", "tiki-one-marsh.toml"])
def test_every_datum_says_where_it_comes_from(name: str) -> None:
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        if "=" in line and not re.match(r"(id|name) =", line):
            assert re.search(r"# (seed|public|assumed( A\d+(, A\d+)*))$", line), line


def test_layouts_are_counted_as_published() -> None:
    """2520 and 7560 different layouts: nine tiles over the products of the factorials of the copies."""
    from math import factorial, prod

    for edition in editions.packaged(TIKI).values():
        copies = [tile["copies"] for tile in edition.data["tile"]]
        count = factorial(sum(copies)) // prod(factorial(n) for n in copies)
        assert count == {"tiki-base": 2520, "tiki-one-marsh": 7560}[edition.id]


@pytest.mark.parametrize(
    ("options", "rule_id"),
    [
        ({"turn_limit": 0}, "tiki.option.range"),
        ({"turn_limit": 1001}, "tiki.option.range"),
        ({"repetition_limit": 1}, "tiki.option.range"),
        ({"repetition_limit": 10}, "tiki.option.range"),
        ({"starter": "SEAT2"}, "tiki.option.range"),
        ({"shaman": 1}, "tiki.option.range"),
        ({"wind": 1}, "tiki.option.range"),
        ({"layout": "1,1,1/1,1,1"}, "tiki.option.layout_size"),
        ({"layout": "1,1,1/1,1,1/1,1"}, "tiki.option.layout_size"),
        ({"layout": "1,M,1/X,2,M/1,M,Z"}, "tiki.option.layout_tile"),
        ({"layout": "1,M,1/X,2,M/1,2,1"}, "tiki.option.layout_copies"),
    ],
)
def test_illegal_option_is_refused_with_its_id(options: dict[str, Any], rule_id: str) -> None:
    with pytest.raises(BadInput) as refused:
        registry.make_setup(TIKI, options=options)
    assert rule_id in [v.id for v in refused.value.violations]
    assert refused.value.violations[0].field == next(iter(options))


def test_hash_names_the_data_and_not_the_file() -> None:
    text = (FOLDER / "tiki-base.toml").read_text("utf-8")
    base = editions.parse(TIKI, text, "a")
    assert editions.parse(TIKI, re.sub("#.*", "", text), "b").hash == base.hash
    assert editions.parse(TIKI, text.replace("copies = 4", "copies = 5"), "c").hash != base.hash
    with pytest.raises(BadInput, match="not TOML"):
        editions.parse(TIKI, "[", "d")
