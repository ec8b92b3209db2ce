"""Plays one game between bots: chance moves are drawn from a seed, bots see observations only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from papamu.records.v1 import records_pb2 as pb

from engines import envelope, measure
from engines.chance import chance_key, draw_chance
from engines.core import step
from engines.core.constants import CHANCE, TERMINAL
from engines.core.latency import Latency
from engines.core.state import Moves, Rules
from engines.external.failures import BotFailure, MachineFailure
from engines.record import results
from engines.record.record import MAX_ACTIONS
from engines.search.bots import Bot, Closing, Resumable

PLY_LIMIT = "PLY_LIMIT"
"""Reason of a game that is adjudicated because it became longer than any record may be."""


class Referee:
    """One game in progress."""

    def __init__(
        self, rules: Rules, bots: Sequence[Bot], chance_seed: int, moves: Iterable[tuple[int, int]] = ()
    ) -> None:
        """`moves` are those made before, when a game is taken up again; they must be legal.

        Raises IllegalMove when one is not, and ValueError when the number of bots is not that of the seats.
        """
        if len(bots) != rules.seats:
            raise ValueError(f"{len(bots)} bots for {rules.seats} seats")
        self._bots = bots
        self._state = envelope.game_of(rules).rules.start(rules)
        self._chance_key = chance_key(chance_seed)
        self._chances = 0
        self.moves: list[tuple[int, int]] = []
        """(code, sender) of every move made, in order. It only grows, so another thread may read what is there."""
        legal = Moves()
        for code, sender in moves:
            bot = bots[sender] if sender >= 0 else None
            if isinstance(bot, Resumable):
                self._state.legal(legal)
                bot.replayed(legal, len(self.moves))
            self._state.play(code, sender)
            self.moves.append((code, sender))
            self._chances += sender == CHANCE

    def run(self, stopped: Callable[[], bool] = lambda: False) -> pb.Result | None:
        """Plays to the end and returns the result; None when `stopped`, asked before each move, says so first.

        A bot that raises forfeits by CRASH, or as its BotFailure says; one that answers with a move that is not legal
        by ILLEGAL. Bots that hold something open are closed, however the game ends. What the machine lacks is no bot's
        fault: raises MachineFailure and MemoryError.
        """
        state, made, moves, latency = self._state, self.moves, Moves(), Latency()
        try:
            while (actor := state.actor) != TERMINAL:
                if stopped():
                    return None
                if len(made) == MAX_ACTIONS:
                    return results.adjudicated(state, PLY_LIMIT)
                if actor == CHANCE:
                    code = draw_chance(state, self._chance_key, self._chances)
                    self._chances += 1
                else:
                    step.legal(state, moves, latency)
                    try:
                        code = self._bots[actor].choose(state.observe(actor), moves, len(made))
                    except BotFailure as failure:
                        return results.forfeited(state, failure.ending, actor, failure.reason)
                    except (MachineFailure, MemoryError):
                        raise
                    except Exception as error:  # whatever a bot raises is the bot's fault
                        return results.forfeited(state, pb.ENDING_CRASH, actor, type(error).__name__)
                    if not (isinstance(code, int) and moves.has(code)):
                        return results.forfeited(state, pb.ENDING_ILLEGAL, actor, "ILLEGAL_MOVE")
                step.play(state, code, latency)
                made.append((code, actor))
            return results.normal(state)
        finally:
            for bot in self._bots:
                if isinstance(bot, Closing):
                    bot.close()
            measure.publish(state.rules.setup.game, latency)
