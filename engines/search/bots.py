"""The built-in bots. A bot sees observations only and answers with a move code; it draws from its own stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engines.core.constants import BOT_STREAM
from engines.core.game import Game, Observation
from engines.core.rng import draw, stream_key
from engines.core.state import Moves
from engines.search.greedy import greedy


class Bot(Protocol):
    """Chooses moves for one seat of one game."""

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`; `ply` counts all moves made before and indexes the bot's draws."""


class RandomBot:
    """Every legal move is equally likely."""

    def __init__(self, game: Game, seed: int, seat: int) -> None:
        self._key = stream_key(seed, BOT_STREAM + seat)

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`."""
        return moves.to_list()[draw(self._key, ply, len(moves))]


class GreedyBot:
    """The move that looks best one ply later in a world drawn from the observation."""

    def __init__(self, game: Game, seed: int, seat: int) -> None:
        self._key = stream_key(seed, BOT_STREAM + seat)
        self._evaluator = game.evaluate.EVALUATOR

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`."""
        world = observation.sample(self._key, ply << 16)
        return greedy(world, self._evaluator, self._key, ply)


BOTS: dict[str, Callable[[Game, int, int], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""Makers of the built-in bots by kind: (game, seed, seat) -> bot."""
