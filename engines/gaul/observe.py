"""What a seat sees of Village of Gaul: all but the other hands and the stock (README section 3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from engines.gaul.board import GaulRules
from engines.gaul.moves import Deal, Draw, GaulMove
from engines.gaul.rules import Gaul, load
from engines.gaul.snapshot import Snapshot, View


@dataclass(frozen=True)
class GaulObservation:
    """The public state, the viewer's own hand and the sizes of the others."""

    rules: GaulRules
    viewer: int
    view: View

    @cached_property
    def _world(self) -> Gaul:
        """One state that agrees with the view. Raises BadInput when there is none."""
        return load(self.rules, _fill(self.rules, self.viewer, self.view))

    def canonical(self) -> GaulObservation:
        """The same with its lists in order. Raises BadInput when no possible state looks like that."""
        return observe(self._world, self.viewer)

    def sample(self, key: int, index: int) -> Gaul:
        """A state that agrees: the unseen cards are spread uniformly over the other hands and the stock.

        Takes one draw of the stream per card in another hand, from `index` on. Raises BadInput when the view is of no
        possible state.
        """
        state = self._world.clone()
        assert isinstance(state, Gaul)
        state.redeal(self.viewer, key, index)
        return state


def observe(state: Gaul, seat: int) -> GaulObservation:
    """What `seat` sees. Raises ValueError for a seat that does not exist."""
    if not 0 <= seat < state.rules.seats:
        raise ValueError(f"no seat {seat}")
    return GaulObservation(state.rules, seat, _view(state.snapshot(), seat))


def shows(state: Gaul, move: GaulMove, seat: int) -> bool:
    """Whether `seat` sees what a move is; `state` is the one before it. Only the seat that gets a card sees which."""
    return not isinstance(move, (Deal, Draw)) or seat == state.receiver()


def _view(s: Snapshot, seat: int) -> View:
    return View(
        phase=s.phase,
        round=s.round,
        turn=s.turn,
        menhirs=s.menhirs,
        aisling=s.aisling,
        scores=s.scores,
        hand=s.hands[seat],
        hand_sizes=tuple(len(hand) for hand in s.hands),
        charged=s.charged,
        played=s.played,
        in_play=s.in_play,
    )


def _fill(rules: GaulRules, viewer: int, view: View) -> Snapshot:
    """The state in which the unseen cards lie in the other hands in the order of the deck.

    Too few of them make short hands, which the invariants then refuse.
    """
    seen = Counter((*view.played, *view.hand))
    pool = [kind for kind, card in enumerate(rules.cards) for _ in range(card.copies - seen[kind])]
    hands = []
    for seat, size in enumerate(view.hand_sizes):
        if seat == viewer:
            hands.append(view.hand)
        else:
            hands.append(tuple(pool[:size]))
            del pool[:size]
    return Snapshot(
        phase=view.phase,
        round=view.round,
        turn=view.turn,
        menhirs=view.menhirs,
        aisling=view.aisling,
        scores=view.scores,
        hands=tuple(hands),
        charged=view.charged,
        played=view.played,
        in_play=view.in_play,
    )
