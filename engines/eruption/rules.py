"""Eruption: a whole state, its standing, and the doors for Python callers. Section numbers are those of README.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cython

from engines.core.game import BadInput, BreakdownRow, Setup
from engines.core.rng import draw
from engines.core.state import State
from engines.eruption import invariants
from engines.eruption.edition import check_seats
from engines.eruption.effect import Effect
from engines.eruption.facts import (
    ANNIHILATION,
    DEAL,
    DEAL_CODE,
    FACTS,
    HEXES,
    NO_PURPOSE,
    NONE,
    ONE,
    OVER,
    PLY_LIMIT,
    ROW,
    SITES,
)
from engines.eruption.snapshot import Snapshot, Table
from engines.eruption.tables import EruptionRules

if TYPE_CHECKING:
    from engines.eruption.observe import EruptionObservation


class Eruption(Effect):
    """One position of Eruption."""

    # -- the hot path ---------------------------------------------------------------------------------------------

    def c_start(self) -> None:
        """Section 4: the box laid out; cards, starter and the tops of the piles are still to be drawn."""
        self.c_clear_board()
        for m in range(3):
            self.d.stock[m] = self.rules.t.pieces[m] - self.rules.seats * self.rules.t.walls_start[m]
            self.d.tray[m] = 0
            self.d.eruption[m] = ROW
            self.d.pile_size[m] = self.rules.t.pile_size[m]
            self.d.pile_top[m] = NONE
        for s in range(6):
            self.d.temp[s] = 0
            self.d.hand_size[s] = 0
            self.d.burnt[s] = 0
            self.d.burn_order[s] = 0
            for m in range(3):
                self.d.hand_walls[s][m] = self.rules.t.walls_start[m] if s < self.rules.seats else 0
            for c in range(8):
                self.d.hand_cards[s][c] = 0
        self.d.deck_size = 0
        self.d.discard_size = 0
        for c in range(8):
            self.d.deck[c] = self.rules.t.card_count[c]
            self.d.deck_size += self.rules.t.card_count[c]
            self.d.card_discard[c] = 0
        self.d.stack_size = 0
        for k in range(16):
            self.d.tile_discard[k] = 0
            self.d.stack[k] = self.rules.t.tile_count[k] if k < self.rules.source else 0
            self.d.stack_size += self.d.stack[k]
        self.d.ply = 0
        self.d.turn_seat = 0
        self.d.final_left = 0
        self.d.final_out = NONE
        self.d.n_burnt = 0
        self.d.turn_quiet = 1
        self.d.quiet_turns = 0
        self.d.reason = NO_PURPOSE
        self.c_drop_tile()
        self.d.draws_left = 0
        self.d.resume = 0
        self.d.tray_edge = 0
        self.d.builds_done = 0
        self.d.reveal_resume = 0
        self.d.reveal_restricted = 0
        self.d.ended_by = 0
        self.d.phase = DEAL

    def c_apply(self, code: int) -> None:
        self.d.ply += 1
        if code < DEAL_CODE:
            self.c_seat_move(code)
        else:
            self.c_chance(code)
        if self.d.ply == self.rules.ply_limit and self.d.phase != OVER:
            self.c_finish(PLY_LIMIT)

    def c_redeal(self, viewer: int, key: int, index: int) -> None:
        """Every hidden card goes under the deck, and the hands are filled again from it."""
        left = self.d.deck_size
        for s in range(self.rules.seats):
            if s != viewer:
                for c in range(8):
                    self.d.deck[c] += self.d.hand_cards[s][c]
                    self.d.hand_cards[s][c] = 0
                left += self.d.hand_size[s]
        for s in range(self.rules.seats):
            if s != viewer:
                for _ in range(self.d.hand_size[s]):
                    k = cython.cast(cython.int, draw(key, index, left))
                    index += 1
                    left -= 1
                    c = 0
                    while k >= self.d.deck[c]:
                        k -= self.d.deck[c]
                        c += 1
                    self.d.deck[c] -= 1
                    self.d.hand_cards[s][c] += 1

    def c_copy_from(self, other: State) -> None:
        if cython.compiled:
            self.d = cython.cast(Eruption, other).d
        else:
            self.d = cython.cast(Eruption, other).d.copy()

    # -- standing (section 7) -------------------------------------------------------------------------------------

    def c_seats(self) -> int:
        return self.rules.seats

    def c_score(self, seat: int) -> int:
        return self.d.temp[seat]

    def c_rank(self, seat: int) -> int:
        """A number that is lower for the better seat: burnt, then heat, then tie points, of the team together."""
        if self.rules.mode == ANNIHILATION and self.d.burnt[seat]:
            for s in range(self.d.n_burnt):
                if self.d.burn_order[s] == seat:
                    return 100_000_000 - s
        rank = 0
        for s in range(self.rules.seats):
            if self.rules.t.team[s] == self.rules.t.team[seat]:
                rank += 10_000 * self.d.temp[s] - self.c_tie_points(s)
        return rank

    def c_place(self, seat: int) -> int:
        own = self.c_rank(seat)
        place = 1
        for s in range(self.rules.seats):
            if self.c_rank(s) < own:
                place += 1
        return place

    def c_team(self, seat: int) -> int:
        return self.rules.t.team[seat]

    # -- for Python callers ---------------------------------------------------------------------------------------

    def phase(self) -> int:
        """The decision point, a number of `facts`."""
        return self.d.phase

    def redeal(self, viewer: int, key: int, index: int) -> None:
        """Deals what `viewer` does not see anew: hands keep their sizes, every way is equally likely.

        Takes one draw of the stream `key` per card in another hand, from `index` on. Raises ValueError for no seat.
        """
        if not 0 <= viewer < self.rules.seats:
            raise ValueError(f"no seat {viewer}")
        self.c_redeal(viewer, key, index)

    def blank(self) -> State:
        """A state of the same rules whose content does not matter yet."""
        other = Eruption.__new__(Eruption) if cython.compiled else Eruption(self.rules)
        other.rules = self.rules
        return other

    def end_reason(self) -> str:
        """One of `Facts.end_reasons`, or "" while the game runs."""
        return FACTS.end_reasons[self.d.ended_by - 1] if self.d.ended_by else ""

    def breakdown(self) -> list[BreakdownRow]:
        """One row a seat: its temperature."""
        return [BreakdownRow(s, "temperature", self.d.temp[s]) for s in range(self.rules.seats)]

    def fits(self, h: int, kind: int, rot: int) -> bool:
        """Whether a tile may lie on tile hex `h`, whatever lies there now. Raises IndexError for no hex."""
        if not 0 <= h < self.rules.n_hexes:
            raise IndexError(h)
        return bool(self.c_rotations(h, self.rules.known_kind(kind)) >> rot & 1)

    def tie_points(self) -> list[int]:
        """What decides between equal temperatures, by seat: more is better."""
        return [self.c_tie_points(s) for s in range(self.rules.seats)]

    def snapshot(self) -> Snapshot:
        """Every field of the state as plain data."""
        seats = range(self.rules.seats)
        table = Table(
            phase=self.d.phase,
            ply=self.d.ply,
            turn_seat=self.d.turn_seat,
            temps=tuple([self.d.temp[s] for s in seats]),
            stock=tuple([self.d.stock[m] for m in range(3)]),
            pieces=tuple([tuple([self.d.hand_walls[s][m] for m in range(3)]) for s in seats]),
            card_discard=tuple([self.d.card_discard[c] for c in range(8)]),
            board=tuple([(h, self.d.kind[h], self.d.rot[h]) for h in range(self.rules.n_hexes) if self.d.kind[h] >= 0]),
            stack=tuple([self.d.stack[k] for k in range(self.rules.source)]),
            pile_sizes=tuple([self.d.pile_size[p] for p in range(3)]),
            pile_tops=tuple([self.d.pile_top[p] for p in range(3)]),
            tile_discard=tuple([self.d.tile_discard[k] for k in range(self.rules.source + 1)]),
            walls=tuple([(s, self.d.wall[s] - 1) for s in range(SITES) if self.d.wall[s] > 0]),
            eruption=tuple([self.d.eruption[k] for k in range(3)]),
            final_left=self.d.final_left,
            final_out=self.d.final_out,
            burnt=tuple([bool(self.d.burnt[s]) for s in seats]),
            burn_order=tuple([self.d.burn_order[i] for i in range(self.d.n_burnt)]),
            turn_quiet=self.rules.mode != ANNIHILATION or bool(self.d.turn_quiet),
            quiet_turns=self.d.quiet_turns,
            purpose=self.d.reason,
            tile=self.d.tile,
            tile_pile=self.d.tile_pile,
            held=tuple([h for h in range(HEXES) if self.d.held >> h & ONE]),
            target=self.d.target,
            roll_pos=self.d.roll_pos,
            roll_lost=bool(self.d.roll_lost),
            draws_left=self.d.draws_left,
            resume=self.d.resume,
            tray=tuple([self.d.tray[m] for m in range(3)]),
            tray_edge=self.d.tray_edge,
            builds_done=self.d.builds_done,
            reveal_resume=self.d.reveal_resume,
            reveal_restricted=bool(self.d.reveal_restricted),
            ended_by=self.d.ended_by,
        )
        hands = tuple([tuple([self.d.hand_cards[s][c] for c in range(8)]) for s in seats])
        return Snapshot(table, hands, tuple([self.d.deck[c] for c in range(8)]))

    def observe(self, seat: int) -> EruptionObservation:
        """What `seat` sees: everything but the hands of the others and the order of the deck."""
        from engines.eruption.observe import observe

        return observe(self, seat)


def make_rules(setup: Setup, data: Mapping[str, Any]) -> EruptionRules:
    """The immutable rules object of a checked setup. Raises BadInput when an option does not go with the seats."""
    faults = check_seats(setup.seats, setup.options)
    if faults:
        raise BadInput(faults)
    return EruptionRules(setup, data)


def start(rules: EruptionRules) -> Eruption:
    """The state before the first move."""
    state = Eruption(rules)
    state.c_start()
    return state


def load(rules: EruptionRules, snapshot: Snapshot) -> Eruption:
    """A state from outside. Raises BadInput when an invariant of section 3 is broken."""
    violations = invariants.check(rules, snapshot)
    if violations:
        raise BadInput(violations)
    state = Eruption(rules)
    state.c_start()
    t = snapshot.table
    for h, kind, rot in t.board:
        state.c_lay(h, kind, rot)
    for site, material in t.walls:
        state.c_put_wall(site, material)
    for m in range(3):
        state.d.stock[m] = t.stock[m]
        state.d.tray[m] = t.tray[m]
        state.d.pile_size[m] = t.pile_sizes[m]
        state.d.pile_top[m] = t.pile_tops[m]
        state.d.eruption[m] = t.eruption[m]
    for s in range(rules.seats):
        state.d.temp[s] = t.temps[s]
        state.d.burnt[s] = t.burnt[s]
        state.d.hand_size[s] = sum(snapshot.hands[s])
        for m in range(3):
            state.d.hand_walls[s][m] = t.pieces[s][m]
        for c in range(8):
            state.d.hand_cards[s][c] = snapshot.hands[s][c]
    for c in range(8):
        state.d.deck[c] = snapshot.deck[c]
        state.d.card_discard[c] = t.card_discard[c]
    state.d.deck_size = sum(snapshot.deck)
    state.d.discard_size = sum(t.card_discard)
    for k in range(rules.source):
        state.d.stack[k] = t.stack[k]
    state.d.stack_size = sum(t.stack)
    for k in range(rules.source + 1):
        state.d.tile_discard[k] = t.tile_discard[k]
    for h in t.held:
        state.d.held |= ONE << h
    for i, seat in enumerate(t.burn_order):
        state.d.burn_order[i] = seat
    state.d.n_burnt = len(t.burn_order)
    state.d.phase = t.phase
    state.d.ply = t.ply
    state.d.turn_seat = t.turn_seat
    state.d.final_left = t.final_left
    state.d.final_out = t.final_out
    state.d.turn_quiet = t.turn_quiet
    state.d.quiet_turns = t.quiet_turns
    state.d.reason = t.purpose
    state.d.tile = t.tile
    state.d.tile_pile = t.tile_pile
    state.d.target = t.target
    state.d.roll_pos = t.roll_pos
    state.d.roll_lost = t.roll_lost
    state.d.draws_left = t.draws_left
    state.d.resume = t.resume
    state.d.tray_edge = t.tray_edge
    state.d.builds_done = t.builds_done
    state.d.reveal_resume = t.reveal_resume
    state.d.reveal_restricted = t.reveal_restricted
    state.d.ended_by = t.ended_by
    return state
