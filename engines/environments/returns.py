"""What a game is worth to each seat at its end."""

from __future__ import annotations

from engines.core.constants import TERMINAL
from engines.core.state import State


def returns(state: State) -> list[float]:
    """By seat: rivals placed behind it minus rivals placed before it, as a share of all its rivals; 0.0 while it runs.

    A sole winner has 1.0, a sole last -1.0. Team mates share a place and are no rivals. The sum is zero, since teams of
    one game have equal sizes.
    """
    if state.actor != TERMINAL:
        return [0.0] * state.rules.seats
    places, teams = state.placements(), state.teams()
    values = []
    for place, team in zip(places, teams, strict=True):
        rivals = [other for other, theirs in zip(places, teams, strict=True) if theirs != team]
        values.append(sum((other > place) - (other < place) for other in rivals) / len(rivals))
    return values
