"""Village of Gaul: legal moves and effects. Section numbers are those of README.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cython

from engines.core.game import BadInput, BreakdownRow, Setup
from engines.core.rng import draw
from engines.core.state import Moves, State
from engines.gaul import invariants
from engines.gaul.board import Board, GaulRules
from engines.gaul.facts import (
    ACT_AISLING,
    ACT_DRAW,
    ACT_REMOVE,
    ACT_SPLIT,
    ACT_STEP,
    ACT_SWAP,
    ACTION,
    AISLING,
    DEAL,
    DECLINE_ANY,
    DECLINE_NEVER,
    DRAW,
    FACTS,
    NONE,
    OVER,
    PLAY,
)
from engines.gaul.snapshot import Snapshot

if TYPE_CHECKING:
    from engines.gaul.observe import GaulObservation


class Gaul(Board):
    """One position of Village of Gaul."""

    # -- the hot path: legal moves --------------------------------------------------------------------------------

    def c_legal(self, out: Moves) -> None:
        """Section 5.2."""
        n = 0
        if self.d.phase == PLAY:
            for i in range(self.d.hand_n[self.d.turn]):
                if i == 0 or self.d.hand[self.d.turn][i] != self.d.hand[self.d.turn][i - 1]:
                    out.code[n] = self.d.hand[self.d.turn][i]
                    n += 1
        elif self.d.phase == ACTION:
            self.c_actions(out)
            return
        elif self.d.phase == AISLING:
            least = self.c_least(self.d.aisling)
            for i in range(self.rules.n_districts):
                if i != self.d.aisling and self.d.menhirs[i] == least:
                    out.code[n] = self.rules.aisling_code + i
                    n += 1
        elif self.d.phase != OVER:
            base = self.rules.deal_code if self.d.phase == DEAL else self.rules.draw_code
            for i in range(self.rules.n_kinds):
                # Without a branch: which kinds are left is as good as random.
                out.code[n] = base + i
                n += self.d.stock[i] > 0
        out.n = n

    def c_actions(self, out: Moves) -> None:
        """Section 5.3."""
        act = self.rules.kind_action[self.d.in_play]
        n = 0
        if act == ACT_SWAP:
            n = self.c_swaps(out)
        elif act == ACT_REMOVE:
            for i in range(self.rules.n_districts):
                if self.d.menhirs[i] > 0:
                    out.code[n] = self.rules.remove_code + i
                    n += 1
        elif act == ACT_STEP:
            for i in range(self.rules.n_steps):
                if self.d.menhirs[self.rules.step[i][0]] > 0:
                    out.code[n] = self.rules.step_code + i
                    n += 1
        elif act == ACT_SPLIT:
            for i in range(self.rules.n_splits):
                if self.d.menhirs[self.rules.split[i][0]] > 1:
                    out.code[n] = self.rules.split_code + i
                    n += 1
        else:
            for i in range(self.rules.n_crosses):
                if self.d.menhirs[self.rules.cross[i][0]] > 0 and self.d.menhirs[self.rules.cross[i][2]] > 0:
                    out.code[n] = self.rules.cross_code + i
                    n += 1
        if self.rules.decline == DECLINE_ANY or (self.rules.decline != DECLINE_NEVER and act <= ACT_REMOVE):
            out.code[n] = self.rules.decline_code
            n += 1
        out.n = n

    def c_swaps(self, out: Moves) -> int:
        n = 0
        refs = self.rules.n_faces + 1
        for p in range(self.rules.n_pairs):
            first = self.rules.pair[p][0]
            second = self.rules.pair[p][1]
            for i in range(self.d.charged_n[first] + 1):
                a = self.c_swappable(first, i)
                if a != NONE:
                    code = self.rules.swap_code + (p * refs + a) * refs
                    for j in range(self.d.charged_n[second] + 1):
                        b = self.c_swappable(second, j)
                        if b != NONE:
                            out.code[n] = code + b
                            n += 1
        return n

    def c_swappable(self, seat: int, i: int) -> int:
        """What entry i of a seat adds: a face (at the first of its equals), n_faces for EXHAUSTED, or NONE."""
        if i == self.d.charged_n[seat]:
            return self.rules.n_faces if self.d.exhausted[seat] > 0 and self.rules.any_played else NONE
        face = self.d.charged[seat][i]
        if i > 0 and self.d.charged[seat][i - 1] == face:
            return NONE
        if seat == self.d.turn and not self.rules.swap_self and face == self.rules.kind_face[self.d.in_play]:
            # The card just played does not count: there must be a second one with its face.
            if i + 1 == self.d.charged_n[seat] or self.d.charged[seat][i + 1] != face:
                return NONE
        return face

    def c_weights(self, out: Moves) -> None:
        """Section 6: copies left in the stock."""
        base = self.rules.deal_code if self.d.phase == DEAL else self.rules.draw_code
        for i in range(out.n):
            out.weight[i] = self.d.stock[out.code[i] - base]

    # -- the hot path: effects ------------------------------------------------------------------------------------

    def c_apply(self, code: int) -> None:
        if code < self.rules.swap_code:
            self.c_play(code)
            return
        if code >= self.rules.draw_code:
            self.c_to_hand(self.d.turn, code - self.rules.draw_code)
            self.c_aisling_step()
            return
        if code >= self.rules.deal_code:
            self.c_to_hand(self.c_dealt_to(), code - self.rules.deal_code)
            if self.c_dealt_to() == self.rules.seats:
                self.d.phase = PLAY
            return
        if code < self.rules.remove_code:
            self.c_swap(code - self.rules.swap_code)
        elif code < self.rules.step_code:
            self.d.menhirs[code - self.rules.remove_code] -= 1
        elif code < self.rules.split_code:
            i = code - self.rules.step_code
            self.d.menhirs[self.rules.step[i][0]] -= 1
            self.d.menhirs[self.rules.step[i][1]] += 1
        elif code < self.rules.cross_code:
            i = code - self.rules.split_code
            self.d.menhirs[self.rules.split[i][0]] -= 2
            self.d.menhirs[self.rules.split[i][1]] += 1
            self.d.menhirs[self.rules.split[i][2]] += 1
        elif code < self.rules.aisling_code:
            i = code - self.rules.cross_code
            self.d.menhirs[self.rules.cross[i][0]] -= 1
            self.d.menhirs[self.rules.cross[i][1]] += 1
            self.d.menhirs[self.rules.cross[i][2]] -= 1
            self.d.menhirs[self.rules.cross[i][3]] += 1
        elif code < self.rules.decline_code:
            self.d.aisling = code - self.rules.aisling_code
            self.c_scoring()
            return
        self.c_aisling_step()

    def c_play(self, kind: int) -> None:
        """Section 5.2: the card lies charged before anything else happens."""
        act = self.rules.kind_action[kind]
        self.c_from_hand(self.d.turn, kind)
        self.c_charge(self.d.turn, self.rules.kind_face[kind])
        self.d.in_play = kind
        if act == ACT_AISLING:
            self.c_relocate()
        elif not self.c_possible(act):
            self.c_aisling_step()
        else:
            self.d.phase = DRAW if act == ACT_DRAW else ACTION

    def c_possible(self, act: int) -> bool:
        """Whether the action of the card just played can be carried out at all."""
        if act == ACT_DRAW:
            return self.d.stock_n > 0
        if act == ACT_SWAP:
            seats = 0
            for s in range(self.rules.seats):
                cards = self.d.charged_n[s]
                if s == self.d.turn and not self.rules.swap_self:
                    cards -= 1
                if cards > 0 or (self.d.exhausted[s] > 0 and self.rules.any_played):
                    seats += 1
            return seats > 1
        if act == ACT_STEP:
            for i in range(self.rules.n_steps):
                if self.d.menhirs[self.rules.step[i][0]] > 0:
                    return True
            return False
        some = 0  # districts with a menhir, and with two
        stacks = 0
        for d in range(self.rules.n_districts):
            some += self.d.menhirs[d] > 0
            stacks += self.d.menhirs[d] > 1
        if act == ACT_REMOVE:
            return some > 0
        if act == ACT_SPLIT:
            return stacks > 0 and self.rules.n_splits > 0
        return some > 1 and self.rules.n_crosses > 0

    def c_swap(self, swap: int) -> None:
        """Each card goes to the other seat and stays charged or exhausted."""
        refs = self.rules.n_faces + 1
        pair = swap // (refs * refs)
        first = self.rules.pair[pair][0]
        second = self.rules.pair[pair][1]
        self.c_hand_over(swap // refs % refs, first, second)
        self.c_hand_over(swap % refs, second, first)

    def c_hand_over(self, ref: int, seat: int, to: int) -> None:
        if ref == self.rules.n_faces:
            self.d.exhausted[seat] -= 1
            self.d.exhausted[to] += 1
        else:
            self.c_uncharge(seat, ref)
            self.c_charge(to, ref)

    def c_least(self, without: int) -> int:
        """The smallest number of menhirs in a district other than `without` (NONE = in any)."""
        least = 127
        for d in range(self.rules.n_districts):
            if d != without and self.d.menhirs[d] < least:
                least = self.d.menhirs[d]
        return least

    def c_aisling_step(self) -> None:
        """Section 5.4: she stays where the menhirs are fewest, tied or not; otherwise she goes there."""
        if self.d.aisling != NONE and self.d.menhirs[self.d.aisling] == self.c_least(NONE):
            self.c_scoring()
        else:
            self.c_relocate()

    def c_relocate(self) -> None:
        """Section 5.4: to the fewest menhirs, her own district left out; by herself when there is one such district."""
        least = self.c_least(self.d.aisling)
        n = 0
        only = NONE
        for d in range(self.rules.n_districts):
            if d != self.d.aisling and self.d.menhirs[d] == least:
                only = d
                n += 1
        if n > 1:
            self.d.phase = AISLING
        else:
            self.d.aisling = only
            self.c_scoring()

    def c_scoring(self) -> None:
        """Section 5.5. Only the tool just played can have reached the trigger: a swap changes no totals."""
        tool = self.rules.face_tool[self.rules.kind_face[self.d.in_play]]
        symbols = 0
        for s in range(self.rules.seats):
            for i in range(self.d.charged_n[s]):
                if self.rules.face_tool[self.d.charged[s][i]] == tool:
                    symbols += self.rules.face_symbols[self.d.charged[s][i]]
        if symbols >= self.rules.trigger:
            self.c_score_tool(tool)
        self.c_end_turn()

    def c_score_tool(self, tool: int) -> None:
        for s in range(self.rules.seats):
            kept = 0
            for i in range(self.d.charged_n[s]):
                face = self.d.charged[s][i]
                if self.rules.face_tool[face] == tool:
                    colour = self.rules.face_colour[face]
                    self.d.score[s] += self.rules.points_per_menhir * self.d.menhirs[colour]
                    if self.d.aisling == colour:
                        self.d.score[s] += self.rules.aisling_bonus
                    self.d.exhausted[s] += 1
                else:
                    self.d.charged[s][kept] = face
                    kept += 1
            self.d.charged_n[s] = kept

    def c_end_turn(self) -> None:
        """Section 5.6."""
        self.d.in_play = NONE
        self.d.phase = PLAY
        self.d.turn += 1
        if self.d.turn == self.rules.seats:
            self.d.turn = 0
            if self.d.round == self.rules.rounds:
                self.d.phase = OVER
            else:
                self.d.round += 1

    # -- for Python callers ---------------------------------------------------------------------------------------

    def c_redeal(self, viewer: int, key: int, index: int) -> None:
        for s in range(self.rules.seats):
            if s != viewer:
                for i in range(self.d.hand_n[s]):
                    self.d.stock[self.d.hand[s][i]] += 1
                self.d.stock_n += self.d.hand_n[s]
        for s in range(self.rules.seats):
            if s != viewer:
                n = self.d.hand_n[s]
                self.d.hand_n[s] = 0
                for _ in range(n):
                    left = cython.cast(cython.int, draw(key, index, self.d.stock_n))
                    index += 1
                    kind = 0
                    while left >= self.d.stock[kind]:
                        left -= self.d.stock[kind]
                        kind += 1
                    self.c_to_hand(s, kind)

    def redeal(self, viewer: int, key: int, index: int) -> None:
        """Spreads what `viewer` does not see uniformly over the other hands and the stock; hand sizes stay.

        Takes draws `index`... of the stream `key`, one per card. Raises ValueError for a seat that does not exist.
        """
        if not 0 <= viewer < self.rules.seats:
            raise ValueError(f"no seat {viewer}")
        self.c_redeal(viewer, key, index)

    def blank(self) -> State:
        """A state of the same rules whose content does not matter yet."""
        if not cython.compiled:
            return Gaul(self.rules)
        other = Gaul.__new__(Gaul)
        other.rules = self.rules
        return other

    def end_reason(self) -> str:
        """LAST_ROUND once the game is over."""
        return FACTS.end_reasons[0] if self.d.phase == OVER else ""

    def breakdown(self) -> list[BreakdownRow]:
        """One row a seat: points arise in scorings only, and a state does not remember which."""
        return [BreakdownRow(s, "scorings", self.d.score[s]) for s in range(self.rules.seats)]

    def observe(self, seat: int) -> GaulObservation:
        """What `seat` sees: everything but the other hands and the stock."""
        from engines.gaul.observe import observe

        return observe(self, seat)


def make_rules(setup: Setup, data: Mapping[str, Any]) -> GaulRules:
    """The immutable rules object of a checked setup. Raises BadInput when the edition has no such number of seats."""
    return GaulRules(setup, data)


def start(rules: GaulRules) -> Gaul:
    """The state before the first move."""
    state = Gaul(rules)
    state.c_start()
    return state


def load(rules: GaulRules, snapshot: Snapshot) -> Gaul:
    """A state from outside. Raises BadInput when an invariant of section 3 is broken."""
    violations = invariants.check(rules, snapshot)
    if violations:
        raise BadInput(violations)
    state = Gaul(rules)
    state.c_start()
    state.d.phase = snapshot.phase
    state.d.round = snapshot.round
    state.d.turn = snapshot.turn
    state.d.aisling = snapshot.aisling
    state.d.in_play = snapshot.in_play
    for d in range(rules.n_districts):
        state.d.menhirs[d] = snapshot.menhirs[d]
    for kind in snapshot.played:
        state.d.stock[kind] -= 1
    state.d.stock_n -= len(snapshot.played)
    for s in range(rules.seats):
        state.d.score[s] = snapshot.scores[s]
        for kind in snapshot.hands[s]:
            state.c_to_hand(s, kind)
        for face in snapshot.charged[s]:
            state.c_charge(s, face)
        state.d.exhausted[s] = invariants.laid(rules, snapshot, s) - len(snapshot.charged[s])
    return state
