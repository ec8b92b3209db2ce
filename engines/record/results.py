"""Results of games: played out, forfeited, void; who is placed where."""

from __future__ import annotations

from collections.abc import Sequence

from papamu.records.v1 import records_pb2 as pb

from engines.core.constants import TERMINAL
from engines.core.state import State

FORFEITS = frozenset({pb.ENDING_TIME, pb.ENDING_ILLEGAL, pb.ENDING_CRASH, pb.ENDING_STALL, pb.ENDING_RESIGN})
"""Endings that are one seat's doing."""


def normal(state: State) -> pb.Result:
    """The result of a game that was played out. Raises ValueError while it runs."""
    if state.actor != TERMINAL:
        raise ValueError("the game is not over")
    return _result(state, pb.ENDING_NORMAL, state.end_reason(), state.placements())


def adjudicated(state: State, reason: str) -> pb.Result:
    """The result of a game that was stopped and is decided as it stands."""
    return _result(state, pb.ENDING_ADJUDICATED, reason, state.placements())


def forfeited(state: State, ending: pb.Ending, offender: int, reason: str) -> pb.Result:
    """The result of a game that a seat forfeits.

    The offender is last, with its team mates where there are teams; the others keep the standings of the position
    among themselves. Raises ValueError unless the ending is one of FORFEITS and the seat exists.
    """
    if ending not in FORFEITS:
        raise ValueError(f"{ending} is no forfeit")
    places = forfeit_placements(state.placements(), state.teams(), offender)
    result = _result(state, ending, reason, places)
    result.offender = offender
    return result


def void(state: State, reason: str) -> pb.Result:
    """The result of a game that could not be played: nobody is placed and it counts for nobody."""
    return _result(state, pb.ENDING_VOID, reason, [])


def _result(state: State, ending: pb.Ending, reason: str, placements: list[int]) -> pb.Result:
    return pb.Result(ending=ending, reason=reason, scores=state.scores(), placements=placements, teams=state.teams())


def forfeit_placements(places: Sequence[int], teams: Sequence[int], offender: int) -> list[int]:
    """Places by seat after `offender` forfeits: its team last, the others ranked by `places` among themselves."""
    if not 0 <= offender < len(places):
        raise ValueError(f"no seat {offender}")
    others = [seat for seat in range(len(places)) if teams[seat] != teams[offender]]
    return [
        1 + (sum(places[o] < places[seat] for o in others) if seat in others else len(others))
        for seat in range(len(places))
    ]
