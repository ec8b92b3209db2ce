"""`python -m tests.support.poison MODULE ...` runs a module that knows one more kind of bot: it kills its process."""

from __future__ import annotations

import os
import runpy
import signal
import sys
from typing import Any

from engines.core.game import Game, Observation
from engines.core.state import Moves
from engines.search.bots import KINDS, BotKind, RandomBot


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


if __name__ == "__main__":
    KINDS["poison"] = BotKind(PoisonBot, "kills its process in some games")
    module = sys.argv[1]
    sys.argv[:] = [module, *sys.argv[2:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
