"""What a request is about: a position, or an observation of the seat that is to decide."""

from __future__ import annotations

from typing import Any

from engines import envelope
from engines.core.constants import SEARCH_STREAM
from engines.core.game import BadInput, HidesStanding, Observation, Violation
from engines.core.rng import stream_key
from engines.core.state import State
from services.rules.positions import below, read_position

WORLD_KEY = stream_key(0, SEARCH_STREAM)
"""Draws the world that stands for an observation; what is answered does not depend on which world it is."""


def read_scored(request: Any) -> State:
    """The state whose points a request asks for. Raises BadInput for an observation that hides how a seat stands."""
    if request.WhichOneof("subject") != "observation":
        return read_position(request.position)
    observation: Observation[Any] = below("observation", envelope.read_observation, request.observation)
    hidden = observation.standing_hidden() if isinstance(observation, HidesStanding) else ()
    if hidden:
        seats = ", ".join(map(str, hidden))
        sentence = (
            f"seat {observation.viewer} does not see all points and what breaks their ties; hidden are seats {seats}"
        )
        raise BadInput([Violation("observation", sentence)])
    world: State = below("observation", observation.sample, WORLD_KEY, 0)
    return world


def read_observation(message: Any) -> tuple[Observation[Any], State]:
    """The observation of a request and a state that looks like it. Raises BadInput unless the viewer is to decide."""
    observation = below("observation", envelope.read_observation, message)
    world: State = below("observation", observation.sample, WORLD_KEY, 0)
    if world.actor != observation.viewer:
        raise BadInput([Violation("observation.viewer", "is not the seat that is to decide")])
    return observation, world


def read_subject(request: Any) -> State:
    """The state of a request's position, or one that looks like its observation; not to be changed.

    What the seat to decide may do depends only on what it sees, so that its legal moves and the reasons of a refusal
    are the same in every such state. Raises BadInput and UnknownEdition.
    """
    if request.WhichOneof("subject") == "observation":
        return read_observation(request.observation)[1]
    return read_position(request.position)


def read_decision(request: Any) -> tuple[Observation[Any], State]:
    """What the seat to decide sees, and a state that looks like it. Raises BadInput where no seat is to decide."""
    if request.WhichOneof("subject") == "observation":
        return read_observation(request.observation)
    state = read_position(request.position)
    if state.actor < 0:
        raise BadInput([Violation("position", "is not a seat's to decide")])
    return state.observe(state.actor), state
