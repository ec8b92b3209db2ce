"""The table of Village of Gaul: edition and options as numbers, and the state that cards and menhirs lie in."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Any

import cython

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import BadInput, Setup, Violation
from engines.core.state import Rules, State
from engines.gaul.edition import CONFIG, deck
from engines.gaul.facts import DEAL, DECLINE_RULES, DRAW, NONE, OVER
from engines.gaul.snapshot import Snapshot

if not cython.compiled:
    from engines.core.layout import array, struct

    Data = struct(__file__, "Data")


class GaulRules(Rules):
    """Edition and options of one game, as numbers, and the first code of each kind of move.

    Raises BadInput (`gaul.state.config`) when the edition does not take so many seats.
    """

    def __init__(self, setup: Setup, data: Mapping[str, Any]) -> None:
        Rules.__init__(self, setup)
        if not cython.compiled:
            self.menhirs = array("int8_t", 8)
            for name in ("kind_face", "kind_action", "kind_copies"):
                setattr(self, name, array("int8_t", 128))
            for name in ("face_colour", "face_tool", "face_symbols"):
                setattr(self, name, array("int8_t", 63))
            self.pair = array("int8_t", 6, 2)
            self.step = array("int8_t", 56, 2)
            self.split = array("int8_t", 168, 3)
            self.cross = array("int8_t", 840, 4)
        head = data["edition"]
        if not head["seats_min"] <= setup.seats <= head["seats_max"]:
            low, high = head["seats_min"], head["seats_max"]
            raise BadInput([Violation("seats", f"this edition takes {low} to {high} seats, not {setup.seats}", CONFIG)])
        self.rounds = head["rounds"]
        self.hand = head["hand"]
        self.trigger = head["trigger"]
        self.points_per_menhir = head["points_per_menhir"]
        self.aisling_bonus = head["aisling_bonus"]
        self.decline = DECLINE_RULES.index(setup.options["decline"])
        self.any_played = setup.options["swap_scope"] == "any_played"
        self.swap_self = bool(setup.options["swap_self"])
        self._set_cards(data)
        self._set_board(data)
        self._set_codes()

    def _set_cards(self, data: Mapping[str, Any]) -> None:
        cards = [card for card in deck(data) if card is not None]
        self.tools = tuple([row["letter"] for row in data["tool"]])
        self.cards = tuple(cards)
        self.faces = tuple(sorted({card.face for card in cards}))
        self.kind_of = {(card.face, card.action): kind for kind, card in enumerate(cards)}
        self.face_of = {face: i for i, face in enumerate(self.faces)}
        self.n_kinds = len(cards)
        self.n_faces = len(self.faces)
        self.cards_total = sum([card.copies for card in cards])
        for k, card in enumerate(cards):
            self.kind_face[k] = self.face_of[card.face]
            self.kind_action[k] = card.action
            self.kind_copies[k] = card.copies
        for f, face in enumerate(self.faces):
            self.face_colour[f] = face.colour
            self.face_tool[f] = face.tool
            self.face_symbols[f] = face.symbols

    def _set_board(self, data: Mapping[str, Any]) -> None:
        """Districts, and the ways menhirs can take: the lists of section 5.3 in the order of their codes."""
        rows = data["district"]
        ids = [row["id"] for row in rows]
        self.districts = tuple([row["letter"] for row in rows])
        self.places = tuple([tuple(row["xy"]) for row in rows])
        self.n_districts = len(rows)
        self.menhirs_total = sum([row["menhirs"] for row in rows])
        for d, row in enumerate(rows):
            self.menhirs[d] = row["menhirs"]
        every = range(len(rows))
        self.steps = tuple(sorted([(d, ids.index(other)) for d, row in enumerate(rows) for other in row["adjacent"]]))
        self.splits = tuple([(d, a, b) for d in every for a, b in combinations([e for e in every if e != d], 2)])
        self.crosses = tuple([way for way in permutations(every, 4) if way[0] < way[2]])
        self.n_steps, self.n_splits, self.n_crosses = len(self.steps), len(self.splits), len(self.crosses)
        for i, step in enumerate(self.steps):
            self.step[i][0], self.step[i][1] = step
        for i, split in enumerate(self.splits):
            self.split[i][0], self.split[i][1], self.split[i][2] = split
        for i, cross in enumerate(self.crosses):
            self.cross[i][0], self.cross[i][1], self.cross[i][2], self.cross[i][3] = cross

    def _set_codes(self) -> None:
        """Seat moves in the order of README section 5, then chance; a swap: per pair of seats, then of cards."""
        self.pairs = tuple(combinations(range(self.seats), 2))
        self.n_pairs = len(self.pairs)
        for i, (a, b) in enumerate(self.pairs):
            self.pair[i][0], self.pair[i][1] = a, b
        self.swap_code = self.n_kinds
        self.remove_code = self.swap_code + self.n_pairs * (self.n_faces + 1) ** 2
        self.step_code = self.remove_code + self.n_districts
        self.split_code = self.step_code + self.n_steps
        self.cross_code = self.split_code + self.n_splits
        self.aisling_code = self.cross_code + self.n_crosses
        self.decline_code = self.aisling_code + self.n_districts
        self.deal_code = self.decline_code + 1
        self.draw_code = self.deal_code + self.n_kinds

    def start_menhirs(self) -> tuple[int, ...]:
        """Menhirs in each district before the first move."""
        return tuple([self.menhirs[d] for d in range(self.n_districts)])


@cython.no_gc  # see docs/adding-a-game.md
@cython.cclass
class Board(State):
    """Menhirs, Aisling, hands and charged cards; hands and charged cards are ascending lists."""

    def __init__(self, rules: GaulRules) -> None:
        if not isinstance(rules, GaulRules):
            raise TypeError("rules must be GaulRules")
        self.rules = rules
        if not cython.compiled:
            self.d = Data()

    # -- the hot path ---------------------------------------------------------------------------------------------

    def c_start(self) -> None:
        """Section 4: the menhirs stand, Aisling is outside, all cards are in the stock."""
        for i in range(self.rules.n_districts):
            self.d.menhirs[i] = self.rules.menhirs[i]
        for i in range(self.rules.n_kinds):
            self.d.stock[i] = self.rules.kind_copies[i]
        self.d.stock_n = self.rules.cards_total
        self.d.round = 1
        self.d.aisling = NONE
        self.d.in_play = NONE
        self.d.phase = DEAL

    def c_actor(self) -> int:
        if self.d.phase == OVER:
            return TERMINAL
        if self.d.phase == DEAL or self.d.phase == DRAW:
            return CHANCE
        return self.d.turn

    def c_dealt_to(self) -> int:
        """The lowest seat whose hand is not full; the number of seats when all are."""
        s = 0
        while s < self.rules.seats and self.d.hand_n[s] == self.rules.hand:
            s += 1
        return s

    def c_to_hand(self, seat: int, kind: int) -> None:
        """From the stock."""
        self.d.stock[kind] -= 1
        self.d.stock_n -= 1
        i = self.d.hand_n[seat]
        while i > 0 and self.d.hand[seat][i - 1] > kind:
            self.d.hand[seat][i] = self.d.hand[seat][i - 1]
            i -= 1
        self.d.hand[seat][i] = kind
        self.d.hand_n[seat] += 1

    def c_from_hand(self, seat: int, kind: int) -> None:
        self.d.hand_n[seat] -= 1
        i = 0
        while self.d.hand[seat][i] != kind:
            i += 1
        while i < self.d.hand_n[seat]:
            self.d.hand[seat][i] = self.d.hand[seat][i + 1]
            i += 1

    def c_charge(self, seat: int, face: int) -> None:
        i = self.d.charged_n[seat]
        while i > 0 and self.d.charged[seat][i - 1] > face:
            self.d.charged[seat][i] = self.d.charged[seat][i - 1]
            i -= 1
        self.d.charged[seat][i] = face
        self.d.charged_n[seat] += 1

    def c_uncharge(self, seat: int, face: int) -> None:
        self.d.charged_n[seat] -= 1
        i = 0
        while self.d.charged[seat][i] != face:
            i += 1
        while i < self.d.charged_n[seat]:
            self.d.charged[seat][i] = self.d.charged[seat][i + 1]
            i += 1

    def c_copy_from(self, other: State) -> None:
        if cython.compiled:
            self.d = cython.cast(Board, other).d
        else:
            self.d = cython.cast(Board, other).d.copy()

    def c_seats(self) -> int:
        return self.rules.seats

    def c_score(self, seat: int) -> int:
        return self.d.score[seat]

    def c_place(self, seat: int) -> int:
        place = 1
        for s in range(self.rules.seats):
            if self.d.score[s] > self.d.score[seat]:
                place += 1
        return place

    # -- for Python callers ---------------------------------------------------------------------------------------

    def stage(self) -> tuple[int, int]:
        """Phase and the kind in play (NONE between turns): what decides which moves belong here."""
        return self.d.phase, self.d.in_play

    def receiver(self) -> int:
        """The seat that the next card dealt or drawn goes to."""
        return self.c_dealt_to() if self.d.phase == DEAL else self.d.turn

    def snapshot(self) -> Snapshot:
        """Every field of the state as plain data."""
        seats = range(self.rules.seats)
        hands = [tuple([self.d.hand[s][i] for i in range(self.d.hand_n[s])]) for s in seats]
        left = [self.rules.kind_copies[k] - self.d.stock[k] for k in range(self.rules.n_kinds)]
        for hand in hands:
            for kind in hand:
                left[kind] -= 1
        return Snapshot(
            phase=self.d.phase,
            round=self.d.round,
            turn=self.d.turn,
            menhirs=tuple([self.d.menhirs[i] for i in range(self.rules.n_districts)]),
            aisling=self.d.aisling,
            scores=tuple([self.d.score[s] for s in seats]),
            hands=tuple(hands),
            charged=tuple([tuple([self.d.charged[s][i] for i in range(self.d.charged_n[s])]) for s in seats]),
            played=tuple([kind for kind in range(self.rules.n_kinds) for _ in range(left[kind])]),
            in_play=self.d.in_play,
        )
