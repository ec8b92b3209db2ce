"""The worth of a finished game to each seat."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engines.core.constants import TERMINAL
from engines.environments.returns import returns


def finished(places: list[int], teams: list[int] | None = None, actor: int = TERMINAL) -> Any:
    return SimpleNamespace(
        actor=actor,
        rules=SimpleNamespace(seats=len(places)),
        placements=lambda: places,
        teams=lambda: teams or list(range(len(places))),
    )


@pytest.mark.parametrize(
    ("places", "teams", "worth"),
    [
        ([1, 2], None, [1.0, -1.0]),
        ([1, 1], None, [0.0, 0.0]),
        ([3, 1, 2], None, [-1.0, 1.0, 0.0]),
        ([1, 1, 3, 4], None, [2 / 3, 2 / 3, -1 / 3, -1.0]),
        ([1, 3, 1, 3], [0, 1, 0, 1], [1.0, -1.0, 1.0, -1.0]),
    ],
)
def test_places_against_rivals(places: list[int], teams: list[int] | None, worth: list[float]) -> None:
    found = returns(finished(places, teams))
    assert found == pytest.approx(worth)
    assert sum(found) == pytest.approx(0.0)


def test_a_running_game_is_worth_nothing_yet() -> None:
    assert returns(finished([1, 2], actor=0)) == [0.0, 0.0]
