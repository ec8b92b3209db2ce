"""The worked examples E1 to E16 and the whole games E18 and E19 of the specification, as data beside this file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engines import editions, envelope, registry
from engines.conformance.scenario import parse_setup, play_token
from engines.core.constants import ABSENT, CHANCE
from engines.core.state import Moves, State

GAUL = registry.game("gaul")
HERE = Path(__file__).parent
CASES = tomllib.loads((HERE / "examples.toml").read_text("utf-8"))["case"]
GAMES = tomllib.loads((HERE / "games.toml").read_text("utf-8"))["game"]
FIELDS = {"menhirs": 0, "aisling": 1, "scores": 4, "charged": 5}
"""Place of a claim in the position text."""


def _start(case: dict[str, Any]) -> State:
    return GAUL.notation.read_position(parse_setup(GAUL, case["setup"]), case["position"])


def _legal(state: State) -> list[str]:
    moves = Moves()
    state.legal(moves)
    return [envelope.lexicon(state.rules).tokens[code] for code in moves.to_list()]


def _ids(state: State, token: str, sender: int = ABSENT) -> list[str]:
    move = GAUL.notation.parse(state.rules, token)
    return sorted(reason.id for reason in envelope.explain(state, move, sender))


def _exhausted(state: State) -> list[int]:
    s = state.snapshot()
    return [GAUL.invariants.laid(state.rules, s, seat) - len(cards) for seat, cards in enumerate(s.charged)]


def _expect(claims: dict[str, Any], state: State) -> None:
    """Holds the state to every claim that the data makes of it."""
    text = GAUL.notation.write_position(state).split()
    for name, place in FIELDS.items():
        if name in claims:
            assert text[place] == claims[name], name
    if "exhausted" in claims:
        assert _exhausted(state) == claims["exhausted"]
    if "legal" in claims:
        assert _legal(state) == claims["legal"]
    if "actor" in claims:
        assert state.actor == claims["actor"]
    if "places" in claims:
        assert state.placements() == claims["places"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_example(case: dict[str, Any]) -> None:
    start = _start(case)
    assert GAUL.notation.write_position(start) == case["position"]
    for attempt in case["try"]:
        state = start.clone()
        *earlier, last = attempt["moves"]
        for token in earlier:
            play_token(GAUL, state, token)
        before = state.key()
        ids = _ids(state, last, attempt.get("sender", ABSENT))
        assert ids == attempt.get("refused", []), attempt
        if ids:
            assert state.key() == before
        else:
            play_token(GAUL, state, last)
            _expect(attempt, state)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_whole_game(game: dict[str, Any]) -> None:
    state = GAUL.rules.start(parse_setup(GAUL, game["setup"]))
    for token in game["deal"].split():
        play_token(GAUL, state, token)
    for line in game["turns"].strip().splitlines():
        tokens, board, scores, charged = [part.strip() for part in line.split("|")]
        label, *played = re.sub(r"\{.*?\}", "", tokens).split()
        assert label == f"{state.snapshot().round}.{state.actor}"
        for token in played:
            play_token(GAUL, state, token)
        *menhirs, aisling = board.split()
        text = GAUL.notation.write_position(state).split()
        assert (text[0], text[1], text[4]) == (",".join(menhirs), aisling, ",".join(scores.split())), line
        assert _as_sets(text[5].replace("-", "")) == _as_sets(re.sub(r"[ .]+", ",", charged)), line
    assert (state.scores(), state.placements(), state.end_reason()) == (game["scores"], game["places"], "LAST_ROUND")
    assert _as_sets(GAUL.notation.write_position(state).split()[7]) == [sorted(hand) for hand in game["left"]]


def _as_sets(text: str) -> list[list[str]]:
    """The cards of each seat, in one order."""
    return [sorted(code for code in cards.split(",") if code) for cards in text.split("/")]


def test_empty_stock_draws_nothing() -> None:
    """E15: with twenty cards for two hands of ten a draw card has no effect of its own."""
    editions.add(GAUL, HERE.parents[1] / "golden" / "gaul" / "editions" / "twenty.toml")
    state = GAUL.rules.start(parse_setup(GAUL, "edition=twenty"))
    while state.actor == CHANCE:
        play_token(GAUL, state, _legal(state)[0])
    drawing = next(token for token in _legal(state) if token.endswith("d"))
    play_token(GAUL, state, drawing)
    assert _legal(state) == ["@Y", "@R", "@B", "@W"]
    assert sum(len(hand) for hand in state.snapshot().hands) == 19
