"""Edition files and options of Hawaii: what is refused, and what an edition changed by hand does."""

from __future__ import annotations

import copy
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest
from papamu.records.v1 import records_pb2

from engines import editions, registry
from engines.conformance.scenario import parse_setup
from engines.conformance.walk import choose, visits
from engines.core.constants import TERMINAL
from engines.core.game import BadInput
from engines.core.state import Moves
from engines.hawaii.facts import EFFECTS
from engines.record.record import new_record, player, verify
from engines.record.results import normal

HAWAII = registry.game("hawaii")
TEXT = (files("engines.hawaii") / "editions" / "base-1.toml").read_text("utf-8")
BASE = tomllib.loads(TEXT)


def _changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    data = copy.deepcopy(BASE)
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


def _more(name: str, copies: int) -> list[Any]:
    return [*BASE[name], *[copy.deepcopy(BASE[name][0]) for _ in range(copies)]]


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("edition", "seats_max"), 6, "edition.seats_max"),
        (("edition", "seats_min"), 1, "edition.seats_min"),
        (("edition", "level_price"), [1, 2, 3], "edition.level_price"),
        (("edition", "level_price"), [1, 9], "edition.level_price"),
        (("edition", "level_price"), [1], "kind[0].levels"),
        (("edition", "level_price"), [0, 2], "edition.level_price[0]"),
        (("edition", "level_price"), ["1"], "edition.level_price"),
        (("edition", "colour"), "red", "edition.colour"),
        (("edition", "first_spot_vp_last_round"), True, "edition.first_spot_vp_last_round"),
        (("start", "fruit"), [0, 2], "start.fruit"),
        (("start", "shells"), -1, "start.shells"),
        (("round",), [], "round"),
        (("round", 0, "target"), -1, "round[0].target"),
        (("round", 0, "vp"), [8, 5], "round[0].vp"),
        (("round", 1, "next_feet"), 100, "round[1].next_feet"),
        (("realm", "villages"), 6, "realm.villages"),
        (("realm", "villages"), 4, "realm.kahuna"),
        (("realm", "tiki", 0, "feet"), -1, "realm.tiki[0].feet"),
        (("realm", "kahuna", 0), {"vp": 5}, "realm.kahuna[0].shells"),
        (("position",), BASE["position"][:9], "position"),
        (("position", 0, "adj"), [1, 2], "position[3].adj[0]"),
        (("position", 0, "adj"), [0, 1, 2, 3], "position[0].adj[0]"),
        (("position", 0, "adj"), [1, 1, 2, 3], "position[0].adj[1]"),
        (("position", 0, "adj"), [1, 2, 10], "position[0].adj[2]"),
        (("position", 0, "beach"), 1, "position[0].beach"),
        (("area", 0, "id"), "hut", "area[0].id"),
        (("area", 1, "id"), "HUT", "area[1].id"),
        (("area", 0, "slots"), 5, "area[0].slots"),
        (("area", 0, "limit"), 11, "area[0].limit"),
        (("area", 0, "kinds"), ["shell_hut"], "kind[1]"),
        (("area", 0, "kinds"), ["shell_hut", "foot_hut", "boat"], "kind[12]"),
        (("area", 0, "kinds"), ["shell_hut", "castle"], "area[0].kinds[1]"),
        (("area", 0, "kinds"), [1], "area[0].kinds"),
        (("token", 0, "count"), 1, "token"),
        (("token", 0, "value"), 3, "token[2]"),
        (("token", 0, "value"), 9, "token"),
        (("dock",), BASE["dock"][:3], "dock"),
        (("dock", 0, "cost"), 16, "dock[0].cost"),
        (("island", 0, "kinds"), ["castle"], "island[0].kinds[0]"),
        (("island",), _more("island", 7), "island"),
        (("kind",), _more("kind", 11), "kind"),
        (("kind", 1, "id"), "shell_hut", "kind[1].id"),
        (("kind", 1, "id"), "start_hut", "kind[1].id"),
        (("kind", 1, "code"), "sh", "kind[1].code"),
        (("kind", 1, "code"), "st", "kind[1].code"),
        (("kind", 0, "class"), "castle", "kind[0].class"),
        (("kind", 0, "class"), "boat", "kind[0].levels[0]"),
        (("kind", 13, "class"), "hut", "kind"),
        (("kind", 0, "width"), 0, "kind[0].width"),
        (("kind", 0, "levels"), [{"magic": 1}], "kind[0].levels[0].magic"),
        (("kind", 0, "levels"), [{"end_vp": 16}], "kind[0].levels[0].end_vp"),
        (("kind", 0, "levels"), [{"exchange": 7}], "kind"),
        (("kind", 0, "levels"), [{"any_per_round": 3}], "kind"),
        (("kind", 12, "count"), 9, "kind"),
        (("kind", 12, "levels", 0), {"boat_capacity": 2, "boat_prepaid": 2}, "kind[12].levels[0].boat_prepaid"),
        (("kind", 14, "levels"), [{"end_vp": 1}], "kind[14].levels"),
        (("defaults", "tie_break"), "luck", "defaults.tie_break"),
        (("defaults", "wind"), 1, "defaults.wind"),
        (("more",), {}, "more"),
    ],
)
def test_unsound_edition_is_refused_with_its_field(path: tuple[Any, ...], value: Any, field: str) -> None:
    violations = HAWAII.edition.check(_changed(path, value))
    assert field in [v.field for v in violations]
    assert {v.id for v in violations} == {"hawaii.edition.invalid"}


