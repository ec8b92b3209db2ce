"""What is asked of a bot from outside, how its answer is read, and how long it may take."""

from __future__ import annotations

import secrets
import time
from typing import Any

from papamu.bot.v1 import bot_pb2 as pb

from engines import envelope
from engines.core.game import BadInput, Observation
from engines.core.state import Moves, Rules
from engines.external.failures import illegal, too_late


class Clock:
    """The time of one seat in one game, in seconds."""

    def __init__(self, move: float, game: float = 0.0) -> None:
        """`move` is for each decision, `game` for all of them together; 0 = no limit of this sort.

        Raises ValueError when nothing is limited.
        """
        if move <= 0 and game <= 0:
            raise ValueError("a clock needs a limit")
        self._move = move
        self._game = game
        self._spent = 0.0
        self._begun = 0.0

    @property
    def game_left(self) -> float | None:
        """What is left of the game's time; None when that has no limit."""
        return max(self._game - self._spent, 0.0) if self._game > 0 else None

    @property
    def allowed(self) -> float:
        """What the next decision may take."""
        limits = [self._move] if self._move > 0 else []
        left = self.game_left
        return min(limits if left is None else [*limits, left])

    def start(self) -> None:
        """A decision begins."""
        self._begun = time.monotonic()

    def stop(self) -> None:
        """A decision was made. Raises BotFailure when it came too late."""
        used = time.monotonic() - self._begun
        late = used > self.allowed
        self._spent += used
        if late:
            raise too_late()


class Dialogue:
    """The questions of one game for one seat."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._game = secrets.token_hex(8)

    def question(self, observation: Observation[Any], moves: Moves, ply: int) -> pb.ChooseMoveRequest:
        """The request for a decision."""
        words = envelope.lexicon(observation.rules)
        left = self.clock.game_left
        return pb.ChooseMoveRequest(
            game=self._game,
            ply=ply,
            observation=envelope.write_observation(observation),
            legal_moves=[pb.LegalMove(token=words.tokens[code], move=words.messages[code]) for code in moves.to_list()],
            budget=pb.Budget(
                move_ms=int(1000 * self.clock.allowed), game_ms=None if left is None else int(1000 * left)
            ),
        )


def read_answer(rules: Rules, moves: Moves, answer: pb.ChooseMoveResponse) -> int:
    """The code that was chosen out of `moves`. Raises BotFailure when it is none of them."""
    game = envelope.game_of(rules)
    try:
        if answer.WhichOneof("choice") == "token":
            move = game.notation.parse(rules, answer.token)
        else:
            move = envelope.read_move(rules, answer.move)
    except BadInput:
        raise illegal("NO_MOVE") from None
    code = game.moves.encode(rules, move)
    if code is None or not moves.has(code):
        raise illegal()
    return code
