"""Checks of observations: what a seat sees, what it must not, the worlds drawn from it, and bots that see no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.conformance.walk import Subject, Visit, sampled
from engines.core.constants import SEARCH_STREAM
from engines.core.game import Game, Observation
from engines.core.rng import stream_key
from engines.core.state import Moves, State
from engines.search.bots import KINDS, make_bot

SAMPLES = 6
DRAWS = 1 << 16
"""Draws reserved for one sample."""
SIMULATIONS = 16


def _view(game: Game, observation: Observation[Any]) -> bytes:
    """The bytes that leave the house; without a wire the observation's own words."""
    if game.wire is None:
        return repr(observation).encode()
    data: bytes = game.wire.write_view(observation).SerializeToString(deterministic=True)
    return data


def observations(subject: Subject) -> Iterator[str]:
    """An observation survives the wire, and its samples look the same to the viewer."""
    game = subject.game
    for visit in sampled(subject, "observations"):
        for seat in range(visit.state.rules.seats):
            observation = visit.state.observe(seat)
            data = _view(game, observation)
            if game.wire is not None:
                message = type(game.wire.write_view(observation)).FromString(data)
                if _view(game, game.wire.read_view(visit.state.rules, seat, message)) != data:
                    yield f"{_at(visit)}: the observation of seat {seat} changes by a round trip"
            for world in _worlds(visit.state, seat):
                if game.invariants.check(world.rules, world.snapshot()):
                    yield f"{_at(visit)}: a sample for seat {seat} is no possible state"
                if _view(game, world.observe(seat)) != data:
                    yield f"{_at(visit)}: a sample for seat {seat} does not look like what it was drawn from"


def non_interference(subject: Subject) -> Iterator[str]:
    """At its own decision a seat has the same legal moves in every world that looks the same to it."""
    moves = Moves()
    for visit in sampled(subject, "interference"):
        seat = visit.state.actor
        if seat < 0:
            continue
        for world in _worlds(visit.state, seat):
            world.legal(moves)
            if world.actor != seat or moves.to_list() != visit.codes:
                yield f"{_at(visit)}: what seat {seat} may do depends on what it cannot see"


def hidden_moves(subject: Subject) -> Iterator[str]:
    """A move that a seat does not see leaves it with the same view, whichever move of that sort it was."""
    game = subject.game
    for visit in sampled(subject, "hidden") if game.facts.hidden else ():
        vocabulary = game.moves.vocabulary(visit.state.rules)
        for seat in range(visit.state.rules.seats):
            views = set()
            for code in visit.codes:
                if not game.observe.shows(visit.state, vocabulary[code], seat):
                    after = visit.state.clone()
                    after.play(code)
                    views.add(_view(game, after.observe(seat)))
            if len(views) > 1:
                yield f"{_at(visit)}: the view of seat {seat} tells which hidden move was made"


def samples_vary(subject: Subject) -> Iterator[str]:
    """Where something is hidden samples differ; where nothing is, there is just the one state."""
    varied = 0
    for visit in sampled(subject, "vary"):
        for seat in range(visit.state.rules.seats):
            keys = {world.key() for world in _worlds(visit.state, seat)}
            if not subject.game.facts.hidden and keys != {visit.state.key()}:
                yield f"{_at(visit)}: a game without hidden information has several worlds"
            varied += len(keys) > 1
    if subject.game.facts.hidden and varied == 0:
        yield "no two samples of any observation differ: do they return the true state?"


def choices(subject: Subject) -> Iterator[str]:
    """A bot of the same seed chooses the same in every world that looks the same to its seat."""
    game = subject.game
    for visit in sampled(subject, "choices") if game.facts.hidden else ():
        seat = visit.state.actor
        if seat < 0:
            continue
        observation = visit.state.observe(seat)
        for kind, about in KINDS.items():
            options = {"simulations": SIMULATIONS} if any(o.name == "simulations" for o in about.options) else {}
            made = make_bot(game, kind, options, 1, seat).choose(observation, visit.moves, visit.ply)
            for world in _worlds(visit.state, seat)[:2]:
                seen = world.observe(seat)
                if seen != observation:
                    yield f"{_at(visit)}: two equal observations of seat {seat} do not compare as equal"
                if make_bot(game, kind, options, 1, seat).choose(seen, visit.moves, visit.ply) != made:
                    yield f"{_at(visit)}: the choice of {kind} for seat {seat} depends on what it cannot see"


def _worlds(state: State, seat: int) -> list[State]:
    key = stream_key(seat, SEARCH_STREAM)
    observation = state.observe(seat)
    return [observation.sample(key, i * DRAWS) for i in range(SAMPLES)]


def _at(visit: Visit) -> str:
    return f"{visit.state.rules.setup.key} ply {visit.ply}"


CHECKS = (observations, non_interference, hidden_moves, samples_vary, choices)
