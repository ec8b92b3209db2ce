"""What the shared checks cannot know of Village of Gaul: the longest lists, odd editions, the door, the greedy eye."""

from __future__ import annotations

from random import Random

import pytest

from engines import registry
from engines.conformance.scenario import parse_position, parse_setup, play_token
from engines.conformance.walk import visits
from engines.core.constants import TERMINAL
from engines.core.state import IllegalMove, Moves
from engines.referee import Referee
from engines.search.bots import make_bot

GAUL = registry.game("gaul")
SWAPS = (
    "4,4,3,3 B r5 play0 9,9,9,9 YS1,RH1/BS1,WH1/YK1,RS1/RK1,BH1,WK1 WS1x,BK2x,WK1x,BS1r,BK1r,WS1m,RK1m,RS2s,WS1s,"
    "RH1s,BH1s,RS1c,YS1a,WH1a,YK1a,BK1a YS2x,YH1m,BH1m,YH1c,BK2c,YS1d/YK1x,YH1r,RH2m,YK1c,WK1a,WK1d/"
    "WH2x,BH2r,WK1m,BS1s,WH1s,WH1d/BH1x,RK2r,RH1c,WH2c,WS2a,RK1d"
)


@pytest.mark.parametrize(
    ("setup", "count"), [("", 63), ("swap_self=true", 73), ("swap_self=true decline=any", 74), ("decline=worded", 64)]
)
def test_longest_list_of_swaps(setup: str, count: int) -> None:
    """The specification's bounds for four seats: nine charged cards and an exhausted one for each seat."""
    state = parse_position(GAUL, parse_setup(GAUL, f"seats=4 {setup}"), SWAPS)
    play_token(GAUL, state, "YS2x")
    moves = Moves()
    state.legal(moves)
    assert len(moves) == count <= GAUL.facts.max_legal


@pytest.mark.parametrize(("seats", "codes"), [(2, 750), (3, 2000), (4, 3875)])
def test_code_anchors(seats: int, codes: int) -> None:
    """Numbers of seat moves that the specification gives, and the order of the kinds of moves."""
    rules = parse_setup(GAUL, f"seats={seats}")
    moves = GAUL.moves.vocabulary(rules)
    names = [type(move).__name__ for move in moves]
    order = ["Play", "Swap", "Remove", "Step", "Split", "Cross", "Aisling", "Decline", "Deal", "Draw"]
    assert names == sorted(names, key=order.index)
    assert names.index("Deal") == codes
    tokens = [GAUL.notation.token(rules, move) for move in moves]
    assert [tokens[i] for i in (0, 83, 84)] == ["YS2x", "WK1d", "x0YS1/1YS1"]
    assert tokens[names.index("Step") : names.index("Split")] == [
        "Y>R",
        "Y>W",
        "R>Y",
        "R>B",
        "B>R",
        "B>W",
        "W>Y",
        "W>B",
    ]
    assert tokens[names.index("Remove") - 1] == f"x{seats - 2}-/{seats - 1}-"


@pytest.mark.parametrize("setup", ["edition=twenty", "edition=five seats=3", "edition=five seats=2 decline=any"])
@pytest.mark.parametrize("seed", range(4))
def test_odd_editions_keep_the_invariants(setup: str, seed: int, odd_editions: None) -> None:
    """Copies of a kind, a stock that runs dry, boards that empty out, five districts, up to three symbols."""
    rules = parse_setup(GAUL, f"{setup} swap_self={'true' if seed % 2 else 'false'}")
    vocabulary = GAUL.moves.vocabulary(rules)
    for visit in visits(GAUL.rules.start(rules), Random(seed), 400):
        state = visit.state
        assert GAUL.invariants.check(rules, state.snapshot()) == []
        assert GAUL.notation.read_position(rules, GAUL.notation.write_position(state)).key() == state.key()
        if visit.ply % 5 == 0 and state.actor != TERMINAL:
            legal = [c for c, m in enumerate(vocabulary) if not GAUL.explain.explain(state, m, state.actor)]
            assert legal == visit.codes
    assert state.end_reason() == "LAST_ROUND"


def test_copies_weigh_in_the_deal(odd_editions: None) -> None:
    state = GAUL.rules.start(parse_setup(GAUL, "edition=twenty"))
    moves = Moves()
    state.weights(moves)
    assert moves.to_weights() == [4, 4, 2, 2, 2, 2, 1, 1, 1, 1]
    play_token(GAUL, state, ":YS1d")
    state.weights(moves)
    assert moves.to_weights() == [3, 4, 2, 2, 2, 2, 1, 1, 1, 1]


def test_two_copies_in_hand_are_one_move(odd_editions: None) -> None:
    deal = "start :AX1x :AX1x :AX1x :BX2x :DV1r :DV1r :DV1r :DV1r"
    state = parse_position(GAUL, parse_setup(GAUL, "edition=five seats=2"), deal)
    moves = Moves()
    state.legal(moves)
    assert moves.to_list() == [0, 1]
    assert state.snapshot().hands == ((0, 0, 0, 1), (3, 3, 3, 3))


def test_the_door_checks_class_and_sender() -> None:
    one = GAUL.rules.start(parse_setup(GAUL, "-"))
    other = GAUL.rules.start(parse_setup(GAUL, "seats=3"))
    with pytest.raises(TypeError):
        one.copy_from(other)
    with pytest.raises(TypeError):
        one.legal(None)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove):
        one.play(0)
    with pytest.raises(ValueError, match="no seat 2"):
        one.observe(2)
    with pytest.raises(ValueError, match="no seat"):
        one.redeal(-1, 0, 0)
    with pytest.raises(IllegalMove):
        one.play(one.rules.deal_code, sender=0)


def _places(kinds: list[str], seed: int) -> list[int]:
    rules = parse_setup(GAUL, f"seats={len(kinds)}")
    result = Referee(rules, [make_bot(GAUL, kind, {}, seed, seat) for seat, kind in enumerate(kinds)], seed).run()
    assert result is not None
    return list(result.placements)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random(seats: int) -> None:
    """One greedy seat among random ones, on every seat in turn, wins far more than its share."""
    wins = 0
    games = 12 * seats
    for seed in range(games):
        bots = ["random"] * seats
        bots[seed % seats] = "greedy"
        wins += _places(bots, seed)[seed % seats] == 1
    assert wins > 1.5 * games / seats
