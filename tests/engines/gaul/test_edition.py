"""Edition files and options of Village of Gaul."""

from __future__ import annotations

import copy
import re
import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from engines import registry
from engines.core.game import BadInput
from engines.gaul.edition import deck
from engines.gaul.facts import MAX_KINDS

GAUL = registry.game("gaul")
FILE = files("engines.gaul") / "editions" / "base.toml"
BASE = tomllib.loads(FILE.read_text("utf-8"))


def _changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    data = copy.deepcopy(BASE)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


MANY = [f"{c}{t}{n}{a}" for c in "YRBW" for t in "SHK" for n in range(1, 7) for a in "xrmscad"]


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("edition", "id"), "Base", "edition.id"),
        (("edition", "seats_max"), 5, "edition.seats_max"),
        (("edition", "seats_min"), 5, "edition.seats_min"),
        (("edition", "seats_min"), 1, "edition.seats_min"),
        (("edition", "hand"), 21, "edition.hand"),
        (("edition", "hand"), 6, "edition.rounds"),
        (("edition", "rounds"), 0, "edition.rounds"),
        (("edition", "trigger"), 0, "edition.trigger"),
        (("edition", "trigger"), 17, "edition.trigger"),
        (("edition", "points_per_menhir"), -1, "edition.points_per_menhir"),
        (("edition", "aisling_bonus"), 100, "edition.aisling_bonus"),
        (("edition", "hand"), True, "edition.hand"),
        (("edition", "colour"), "red", "edition.colour"),
        (("district", 0, "letter"), "y", "district[0].letter"),
        (("district", 1, "letter"), "Y", "district[1].letter"),
        (("district", 1, "id"), "yellow", "district[1].id"),
        (("district", 0, "menhirs"), -1, "district[0].menhirs"),
        (("district", 0, "menhirs"), 120, "district"),
        (("district", 0, "xy"), [1], "district[0].xy"),
        (("district", 1, "xy"), [-1, 1], "district[1].xy"),
        (("district", 0, "xy"), [1, 99], "district[0].xy"),
        (("district", 0, "adjacent"), ["red", "green"], "district[0].adjacent"),
        (("district", 0, "adjacent"), ["red", "white", "red"], "district[0].adjacent"),
        (("district", 0, "adjacent"), ["yellow"], "district[0].adjacent"),
        (("district", 0, "adjacent"), ["red"], "district[3].adjacent"),
        (("district", 0, "adjacent"), ["red", "white", "blue"], "district[0].adjacent"),
        (("district",), [], "district"),
        (("tool",), [], "tool"),
        (("tool", 0, "id"), "a sword", "tool[0].id"),
        (("tool", 0), 7, "tool[0]"),
        (("deck", "cards", 0), "YS0x", "deck.cards[0]"),
        (("deck", "cards", 0), "ZS1x", "deck.cards[0]"),
        (("deck", "cards", 0), "YS1q", "deck.cards[0]"),
        (("deck", "cards", 0), "YS1x*0", "deck.cards[0]"),
        (("deck", "cards", 0), 12, "deck.cards[0]"),
        (("deck", "cards", 0), "RS1x", "deck.cards[0]"),
        (("deck", "cards"), BASE["deck"]["cards"][:39], "deck.cards"),
        (("deck", "cards"), MANY[: MAX_KINDS + 1], "deck.cards"),
        (("deck", "cards"), MANY[::7], "deck.cards"),
        (("defaults", "decline"), "always", "defaults.decline"),
        (("defaults", "wind"), 1, "defaults.wind"),
        (("more",), {}, "more"),
    ],
)
def test_unsound_edition_is_refused_with_its_field(path: tuple[Any, ...], value: Any, field: str) -> None:
    violations = GAUL.edition.check(_changed(path, value))
    assert field in [v.field for v in violations]
    assert {v.id for v in violations} == {"gaul.edition.invalid"}


def test_missing_tables_are_named() -> None:
    assert [v.field for v in GAUL.edition.check({})] == ["edition", "district", "tool", "deck", "defaults"]


def test_every_datum_says_where_it_comes_from() -> None:
    text = FILE.read_text("utf-8")
    for line in text[: text.index("# District, tool")].splitlines():
        if "=" in line and not re.match(r"(id = \"(base|sword|hammer|sickle)\"|letter =)", line):
            assert re.search(r"# (seed|assumed A\d)", line), line


def test_the_deck_is_counted_as_specified() -> None:
    """84 cards, each action, tool and colour once; 105 symbols, two-symbol cards 3 per action and 7 per tool."""
    cards = [card for card in deck(BASE) if card is not None]
    assert len({(card.action, card.face.tool, card.face.colour) for card in cards}) == len(cards) == 84
    assert sum(card.face.symbols for card in cards) == 105
    twos = [card for card in cards if card.face.symbols == 2]
    assert set(Counter(card.action for card in twos).values()) == {3}
    assert set(Counter(card.face.tool for card in twos).values()) == {7}
    assert [Counter(card.face.colour for card in twos)[c] for c in range(4)] == [5, 5, 6, 5]
    assert len({card.face for card in cards}) == 24
    pattern = [
        2 if (action + tool + colour) % 4 == 0 else 1 for action in range(7) for tool in range(3) for colour in range(4)
    ]
    assert [card.face.symbols for card in cards] == pattern


@pytest.mark.parametrize("options", [{"decline": "always"}, {"swap_scope": 1}, {"swap_self": 1}, {"wind": 1}])
def test_illegal_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        registry.make_setup(GAUL, options=options)
    assert [(v.field, v.id) for v in refused.value.violations] == [(next(iter(options)), "gaul.state.config")]


def test_seats_are_those_of_game_and_edition(odd_editions: None) -> None:
    with pytest.raises(BadInput, match="takes 2 to 4 seats, not 5"):
        registry.make_setup(GAUL, seats=5)
    with pytest.raises(BadInput, match="this edition takes 2 to 2 seats, not 3") as refused:
        registry.make_rules(registry.make_setup(GAUL, "twenty", seats=3))
    assert [(v.field, v.id) for v in refused.value.violations] == [("seats", "gaul.state.config")]
