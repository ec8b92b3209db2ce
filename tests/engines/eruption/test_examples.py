"""The worked examples of the rules specification."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.constants import CHANCE
from engines.core.state import Moves
from engines.eruption import explain, moves, notation, rules
from engines.eruption.rules import Eruption

DATA = tomllib.loads(Path(__file__).with_name("examples.toml").read_text("utf-8"))
NAMES = dict(sorted({**DATA["boards"], **DATA["tiles"]}.items(), reverse=True))  # the longer of two prefixes first


def expand(text: str) -> str:
    for name, meaning in NAMES.items():
        text = text.replace(f"${name}", meaning)
    return text


def start(case: dict[str, Any]) -> Eruption:
    setup = registry.make_setup(registry.game("eruption"), seats=case.get("seats", 2), options=case.get("options", {}))
    known = registry.make_rules(setup)
    return notation.read_position(known, expand(case["position"])) if "position" in case else rules.start(known)


def tokens(state: Eruption) -> list[str]:
    legal, words = Moves(), moves.vocabulary(state.rules)
    state.legal(legal)
    return [notation.token(state.rules, words[code]) for code in legal.to_list()]


def check(state: Eruption, expected: dict[str, Any]) -> None:
    phase, seat, *fields = notation.write_position(state).split(" ")
    found = {"phase": phase, "seat": seat} | dict(field.split("=", 1) for field in fields)
    for name, value in expected.items():
        match name:
            case "legal":
                assert sorted(tokens(state)) == sorted(value)
            case "legal_count":
                assert len(tokens(state)) == value
            case "weights":
                legal = Moves()
                state.weights(legal)
                assert dict(zip(tokens(state), legal.to_weights(), strict=True)) == value
            case "places":
                assert state.placements() == value
            case "ties":
                assert state.tie_points() == value
            case "stack":
                assert sum(state.snapshot().table.stack) == value
            case _:
                assert found.get(name, "") == expand(value), name


@pytest.mark.parametrize("case", DATA["case"], ids=lambda case: f"{case['id']} {case['about']}")
def test_example(case: dict[str, Any]) -> None:
    check(start(case), {k: v for k, v in case.items() if k in ("legal", "legal_count", "weights", "places", "ties")})
    for attempt in case.get("try", []):
        state = start(case)
        *earlier, last = attempt["moves"].split(" ")
        for token in earlier:
            state.play(moves.encode(state.rules, notation.parse(state.rules, token)))
        move = notation.parse(state.rules, last)
        reasons = explain.explain(state, move, attempt.get("sender", state.actor))
        found = {reason.id.removeprefix("eruption.") for reason in reasons}
        assert found == set(attempt.get("refused", [])), attempt["moves"]
        if "refused" not in attempt:
            state.play(moves.encode(state.rules, move))
            check(state, attempt["after"])


def test_every_example_is_there() -> None:
    assert {int(case["id"].split(".")[0]) for case in DATA["case"]} == set(range(1, 32))


def test_dice_odds() -> None:
    """A wall holds in 15 (straw), 21 (wood) and 26 (stone) of the 36 rolls."""
    held = []
    for letter in "swt":
        state = start({"position": f"DAMAGE_ROLL 0 board=$K walls={letter}:O2 roll=2"})
        assert state.actor == CHANCE
        legal = Moves()
        state.legal(legal)
        count = 0
        for code in legal.to_list():
            after = state.clone()
            after.play(code)
            count += bool(after.snapshot().table.walls)
        held.append(count)
    assert held == [15, 21, 26]


def test_kinds_that_bypass_the_wall() -> None:
    """Example 6: what fits on f4 of that board."""
    found = []
    for kind in start({}).rules.kinds[:-1]:
        state = start({"position": f"TILE_PLACE 0 for=NORMAL tile={kind} board=g4=0123/4,e5=34/4 walls=t:g4.NW"})
        found += [f"{kind}/{token[-1]}" for token in tokens(state) if token.startswith("+f4")]
    assert found == ["35/5", "024/0", "035/5", "013/1", "0134/1", "0135/1", "0135/5", "01235/5"]
