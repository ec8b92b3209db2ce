"""A position that the server takes, though no game led there, is as good as any: whatever follows works.

PAPAMU_HOSTILE_SEED and PAPAMU_HOSTILE_COUNT make a longer run of other positions.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engines import envelope
from engines.core.constants import ABSENT, CHANCE, TERMINAL
from engines.core.game import BadInput
from engines.core.state import Moves, State
from engines.registry import SLUGS
from tests.hostile.nearly import nearly
from tests.hostile.test_corpus import COUNT, SEED

SOME = 5
"""Moves of a position that are tried."""


@pytest.mark.slow
def test_what_is_possible_after_a_small_change_is_sound() -> None:
    rng = random.Random(SEED)
    taken: Counter[str] = Counter()
    for position in nearly(SEED, COUNT // 10):
        try:
            state = envelope.read_position(position)
        except BadInput:
            continue
        taken[state.rules.setup.game] += 1
        check(state, rng, position)
    print(f"\n{taken.total()} of {COUNT // 10} were possible: {dict(taken)}")
    assert set(taken) == set(SLUGS)


def check(state: State, rng: random.Random, shown: Any) -> None:
    """Everything that can be asked about a position, and about those after it."""
    assert envelope.read_position(envelope.write_position(state)).key() == state.key(), shown
    moves = Moves()
    state.legal(moves)
    codes = moves.to_list()
    assert (not codes) == (state.actor == TERMINAL), shown
    if state.actor == CHANCE:
        state.weights(moves)
        assert min(moves.to_weights()) > 0, shown
    state.scores(), state.placements(), state.breakdown()
    for seat in range(state.rules.seats):
        seen = envelope.read_observation(envelope.write_observation(state.observe(seat)))
        if seat == state.actor:
            world = Moves()
            seen.sample(1, 0).legal(world)
            assert world.to_list() == codes, shown
    words = envelope.lexicon(state.rules).moves
    for code in rng.sample(range(len(words)), SOME):
        if words[code] is not None:
            assert (not envelope.explain(state, words[code], ABSENT)) == moves.has(code), (words[code], shown)
    for code in rng.sample(codes, min(SOME, len(codes))):
        after = state.clone()
        after.play(code)
        envelope.read_position(envelope.write_position(after))