def test_every_part_says_where_it_comes_from() -> None:
    """Each table either marks its lines, or stands under a comment that marks all of its sort."""
    for block in re.split(r"\n\n", TEXT):
        if "=" in block and not block.startswith("["):
            assert re.search(r"seed|public|assumed", block), block
    for line in TEXT[TEXT.index("[[kind]]") : TEXT.index("[defaults]")].splitlines():
        if line.startswith("levels"):
            assert re.search(r"# .*(seed|public|assumed A\d+)", line), line


def test_the_box_is_counted_as_published() -> None:
    """126 tiles, 25 tokens, ten areas and islands; every effect that the rules know is on some tile."""
    assert sum(kind["count"] for kind in BASE["kind"]) == 126
    assert sum(token["count"] for token in BASE["token"]) == 25
    assert len(BASE["area"]) == len(BASE["island"]) == 10
    assert {key for kind in BASE["kind"] for level in kind["levels"] for key in level} == set(EFFECTS)


@pytest.mark.parametrize(
    "options",
    [{"beach_return": "fly"}, {"exchange_scope": 1}, {"row_skip": 1}, {"laka_scope": "none"}, {"wind": 1}],
)
def test_illegal_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        registry.make_setup(HAWAII, options=options)
    assert [(v.field, v.id) for v in refused.value.violations] == [(next(iter(options)), "hawaii.option.range")]


def test_seats_are_those_of_the_edition(atoll: None) -> None:
    with pytest.raises(BadInput, match="the edition takes 2 to 4 seats, not 5"):
        registry.make_rules(registry.make_setup(HAWAII, "atoll", seats=5))


def _whole_game(setup: str, seed: int) -> records_pb2.Record:
    rules = parse_setup(HAWAII, setup)
    state, random, moves, made = HAWAII.rules.start(rules), Random(seed), Moves(), []
    while state.actor != TERMINAL:
        state.legal(moves)
        made.append((choose(state, moves, random), state.actor))
        state.play(made[-1][0])
    players = [player(f"random-{seat}", "random") for seat in range(rules.seats)]
    return new_record("by-hand", rules, players, made, normal(state))


def test_an_edition_changed_by_hand_plays_and_its_records_know_it(tmp_path: Path) -> None:
    """Other islands and another goal: the record proves itself under its own edition and under no other."""
    text = TEXT.replace('id = "base-1"', 'id = "by-hand"').replace("target = 9  ", "target = 5  ")
    text = text.replace('id = "I0"\nfruit = 3', 'id = "I0"\nfruit = 7')
    text = text.replace('kinds = ["kahuna"]\n\n[[island]]', 'kinds = ["boat"]\n\n[[island]]')
    path = tmp_path / "by-hand.toml"
    path.write_text(text, "utf-8")
    editions.add(HAWAII, path)
    by_hand = editions.editions(HAWAII)["by-hand"]
    assert by_hand.data["island"][0]["fruit"] == 7
    assert by_hand.data["island"][8]["kinds"] == ["boat"]
    assert by_hand.data["round"][0]["target"] == 5
    record = _whole_game("edition=by-hand seats=3", 1)
    assert verify(record) == []
    record.setup.edition = "base-1"
    with pytest.raises(registry.UnknownEdition, match=f"no edition 'base-1@{by_hand.hash}'; there are base-1@"):
        verify(record)
    record.setup.edition_hash = editions.editions(HAWAII)["base-1"].hash
    assert verify(record)[0].field.startswith("actions[")  # a move that the other box does not allow


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_another_box_keeps_the_invariants(seats: int, seed: int, atoll: None) -> None:
    rules = parse_setup(HAWAII, f"edition=atoll seats={seats} beach_return={('path', 'turn')[seed]}")
    vocabulary = HAWAII.moves.vocabulary(rules)
    for visit in visits(HAWAII.rules.start(rules), Random(seed), 2000):
        state = visit.state
        assert HAWAII.invariants.check(rules, state.snapshot()) == []
        if visit.ply % 5 == 0:
            assert HAWAII.notation.read_position(rules, HAWAII.notation.write_position(state)).key() == state.key()
        if visit.ply % 20 == 0 and state.actor != TERMINAL:
            moves = ((code, move) for code, move in enumerate(vocabulary) if move is not None)
            assert [c for c, m in moves if not HAWAII.explain.explain(state, m, state.actor)] == visit.codes
    assert state.end_reason() == "LAST_ROUND"
    rows = [sum(row.points for row in state.breakdown() if row.seat == seat) for seat in range(seats)]
    assert rows == state.scores()
