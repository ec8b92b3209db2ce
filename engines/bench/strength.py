"""How strong the bots are: seat-balanced matches in this process and its children, resumable.

A *block* is the same chance seed played once for each rotation of the seats, so luck of seats and draws cancels. Every
finished game is one line of a file; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from math import log, sqrt
from multiprocessing import get_context
from pathlib import Path
from time import process_time

from engines import registry
from engines.chance import chance_key, draw_chance
from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Game
from engines.core.state import Moves, State
from engines.search.bots import Bot, make_bot

SECONDS_PER_GAME = 5.0
"""What a two-seat game between two bots of budget `b` may take of one core."""
BUDGETS = {"tiki": 1000, "gaul": 1000, "eruption": 400, "hawaii": 300, "kilauea": 400}
"""`b`: simulations per move. Fixed, so that a run can go on elsewhere; well within the time on a machine of 2026."""
CALIBRATION = 64
"""Simulations per move of the game that measures the speed of a game without a budget."""
EVEN, BETTER = 0.5, 0.6
"""The shares between which the test of two budgets decides."""
DOUBT = 0.05
"""How often it may be wrong either way."""
LEAST_BLOCKS = 12
"""Blocks before it may decide; it looks again after as many."""


@dataclass(frozen=True)
class Pairing:
    """One seat of `one`, the others of `other`."""

    game: str
    seats: int
    one: str
    other: str

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.game}/{self.seats} {self.one} - {self.other}"


@dataclass(frozen=True)
class Played:
    """One game: what `one` got, and the processor time that it took."""

    game: str
    seats: int
    one: str
    other: str
    seed: int
    seat: int
    """The seat of `one`."""
    score: float
    """1 for a sole win, 1/k for a win shared by k, else 0; with two seats half a point for a tie."""
    plies: int
    seconds: float


@dataclass(frozen=True)
class Tally:
    """A pairing so far."""

    pairing: Pairing
    blocks: int
    games: int
    mean: float
    margin: float
    """Half of the 95 % interval of the mean, from the variance between blocks."""
    fair: float
    """What equal bots would get."""
    seconds: float
    """Processor time of a game."""
    verdict: str = ""
    """Of two budgets: "stronger", "not stronger", or "" as long as the test has not decided."""


def play(pairing: Pairing, seed: int, seat: int) -> Played:
    """Plays one game; bots see observations only."""
    game = registry.game(pairing.game)
    state = game.rules.start(registry.make_rules(registry.make_setup(game, seats=pairing.seats)))
    begin = process_time()
    names = [pairing.one if s == seat else pairing.other for s in range(pairing.seats)]
    bots = [_bot(name, game, seed, s) for s, name in enumerate(names)]
    key, chances, plies, moves = chance_key(seed), 0, 0, Moves()
    while state.actor != TERMINAL:
        if state.actor == CHANCE:
            code = draw_chance(state, key, chances)
            chances += 1
        else:
            state.legal(moves)
            code = bots[state.actor].choose(state.observe(state.actor), moves, plies)
        state.play(code)
        plies += 1
    score = _score(state, seat)
    return Played(**asdict(pairing), seed=seed, seat=seat, score=score, plies=plies, seconds=process_time() - begin)


def _bot(name: str, game: Game, seed: int, seat: int) -> Bot:
    kind, _, simulations = name.partition(":")
    return make_bot(game, kind, {"simulations": int(simulations)} if simulations else {}, seed, seat)


def _score(state: State, seat: int) -> float:
    places = state.placements()
    if places[seat] != 1:
        return 0.0
    teams = state.teams()
    winners = {teams[s] for s in range(len(places)) if places[s] == 1}
    return 1 / len(winners)


def pace(slug: str, simulations: int) -> float:
    """Processor seconds of a two-seat game between two searching bots."""
    bot = f"mcts:{simulations}"
    played = [play(Pairing(slug, registry.game(slug).facts.seats[0], bot, bot), seed, 0) for seed in (1, 2)]
    return sum(p.seconds for p in played) / len(played)


def budget(slug: str) -> int:
    """`b`: simulations per move at which a two-seat game between two such bots takes at most `SECONDS_PER_GAME`."""
    if slug in BUDGETS:
        return BUDGETS[slug]
    return max(round(CALIBRATION * SECONDS_PER_GAME / pace(slug, CALIBRATION) / 10) * 10, 10)


def pairings(game: Game, b: int) -> Iterator[Pairing]:
    """What is to be shown for a game: against random and greedy for every number of seats, and 4 b against b."""
    for seats in game.facts.seats:
        yield Pairing(game.facts.slug, seats, f"mcts:{b}", "random")
        yield Pairing(game.facts.slug, seats, f"mcts:{b}", "greedy")
    yield Pairing(game.facts.slug, game.facts.seats[0], f"mcts:{4 * b}", f"mcts:{b}")


def read(path: Path) -> list[Played]:
    """The games of a file; none when it is not there."""
    if not path.exists():
        return []
    return [Played(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def run(
    wanted: list[tuple[Pairing, int]], path: Path, processes: int, progress: Callable[[Played], None]
) -> list[Played]:
    """Plays what lacks of each (pairing, blocks) and returns all games, those of `path` included.

    Two searching bots play no more once the test has decided between them.
    """
    games = read(path)
    with (
        path.open("a", encoding="utf-8") as file,
        ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool,
    ):
        for pairing, blocks in wanted:
            step = LEAST_BLOCKS if is_tested(pairing) else blocks
            for most in range(step, blocks + step, step):
                for played in _lacking(games, pairing, min(most, blocks), pool):
                    file.write(json.dumps(asdict(played)) + "\n")
                    file.flush()
                    games.append(played)
                    progress(played)
                if tally(games, pairing).verdict:
                    break
    return games


def _lacking(games: list[Played], pairing: Pairing, blocks: int, pool: Executor) -> Iterator[Played]:
    known = {(p.seed, p.seat) for p in games if _is_of(p, pairing)}
    jobs = [(seed, seat) for seed in range(1, blocks + 1) for seat in range(pairing.seats) if (seed, seat) not in known]
    return pool.map(play, [pairing] * len(jobs), [seed for seed, _ in jobs], [seat for _, seat in jobs])


def _is_of(played: Played, pairing: Pairing) -> bool:
    return (played.game, played.seats, played.one, played.other) == tuple(asdict(pairing).values())


def is_tested(pairing: Pairing) -> bool:
    """Whether the pairing ends as soon as a test has decided: two budgets of the same bot."""
    return pairing.other.startswith("mcts")


def tally(games: list[Played], pairing: Pairing) -> Tally:
    """The mean of whole blocks with its interval; an empty tally has mean `fair` and margin 1."""
    blocks: dict[int, list[Played]] = {}
    for p in games:
        if _is_of(p, pairing):
            blocks.setdefault(p.seed, []).append(p)
    whole = [block for block in blocks.values() if len(block) == pairing.seats]
    n, fair = len(whole), 1 / pairing.seats
    if n == 0:
        return Tally(pairing, 0, 0, fair, 1.0, fair, 0.0)
    means = [sum(p.score for p in block) / len(block) for block in whole]
    mean = sum(means) / n
    # One block of the other sort is added, so that a perfect score keeps an interval.
    spread = sum((m - mean) ** 2 for m in means) + (mean - (0.0 if mean > 0.5 else 1.0)) ** 2
    seconds = sum(p.seconds for block in whole for p in block) / (n * pairing.seats)
    verdict = _verdict(mean, spread / n, n) if is_tested(pairing) else ""
    return Tally(pairing, n, n * pairing.seats, mean, 1.96 * sqrt(spread / n / n), fair, seconds, verdict)


def _verdict(mean: float, variance: float, n: int) -> str:
    """Wald's sequential test of `BETTER` against `EVEN`, with the normal likelihood of the blocks' means."""
    ratio = n * (BETTER - EVEN) * (mean - (EVEN + BETTER) / 2) / variance
    bound = log((1 - DOUBT) / DOUBT)
    if n < LEAST_BLOCKS or abs(ratio) < bound:
        return ""
    return "stronger" if ratio > 0 else "not stronger"
