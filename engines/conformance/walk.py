"""Random walks through a game: the setups and positions that the checks look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engines import registry
from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import BadInput, Game, OptionSpec, OptionValue, Setup
from engines.core.state import Moves, Rules, State
from engines.editions import packaged


@dataclass(frozen=True)
class Effort:
    """How much a run looks at."""

    games: int = 6
    """Random games per check; seats, editions and options vary from game to game."""
    positions: int = 12
    """Positions per game that are looked at closely."""
    seed: int = 1
    explanations: int = 60_000
    """Moves that are explained in all, about: a game with a large vocabulary is looked at in fewer positions."""


@dataclass(frozen=True)
class Subject:
    """The game under test and, where there is one, the folder of its golden data."""

    game: Game
    effort: Effort
    data: Path | None = None
    module: str = ""
    """The package, as a second process would import it."""
    _made: dict[int, Rules] = field(default_factory=dict, compare=False, repr=False)

    def random(self, salt: str) -> Random:
        """Random choices of a check, the same in each run of the same effort."""
        return Random(f"{self.effort.seed}/{self.game.facts.slug}/{salt}")

    def rules(self, i: int) -> Rules:
        """The rules of the i-th varied setup: the defaults for each number of seats first, then random options."""
        if i not in self._made:
            self._made[i] = registry.make_rules(_setup(self.game, i, self.random(f"setup{i}")))
        return self._made[i]

    def start(self, i: int) -> State:
        """The first state of the i-th varied setup."""
        return self.game.rules.start(self.rules(i))


@dataclass(frozen=True)
class Visit:
    """One position of a walk."""

    state: State
    """To be looked at, not to be changed: the walk goes on from it."""
    moves: Moves
    ply: int

    @property
    def codes(self) -> list[int]:
        """The legal codes."""
        return self.moves.to_list()


def _setup(game: Game, i: int, random: Random) -> Setup:
    seats = game.facts.seats
    if i < len(seats):
        return registry.make_setup(game, seats=seats[i])
    editions = list(packaged(game))
    while True:  # combinations that a game refuses are drawn again
        options = {spec.name: value for spec in game.edition.OPTIONS if (value := _value(spec, random)) is not None}
        try:
            return registry.make_setup(game, random.choice(editions), seats=random.choice(seats), options=options)
        except BadInput:
            continue


def _value(spec: OptionSpec, random: Random) -> OptionValue | None:
    """A legal value of the option, or None for its default."""
    if random.random() < 0.4:
        return None
    if spec.kind == "bool":
        return random.random() < 0.5
    if spec.kind == "enum":
        return random.choice(spec.choices)
    if spec.kind == "int":
        return random.randint(spec.low, spec.high)
    return random.choice(spec.examples) if spec.examples else None


def choose(state: State, moves: Moves, random: Random) -> int:
    """A legal code: chance by weight, a seat's move evenly. `moves` holds the legal list."""
    codes = moves.to_list()
    if state.actor == CHANCE:
        state.weights(moves)
        return random.choices(codes, moves.to_weights())[0]
    return random.choice(codes)


def visits(state: State, random: Random, limit: int) -> Iterator[Visit]:
    """Every position of one random game on `state`, the finished one included; stops after `limit` plies."""
    moves = Moves()
    for ply in range(limit + 1):
        state.legal(moves)
        yield Visit(state, moves, ply)
        if state.actor == TERMINAL or ply == limit:
            return
        state.legal(moves)
        state.play(choose(state, moves, random))


def games(subject: Subject, salt: str) -> Iterator[Iterator[Visit]]:
    """The walks of a check: one per game of the effort, each with its own setup."""
    limit = plies_limit(subject)
    for i in range(max(subject.effort.games, len(subject.game.facts.seats))):
        yield visits(subject.start(i), subject.random(f"{salt}{i}"), limit)


def plies_limit(subject: Subject) -> int:
    """More plies than any game may have, whatever its options."""
    return 8 * subject.game.facts.max_plies


def sampled(subject: Subject, salt: str) -> Iterator[Visit]:
    """About `effort.positions` positions of each walk, spread over it at random, the first and the last included."""
    random = subject.random(f"{salt}/sample")
    for i, walk in enumerate(games(subject, salt)):
        length = sum(1 for _ in visits(subject.start(i), subject.random(f"{salt}{i}"), plies_limit(subject)))
        chosen = {0, length - 1, *random.sample(range(length), min(length, subject.effort.positions))}
        for visit in walk:
            if visit.ply in chosen:
                yield visit
