"""The built-in bots. A bot sees observations only and answers with a move code; it draws from its own stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from engines.core.constants import BOT_STREAM
from engines.core.game import BadInput, Game, Observation, Violation
from engines.core.rng import draw, stream_key
from engines.core.state import Moves
from engines.search.greedy import greedy
from engines.search.mcts_bot import MctsBot


class Bot(Protocol):
    """Chooses moves for one seat of one game."""

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`; `ply` counts all moves made before and indexes the bot's draws.

        It depends on nothing else, so a game can be taken up again at any ply by a new bot of the same seed.
        """


@runtime_checkable
class Resumable(Protocol):
    """A bot that depends on its earlier decisions, for instance by a budget for the whole game."""

    def replayed(self, moves: Moves, ply: int) -> None:
        """Tells a new bot of a decision that was made before the game was taken up again."""


@runtime_checkable
class Closing(Protocol):
    """A bot that holds something open: a process, a connection."""

    def close(self) -> None:
        """Lets go of it. May be called more than once."""


class RandomBot:
    """Every legal move is equally likely."""

    def __init__(self, game: Game, seed: int, seat: int) -> None:
        self._key = stream_key(seed, BOT_STREAM + seat)

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`."""
        return moves.to_list()[draw(self._key, ply << 16, len(moves))]


class GreedyBot:
    """The move that looks best one ply later in a world drawn from the observation.

    `blunder_percent` of its moves are random ones instead: the same bot, weaker by a known amount.
    """

    def __init__(self, game: Game, seed: int, seat: int, blunder_percent: int = 0) -> None:
        self._key = stream_key(seed, BOT_STREAM + seat)
        self._evaluator = game.evaluate.EVALUATOR
        self._blunder_percent = blunder_percent
        self._random = RandomBot(game, seed, seat)

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`."""
        # Each ply owns 2**16 draws: the first for a random move, the last two for blunder and ties, the rest for the
        # world.
        base = ply << 16
        if self._blunder_percent and draw(self._key, base + 0xFFFF, 100) < self._blunder_percent:
            return self._random.choose(observation, moves, ply)
        world = observation.sample(self._key, base + 1)
        return greedy(world, self._evaluator, self._key, base + 0xFFFE)


@dataclass(frozen=True, slots=True)
class BotOption:
    """A whole number that a kind of bot takes."""

    name: str
    about: str
    low: int
    high: int
    default: int


@dataclass(frozen=True, slots=True)
class BotKind:
    """A built-in kind of bot: how to make one, and what can be set."""

    make: Callable[..., Bot]
    """(game, seed, seat, **options) -> bot."""
    about: str
    options: tuple[BotOption, ...] = field(default=())
    memory: str = ""
    """The option that, when it is not 0, has the bot remember what no record tells."""


KINDS: dict[str, BotKind] = {
    "random": BotKind(RandomBot, "every legal move is equally likely"),
    "greedy": BotKind(
        GreedyBot,
        "the move that looks best one ply later",
        (BotOption("blunder_percent", "moves in a hundred that are random instead", 0, 100, 0),),
    ),
    "mcts": BotKind(
        MctsBot,
        "tree search within a budget",
        (
            BotOption("simulations", "simulations per move, 0 = no limit of this sort", 0, 10_000_000, 1000),
            BotOption("milliseconds", "time per move, 0 = no limit of this sort", 0, 600_000, 0),
            BotOption("turn_simulations", "simulations for all moves of a turn", 0, 100_000_000, 0),
            BotOption("game_simulations", "simulations for a whole game", 0, 1_000_000_000, 0),
            BotOption("game_milliseconds", "time for a whole game", 0, 86_400_000, 0),
            BotOption("reuse", "1 = keep what was found from move to move", 0, 1, 0),
        ),
        memory="reuse",
    ),
}
"""The built-in kinds by name."""


def check_options(kind: str, given: Mapping[str, int]) -> dict[str, int]:
    """Every option of a kind, defaults filled in, ascending by name.

    Raises BadInput for an unknown kind (field `kind`) or option, or a value outside its range (`options.<name>`).
    """
    found = KINDS.get(kind)
    if found is None:
        raise BadInput([Violation("kind", f"unknown kind {kind[:40]!r}; there are {', '.join(KINDS)}")])
    known = {option.name: option for option in found.options}
    faults = [Violation(f"options.{name[:40]}", "unknown option") for name in given if name not in known]
    for name in known.keys() & given.keys():
        low, high = known[name].low, known[name].high
        if not low <= given[name] <= high:
            faults.append(Violation(f"options.{name}", f"must be {low} to {high}"))
    if faults:
        raise BadInput(faults)
    return {name: given.get(name, known[name].default) for name in sorted(known)}


def resumes(kind: str, options: Mapping[str, int]) -> bool:
    """Whether a game of such a bot can be taken up again from its moves; else it starts over."""
    found = KINDS.get(kind)  # a bot from outside may have left the roster
    return found is None or not options.get(found.memory)


def make_bot(game: Game, kind: str, options: Mapping[str, int], seed: int, seat: int) -> Bot:
    """A bot for one seat of one game. Raises BadInput as `check_options`."""
    checked = check_options(kind, options)
    return KINDS[kind].make(game, seed, seat, **checked)
