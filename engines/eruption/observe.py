"""What a seat sees of an Eruption game: all but the other hands and the deck, of which it sees the sizes (README 3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engines.eruption.facts import CARDS
from engines.eruption.moves import DealCard, DrawCard, EruptionMove
from engines.eruption.rules import Eruption, load
from engines.eruption.snapshot import Snapshot, Table
from engines.eruption.tables import EruptionRules


@dataclass(frozen=True)
class EruptionObservation:
    """The table, the own hand, and the numbers of the cards that are hidden."""

    rules: EruptionRules
    viewer: int
    table: Table
    hand: tuple[int, ...]
    """The viewer's cards by card."""
    hand_sizes: tuple[int, ...]
    deck_size: int

    def unseen(self) -> list[int]:
        """The hidden cards by card: those of the box that lie neither in the own hand nor in the discard pile."""
        return [self.rules.card(c)[0] - self.hand[c] - self.table.card_discard[c] for c in range(len(CARDS))]

    @cached_property
    def _world(self) -> Eruption:
        """One state that looks like this: the other hands filled in the order of the cards. Raises BadInput."""
        pool = [card for card, n in enumerate(self.unseen()) for _ in range(n)]
        hands = []
        for seat, size in enumerate(self.hand_sizes):
            hands.append(self.hand if seat == self.viewer else _counts(pool[:size]))
            if seat != self.viewer:
                del pool[:size]
        return load(self.rules, Snapshot(self.table, tuple(hands), _counts(pool)))

    def check(self) -> None:
        """Raises BadInput when no possible state looks like this."""
        assert self._world.rules is self.rules

    def sample(self, key: int, index: int) -> Eruption:
        """A state that looks like this: the hidden cards are dealt at random to the other hands, the rest is the deck.

        Every way to deal them is equally likely, whatever happened before. One draw per card dealt, from `index` on.
        Raises BadInput when no possible state looks like this.
        """
        state = self._world.clone()
        assert isinstance(state, Eruption)
        state.redeal(self.viewer, key, index)
        return state


def _counts(cards: list[int]) -> tuple[int, ...]:
    return tuple(cards.count(card) for card in range(len(CARDS)))


def observe(state: Eruption, seat: int) -> EruptionObservation:
    """What `seat` sees. Raises ValueError for a seat that does not exist."""
    if not 0 <= seat < state.rules.seats:
        raise ValueError(f"no seat {seat}")
    s = state.snapshot()
    sizes = tuple(sum(hand) for hand in s.hands)
    return EruptionObservation(state.rules, seat, s.table, s.hands[seat], sizes, sum(s.deck))


def shows(state: Eruption, move: EruptionMove, seat: int) -> bool:
    """Whether `seat` sees what a move is; `state` is the one before it. Only the seat that gets a card sees which."""
    return not isinstance(move, (DealCard, DrawCard)) or move.seat == seat
