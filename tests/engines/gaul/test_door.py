"""Damaged states: each is refused, or is a possible state that plays to its end."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from engines import registry
from engines.conformance.scenario import parse_setup
from engines.conformance.walk import visits
from engines.core.constants import TERMINAL
from engines.core.game import BadInput
from engines.gaul.snapshot import Snapshot

GAUL = registry.game("gaul")
SETUPS = (
    "seats=2",
    "seats=3 decline=any",
    "seats=4 decline=worded swap_scope=charged_only",
    "edition=five seats=3 swap_self=true decline=any",
    "edition=twenty",
)


def _damaged(value: Any, random: Random) -> Any:
    """A number changed a little or a lot; a list shorter, longer, in another order or with one entry damaged."""
    if isinstance(value, int):
        return random.choice((value + 1, max(value - 1, 0), 0, random.randrange(90), 2**32 - 1))
    items = list(value)
    at = random.randrange(len(items)) if items else 0
    match random.randrange(4):
        case 0 if items:
            items.pop(at)
        case 1 if items:
            items[at] = _damaged(items[at], random)
        case 2 if items:
            items.append(items[at])
        case _:
            random.shuffle(items)
    return tuple(items)


def _position(random: Random, setup: str) -> tuple[Any, Snapshot]:
    rules = parse_setup(GAUL, setup)
    state = GAUL.rules.start(rules)
    for visit in visits(state, random, random.randrange(110)):
        last = visit
    return rules, last.state.snapshot()


@pytest.mark.parametrize("setup", SETUPS)
def test_damaged_states(setup: str, odd_editions: None) -> None:
    random = Random(setup)
    taken = 0
    for _ in range(60):
        rules, snapshot = _position(random, setup)
        for _ in range(random.randint(1, 2)):
            name = random.choice(fields(snapshot)).name
            snapshot = replace(snapshot, **{name: _damaged(getattr(snapshot, name), random)})
        try:
            state = GAUL.rules.load(rules, snapshot)
        except BadInput as error:
            assert all(v.id in GAUL.invariants.IDS and v.field for v in error.violations)
            continue
        taken += 1
        for visit in visits(state, random, 200):
            assert GAUL.invariants.check(rules, visit.state.snapshot()) == []
        assert state.actor == TERMINAL
    assert 0 < taken < 60
