"""What a seat sees of a Tiki game: everything, since nothing is hidden (README section 1)."""

from __future__ import annotations

from dataclasses import dataclass

from engines.tiki.board import TikiRules
from engines.tiki.moves import TikiMove
from engines.tiki.rules import Tiki, load
from engines.tiki.snapshot import Snapshot


@dataclass(frozen=True)
class TikiObservation:
    """The whole state, as plain data."""

    rules: TikiRules
    viewer: int
    snapshot: Snapshot

    def sample(self, key: int, index: int) -> Tiki:
        """The state itself: there is only one that agrees."""
        return load(self.rules, self.snapshot)


def observe(state: Tiki, seat: int) -> TikiObservation:
    """What `seat` sees. Raises ValueError for a seat that does not exist."""
    if seat not in (0, 1):
        raise ValueError(f"no seat {seat}")
    return TikiObservation(state.rules, seat, state.snapshot())


def shows(state: Tiki, move: TikiMove, seat: int) -> bool:
    """Whether `seat` sees what a move is: always."""
    return True
