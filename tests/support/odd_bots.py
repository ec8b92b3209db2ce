"""Bots that only tests have: `python -m tests.support.odd_bots WHICH MODULE ...` runs a module that knows them.

`poison` adds a kind of bot that kills its process. With `slow`, bots play as always but take their time, so that a test
finds a ladder still in play on any machine.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from typing import Any

from engines.core.game import Game, Observation
from engines.core.state import Moves
from engines.search.bots import KINDS, BotKind, GreedyBot, RandomBot

TIME_TO_MOVE = 0.003
"""Seconds that a slow bot takes at least; a game of Tiki then lasts about a tenth of a second."""


class PoisonBot(RandomBot):
    """Plays at random; in some games, always the same, it kills the process that it is in."""

    def __init__(self, game: Game, seed: int, seat: int) -> None:
        super().__init__(game, seed, seat)
        self._deadly = seed % 8 == 0

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code, or the end."""
        if self._deadly and ply > 20:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(observation, moves, ply)


class SlowRandomBot(RandomBot):
    """Plays at random, slowly."""

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """The code that it would have chosen at once."""
        signal.sigtimedwait([], TIME_TO_MOVE)
        return super().choose(observation, moves, ply)


class SlowGreedyBot(GreedyBot):
    """Plays greedily, slowly."""

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """The code that it would have chosen at once."""
        signal.sigtimedwait([], TIME_TO_MOVE)
        return super().choose(observation, moves, ply)


def poison() -> None:
    """Adds the kind `poison`."""
    KINDS["poison"] = BotKind(PoisonBot, "kills its process in some games")


def slow() -> None:
    """Has the kinds `random` and `greedy` take their time."""
    KINDS["random"] = BotKind(SlowRandomBot, KINDS["random"].about)
    KINDS["greedy"] = BotKind(SlowGreedyBot, KINDS["greedy"].about, KINDS["greedy"].options)


if __name__ == "__main__":
    {"poison": poison, "slow": slow}[sys.argv[1]]()
    module = sys.argv[2]
    sys.argv[:] = [module, *sys.argv[3:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
