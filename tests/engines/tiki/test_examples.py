"""The worked examples X1 to X26 and the whole games of the specification, as data beside this file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engines import envelope, registry
from engines.conformance.scenario import parse_position, parse_setup, play_token
from engines.core.constants import ABSENT
from engines.core.rollout import perft
from engines.core.state import Moves, State
from engines.tiki.facts import VILLAGES

TIKI = registry.game("tiki")
HERE = Path(__file__).parent


def _load(name: str, table: str) -> list[Any]:
    data = tomllib.loads((HERE / name).read_text("utf-8"))
    for entry in data[table]:
        entry["layouts"] = data["layouts"]
    return data[table]


CASES = _load("examples.toml", "case")
GAMES = _load("games.toml", "game")


def _full(case: dict[str, Any], text: str) -> str:
    alias, rest = text.split(" ", 1)
    return f"{case['layouts'].get(alias, alias)} {rest}"


def _start(case: dict[str, Any]) -> State:
    rules = registry.make_rules(registry.make_setup(TIKI, options=case["options"]))
    if "position" in case:
        return TIKI.notation.read_position(rules, _full(case, case["position"]))
    return TIKI.rules.start(rules)


def _tokens(state: State) -> list[str]:
    moves = Moves()
    state.legal(moves)
    return [envelope.lexicon(state.rules).tokens[code] for code in moves.to_list()]


def _ids(state: State, token: str, sender: int = ABSENT) -> list[str]:
    move = TIKI.notation.parse(state.rules, token)
    return sorted(reason.id for reason in envelope.explain(state, move, sender))


def _expect(case: dict[str, Any], claims: dict[str, Any], state: State) -> None:
    """Holds the state to every claim that the data makes of it."""
    text = TIKI.notation.write_position(state) if state.snapshot().phase > 1 else ""
    if "after" in claims:
        assert text == _full(case, claims["after"])
    if "stacks" in claims:
        assert text.split()[1] == claims["stacks"]
    if "fruits" in claims:
        assert text.split()[3] == claims["fruits"]
    if "actor" in claims:
        assert state.actor == claims["actor"]
    if "hands" in claims:
        assert list(state.snapshot().hands) == claims["hands"]
    legal = _tokens(state)
    if "legal" in claims:
        assert legal == claims["legal"]
    if "legal_count" in claims:
        assert len(legal) == claims["legal_count"]
    assert set(claims.get("legal_has", [])) <= set(legal)
    for origin, expected in claims.get("legal_of", {}).items():
        assert [t for t in legal if t.startswith(origin)] == expected
    if "weights" in claims:
        moves = Moves()
        state.weights(moves)
        assert dict(zip(legal, moves.to_weights(), strict=True)) == claims["weights"]
    for village, seat in claims.get("owners", {}).items():
        assert state.snapshot().stacks[VILLAGES.index(village)][-1] == seat
    if "outcome" in claims:
        assert (state.snapshot().winner, state.end_reason()) == tuple(claims["outcome"].values())
    if "places" in claims:
        assert state.placements() == claims["places"]
    if "over" in claims:
        assert bool(state.end_reason()) == claims["over"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_example(case: dict[str, Any]) -> None:
    _expect(case, {key: case[key] for key in case if key != "options"}, _start(case))
    for attempt in case.get("try", []):
        state = _start(case)
        moves = attempt.get("moves") or ([attempt["move"]] if "move" in attempt else [])
        if "refused" in attempt:
            for token in moves[:-1]:
                play_token(TIKI, state, token)
            before = state.key()
            assert _ids(state, moves[-1], attempt.get("sender", ABSENT)) == attempt["refused"], moves
            assert state.key() == before
            continue
        for token in moves:
            assert _ids(state, token) == []
            play_token(TIKI, state, token)
        if "refuses_every" in attempt:
            for move in TIKI.moves.vocabulary(state.rules):
                for sender in (0, 1, -1):
                    if move is not None:
                        ids = [reason.id for reason in envelope.explain(state, move, sender)]
                        assert ids == attempt["refuses_every"]
        _expect(case, attempt, state)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_whole_game(game: dict[str, Any]) -> None:
    state = _start(game)
    checkpoints = {point["ply"]: point for point in game["checkpoints"]}
    tokens = game["moves"].split()
    for ply, token in enumerate(tokens, start=1):
        play_token(TIKI, state, token)
        if ply in checkpoints:
            point = checkpoints.pop(ply)
            _expect(
                game, {"after": point["position"], **({"actor": point["actor"]} if "actor" in point else {})}, state
            )
    assert not checkpoints
    _expect(game, {"outcome": game["outcome"]}, state)


# -- perft by the kind of the last move -----------------------------------------------------------------------------

KINDS = {"@": "create", "!": "resolve", "S": "shaman", "p": "pass"}


def _perft_rows() -> dict[str, State]:
    rows = {}
    for line in (HERE.parent.parent / "golden" / "tiki" / "perft.txt").read_text("utf-8").splitlines():
        name, *parts = [part.strip() for part in line.split("|")]
        if len(parts) == 3 and name != "divide":
            rows[name] = parse_position(TIKI, parse_setup(TIKI, parts[0]), parts[1])
    return rows


def _count(state: State, depth: int, found: dict[str, int]) -> None:
    for token in _tokens(state):
        after = state.clone()
        play_token(TIKI, after, token)
        if depth == 1:
            kind = KINDS.get(token[0], "move")
            found[kind] = found.get(kind, 0) + 1
            found["ends"] = found.get("ends", 0) + (after.actor == -2)
        elif after.actor != -2:
            _count(after, depth - 1, found)


@pytest.mark.parametrize("depth", [2, 4])
def test_perft_by_kind(depth: int) -> None:
    expected: dict[str, int] = {}
    for line in (HERE / "perft_kinds.txt").read_text("utf-8").splitlines():
        head, _, rest = line.partition(" : ")
        if head == f"kinds P4 {depth}":
            expected.update((kind, int(n)) for kind, n in (pair.split("=") for pair in rest.split()))
        elif head == f"ends P4 {depth}":
            expected["ends"] = int(rest)
    found: dict[str, int] = {}
    state = _perft_rows()["P4"]
    _count(state, depth, found)
    assert found == expected
    assert sum(found.values()) - found["ends"] == perft(state, depth)
