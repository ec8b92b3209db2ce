"""The record of a game as one seat may see it: the filter that every view of a running game passes."""

from __future__ import annotations

from papamu.records.v1 import records_pb2 as pb

from engines import envelope
from engines.core.patience import Check, go_on, polled
from engines.record.record import lexis, start, step

ONLOOKER = -1
"""A viewer who sits on no seat and sees what everybody sees."""


def redact(record: pb.Record, viewer: int, check: Check = go_on) -> pb.Record:
    """A copy without what `viewer` (a seat or ONLOOKER) did not see: hidden moves keep their sender only.

    The chance seed, from which they could be drawn again, goes too. A record in which nothing is hidden is copied as it
    is. `check` is called every so many plies. Raises ValueError for a viewer that does not exist, BadInput
    (`actions[12]...`) when the record does not replay, or registry.UnknownEdition.
    """
    state = start(record)
    game = envelope.game_of(state.rules)
    if not ONLOOKER <= viewer < state.rules.seats:
        raise ValueError(f"no seat {viewer}")
    view = pb.Record()
    view.CopyFrom(record)
    if not game.facts.hidden:
        return view
    moves = envelope.lexicon(state.rules).moves
    codes = lexis(state.rules)
    for ply, action in enumerate(polled(record.actions, check)):
        code = codes.code(action)
        if code is not None and not game.observe.shows(state, moves[code], viewer):
            view.actions[ply].ClearField("move")
            view.redacted = True
        step(state, action, f"actions[{ply}]")
    if view.redacted:
        view.ClearField("chance_seed")
    return view
