"""How fast the hot path is, each figure beside what it is measured against.

Every comparison alternates its two sides within one process (or, compiled against interpreted, two), so that a machine
that slows down slows both. Ratios are medians over rounds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter_ns
from typing import Any

from engines import registry
from engines.bench.loops import clones, copies
from engines.bench.strength import budget
from engines.chance import chance_key, draw_chance
from engines.core.constants import CHANCE
from engines.core.latency import Latency
from engines.core.rollout import rollouts
from engines.core.state import State
from engines.measure import MODE
from engines.search.budget import Spend
from engines.search.thinker import Thinker
from engines.search.tuning import Tuning, tuning

ROUNDS = 7
LIMIT = 100_000
"""Plies at which a random game is cut off: more than any game has."""
SPIEL_GAMES = ("mancala", "oware", "connect_four")
SIMULATIONS = 2000
THREADED = 40
"""Budgets of the strength table that a search split between threads has."""
TO_THE_END = Tuning()
"""A search whose playouts are not cut off."""


@dataclass(frozen=True)
class Figure:
    """One measured value with its bar."""

    name: str
    value: float
    unit: str
    bar: str = ""
    holds: bool | None = None
    note: str = ""


def start(slug: str, seats: int = 0) -> State:
    """The first state of a game with default options."""
    game = registry.game(slug)
    return game.rules.start(registry.make_rules(registry.make_setup(game, seats=seats)))


def ns_per_ply(state: State, games: int, seed: int = 1, latency: Latency | None = None) -> float:
    """Nanoseconds per ply of random play, everything included."""
    begin = perf_counter_ns()
    plies = rollouts(state, seed, games, LIMIT, latency)
    return (perf_counter_ns() - begin) / plies


def _paired(one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float, float]:
    """Medians of both sides and of the ratio one / other, measured in turn."""
    pairs = [(one(), other()) for _ in range(ROUNDS)]
    return median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)


def games_of(slug: str) -> Iterator[Figure]:
    """Random play of one game beside Tiki's, for each number of seats."""
    tiki = start("tiki")
    for seats in registry.game(slug).facts.seats:
        state = start(slug, seats)
        ns, _, ratio = _paired(lambda: ns_per_ply(state, 60), lambda: ns_per_ply(tiki, 400))  # noqa: B023
        yield Figure(f"{slug}, {seats} seats: random ply", ns, "ns", note=f"{ratio:.2f} x Tiki's in this run")


