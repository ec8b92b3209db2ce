"""Numbers that both compiled and plain modules use; never compiled."""

CHANCE = -1
"""Actor or sender of a chance move."""
TERMINAL = -2
"""Actor of a finished game."""
ABSENT = -3
"""No sender named: the actor is meant."""

MOVES_CAPACITY = 1024
"""Most moves a `Moves` buffer holds. Each game proves its own bound (`Facts.max_legal`) and stays below it."""
MAX_SEATS = 6
"""Most seats of any game of the registry; sizes native buffers that are indexed by seat."""

CHANCE_STREAM = 0
"""Chance moves of a game as played."""
ROLLOUT_STREAM = 1
"""Moves of random play."""
SEARCH_STREAM = 2
"""Everything a search draws."""
BOT_STREAM = 16
"""Seat s of a game draws from stream BOT_STREAM + s."""
