"""Observations as arrays: one length, one to one with what is seen, nothing of what is hidden."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

pytest.importorskip("numpy", reason="the extras papamu[pettingzoo] and papamu[openspiel] bring numpy")

from engines import registry
from engines.core.rng import stream_key
from engines.core.state import Rules
from engines.environments.layout import FILL, Layout, _Shape, content, layout
from tests.engines.environments.setups import SETUPS
from tests.support.walk import walk

every_setup = pytest.mark.parametrize(("slug", "seats"), SETUPS)


def rules_of(slug: str, seats: int = 0) -> Rules:
    return registry.make_rules(registry.make_setup(registry.game(slug), seats=seats))


@pytest.fixture
def rules(slug: str, seats: int) -> Rules:
    return rules_of(slug, seats)


@pytest.mark.slow
@every_setup
def test_arrays_have_one_length_and_a_name_for_each_slot(rules: Rules) -> None:
    slots = layout(rules)
    assert len(slots.names) == len(set(slots.names)) == slots.size > 1
    for state in walk(rules, 1000):
        for seat in range(rules.seats):
            array = slots.encode(state.observe(seat))
            assert array.shape == (slots.size,)
            assert array[slots.names.index("viewer")] == seat


@every_setup
def test_different_observations_have_different_arrays_as_far_as_nothing_is_lost(rules: Rules) -> None:
    slots = layout(rules)
    seen: dict[bytes, str] = {}
    lost = looked = 0
    for state in walk(rules, 1001):
        observation = state.observe(0)
        looked += 1
        lost += slots.lost(observation) > 0
        if not slots.lost(observation):
            text = repr(content(observation))
            assert seen.setdefault(slots.encode(observation).tobytes(), text) == text
    assert lost <= looked / 20


@every_setup
def test_arrays_hold_nothing_that_the_seat_does_not_see(rules: Rules) -> None:
    slots = layout(rules)
    for ply, state in enumerate(walk(rules, 1002, 60)):
        for seat in range(rules.seats):
            observation = state.observe(seat)
            other = observation.sample(stream_key(7, 7), 1000 * ply)
            assert (slots.encode(other.observe(seat)) == slots.encode(observation)).all()


def test_the_same_setup_has_the_same_layout() -> None:
    rules = rules_of("tiki")
    first = layout(rules).names
    layout.cache_clear()
    assert layout(rules).names == first


@dataclass(frozen=True)
class Inner:
    a: int
    rows: tuple[tuple[int, ...], ...]


def shape_of(*values: object) -> _Shape:
    shape = _Shape()
    for value in values:
        shape.see(value)
    return shape


def encode(slots: Layout, shape: _Shape, value: object) -> list[int]:
    out: list[int] = []
    shape.write(value, out)
    assert len(out) == slots.size
    return out


def test_a_tuple_of_varying_length_has_its_length_room_to_grow_and_filling() -> None:
    shape = shape_of(Inner(1, ((1, 2), ())), Inner(2, ((3, 4, 5, 6), (7,))))
    slots = Layout({"x": shape})
    assert slots.names[:3] == ("x.a", "x.rows[0].length", "x.rows[0][0]")
    assert slots.size == 1 + 2 * (1 + 7)
    assert encode(slots, shape, Inner(9, ((8,), ()))) == [9, 1, 8, *[FILL] * 6, 0, *[FILL] * 7]


def test_what_finds_no_place_is_counted_and_its_length_still_shows() -> None:
    shape = shape_of((1,), ())
    slots = Layout({"x": shape})
    out: list[int] = []
    assert shape.write((5, 6, 7, 8), out) == 2
    assert out == [4, 5, 6]
    assert slots.size == 3


def test_numbers_wider_than_a_slot_stay_distinct() -> None:
    shape = shape_of(0)
    slots = Layout({"x": shape})
    wide = [encode(slots, shape, value)[0] for value in (2**60, 2**60 + 1, -(2**40), 2**31)]
    assert len(set(wide)) == 4
    assert all(0 <= value < 2**31 for value in wide)


@pytest.mark.parametrize("values", [("text",), (None,), (1, (1,)), ((1, (2,)),), ([1],)])
def test_what_is_no_plain_number_is_refused(values: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        shape_of(*values)
