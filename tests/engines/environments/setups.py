"""The setups that the environments are tested on: every game with its fewest seats and, more slowly, with others."""

from __future__ import annotations

import pytest

from engines import registry

SETUPS = [
    pytest.param(slug, seats, marks=[pytest.mark.slow] if seats > registry.game(slug).facts.seats[0] else [])
    for slug in registry.SLUGS
    for seats in registry.game(slug).facts.seats[::3]
]
