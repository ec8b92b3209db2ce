"""The bot that searches: tree search within a budget of simulations and time, per move, turn and game."""

from __future__ import annotations

from typing import Any

from engines import measure
from engines.core.game import BadInput, Game, Observation, Violation
from engines.core.state import Moves
from engines.search.budget import Budget, Purse, Spend
from engines.search.thinker import Thinker


class MctsBot:
    """Plays what `Thinker` finds.

    With simulation budgets per move only, a move depends on nothing but seed, observation and ply, so a game can be
    taken up again at any ply by a new bot. Budgets per turn or game go on with what was left (`replayed`).
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        seat: int,
        simulations: int = 1000,
        milliseconds: int = 0,
        turn_simulations: int = 0,
        game_simulations: int = 0,
        game_milliseconds: int = 0,
        reuse: int = 0,
    ) -> None:
        """Raises BadInput when no limit is set."""
        self._thinker = Thinker(game, seed * 8 + seat & 2**64 - 1, reuse=bool(reuse))
        self._budget = Budget(
            move=Spend(simulations, milliseconds / 1000),
            turn=Spend(turn_simulations),
            game=Spend(game_simulations, game_milliseconds / 1000),
        )
        if not any((simulations, milliseconds, turn_simulations, game_simulations, game_milliseconds)):
            raise BadInput([Violation("options.simulations", "a search needs some limit")])
        self.purse = Purse(self._budget)
        self._ply = -2

    def replayed(self, moves: Moves, ply: int) -> None:
        """Books a decision of the game before it was taken up again, as if all that it was allotted had been spent."""
        if len(moves) > 1:
            allotted = self._allot(ply)
            self.purse.charge(allotted, allotted)

    def _allot(self, ply: int) -> Spend:
        if ply != self._ply + 1:  # somebody else moved in between: a new turn
            self.purse.begin_turn()
        self._ply = ply
        return self.purse.allot()

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`; a single one is played without thinking."""
        if len(moves) == 1:
            return moves.to_list()[0]
        allotted = self._allot(ply)
        thought = self._thinker.think(observation, allotted, salt=ply)
        if self.purse.charge(allotted, Spend(thought.simulations, thought.seconds)):
            measure.totals().overrun(self._thinker.game.facts.slug)
        return thought.best
