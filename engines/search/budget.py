"""What a bot may spend: simulations, which mean the same on every machine, and seconds; per move, turn and game."""

from __future__ import annotations

from dataclasses import dataclass, field

MOVES_TO_GO = 24
"""A decision takes this part of what is left for the game, so that something is always left."""
STEPS_TO_GO = 2
"""The same for the steps of one turn."""


@dataclass(frozen=True)
class Spend:
    """An amount; 0 means no limit of this sort."""

    simulations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Budget:
    """Limits of one seat. Where several hold, the tightest counts."""

    move: Spend = field(default_factory=Spend)
    turn: Spend = field(default_factory=Spend)
    game: Spend = field(default_factory=Spend)


class Purse:
    """What is left of a budget in the course of a game."""

    def __init__(self, budget: Budget, spent: Spend | None = None) -> None:
        """`spent` is what a resumed game had used up before."""
        self._budget = budget
        self._game = spent or Spend()
        self._turn = Spend()

    @property
    def spent(self) -> Spend:
        """What the game has used up so far."""
        return self._game

    def begin_turn(self) -> None:
        """A new turn of the seat begins."""
        self._turn = Spend()

    def allot(self) -> Spend:
        """What the next decision may take; at least one simulation, or a millisecond."""
        b = self._budget
        simulations = [
            limit
            for limit in (
                b.move.simulations,
                _part(b.turn.simulations, self._turn.simulations, STEPS_TO_GO),
                _part(b.game.simulations, self._game.simulations, MOVES_TO_GO),
            )
            if limit
        ]
        seconds = [
            limit
            for limit in (
                b.move.seconds,
                _share(b.turn.seconds, self._turn.seconds, STEPS_TO_GO),
                _share(b.game.seconds, self._game.seconds, MOVES_TO_GO),
            )
            if limit
        ]
        return Spend(min(simulations, default=0), min(seconds, default=0.0))

    def charge(self, allotted: Spend, used: Spend) -> bool:
        """Books what a decision took; whether that was over a tenth longer than it was allotted."""
        self._turn = _sum(self._turn, used)
        self._game = _sum(self._game, used)
        return bool(allotted.seconds) and used.seconds > 1.1 * allotted.seconds + 0.01


def _sum(one: Spend, other: Spend) -> Spend:
    return Spend(one.simulations + other.simulations, one.seconds + other.seconds)


def _part(limit: int, used: int, to_go: int) -> int:
    return max((limit - used) // to_go, 1) if limit else 0


def _share(limit: float, used: float, to_go: int) -> float:
    return max((limit - used) / to_go, 0.001) if limit else 0.0
