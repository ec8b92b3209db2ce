"""Tiki: state, legal moves, effects. Section numbers are those of README.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cython

from engines.core.game import BadInput, Setup
from engines.core.state import Moves, State
from engines.tiki import invariants
from engines.tiki.board import Board, History, TikiRules
from engines.tiki.facts import (
    ACTION,
    DECLINE_CODE,
    FIRST_CODE,
    FOUR_FRUITS,
    GAP_OF,
    LAY_CODE,
    MOVE_CODE,
    NO_FRUIT_LEFT,
    OVER,
    PASS_CODE,
    PATHS,
    PLACE_SHAMAN_CODE,
    REPETITION,
    RESERVE_EMPTY,
    RESOLVE,
    RESOLVE_CODE,
    SETUP_FIRST,
    SETUP_LAYOUT,
    SHAMAN,
    SUDDEN_GAIN,
    SUDDEN_LOSS,
    TURN_LIMIT,
    TWO_STEPS_CODE,
)
from engines.tiki.history import stack_code
from engines.tiki.snapshot import Snapshot

if TYPE_CHECKING:
    from engines.tiki.observe import TikiObservation

EMPTY = 1  # stack codes: a leading 1, then the seats from the bottom up (history.stack_code)
FULL = 8

if not cython.compiled:
    PATH = [[0] * 3 for _ in range(68)]
    PATH_GAPS = [0] * 68
    PATH_START = [[0] * 10 for _ in range(2)]


def fill_tables() -> None:
    """PATH: villages of a path; PATH_GAPS: the gaps it crosses as bits; PATH_START[steps - 1][s]: first path from s."""
    for i, path in enumerate(PATHS):
        gaps = 0
        for k, village in enumerate(path):
            PATH[i][k] = village
            if k > 0:
                gaps |= 1 << GAP_OF[path[k - 1], village]
        PATH_GAPS[i] = gaps
    for steps in (1, 2):
        for s in range(10):
            PATH_START[steps - 1][s] = sum(1 for p in PATHS if len(p) - 1 < steps or (len(p) - 1 == steps and p[0] < s))


fill_tables()


class Tiki(Board):
    """One position of Tiki."""

    # -- the hot path ---------------------------------------------------------------------------------------------

    def c_start(self) -> None:
        """Section 4: everything in the hands and the reserve, the layout still to be drawn unless it is fixed."""
        for u in range(9):
            self.d.stack[u] = EMPTY
            self.d.layout[u] = self.rules.layout[u]
        for s in range(2):
            self.d.hands[s] = self.rules.tikis
            self.d.fruits[s] = 0
        self.d.reserve = self.rules.fruits
        self.d.shaman = -1
        self.d.resolving = -1
        self.d.starter = self.rules.starter
        self.d.turn_seat = -1
        self.d.phase = SETUP_LAYOUT
        if self.rules.fixed_layout:
            self.c_layout_done()

    def c_layout_done(self) -> None:
        if self.rules.starter < 0:
            self.d.phase = SETUP_FIRST
        else:
            self.c_begin(self.rules.starter)

    def c_begin(self, starter: int) -> None:
        self.d.starter = starter
        self.d.turn_seat = 1 - starter
        self.d.turn = 0
        self.c_next_turn()

    def c_legal(self, out: Moves) -> None:
        n = 0
        if self.d.phase == ACTION:
            self.c_actions(out)
            return
        if self.d.phase == RESOLVE:
            for u in range(9):
                if self.d.stack[u] >= FULL:
                    out.code[n] = RESOLVE_CODE + u
                    n += 1
        elif self.d.phase == SHAMAN:
            for g in range(12):
                if g != self.d.shaman:
                    out.code[n] = PLACE_SHAMAN_CODE + g
                    n += 1
            out.code[n] = DECLINE_CODE
            n += 1
        elif self.d.phase == SETUP_LAYOUT:
            u = self.c_next_village()
            for t in range(self.rules.n_tiles):
                if self.c_copies_left(t) > 0:
                    out.code[n] = LAY_CODE + 16 * u + t
                    n += 1
        elif self.d.phase == SETUP_FIRST:
            out.code[0] = FIRST_CODE
            out.code[1] = FIRST_CODE + 1
            n = 2
        out.n = n

    def c_actions(self, out: Moves) -> None:
        """Section 5.2."""
        seat = self.d.turn_seat
        n = 0
        if self.d.hands[seat] > 0:
            for u in range(9):
                if self.d.stack[u] == EMPTY:
                    out.code[n] = u
                    n += 1
        blocked = 0 if self.d.shaman < 0 else 1 << self.d.shaman
        for steps in range(1, 3):
            for u in range(9):
                stack = self.d.stack[u]
                if stack >> steps == 1 and stack & 1 == seat:
                    for p in range(PATH_START[steps - 1][u], PATH_START[steps - 1][u + 1]):
                        if PATH_GAPS[p] & blocked == 0:
                            out.code[n] = MOVE_CODE + p
                            n += 1
        if n == 0:
            out.code[0] = PASS_CODE
            n = 1
        out.n = n

    def c_weights(self, out: Moves) -> None:
        """Section 6."""
        for i in range(out.n):
            out.weight[i] = 1 if out.code[i] >= FIRST_CODE else self.c_copies_left((out.code[i] - LAY_CODE) % 16)

    def c_apply(self, code: int) -> None:
        seat = self.d.turn_seat
        if code < MOVE_CODE:
            self.d.stack[code] = 2 * EMPTY + seat
            self.d.hands[seat] -= 1
            self.c_end_turn()
        elif code < PASS_CODE:
            self.c_carry(code - MOVE_CODE, code >= TWO_STEPS_CODE)
            self.c_settle()
        elif code == PASS_CODE:
            self.c_end_turn()
        elif code < PLACE_SHAMAN_CODE:
            if not self.c_resolve(code - RESOLVE_CODE):
                self.c_settle()
        elif code <= DECLINE_CODE:
            if code < DECLINE_CODE:
                self.d.shaman = code - PLACE_SHAMAN_CODE
            self.c_send_home(self.d.resolving)
            self.d.resolving = -1
            self.c_settle()
        elif code < FIRST_CODE:
            u = (code - LAY_CODE) // 16
            self.d.layout[u] = (code - LAY_CODE) % 16
            if u == 8:
                self.c_layout_done()
        else:
            self.c_begin(code - FIRST_CODE)

    def c_carry(self, path: int, two_steps: bool) -> None:
        """The lowest tiki stays on the first village of the way, the next on the second."""
        s = PATH[path][0]
        u = PATH[path][1]
        stack = self.d.stack[s]
        self.d.stack[s] = EMPTY
        if two_steps:
            self.d.stack[u] = 2 * self.d.stack[u] + (stack >> 1 & 1)
            u = PATH[path][2]
        self.d.stack[u] = 2 * self.d.stack[u] + (stack & 1)

    def c_settle(self) -> None:
        """Section 5.3, the resolve loop: full villages take effect until one has to be chosen or none is left."""
        while self.d.phase != OVER:
            full = 0
            village = 0
            for u in range(9):
                if self.d.stack[u] >= FULL:
                    full += 1
                    village = u
            if full == 0:
                self.c_end_turn()
                return
            if full == 2:
                self.d.phase = RESOLVE
                return
            if self.c_resolve(village):
                return

    def c_resolve(self, u: int) -> bool:
        """Section 5.3, resolve village; true when the owner of a marshland must decide first."""
        owner = self.d.stack[u] & 1
        tile = self.d.layout[u]
        if self.rules.tile_shaman[tile]:
            self.d.phase = SHAMAN
            self.d.resolving = u
            return True
        n = self.rules.tile_fruits[tile]
        gain = 0
        loss = 0
        if n > 0:
            gain = min(self.d.reserve, n)
            self.d.fruits[owner] += gain
            self.d.reserve -= gain
        elif n < 0:
            if self.d.fruits[owner] > 0:
                loss = 1
                self.d.fruits[owner] -= 1
            else:
                self.d.reserve -= 1
            self.d.spoiled += 1
        if n != 0:
            self.d.history_n = 0
        self.c_send_home(u)
        self.c_end_check(owner, gain, loss)
        return False

    def c_send_home(self, u: int) -> None:
        stack = self.d.stack[u]
        purple = (stack & 1) + (stack >> 1 & 1) + (stack >> 2 & 1)
        self.d.hands[0] += 3 - purple
        self.d.hands[1] += purple
        self.d.stack[u] = EMPTY

    def c_end_check(self, owner: int, gain: int, loss: int) -> None:
        """Section 7.1; the tie return of 7.3."""
        if self.d.sudden and gain > 0:
            self.c_finish(SUDDEN_GAIN)
        elif self.d.sudden and loss > 0:
            self.c_finish(SUDDEN_LOSS)
        elif self.d.fruits[owner] >= self.rules.win_fruits:
            self.c_finish(FOUR_FRUITS)
        elif self.d.reserve > 0:
            return
        elif self.d.fruits[0] != self.d.fruits[1]:
            self.c_finish(RESERVE_EMPTY)
        elif self.d.spoiled > 0:
            returned = self.d.spoiled if self.rules.return_all else 1
            self.d.spoiled -= returned
            self.d.reserve += returned
            self.d.sudden = 1
        else:
            self.c_finish(NO_FRUIT_LEFT)

    def c_finish(self, reason: int) -> None:
        self.d.phase = OVER
        self.d.reason = reason

    def c_end_turn(self) -> None:
        """Section 5.5."""
        if self.d.turn == self.rules.turn_limit:
            self.c_finish(TURN_LIMIT)
        else:
            self.c_next_turn()

    def c_next_turn(self) -> None:
        self.d.turn += 1
        self.d.turn_seat = 1 - self.d.turn_seat
        self.d.phase = ACTION
        if self.rules.repetition_limit > 0:
            self.c_remember()

    def c_remember(self) -> None:
        """Appends the position to the history and ends the game when it has come too often."""
        packed = self.c_packed()
        self.history.packed[self.d.history_n] = packed
        self.d.history_n += 1
        times = 0
        for i in range(self.d.history_n):
            if self.history.packed[i] == packed:
                times += 1
        if times == self.rules.repetition_limit:
            self.c_finish(REPETITION)

    # -- for Python callers ---------------------------------------------------------------------------------------

    def blank(self) -> State:
        """A state of the same rules whose content does not matter yet."""
        other = Tiki.__new__(Tiki) if cython.compiled else Tiki(self.rules)
        other.rules = self.rules
        if self.rules.repetition_limit > 0:
            other.history = History()
        return other

    def observe(self, seat: int) -> TikiObservation:
        """What `seat` sees: everything."""
        from engines.tiki.observe import observe

        return observe(self, seat)


def make_rules(setup: Setup, data: Mapping[str, Any]) -> TikiRules:
    """The immutable rules object of a checked setup."""
    return TikiRules(setup, data)


def start(rules: TikiRules) -> Tiki:
    """The state before the first move."""
    state = Tiki(rules)
    state.c_start()
    return state


def load(rules: TikiRules, snapshot: Snapshot) -> Tiki:
    """A state from outside. Raises BadInput when an invariant of section 3 is broken."""
    violations = invariants.check(rules, snapshot)
    if violations:
        raise BadInput(violations)
    state = Tiki(rules)
    state.d.phase = snapshot.phase
    state.d.starter = snapshot.starter
    state.d.turn = snapshot.turn
    state.d.turn_seat = snapshot.turn_seat
    for u in range(9):
        state.d.layout[u] = snapshot.layout[u]
        state.d.stack[u] = stack_code(snapshot.stacks[u])
    for s in range(2):
        state.d.hands[s] = snapshot.hands[s]
        state.d.fruits[s] = snapshot.fruits[s]
    state.d.reserve = snapshot.reserve
    state.d.spoiled = snapshot.spoiled
    state.d.shaman = snapshot.shaman
    state.d.resolving = snapshot.resolving
    state.d.sudden = snapshot.sudden_death
    state.d.reason = snapshot.reason
    state.d.history_n = len(snapshot.history)
    for i, packed in enumerate(snapshot.history):
        state.history.packed[i] = packed
    return state
