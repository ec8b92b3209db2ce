"""The worked examples E1 to E31 of the specification, as data beside this file (its head tells the form)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engines import envelope, registry
from engines.conformance.scenario import parse_position, parse_setup, play_token
from engines.core.state import Moves, State
from engines.hawaii.explain import misfits
from engines.hawaii.notation import write_position
from engines.hawaii.spelling import token_text

HAWAII = registry.game("hawaii")
CASES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text("utf-8"))["case"]
SEAT = {
    "villages": "st1/-/-/-/-",
    "own": "k0t0b0c0",
    "used": "a0b0c0",
    "at": "~",
    "tokens": "-",
    "fish": "-",
    "points": "0.0.0.0.0",
    "goods": "13s7f",
}
SPOTS = ["-", "5x", "5x", "6x", "6x"]


def _listed(text: str) -> list[str]:
    return [part for part in text.split("+") if part != "-"]


def position_text(rules: Any, case: dict[str, Any]) -> str:
    """The position of a case: what it does not name is at its start; tokens that lack go to areas, bay or a seat."""
    seats = [{**SEAT, **seat} for seat in case.get("seats", [{}])]
    seats += [dict(SEAT) for _ in range(rules.seats - len(seats))]
    areas = {area: _listed(case.get("tokens", {}).get(area, "-")) for area in rules.areas}
    bay = _listed(case.get("bay", "-"))
    spots = case.get("spots", ",".join(SPOTS[: rules.seats])).split(",")
    there = bay + [spot for spot in spots if spot[0] not in "-s"]
    there += [token for tokens in areas.values() for token in tokens]
    there += [token for seat in seats for token in _listed(seat["tokens"]) + _listed(seat["fish"])]
    lack = sum(rules.area(a)[0] for a in range(len(areas))) + rules.seats - 1 - len(there)
    rest = case.get("rest", rules.seats - 1)
    for token in range(rules.n_types):
        face = token_text(rules, token)
        for _ in range(rules.token(token)[3] - there.count(face)):
            if lack == 0:
                break
            lack -= 1
            if rest != "areas":
                seats[rest]["tokens"] = "+".join(sorted([*_listed(seats[rest]["tokens"]), face]))
            elif room := _room(rules, areas, face):
                areas[room] = sorted([*areas[room], face])
            else:
                bay = sorted([*bay, face])
    fields = [
        case.get("head", "1.TURN.0"),
        case.get("order", "01234"[: rules.seats]),
        ",".join(rules.areas),
        ",".join("+".join(tokens) or "-" for tokens in areas.values()),
        "+".join(bay) or "-",
        "0",
        "-",
        ",".join(spots),
        case.get("docks", "I0,I1,I2,I3"),
        case.get("gone", "-"),
        case.get("lost", "-"),
        "-",
        case.get("pending", "-"),
    ]
    return " ".join(fields + [";".join(seat[key] for key in SEAT) for seat in seats])


def _room(rules: Any, areas: dict[str, list[str]], face: str) -> str:
    for a, (area, tokens) in enumerate(areas.items()):
        slots, limit, _ = rules.area(a)
        total = sum(int(token[0]) for token in [*tokens, face])
        if len(tokens) < slots and total <= limit:
            return area
    return ""


def _start(case: dict[str, Any]) -> State:
    rules = parse_setup(HAWAII, case.get("setup", "-"))
    text = case["start"] if "start" in case else position_text(rules, case)
    return parse_position(HAWAII, rules, text)


def _tokens(state: State) -> list[str]:
    moves = Moves()
    state.legal(moves)
    return [envelope.lexicon(state.rules).tokens[code] for code in moves.to_list()]


def _ids(state: State, token: str) -> list[str]:
    reasons = envelope.explain(state, HAWAII.notation.parse(state.rules, token), state.actor)
    return [reason.id.removeprefix("hawaii.") for reason in reasons]


def _expect(claims: dict[str, Any], state: Any, before: list[int]) -> None:
    """Holds the state to every claim that the data makes of it; `before` are the points at the start of the case."""
    rules = state.rules
    fields = write_position(state).split(" ")
    seats = [dict(zip(SEAT, field.split(";"), strict=True)) for field in fields[13:]]
    if "legal" in claims:
        assert _tokens(state) == claims["legal"]
    for head, expected in claims.get("legal_of", {}).items():
        assert [token for token in _tokens(state) if token.startswith(head)] == expected
    for area, cost in claims.get("cost", {}).items():
        assert state.walk_cost(state.actor, rules.areas.index(area)) == cost, area
    for seat, expected in claims.get("seat", {}).items():
        assert {key: seats[int(seat)][key] for key in expected} == expected
    for name, place in (("phase", 0), ("order", 1), ("bay", 4), ("spots", 7), ("docks", 8), ("lost", 10)):
        if name in claims:
            assert fields[place] == claims[name]
    for area, tokens in claims.get("tokens", {}).items():
        assert fields[3].split(",")[rules.areas.index(area)] == tokens
    if "sums" in claims:
        assert [state.token_sum(seat) for seat in range(rules.seats)] == claims["sums"]
    if "gained" in claims:
        assert [now - then for now, then in zip(state.scores(), before, strict=True)] == claims["gained"]
    if "need" in claims:
        assert state.need(0) == claims["need"]
    if "left" in claims:
        assert [state.left(0, used) for used in range(len(claims["left"]))] == claims["left"]
    for code, stock in claims.get("stock", {}).items():
        assert state.stock(rules.kind_codes.index(code)) == stock
    if "places" in claims:
        assert state.placements() == claims["places"]
    if "ends" in claims:
        rows = [row for row in state.breakdown() if row.seat == 0 and row.source.startswith("village")]
        assert {row.source.removeprefix("village "): row.points for row in rows} == claims["ends"]
    for code, villages in claims.get("fits", {}).items():
        kind = rules.kind_codes.index(code)
        fitting = [v for v in range(1, 6) if state.fits(0, v, kind)]
        assert fitting == villages, code
        assert [v for v in range(1, 6) if not list(misfits(state, 0, v, kind))] == fitting, code
    for where, ids in claims.get("misfits", {}).items():
        code, village = where.split()
        found = misfits(state, 0, int(village), rules.kind_codes.index(code))
        assert [short for short, _, _ in found] == ids, where


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_example(case: dict[str, Any]) -> None:
    state = _start(case)
    before = state.scores()
    _expect(case.get("now", {}), state, before)
    for attempt in case.get("try", []):
        state = _start(case)
        for token in attempt.get("moves", "").split():
            assert _ids(state, token) == []
            play_token(HAWAII, state, token)
        for token, ids in attempt.get("refused", {}).items():
            assert _ids(state, token) == ids, token
        _expect(attempt, state, before)
