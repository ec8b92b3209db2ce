"""What a seat sees of a Kilauea game: everything, since nothing is hidden (README section 1)."""

from __future__ import annotations

from dataclasses import dataclass

from engines.kilauea.moves import KilaueaMove
from engines.kilauea.rules import Kilauea, load
from engines.kilauea.snapshot import Snapshot
from engines.kilauea.tables import KilaueaRules


@dataclass(frozen=True)
class KilaueaObservation:
    """The whole state, as plain data."""

    rules: KilaueaRules
    viewer: int
    snapshot: Snapshot

    def sample(self, key: int, index: int) -> Kilauea:
        """The state itself: there is only one that agrees."""
        return load(self.rules, self.snapshot)


def observe(state: Kilauea, seat: int) -> KilaueaObservation:
    """What `seat` sees. Raises ValueError for a seat that does not exist."""
    if not 0 <= seat < state.rules.seats:
        raise ValueError(f"no seat {seat}")
    return KilaueaObservation(state.rules, seat, state.snapshot())


def shows(state: Kilauea, move: KilaueaMove, seat: int) -> bool:
    """Whether `seat` sees what a move is: always."""
    return True
