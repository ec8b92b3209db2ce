"""How a game is searched: the few numbers of `mcts.Search` that were found by playing (docs/strength.md)."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.game import Game


@dataclass(frozen=True)
class Tuning:
    """Parameters of a search; `mcts.Search` tells what they mean."""

    exploration: float = 0.7
    cutoff: int = -1
    scale: int = 1000
    widening: float = 0.0
    greedy: bool = False
    worlds_per_move: int = 0
    """Worlds drawn from an observation with hidden parts, used in turn; 0 = a new one for each simulation."""


TUNINGS = {
    "tiki": Tuning(exploration=1.0, cutoff=10, scale=300),
    "eruption": Tuning(exploration=0.1, cutoff=6, scale=1000, greedy=True),
    "kilauea": Tuning(exploration=0.4, cutoff=8, scale=300),
}
DEFAULT = Tuning()


def tuning(game: Game) -> Tuning:
    """The tuning of a game."""
    return TUNINGS.get(game.facts.slug, DEFAULT)


def can_prove(game: Game, seats: int) -> bool:
    """Whether finished games in the tree prove anything: two sides, nothing hidden, no chance after the set-up."""
    return seats == 2 and not game.facts.hidden and not game.facts.chance_after_setup
