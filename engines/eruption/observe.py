"""What a seat sees of an Eruption game: all but the other hands and the deck, of which it sees the sizes (README 3)."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.rng import draw
from engines.eruption.facts import CARDS, NONE
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

    def sample(self, key: int, index: int) -> Eruption:
        """A state that looks like this: the hidden cards are dealt at random to the other hands, the rest is the deck.

        Every way to deal them is equally likely, whatever happened before. One draw per card dealt, from `index` on.
        """
        pool = [card for card, n in enumerate(self.unseen()) for _ in range(n)]
        hands = [list(self.hand) if seat == self.viewer else [0] * len(CARDS) for seat in range(self.rules.seats)]
        for seat, size in enumerate(self.hand_sizes):
            if seat != self.viewer:
                for _ in range(size):
                    i = draw(key, index, len(pool))
                    index += 1
                    hands[seat][pool[i]] += 1
                    pool[i] = pool[-1]
                    pool.pop()
        deck = tuple(pool.count(card) for card in range(len(CARDS)))
        return load(self.rules, Snapshot(self.table, tuple(tuple(hand) for hand in hands), deck))


def observe(state: Eruption, seat: int) -> EruptionObservation:
    """What `seat` sees. Raises ValueError for a seat that does not exist."""
    if not 0 <= seat < state.rules.seats:
        raise ValueError(f"no seat {seat}")
    s = state.snapshot()
    sizes = tuple(sum(hand) for hand in s.hands)
    return EruptionObservation(state.rules, seat, s.table, s.hands[seat], sizes, sum(s.deck))


def redact(move: EruptionMove, viewer: int) -> EruptionMove:
    """The move as `viewer` may see it: a card dealt to another seat is hidden."""
    if isinstance(move, (DealCard, DrawCard)) and move.seat != viewer:
        return type(move)(move.seat, NONE)
    return move
