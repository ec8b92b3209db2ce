"""What a seat sees of the others' purses, and how worlds are drawn (README section 6.2)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines import registry
from engines.conformance.scenario import parse_setup
from engines.core.constants import SEARCH_STREAM
from engines.core.rng import stream_key
from engines.core.rollout import rollout
from engines.core.state import State
from engines.hawaii.facts import GOALS, NONE, PAY_PRICE, PAY_TRIP, PAY_WALK, SHELLS, TURN

HAWAII = registry.game("hawaii")
KEY = stream_key(3, SEARCH_STREAM)
WORLDS = 2000


def _position(setup: str, seed: int, plies: int, phases: tuple[int, ...] = (TURN,)) -> Any:
    """A position of random play with a decision of one of the phases."""
    state = HAWAII.rules.start(parse_setup(HAWAII, setup))
    rollout(state, seed, plies)
    while state.snapshot().table.phase not in phases:
        rollout(state, seed + 1, 1)
    return state


def _worlds(state: State, viewer: int, count: int = WORLDS) -> list[Any]:
    observation = state.observe(viewer)
    return [observation.sample(KEY, i << 16).snapshot() for i in range(count)]


@pytest.mark.parametrize(
    ("setup", "points", "goods"),
    [("seats=3", False, False), ("seats=3 open_hands=true", False, True), ("seats=3 open_scores=true", True, False)],
)
def test_the_options_say_what_is_open(setup: str, points: bool, goods: bool) -> None:
    state = _position(setup, 1, 160)
    observation = state.observe(0)
    for seat, purse in enumerate(observation.purses):
        true = state.snapshot().purses[seat]
        assert (purse.points == true.points) == (seat == 0 or points)
        assert (purse.shells, purse.feet, purse.fruit).count(NONE) == (0 if seat == 0 or goods else 3)
    assert observation.standing_hidden() == (() if points and goods else (1, 2))


def test_at_the_end_all_is_open() -> None:
    state = HAWAII.rules.start(parse_setup(HAWAII, "seats=3"))
    rollout(state, 1, 9999)
    assert state.observe(2).purses == state.snapshot().purses
    assert state.observe(2).standing_hidden() == ()


def test_hidden_numbers_change_no_byte_of_the_view() -> None:
    """Another seat's goods and points moved about: the viewer sees the same."""
    state = _position("seats=3", 5, 200)
    snapshot = state.snapshot()
    seen = HAWAII.wire.write_view(state.observe(0)).SerializeToString(deterministic=True)
    for i, world in enumerate(_worlds(state, 0, 50)):
        assert world.table == snapshot.table
        other = HAWAII.rules.load(state.rules, world)
        assert HAWAII.wire.write_view(other.observe(0)).SerializeToString(deterministic=True) == seen, i


def test_goods_are_the_smaller_of_two_even_numbers() -> None:
    """P(x) = (2 * (m - x) + 1) / (m + 1)^2 for the most m that the seat can have."""
    state = _position("seats=2", 2, 60)
    viewer = state.actor
    other = 1 - viewer
    most = state.most_goods(other)[SHELLS]
    found = Counter(world.purses[other].shells for world in _worlds(state, viewer))
    assert set(found) <= set(range(most + 1))
    chi = 0.0
    for x in range(most + 1):
        expected = WORLDS * (2 * (most - x) + 1) / (most + 1) ** 2
        chi += (found[x] - expected) ** 2 / expected
    assert chi < most + 6 * (2 * most) ** 0.5  # six deviations of a chi-square with `most` degrees of freedom


def test_each_scored_round_ends_in_any_of_its_four_ways() -> None:
    state = _position("seats=2", 2, 95)
    assert state.snapshot().table.round == 2
    viewer = state.actor
    found = Counter(world.purses[1 - viewer].points[GOALS] for world in _worlds(state, viewer))
    assert set(found) == {0, 2, 5, 8}
    assert all(abs(n - WORLDS / 4) < 6 * (WORLDS * 3 / 16) ** 0.5 for n in found.values())


def test_true_goods_are_among_those_that_can_be_drawn() -> None:
    for seed in range(12):
        state = _position("seats=4", seed, 80 + 20 * seed)
        purses = state.snapshot().purses
        for seat in range(4):
            most = state.most_goods(seat)
            assert all(
                have <= m
                for have, m in zip((purses[seat].shells, purses[seat].feet, purses[seat].fruit), most, strict=True)
            )


@pytest.mark.parametrize("phase", [PAY_WALK, PAY_PRICE, PAY_TRIP])
def test_an_actor_that_has_to_pay_can_in_every_world(phase: int) -> None:
    for seed in range(6):
        state = _position("seats=3", seed, 120, (phase,))
        viewer = (state.actor + 1) % 3
        for world in _worlds(state, viewer, 30):
            assert HAWAII.invariants.check(state.rules, world) == []


def test_before_the_first_turn_everybody_knows_the_goods() -> None:
    state = HAWAII.rules.start(parse_setup(HAWAII, "seats=5"))
    rollout(state, 1, 20)
    assert {world.purses for world in _worlds(state, 0, 20)} == {state.snapshot().purses}
