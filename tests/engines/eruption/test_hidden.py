"""What a seat sees, and how hidden cards are drawn for it."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.core.game import BadInput
from engines.eruption import moves, observe, wire
from engines.eruption.facts import CARDS
from engines.eruption.rules import Eruption
from tests.engines.eruption.support import play, position, rules

SAMPLES = 600


def _unseen(*cards: str) -> str:
    """The discard pile that leaves just these cards and 2 AS."""
    counts = {name: rules().card(c)[0] for c, name in enumerate(CARDS)}
    for card in ("AS", "AS", *cards):
        counts[card] -= 1
    return ",".join(name for name, n in counts.items() for _ in range(n))


def _hands(state: Eruption, viewer: int, seat: int) -> Counter[str]:
    """How often each card is held by `seat` in worlds drawn for `viewer`, whose hands have one card each."""
    observation = state.observe(viewer)
    found = Counter[str]()
    for i in range(SAMPLES):
        hand = observation.sample(7, 100 * i).snapshot().hands[seat]
        found += Counter({CARDS[c]: n for c, n in enumerate(hand) if n})
    return found


def test_unseen_cards_are_spread_evenly() -> None:
    """Two AS (one in the own hand), QK and SH are out: the other hand is AS, QK or SH, a third each."""
    state = position(f"ACTION 0 cards=AS/QK discard={_unseen('QK', 'SH')}")
    found = _hands(state, 0, 1)
    assert set(found) == {"AS", "QK", "SH"}
    assert all(abs(n - SAMPLES / 3) < 60 for n in found.values())


def test_weights_follow_copies() -> None:
    """Among AS, QK, QK and QK the other hand is QK three times out of four."""
    state = position(f"ACTION 0 cards=AS/QK discard={_unseen('QK', 'QK', 'QK')}")
    assert abs(_hands(state, 0, 1)["QK"] - 0.75 * SAMPLES) < 50


def test_open_gifts_are_forgotten() -> None:
    """The giver does not count on its teammate still holding the card: only the present table counts."""
    text = f"ACTION 0 cards=AS,LF/-/SH/QK discard={_unseen('QK', 'SH', 'LF')}"
    state = play(position(text, 4, mode="clans"), "LF>1")
    found = _hands(state, 0, 1)
    assert set(found) == {"AS", "QK", "SH", "LF"}
    assert all(abs(n - SAMPLES / 4) < 60 for n in found.values())


def test_the_own_hand_and_the_sizes_stay() -> None:
    state = position("ACTION 0 cards=AS,QK,SH/RN,VB/LF", 3)
    for viewer in range(3):
        world = state.observe(viewer).sample(1, 0)
        assert world.snapshot().hands[viewer] == state.snapshot().hands[viewer]
        assert world.snapshot().table == state.snapshot().table
        assert [sum(hand) for hand in world.snapshot().hands] == [3, 2, 1]


def test_only_the_receiver_sees_a_card() -> None:
    known = rules()
    before = position("CARD_DRAW 0 draws=1 then=ACTIONS")
    drawn = moves.DrawCard(0, 1)
    assert observe.shows(before, drawn, 0)
    assert not observe.shows(before, drawn, 1)
    assert not observe.shows(before, drawn, -1)
    assert observe.shows(before, moves.DrawTile(3), 1)
    assert known.seats == 2


def test_impossible_views() -> None:
    state = position("ACTION 0 cards=AS,QK/RN")
    known = state.rules
    for spoil, message in (
        (lambda view: view.hand_sizes.append(1), "one size a seat"),
        (lambda view: view.hand_sizes.__setitem__(0, 1), "one size a seat"),
        (lambda view: view.hand_sizes.__setitem__(1, 2), "do not make up the cards"),
        (lambda view: view.hand.counts[0].__setattr__("count", 9), "one size a seat"),
        (lambda view: view.table.temps.__setitem__(0, 5), "in steps of 10"),
    ):
        view = wire.write_view(state.observe(0))
        spoil(view)
        with pytest.raises(BadInput, match=message):
            wire.read_view(known, 0, view)
    with pytest.raises(BadInput, match="viewer"):
        wire.read_view(known, 2, wire.write_view(state.observe(0)))
    with pytest.raises(ValueError, match="no seat 2"):
        state.observe(2)
    with pytest.raises(ValueError, match="no seat"):
        state.redeal(5, 1, 1)
