"""What the shared checks cannot know of Hawaii: points by source, long lists, the door, the greedy eye."""

from __future__ import annotations

import pytest

from engines import registry
from engines.conformance.scenario import parse_setup
from engines.core.rollout import rollout
from engines.core.state import IllegalMove, Moves, State
from engines.hawaii.facts import CODES, END_VP, FACTS, SOURCES
from engines.hawaii.moves import vocabulary
from engines.referee import Referee
from engines.search.bots import make_bot

HAWAII = registry.game("hawaii")
FLEET = (
    "3.TURN.0 01 HUT,SPX,LIR,FRA,FRB,HUS,BOA,KAH,TIK,GOD 2,2,2,2x,2x,3,3,3,3x,3x 4+4+4+4x+4x+5+5+5+5x+5x 0 - -,6 "
    "I0,I1,I2,I3 - - - - st1/-/-/-/-;k0t0b{one}c{two};a0b0c0;~;-;-;0.0.0.0.0;60s60f60u "
    "st1/-/-/-/-;k0t0b0c0;a0b0c0;~;6;-;0.0.0.0.0;0"
)
"""Ten fish in the bay, four islands, ten areas with a token, a rich seat with all the boats."""


def _played(setup: str, seed: int, plies: int = 9999) -> State:
    state = HAWAII.rules.start(parse_setup(HAWAII, setup))
    rollout(state, seed, plies)
    return state


def test_the_vocabulary_is_as_large_as_published() -> None:
    moves = vocabulary(parse_setup(HAWAII, "-"))
    kinds: dict[str, int] = {}
    for move in moves:
        if move is not None:
            kinds[type(move).__name__] = kinds.get(type(move).__name__, 0) + 1
    assert len(moves) == CODES
    assert kinds == {
        "Walk": 10,
        "Fish": 890,
        "Sail": 356,
        "Pass": 5,
        "Return": 1,
        "Pay": 454,
        "Buy": 400,
        "Place": 5,
        "TakeFish": 3,
        "TakeTile": 21,
        "Collect": 55,
        "DrawArea": 10,
        "DrawIsland": 10,
        "DrawToken": 10,
    }


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_points_add_up_by_source(seats: int) -> None:
    """Over a hundred random games: rows name what they come from, and their sum is the score."""
    seen = set()
    for seed in range(100):
        state = _played(f"seats={seats} laka_scope={('valid', 'all')[seed % 2]}", seed)
        rows = state.breakdown()
        assert [sum(row.points for row in rows if row.seat == seat) for seat in range(seats)] == state.scores()
        seen |= {row.source.split()[-1] for row in rows if row.points}
    assert seen >= {*SOURCES, "kahuna"}
    assert seen - {*SOURCES, "kahuna"} <= {
        HAWAII.rules.make_rules(state.rules.setup, _data()).kinds[k]
        for k in range(21)
        if any(any(state.rules.effects(k, level)[END_VP:]) for level in (1, 2))
    }


def _data() -> object:
    return registry.find_edition(HAWAII).data


def test_during_play_only_what_is_gained_counts() -> None:
    state = _played("seats=3", 4, 200)
    assert {row.source for row in state.breakdown()} == set(SOURCES)
    assert [sum(purse.points) for purse in state.snapshot().purses] == state.scores()


@pytest.mark.parametrize(("one", "two", "length"), [(8, 0, 118), (5, 3, 260), (4, 4, 248), (0, 8, 65)])
def test_the_longest_lists_stay_below_the_bound(one: int, two: int, length: int) -> None:
    state = HAWAII.notation.read_position(parse_setup(HAWAII, "-"), FLEET.format(one=one, two=two))
    moves = Moves()
    state.legal(moves)
    assert len(moves) == length < FACTS.max_legal


def test_the_door_checks_class_sender_and_ranges() -> None:
    one, other = _played("seats=2", 1, 40), _played("seats=3", 1, 40)
    with pytest.raises(TypeError):
        one.copy_from(other)
    with pytest.raises(TypeError):
        one.legal(None)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove):
        one.play(CODES)
    with pytest.raises(IllegalMove):
        one.play(0, sender=1 - one.actor)
    with pytest.raises(ValueError, match="no seat 2"):
        one.observe(2)
    asked: list[tuple[str, tuple[int, ...]]] = [
        ("goods", (2,)),
        ("at", (-1,)),
        ("boats_left", (5,)),
        ("walk_cost", (0, 10)),
        ("stock", (21,)),
        ("dock_island", (0,)),
        ("spot_seat", (3,)),
        ("fits", (0, 6, 0)),
        ("fits", (0, 1, 21)),
        ("need", (2,)),
    ]
    for method, arguments in asked:
        with pytest.raises(IndexError):
            getattr(one, method)(*arguments)
    for method, arguments in (
        ("kind", (22,)),
        ("token", (10,)),
        ("area", (10,)),
        ("island", (-1,)),
        ("dock", (5,)),
        ("round", (6,)),
    ):
        with pytest.raises(IndexError):
            getattr(one.rules, method)(*arguments)


def _places(kinds: list[str], seed: int) -> list[int]:
    rules = parse_setup(HAWAII, f"seats={len(kinds)}")
    result = Referee(rules, [make_bot(HAWAII, kind, {}, seed, seat) for seat, kind in enumerate(kinds)], seed).run()
    assert result is not None
    return list(result.placements)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_greedy_beats_random(seats: int) -> None:
    """One greedy seat among random ones, on every seat in turn, wins far more than its share."""
    wins = 0
    games = 6 * seats
    for seed in range(games):
        bots = ["random"] * seats
        bots[seed % seats] = "greedy"
        wins += _places(bots, seed)[seed % seats] == 1
    assert wins > 1.4 * games / seats