def interpreted() -> Figure:
    """Compiled against interpreted random play of Tiki; the interpreted side runs in a process of its own."""
    code = (
        "import json;from engines.bench.engine import *;"
        "print(json.dumps([MODE, [ns_per_ply(start('tiki'), 8) for _ in range(3)]]))"
    )
    environment = {**os.environ, "PAPAMU_PURE": "1", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(  # noqa: S603  # our own interpreter and text
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    mode, times = json.loads(done.stdout)
    ratio = median(times) / ns_per_ply(start("tiki"), 20_000)
    return Figure(f"tiki: {MODE} is faster than {mode} by", ratio, "x", ">= 15", ratio >= 15)


def metrics() -> Figure:
    """Random play of Tiki with the native counters on, against off."""
    tiki, watch = start("tiki"), Latency()
    _, _, ratio = _paired(lambda: ns_per_ply(tiki, 8000, latency=watch), lambda: ns_per_ply(tiki, 8000))
    return Figure("tiki: metrics on / off", ratio, "x", "<= 1.03", ratio <= 1.03)


def cloning() -> Iterator[Figure]:
    """A clone, and a copy into a state that is there already, from compiled code."""
    tiki, count = start("tiki"), 1_000_000
    for name, loop, bar in (("clone", clones, 60), ("copy_from", copies, 60)):
        times = []
        for _ in range(ROUNDS):
            begin = perf_counter_ns()
            loop(tiki, count)
            times.append((perf_counter_ns() - begin) / count)
        value = median(times)
        yield Figure(f"tiki: {name}", value, "ns", f"<= {bar}", value <= bar)


def spiel() -> Iterator[Figure]:
    """Tiki's random ply and its search against OpenSpiel's C++ search, each per ply.

    A search's figure is the time of N simulations / (N x mean length of a random game); for OpenSpiel that of
    `MCTSBot.mcts_search`, the median over `SPIEL_GAMES`. Both searches play to the end of the game. Against the random
    ply theirs includes a tree, which is why a bar below 1 is asked for.
    """
    try:
        import pyspiel
    except ImportError:
        yield Figure("tiki: against OpenSpiel's search", 0, "x", note="not measured: pip install 'papamu[openspiel]'")
        return
    sides = [(pyspiel.load_game(name), _mean_length(pyspiel.load_game(name))) for name in SPIEL_GAMES]

    def search(loaded: Any, length: float) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(loaded, evaluator, 2.0, SIMULATIONS, 1000, False, 1, False)
        root = loaded.new_initial_state()
        begin = perf_counter_ns()
        bot.mcts_search(root)
        return (perf_counter_ns() - begin) / (SIMULATIONS * length)

    def theirs() -> float:
        return median(search(loaded, length) for loaded, length in sides)

    tiki = start("tiki")
    ours, other, ratio = _paired(lambda: ns_per_ply(tiki, 4000), theirs)
    note = f"{ours:.0f} ns against {other:.0f} ns"
    yield Figure("tiki: random ply / OpenSpiel's", ratio, "x", "<= 0.9", ratio <= 0.9, note)
    length = rollouts(tiki, 1, 2000, LIMIT, None) / 2000
    other, ours, ratio = _paired(theirs, lambda: searching("tiki", 10 * SIMULATIONS) / (10 * SIMULATIONS * length))
    note = f"{ours:.0f} ns a ply against {other:.0f} ns"
    yield Figure("tiki: simulations/s per ply / OpenSpiel's", ratio, "x", ">= 2", ratio >= 2, note)


def searching(slug: str, simulations: int, threads: int = 1, tuned: Tuning = TO_THE_END) -> float:
    """Nanoseconds that a search from the start of a game takes, the making of its trees included."""
    state = after_chance(slug)
    thinker = Thinker(registry.game(slug), 1, threads=threads, tuned=tuned)
    begin = perf_counter_ns()
    thinker.think(state.observe(state.actor), Spend(simulations))
    return perf_counter_ns() - begin


def threads() -> Iterator[Figure]:
    """Two threads against one, the best of five pairs, for each game as it is tuned."""
    for slug in registry.SLUGS:
        tuned = tuning(registry.game(slug))
        simulations = THREADED * budget(slug)
        pairs = [
            (searching(slug, simulations, tuned=tuned), searching(slug, simulations, threads=2, tuned=tuned))
            for _ in range(5)
        ]
        ratio = max(one / two for one, two in pairs)
        yield Figure(f"{slug}: search with two threads is faster by", ratio, "x", ">= 1.7", ratio >= 1.7)


def after_chance(slug: str, seats: int = 0) -> State:
    """The first decision of a game."""
    state, key, drawn = start(slug, seats), chance_key(1), 0
    while state.actor == CHANCE:
        state.play(draw_chance(state, key, drawn))
        drawn += 1
    return state


def _mean_length(loaded: Any) -> float:
    random, lengths = Random(1), []
    for _ in range(300):
        state, length = loaded.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            length += 1
        lengths.append(length)
    return sum(lengths) / len(lengths)


def figures() -> Iterator[Figure]:
    """All figures of the engine, one at a time as they are measured."""
    yield from cloning()
    yield metrics()
    yield interpreted()
    yield from spiel()
    yield from threads()
    for slug in registry.SLUGS:
        yield from games_of(slug)


def main() -> None:
    """Prints the figures as they come."""
    print(f"engine figures ({MODE}, Python {sys.version.split()[0]})")
    for figure in figures():
        verdict = "" if figure.holds is None else "holds" if figure.holds else "MISSED"
        print(
            f"{figure.name:44} {figure.value:10.2f} {figure.unit:3} {figure.bar:8} {verdict:7} {figure.note}",
            flush=True,
        )


if __name__ == "__main__":
    main()
