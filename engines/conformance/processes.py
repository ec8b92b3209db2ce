"""Checks across processes: the same seed gives the same game in every process, compiled or interpreted."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator

from engines.conformance.walk import Effort, Subject, visits
from engines.core.constants import CHANCE, ROLLOUT_STREAM
from engines.core.rng import stream_key
from engines.core.rollout import rollout
from engines.core.state import Moves
from engines.search.budget import Spend
from engines.search.thinker import Thinker
from engines.search.tuning import Tuning

GAMES = 6


def digest(subject: Subject) -> str:
    """A digest of all that a few games show: keys, legal lists, weights, values, samples, searches, random play."""
    found = hashlib.sha256()
    for i in range(GAMES):
        random = subject.random(f"digest{i}")
        for visit in visits(subject.start(i), random, 150):
            state = visit.state
            found.update(state.key() + state.position_key())
            found.update(repr(visit.codes).encode())
            if state.actor == CHANCE:
                state.weights(visit.moves)
                found.update(repr(visit.moves.to_weights()).encode())
            for seat in range(state.rules.seats):
                found.update(repr(subject.game.evaluate.evaluate(state, seat)).encode())
            if visit.ply % 25 == 0 and state.actor >= 0:
                thinker = Thinker(subject.game, i, tuned=Tuning(cutoff=6))  # short playouts: one side is interpreted
                thought = thinker.think(state.observe(state.actor), Spend(simulations=20))
                found.update(repr(thought.lines).encode())
            if visit.ply % 10 == 0:
                world = state.observe(0).sample(stream_key(i, ROLLOUT_STREAM), visit.ply << 16)
                found.update(world.key())
        state = subject.start(i)
        plies = rollout(state, i, 300)
        moves = Moves()
        state.legal(moves)
        found.update(f"{plies} {state.scores()} {state.placements()} {moves.to_list()}".encode() + state.key())
    return found.hexdigest()


def _in_process(subject: Subject, **environment: str) -> str:
    command = [sys.executable, "-m", "engines.conformance.processes", subject.module, str(subject.effort.seed)]
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": paths, **environment}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() if done.returncode == 0 else f"failed: {done.stderr[-2000:]}"


def same_in_every_process(subject: Subject) -> Iterator[str]:
    """Another process, with another hash seed, plays the same games."""
    own = digest(subject)
    other = _in_process(subject, PYTHONHASHSEED="4711")
    if other != own:
        yield f"digest {own} here, elsewhere {other}"


def compiled_equals_interpreted(subject: Subject) -> Iterator[str]:
    """The interpreted engine, which raises where C would wrap, plays the same games."""
    own = digest(subject)
    interpreted = _in_process(subject, PAPAMU_PURE="1")
    if interpreted != own:
        yield f"digest {own} here, interpreted {interpreted}"


CHECKS = (same_in_every_process, compiled_equals_interpreted)

if __name__ == "__main__":
    from engines.conformance.kit import subject as named

    print(digest(named(sys.argv[1], Effort(seed=int(sys.argv[2])))))
