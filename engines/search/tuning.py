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
    in_a_world: int = 1
    """Simulations in a row in each world drawn from an observation with hidden parts."""


TUNINGS = {
    "gaul": Tuning(in_a_world=4),
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
