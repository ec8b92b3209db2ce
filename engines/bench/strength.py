"""How strong the bots are: seat-balanced matches in this process and its children, resumable.

A *block* is the same chance seed played once for each rotation of the seats, so luck of seats and draws cancels. Every
finished game is one line of a file; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from math import sqrt
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
"""What a two-seat game between two bots of budget `b` takes of one core."""
CALIBRATION = 64
"""Simulations per move of the game that measures the speed."""


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


def calibrate(slug: str) -> int:
    """`b`: simulations per move at which a two-seat game between two such bots takes `SECONDS_PER_GAME`."""
    game = registry.game(slug)
    bot = f"mcts:{CALIBRATION}"
    played = [play(Pairing(slug, game.facts.seats[0], bot, bot), seed, 0) for seed in (1, 2)]
    seconds = sum(p.seconds for p in played) / len(played)
    return max(round(CALIBRATION * SECONDS_PER_GAME / seconds / 10) * 10, 10)


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
    """Plays what lacks of each (pairing, blocks) and returns all games, those of `path` included."""
    games = read(path)
    known = {(p.game, p.seats, p.one, p.other, p.seed, p.seat) for p in games}
    jobs = [
        (pairing, seed, seat)
        for pairing, blocks in wanted
        for seed in range(1, blocks + 1)
        for seat in range(pairing.seats)
        if (*asdict(pairing).values(), seed, seat) not in known
    ]
    with (
        path.open("a", encoding="utf-8") as file,
        ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool,
    ):
        for played in pool.map(play, *zip(*jobs, strict=True)) if jobs else ():
            file.write(json.dumps(asdict(played)) + "\n")
            file.flush()
            games.append(played)
            progress(played)
    return games


def tally(games: list[Played], pairing: Pairing) -> Tally:
    """The mean of whole blocks with its interval; an empty tally has mean `fair` and margin 1."""
    blocks: dict[int, list[float]] = {}
    for p in games:
        if (p.game, p.seats, p.one, p.other) == tuple(asdict(pairing).values()):
            blocks.setdefault(p.seed, []).append(p.score)
    means = [sum(scores) / len(scores) for scores in blocks.values() if len(scores) == pairing.seats]
    n, fair = len(means), 1 / pairing.seats
    if n == 0:
        return Tally(pairing, 0, 0, fair, 1.0, fair)
    mean = sum(means) / n
    # One block of the other sort is added, so that a perfect score keeps an interval.
    spread = sum((m - mean) ** 2 for m in means) + (mean - (0.0 if mean > 0.5 else 1.0)) ** 2
    return Tally(pairing, n, n * pairing.seats, mean, 1.96 * sqrt(spread / n / n), fair)
