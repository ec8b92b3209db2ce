"""Worlds drawn from an observation follow the uniform deal of the unseen cards."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from engines import registry
from engines.conformance.scenario import parse_position, parse_setup, play_token
from engines.core.constants import SEARCH_STREAM
from engines.core.rng import stream_key
from engines.core.state import State
from engines.gaul import wire

GAUL = registry.game("gaul")
FOUR = (
    "4,6,2,4 B r3 play2 9,4,5,0 YH1/RH2/WK1/BK1 BS1x,YH1x,RH1x,RH2m,RS2s,BS1s,YH2s,RH1s,BK1s,WK1a "
    "BH1x,WK1r,RK1c,YS1a,BK1a,RS1d,RH2d/YK1x,RS1r,WS1s,RS1c,WS1c,YS1d,RK1d/YS2x,WS2r,RH1r,YH1m,WH1s,YK1s,WK1c,YK1a/"
    "YK1r,RS1m,BH1m,BK1m,RK1s,YH1c,BH2a,RK2a"
)
WORLDS = 3000
LIMIT_3 = 30.7
"""Chi-square with 3 degrees of freedom stays below this but once in a million."""
LIMIT_1 = 23.9
"""The same with 1 degree."""


def _worlds(state: State, seat: int) -> list[tuple[tuple[int, ...], ...]]:
    observation = state.observe(seat)
    key = stream_key(7, SEARCH_STREAM)
    return [observation.sample(key, i << 16).snapshot().hands for i in range(WORLDS)]


def _off(found: float, expected: float) -> float:
    return (found - expected) ** 2 / expected


def test_every_unseen_card_is_anywhere_by_the_sizes() -> None:
    state = parse_position(GAUL, parse_setup(GAUL, "seats=4"), FOUR)
    s = state.snapshot()
    pool = sorted(set(range(84)) - set(s.played) - set(s.hands[0]))
    sizes = [len(hand) for hand in s.hands[1:]]
    sizes.append(len(pool) - sum(sizes))
    places = Counter((kind, place) for hands in _worlds(state, 0) for place in range(3) for kind in hands[place + 1])
    for kind in pool:
        counts = [places[kind, place] for place in range(3)]
        counts.append(WORLDS - sum(counts))
        chi = sum(_off(n, WORLDS * size / len(pool)) for n, size in zip(counts, sizes, strict=True))
        assert chi < LIMIT_3, kind
    assert {kind for kind, _ in places} == set(pool)


def test_unseen_cards_are_spread_independently() -> None:
    """Any two of them share a hand as often as chance has it: no trace of the true hands or the order of the deck."""
    state = parse_position(GAUL, parse_setup(GAUL, "seats=4"), FOUR)
    s = state.snapshot()
    size, pool = len(s.hands[1]), 84 - len(s.played) - len(s.hands[0])
    together = Counter(pair for hands in _worlds(state, 0) for pair in combinations(hands[1], 2))
    expected = WORLDS * size * (size - 1) / (pool * (pool - 1))
    for pair in [*combinations(s.hands[1], 2), *combinations(range(40, 50), 2)]:
        if set(pair) & {*s.played, *s.hands[0]}:
            continue
        found = together[pair]
        assert _off(found, expected) + _off(WORLDS - found, WORLDS - expected) < LIMIT_1, pair


def test_copies_of_a_kind_are_drawn_by_their_number(odd_editions: None) -> None:
    deal = "start :AX1x :BX2x :DV1r :CX1s :AX1x :DX3s :EV2d :BX1a"
    state = parse_position(GAUL, parse_setup(GAUL, "edition=five seats=2"), deal)
    rules, own = state.rules, state.snapshot().hands[0]
    left = {kind: card.copies - own.count(kind) for kind, card in enumerate(rules.cards)}
    found = Counter(kind for hands in _worlds(state, 0) for kind in hands[1])
    cards = sum(left.values())
    for kind, copies in left.items():
        expected = WORLDS * 4 * copies / cards
        assert found[kind] == 0 if copies == 0 else _off(found[kind], expected) < LIMIT_1, kind


@pytest.mark.parametrize("seat", range(4))
def test_only_the_own_hand_moves_a_view(seat: int) -> None:
    """The bytes a seat gets are the same whatever it cannot see, and others when its own hand is another."""
    state = parse_position(GAUL, parse_setup(GAUL, "seats=4"), FOUR)
    view = wire.write_view(state.observe(seat)).SerializeToString(deterministic=True)
    for other in range(4):
        changed = state.clone()
        changed.redeal(other, stream_key(other, SEARCH_STREAM), 0)
        assert changed.snapshot().hands[other] == state.snapshot().hands[other]
        again = wire.write_view(changed.observe(seat)).SerializeToString(deterministic=True)
        assert (again == view) == (other == seat)


def test_only_the_receiver_sees_a_card() -> None:
    """E17, and the draw of E1: others see that a card comes, not which."""
    state = parse_position(GAUL, parse_setup(GAUL, "seats=2"), "start :YS1d")
    deal = GAUL.notation.parse(state.rules, ":RH2m")
    assert [GAUL.observe.shows(state, deal, seat) for seat in range(2)] == [True, False]
    for kind in range(1, 10):
        state.play(state.rules.deal_code + kind)
    assert [GAUL.observe.shows(state, deal, seat) for seat in range(2)] == [False, True]
    for kind in range(10, 20):
        state.play(state.rules.deal_code + kind)
    play_token(GAUL, state, "YS1d")
    draw = GAUL.notation.parse(state.rules, "+WK1d")
    assert [GAUL.observe.shows(state, draw, seat) for seat in range(2)] == [True, False]
    assert all(GAUL.observe.shows(state, GAUL.notation.parse(state.rules, "RH2m"), seat) for seat in range(2))
