"""Thinks about one decision after another of one seat: worlds, trees, budgets, reuse, threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event, Thread
from time import perf_counter
from typing import Any

from engines import measure
from engines.core.constants import SEARCH_STREAM
from engines.core.game import Game, Observation
from engines.core.latency import OPS, Latency
from engines.core.rng import mix, stream_key
from engines.core.state import State
from engines.search.budget import Spend
from engines.search.mcts import Search
from engines.search.tuning import Tuning, can_prove, tuning

CHUNK = 64
"""Simulations between two looks at clock and caller: a few milliseconds at most."""
CAPACITY = 1 << 18
"""Nodes of a tree unless told otherwise: 14 to 22 MB by number of seats."""
NODES_PER_SIMULATION = 4
"""One node for a decision and, between two of them, seldom more than three for chance. More simply do not fit."""
MOST_PER_SECOND = 500_000
"""Simulations that no game here exceeds in a second: a search of a few milliseconds gets no tree that takes longer."""
REUSE_CANDIDATES = 256
"""Positions of the old tree that are compared with a new observation at most."""
REUSE_DEPTH = 4
DRAWS_PER_WORLD = 1 << 16


@dataclass(frozen=True)
class Line:
    """One move as the search sees it."""

    code: int
    visits: int
    values: tuple[float, ...]
    """Mean reward by seat, 0..1: the share of the other seats that it leaves behind, half for ties."""
    proven: int
    """Team that wins for sure after the move; -1 unknown."""
    variation: tuple[int, ...]
    """The moves that are most visited from here, this one first."""


@dataclass(frozen=True)
class Thought:
    """What a search found."""

    lines: tuple[Line, ...]
    """Best first."""
    simulations: int
    seconds: float

    @property
    def best(self) -> int:
        """The code of the move to make."""
        return self.lines[0].code


class Thinker:
    """Searches for one seat; keeps its trees from one decision to the next when `reuse` is on.

    With a simulation budget everything it finds depends only on `seed`, the observations and the budgets.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        *,
        capacity: int = CAPACITY,
        threads: int = 1,
        reuse: bool = False,
        tuned: Tuning | None = None,
    ) -> None:
        self.game = game
        self.tuned = tuned or tuning(game)
        self._capacity = capacity
        self._reuse = reuse
        self._seeds = [mix(seed) ^ mix(i) for i in range(threads)]
        self._keys: list[int] = []
        self._searches: list[Search] = []
        self._world: State | None = None
        """The root of the kept trees."""

    def think(
        self,
        observation: Observation[Any],
        spend: Spend,
        stopped: Callable[[], bool] = lambda: False,
        salt: int = 0,
    ) -> Thought:
        """Searches until the budget is spent, `stopped` says so or the result is proven.

        `observation` must be the viewer's at its own decision; `salt` sets its draws apart from those of other
        decisions. Raises ValueError for a budget without any limit.
        """
        for thought in self.thoughts(observation, spend, stopped, salt=salt):
            last = thought
        return last

    def thoughts(
        self,
        observation: Observation[Any],
        spend: Spend,
        stopped: Callable[[], bool] = lambda: False,
        every: float = 0.0,
        salt: int = 0,
    ) -> Iterator[Thought]:
        """As `think`, with a thought about every `every` seconds (0 = only the last one)."""
        if not spend.simulations and not spend.seconds:
            raise ValueError("the budget needs a limit")
        begin = perf_counter()
        self._keys = [stream_key(seed ^ mix(salt), SEARCH_STREAM) for seed in self._seeds]
        self._prepare(observation, spend)
        share = -(-spend.simulations // len(self._searches))
        runs = [_Run(self, i, observation, share) for i in range(len(self._searches))]
        deadline = begin + spend.seconds if spend.seconds else float("inf")
        shown = begin
        while True:
            _run_all(runs, min(deadline, perf_counter() + every) if every else deadline, stopped)
            now = perf_counter()
            if now >= deadline or stopped() or all(run.done for run in runs):
                break
            if now - shown >= every:
                shown = now
                yield self._thought(runs, begin)
        self._publish(runs, begin)
        yield self._thought(runs, begin)

    # -- trees ------------------------------------------------------------------------------------------------------

    def _prepare(self, observation: Observation[Any], spend: Spend) -> None:
        """Trees for this decision: the old ones re-rooted where they know it, else empty ones."""
        world = observation.sample(self._keys[0], 0)
        if not self._searches or self._world is None or self._world.rules is not world.rules:
            self._searches = [self._make(world, spend) for _ in self._keys]
        elif not (self._reuse and self._follow(observation)):
            for search in self._searches:
                search.reset()
        self._world = world

    def _make(self, world: State, spend: Spend) -> Search:
        t = self.tuned
        share = -(-spend.simulations // len(self._seeds)) or int(MOST_PER_SECOND * spend.seconds) + 1
        needed = NODES_PER_SIMULATION * share + 16
        capacity = self._capacity if self._reuse else min(self._capacity, needed)
        solve = can_prove(self.game, world.rules.seats)
        evaluator = self.game.evaluate.EVALUATOR
        return Search(world.clone(), evaluator, capacity, t.exploration, t.cutoff, t.scale, t.widening, solve, t.greedy)

    def _follow(self, observation: Observation[Any]) -> bool:
        """Finds the new decision below the old root by what the viewer sees there, and re-roots every tree."""
        assert self._world is not None
        codes = self._path_to(observation)
        if codes is None:
            return False
        for search in self._searches:
            node = 0
            for code in codes:
                node = next((row[0] for row in search.tree.rows(node) if row[1] == code), -1)
                if node < 0:
                    break
            if node > 0:
                search.tree.keep(node)
            elif codes:
                search.reset()
        return True

    def _path_to(self, observation: Observation[Any]) -> list[int] | None:
        """Codes from the old root to a position that looks like `observation`, breadth first, most visited first."""
        assert self._world is not None
        tree = self._searches[0].tree
        level: list[tuple[int, State, list[int]]] = [(0, self._world, [])]
        looked = 0
        for _ in range(REUSE_DEPTH + 1):
            below = []
            for node, state, codes in level:
                looked += 1
                if looked > REUSE_CANDIDATES:
                    return None
                if state.observe(observation.viewer) == observation:
                    return codes
                for row in tree.rows(node):
                    child = state.clone()
                    try:
                        child.play(row[1])
                    except ValueError:  # legal in other worlds only
                        continue
                    below.append((row[0], child, [*codes, row[1]]))
            level = below
        return None

    # -- results ----------------------------------------------------------------------------------------------------

    def _thought(self, runs: list[_Run], begin: float) -> Thought:
        merged: dict[int, tuple[int, list[float], int]] = {}
        for search in self._searches:
            for _, code, visits, means, proven in search.tree.rows():
                before, sums, known = merged.get(code, (0, [0.0] * len(means), -1))
                sums = [total + visits * mean for total, mean in zip(sums, means, strict=True)]
                merged[code] = before + visits, sums, max(known, proven)
        seat, teams = self._actor(), self._teams()
        lines = [
            Line(code, visits, tuple(t / max(visits, 1) for t in sums), proven, self._variation(code))
            for code, (visits, sums, proven) in merged.items()
        ]

        def rank(line: Line) -> tuple[int, int, float, int]:
            sure = 0 if line.proven < 0 else 1 if line.proven == teams[seat] else -1
            return -sure, -line.visits, -line.values[seat], line.code

        return Thought(tuple(sorted(lines, key=rank)), sum(run.made for run in runs), perf_counter() - begin)

    def _actor(self) -> int:
        assert self._world is not None
        return self._world.actor

    def _teams(self) -> list[int]:
        assert self._world is not None
        return self._world.teams()

    def _variation(self, code: int, most: int = 8) -> tuple[int, ...]:
        tree, node, codes = self._searches[0].tree, 0, [code]
        while len(codes) <= most:
            rows = tree.rows(node)
            following = next((row for row in rows if row[1] == codes[-1]), None)
            if following is None:
                break
            node = following[0]
            below = tree.rows(node)
            if not below:
                break
            codes.append(below[0][1])
        return tuple(codes)

    def _publish(self, runs: list[_Run], begin: float) -> None:
        slug = self.game.facts.slug
        for search in self._searches:
            measure.publish(slug, search.latency)
        watch = Latency()
        watch.add(OPS.index("search"), int(1e9 * (perf_counter() - begin)))
        measure.publish(slug, watch)


def _run_all(runs: list[_Run], deadline: float, stopped: Callable[[], bool]) -> None:
    """Runs every part until the deadline, each in a thread of its own where there are several."""
    if len(runs) == 1:
        runs[0].until(deadline, stopped)
        return
    given_up = Event()
    threads = [Thread(target=run.until, args=(deadline, lambda: given_up.is_set() or stopped())) for run in runs]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:  # as Ctrl-C: nobody waits for the others any more, and the process could not end before them
        given_up.set()
        raise


class _Run:
    """The part of one decision's search that one thread does."""

    def __init__(self, thinker: Thinker, i: int, observation: Observation[Any], simulations: int) -> None:
        self._search = thinker._searches[i]
        self._key = thinker._keys[i]
        self._observation = observation
        self._hidden = thinker.game.facts.hidden
        self._in_a_world = thinker.tuned.in_a_world
        self._world: State | None = None
        self._wanted = simulations
        self.made = 0
        self.done = False

    def until(self, deadline: float, stopped: Callable[[], bool]) -> None:
        """Goes on until the deadline (perf_counter), a stop, a proof or the end of the budget.

        There is always a first simulation: whoever asks gets a move, however late it is.
        """
        while not self.done and (not self.made or (perf_counter() < deadline and not stopped())):
            left = min(CHUNK, self._wanted - self.made if self._wanted else max(self.made, 1))
            while left and not self.done:
                count = min(left, self._in_a_world) if self._hidden else left
                made = self._search.run(self._next_world(), count, self._key)
                self.made += made
                left -= made
                self.done = made < count or self.made == self._wanted

    def _next_world(self) -> State:
        if self._world is None or self._hidden:
            self._world = self._observation.sample(self._key, (self.made + 1) * DRAWS_PER_WORLD)
        return self._world
