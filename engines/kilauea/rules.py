"""Kilauea as Python callers see it: snapshots, the checked door for states from outside, where the points come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cython

from engines.core.game import BadInput, BreakdownRow, Setup
from engines.core.state import Moves, State
from engines.kilauea import invariants, opening
from engines.kilauea.facts import (
    ADVANCE,
    FACTS,
    FELL2,
    IN_HEART,
    IN_REEF,
    MAX_COLOURS,
    ON_FLANK,
    OVER,
    SECTIONS,
    STEP,
    SUB,
    TILES,
)
from engines.kilauea.snapshot import Effect, Snapshot
from engines.kilauea.tables import KilaueaRules
from engines.kilauea.turn import Turns

if TYPE_CHECKING:
    from engines.kilauea.observe import KilaueaObservation

if not cython.compiled:
    from engines.kilauea.effect import CHOICE_CODE, CHOICES


class Kilauea(Turns):
    """One position of Kilauea."""

    def blank(self) -> State:
        """A state of the same rules whose content does not matter yet."""
        other = Kilauea.__new__(Kilauea) if cython.compiled else Kilauea(self.rules)
        other.rules = self.rules
        return other

    def end_reason(self) -> str:
        """One of `Facts.end_reasons`, or "" while the game runs."""
        return FACTS.end_reasons[self.d.reason - 1] if self.d.reason else ""

    def breakdown(self) -> list[BreakdownRow]:
        """After the end the rows of the final scoring, the pawn's section first, before them what was scored earlier.

        In a running game one row a seat: nothing of the final scoring is there yet.
        """
        rows = []
        for seat in range(self.rules.seats):
            final = []
            if self.d.stage == OVER:
                here = self.c_section_here()
                for t in [(here + k) % SECTIONS for k in range(SECTIONS)]:
                    final.append(BreakdownRow(seat, f"section {self.rules.flowers[t]}", self.c_section(seat, t)))
                leftovers = self.c_leftovers(seat)
                stones = self.d.stones[seat] // self.rules.stones_per_vp
                final.append(BreakdownRow(seat, "all islands", self.c_all_islands(seat)))
                final.append(BreakdownRow(seat, "stones", stones))
                final.append(BreakdownRow(seat, "canoe tikis", leftovers - stones))
            earlier = self.d.vp[seat] - sum([row.points for row in final])
            rows.append(BreakdownRow(seat, "tiles and intermediate scoring", earlier))
            rows.extend(final)
        return rows

    def executable(self, tile: int) -> bool:
        """5.6: whether the actor could pay a tile and carry out its whole effect. Raises ValueError outside a turn."""
        if not 1 <= tile <= TILES or not ADVANCE <= self.d.stage < OVER:
            raise ValueError("no such tile, or no turn")
        return bool(self.c_executable(tile))

    def leads_on(self, code: int) -> bool:
        """Whether the effect could be completed after a choice that meets its step's own condition.

        Raises ValueError when `code` is no such choice here.
        """
        op = self.c_step_op() if self.d.stage == STEP else -1
        if op < 0 or not 0 <= code - CHOICE_CODE[op] < CHOICES[op] or not self.c_meets(op, code - CHOICE_CODE[op]):
            raise ValueError(f"code {code} is no choice here")
        return bool(self.c_leads_on(op, code - CHOICE_CODE[op]))

    def has_choice(self) -> bool:
        """The invariant `no_choice`: whether the decision point offers what it is there for."""
        if self.d.stage == SUB:
            return any([self.d.pending >> tile & 1 == 1 and self.c_executable(tile) for tile in range(1, TILES + 1)])
        if self.d.stage == FELL2:
            seat = self.d.seat
            return self.d.load[seat] < self.rules.canoe_tikis and self.d.filled[self.c_section_here()] != 0
        moves = Moves()
        self.c_legal(moves)
        return self.d.stage == OVER or len(moves) > 0

    def snapshot(self) -> Snapshot:
        """Every field of the state as plain data."""
        colours = range(self.rules.n_colours)
        seats = range(self.rules.seats)
        sections = range(SECTIONS)
        effect = Effect(
            self.d.tile,
            self.d.step,
            self.d.hand,
            self.d.home_kind,
            self.d.home_section,
            self.d.home_space,
            self.d.put_section,
            self.d.put_colour,
        )
        return Snapshot(
            stage=self.d.stage,
            actor=self.c_actor(),
            starter=self.d.starter,
            turn=self.d.turn,
            boards=tuple([self.d.board[t] for t in sections]),
            forests=tuple([self._forest(t) for t in sections]),
            pool=tuple([self.d.pool[c] for c in colours]),
            reef=tuple([self.d.reef[t] for t in sections]),
            heart=tuple([self.d.heart[t] for t in sections]),
            flank=tuple([self.d.flank[t] for t in sections]),
            pillars=tuple([tuple([self.d.pillar[t][c] for c in colours]) for t in sections]),
            seals=tuple([divmod(self.d.seal[i], MAX_COLOURS) for i in range(self.d.n_seals)]),
            crater=self.d.crater,
            canoe=self.d.canoe,
            tikis=tuple([tuple([self.d.tikis[s][c] for c in colours]) for s in seats]),
            stones=tuple([self.d.stones[s] for s in seats]),
            islands=tuple([tuple([tuple([self.d.island[s][t][c] for c in colours]) for t in sections]) for s in seats]),
            vp=tuple([self.d.vp[s] for s in seats]),
            removed=tuple([self.d.removed[c] for c in colours]),
            intermediate_done=bool(self.d.intermediate_done),
            pending=tuple([tile for tile in range(1, TILES + 1) if self.d.pending >> tile & 1]),
            effect=effect,
            reason=self.d.reason,
        )

    def _forest(self, t: int) -> tuple[int, ...]:
        face = self.d.board[t]
        return tuple([self.d.forest[t][x] for x in range(self.rules.n_space[face])]) if face >= 0 else ()

    def observe(self, seat: int) -> KilaueaObservation:
        """What `seat` sees: everything."""
        from engines.kilauea.observe import observe

        return observe(self, seat)


def make_rules(setup: Setup, data: Mapping[str, Any]) -> KilaueaRules:
    """The immutable rules object of a checked setup."""
    return KilaueaRules(setup, data)


def start(rules: KilaueaRules) -> Kilauea:
    """The state before the first move."""
    state = Kilauea(rules)
    state.c_start()
    return state


def load(rules: KilaueaRules, snapshot: Snapshot) -> Kilauea:
    """A state from outside. Raises BadInput when an invariant of section 3 is broken."""
    violations = invariants.check(rules, snapshot)
    if violations:
        raise BadInput(violations)
    state = Kilauea(rules)
    state.c_start()
    state.d.stage = snapshot.stage
    state.d.seat = max(snapshot.actor, -1)
    state.d.starter = snapshot.starter
    state.d.turn = snapshot.turn
    state.d.crater = snapshot.crater
    state.d.canoe = snapshot.canoe
    state.d.intermediate_done = snapshot.intermediate_done
    state.d.reason = snapshot.reason
    state.d.cursor = opening.cursor(rules, snapshot)
    _load_table(state, rules, snapshot)
    _load_seats(state, rules, snapshot)
    _load_effect(state, snapshot)
    if not state.has_choice():
        raise BadInput([invariants.NO_CHOICE])
    return state


def _load_table(state: Kilauea, rules: KilaueaRules, snapshot: Snapshot) -> None:
    for t in range(SECTIONS):
        state.d.board[t] = snapshot.boards[t]
        for x, c in enumerate(snapshot.forests[t]):
            if c >= 0:
                state.c_set_in_forest(t, x, c)
        for place, tile in ((IN_REEF, snapshot.reef[t]), (IN_HEART, snapshot.heart[t]), (ON_FLANK, snapshot.flank[t])):
            if tile > 0:
                state.d.lies[tile] = place
        state.d.reef[t] = snapshot.reef[t]
        state.d.heart[t] = snapshot.heart[t]
        state.d.flank[t] = snapshot.flank[t]
        for c in range(rules.n_colours):
            state.d.pillar[t][c] = snapshot.pillars[t][c]
    for c in range(rules.n_colours):
        state.d.pool[c] = snapshot.pool[c]
        state.d.removed[c] = snapshot.removed[c]
    for section, colour in snapshot.seals:
        state.c_seal(section * MAX_COLOURS + colour)


def _load_seats(state: Kilauea, rules: KilaueaRules, snapshot: Snapshot) -> None:
    for s in range(rules.seats):
        state.d.stones[s] = snapshot.stones[s]
        state.d.vp[s] = snapshot.vp[s]
        for c in range(rules.n_colours):
            state.c_load(s, c, snapshot.tikis[s][c])
            for t in range(SECTIONS):
                state.d.island[s][t][c] = snapshot.islands[s][t][c]


def _load_effect(state: Kilauea, snapshot: Snapshot) -> None:
    for tile in snapshot.pending:
        state.d.pending |= 1 << tile
    effect = snapshot.effect
    state.d.tile = effect.tile
    state.d.step = effect.step
    state.d.hand = effect.hand
    state.d.home_kind = effect.home_kind
    state.d.home_section = effect.home_section
    state.d.home_space = effect.home_space
    state.d.put_section = effect.put_section
    state.d.put_colour = effect.put_colour
