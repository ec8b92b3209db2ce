"""Kilauea, the upper layer: set-up, draft and turns - who may do what, and what comes next (4, 5.1-5.5, 5.8, 6)."""

from __future__ import annotations

import cython

from engines.core.state import Moves
from engines.kilauea.effect import Effects
from engines.kilauea.facts import (
    ADVANCE,
    ADVANCE_CODE,
    COPY_CODE,
    DRAFT,
    DRAFT_CODE,
    DRAW_FOREST_CODE,
    DRAW_HEART_CODE,
    DRAW_REEF_CODE,
    DRAW_STARTER_CODE,
    DRAW_TIKI_CODE,
    END_CODE,
    FACES,
    FELL2,
    FELL_CODE,
    FOREST,
    FORESTS,
    HEART,
    IN_HEART,
    IN_REEF,
    ISLAND_CODE,
    LIMIT,
    MAIN,
    MAX_COLOURS,
    MAX_DIGIT,
    MAX_SPACES,
    NOWHERE,
    OVER,
    REEF,
    STARTER,
    STEP,
    STOP_CODE,
    SUB,
    TIKI,
    TILES,
    USE_CODE,
    VOLCANO_CODE,
)

NUMBERS = MAX_DIGIT + 1  # of stones a colour takes in a code
ONE = 1

if not cython.compiled:
    from engines.kilauea.effect import CHOICE_CODE, CHOICES


class Turns(Effects):
    """Adds the course of the game."""

    def c_start(self) -> None:
        """The state before the first draw."""
        self.d.stage = FOREST
        self.d.seat = -1
        self.d.starter = -1
        self.d.crater = self.rules.crater_start
        self.d.canoe = self.rules.start_space
        self.c_clear_effect()
        for c in range(self.rules.n_colours):
            self.d.pool[c] = self.rules.tikis_per_colour
        for t in range(5):
            self.d.board[t] = -1
            for x in range(12):
                self.d.forest[t][x] = -1
            for c in range(self.rules.n_colours):
                if self.rules.has_pillar[t][c] != 0:
                    self.d.pillar[t][c] = 1
                    self.d.pool[c] -= 1

    # -- legal moves ----------------------------------------------------------------------------------------------

    def c_legal(self, out: Moves) -> None:
        out.n = 0
        if self.d.stage == ADVANCE:
            self.c_advances(out)
        elif self.d.stage == MAIN:
            self.c_mains(out)
        elif self.d.stage == FELL2:
            self.c_fellings(out)
            self.c_add(out, STOP_CODE)
        elif self.d.stage == SUB:
            for tile in range(1, 11):
                if self.d.pending >> tile & 1 == 1 and self.c_executable(tile):
                    self.c_add(out, USE_CODE + tile - 1)
            self.c_add(out, END_CODE)
        elif self.d.stage == STEP:
            op = self.c_step_op()
            for choice in range(CHOICES[op]):
                if self.c_meets(op, choice) and self.c_leads_on(op, choice):
                    self.c_add(out, CHOICE_CODE[op] + choice)
        elif self.d.stage == DRAFT:
            for t in range(5):
                for c in range(self.rules.n_colours):
                    if self.d.pillar[t][c] > 0:
                        self.c_add(out, DRAFT_CODE + t * MAX_COLOURS + c)
        else:
            self.c_draws(out)

    def c_add(self, out: Moves, code: int) -> None:
        out.code[out.n] = code
        out.n += 1

    def c_draws(self, out: Moves) -> None:
        """Section 6."""
        at = self.d.cursor
        if self.d.stage == FOREST:
            for face in range(10):
                if self.rules.face_weight[face] > 0 and not self.c_board_lies(face // 2):
                    self.c_add(out, DRAW_FOREST_CODE + at * FACES + face)
        elif self.d.stage == TIKI:
            for c in range(self.rules.n_colours):
                if self.d.pool[c] > 0:
                    self.c_add(out, DRAW_TIKI_CODE + at * MAX_COLOURS + c)
        elif self.d.stage == REEF or self.d.stage == HEART:
            first = DRAW_REEF_CODE if self.d.stage == REEF else DRAW_HEART_CODE
            for tile in range(1, 11):
                if self.d.lies[tile] == NOWHERE:
                    self.c_add(out, first + at * TILES + tile - 1)
        elif self.d.stage == STARTER:
            for seat in range(self.rules.seats):
                self.c_add(out, DRAW_STARTER_CODE + seat)

    def c_board_lies(self, board: int) -> bool:
        for t in range(5):
            if self.d.board[t] >= 0 and self.d.board[t] // 2 == board:
                return True
        return False

    def c_weights(self, out: Moves) -> None:
        for i in range(out.n):
            code = out.code[i]
            if code < DRAW_TIKI_CODE:
                out.weight[i] = self.rules.face_weight[(code - DRAW_FOREST_CODE) % FACES]
            elif code < DRAW_REEF_CODE:
                out.weight[i] = self.d.pool[(code - DRAW_TIKI_CODE) % MAX_COLOURS]
            else:
                out.weight[i] = 1

    def c_advances(self, out: Moves) -> None:
        """5.2: distances that allow a main action; if none does, every one that can be paid."""
        for keep_main in range(1, -1, -1):
            for distance in range(1, self.rules.max_distance + 1):
                cost = self.c_advance_cost(distance)
                if cost > self.d.stones[self.d.seat]:
                    break
                if keep_main == 0 or self.c_has_main(self.c_land(distance), cost):
                    self.c_add(out, ADVANCE_CODE + distance - 1)
            if out.n > 0:
                return

    def c_has_main(self, space: int, cost: int) -> bool:
        """Whether the actor could make a main move there after paying so many stones."""
        seat = self.d.seat
        t = self.rules.space_section[space]
        if self.d.load[seat] < self.rules.canoe_tikis and self.d.filled[t] != 0:
            return True  # a forest that is not empty has an accessible tiki
        if self.d.load[seat] > 0 and self.d.stones[seat] - cost >= self.rules.island_cost and self.c_iput(seat, t):
            return True
        for c in range(self.rules.n_colours):
            if self.d.tikis[seat][c] > 0 and self.c_vput(t, c):
                return True
        return False

    def c_section_here(self) -> int:
        return self.rules.space_section[self.d.canoe]

    def c_fellings(self, out: Moves) -> None:
        t = self.c_section_here()
        for x in range(self.rules.n_space[self.d.board[t]]):
            if self.c_accessible(t, x):
                self.c_add(out, FELL_CODE + x)

    def c_mains(self, out: Moves) -> None:
        """5.3."""
        seat = self.d.seat
        t = self.c_section_here()
        if self.d.load[seat] < self.rules.canoe_tikis:
            self.c_fellings(out)
        most = self.c_stones_within(self.rules.volcano_stones_max)
        for c in range(self.rules.n_colours):
            if self.d.tikis[seat][c] > 0 and self.c_vput(t, c):
                for stones in range(most + 1):
                    self.c_add(out, VOLCANO_CODE + c * NUMBERS + stones)
        if self.d.stones[seat] >= self.rules.island_cost and self.c_iput(seat, t):
            for c in range(self.rules.n_colours):
                if self.d.tikis[seat][c] > 0:
                    self.c_add(out, ISLAND_CODE + c)

    # -- making a move --------------------------------------------------------------------------------------------

    def c_apply(self, code: int) -> None:
        if code >= DRAW_FOREST_CODE:
            self.c_draw(code)
        elif code < ADVANCE_CODE:
            self.c_draft(code - DRAFT_CODE)
        elif code < FELL_CODE:
            self.c_advance(code - ADVANCE_CODE + 1)
        elif code < STOP_CODE:
            self.c_fell(code - FELL_CODE)
        elif code == STOP_CODE:
            self.c_after_felling()
        elif code < USE_CODE:
            self.c_build(code)
        elif code < COPY_CODE:
            self.d.pending &= ~(ONE << (code - USE_CODE + 1))
            self.c_begin_effect(code - USE_CODE + 1)
            self.c_go_on()
        elif code < END_CODE:
            self.c_choose(self.c_step_op(), code - CHOICE_CODE[self.c_step_op()])
            self.c_go_on()
        else:
            self.c_end_turn()

    def c_go_on(self) -> None:
        if self.c_run():
            self.d.stage = STEP
        else:
            self.c_after_action()

    def c_draw(self, code: int) -> None:
        """Section 4, steps 1 to 7."""
        at = self.d.cursor
        self.d.cursor += 1
        if self.d.stage == FOREST:
            self.d.board[at] = (code - DRAW_FOREST_CODE) % FACES
            if self.d.cursor == 5:
                self.d.stage = TIKI
                self.c_seek_space(0)
        elif self.d.stage == TIKI:
            c = (code - DRAW_TIKI_CODE) % MAX_COLOURS
            self.d.pool[c] -= 1
            self.c_set_in_forest(at // MAX_SPACES, at % MAX_SPACES, c)
            self.c_seek_space(at + 1)
        elif self.d.stage == REEF:
            tile = (code - DRAW_REEF_CODE) % TILES + 1
            self.d.reef[at] = tile
            self.d.lies[tile] = IN_REEF
            if self.d.cursor == 5:
                self.c_enter(HEART)
        elif self.d.stage == HEART:
            tile = (code - DRAW_HEART_CODE) % TILES + 1
            self.d.heart[at] = tile
            self.d.lies[tile] = IN_HEART
            if self.d.cursor == 5:
                self.c_enter(STARTER)
        else:
            self.d.starter = code - DRAW_STARTER_CODE
            for i in range(self.rules.seats):
                self.d.stones[(self.d.starter + i) % self.rules.seats] = self.rules.start_stones[i]
            self.d.seat = self.d.starter
            self.c_enter(DRAFT)

    def c_enter(self, stage: int) -> None:
        self.d.stage = stage
        self.d.cursor = 0

    def c_seek_space(self, at: int) -> None:
        """The cursor goes to the first usable space from `at` on; after the last one comes the reef."""
        while at < 5 * MAX_SPACES:
            if self.rules.usable[self.d.board[at // MAX_SPACES]] >> (at % MAX_SPACES) & 1 == 1:
                self.d.cursor = at
                return
            at += 1
        self.c_enter(REEF)

    def c_draft(self, pillar: int) -> None:
        """5.1: clockwise from the starter, then back."""
        n = self.rules.seats
        self.d.pillar[pillar // MAX_COLOURS][pillar % MAX_COLOURS] -= 1
        self.c_load(self.d.seat, pillar % MAX_COLOURS, 1)
        self.d.cursor += 1
        done = self.d.cursor
        if done == 2 * n:
            self.d.seat = self.d.starter
            self.c_enter(ADVANCE)
        else:
            self.d.seat = (self.d.starter + (done if done < n else 2 * n - 1 - done)) % n

    def c_advance(self, distance: int) -> None:
        self.c_pay(self.c_advance_cost(distance))
        self.d.canoe = self.c_land(distance)
        if self.c_has_main(self.d.canoe, 0):
            self.d.stage = MAIN
        else:
            self.c_end_turn()

    def c_fell(self, x: int) -> None:
        first = self.d.stage == MAIN
        t = self.c_section_here()
        self.c_load(self.d.seat, self.c_take_from_forest(t, x), 1)
        if first and self.d.load[self.d.seat] < self.rules.canoe_tikis and self.d.filled[t] != 0:
            self.d.stage = FELL2
        else:
            self.c_after_felling()

    def c_after_felling(self) -> None:
        self.d.pending = ONE << self.d.reef[self.rules.space_reef[self.d.canoe]]
        self.c_after_action()

    def c_build(self, code: int) -> None:
        """5.3: on the volcano, or for stones on the own island."""
        seat = self.d.seat
        t = self.c_section_here()
        if code < ISLAND_CODE:
            c = (code - VOLCANO_CODE) // NUMBERS
            self.d.pillar[t][c] += 1
            self.c_pay(-((code - VOLCANO_CODE) % NUMBERS))
            if self.d.flank[t] > 0:
                self.d.pending = ONE << self.d.flank[t]
        else:
            c = code - ISLAND_CODE
            self.d.island[seat][t][c] += 1
            self.c_pay(self.rules.island_cost)
        self.c_load(seat, c, -1)
        self.c_after_action()

    def c_after_action(self) -> None:
        """5.3, after an action."""
        self.c_unlock()
        for tile in range(1, 11):
            if self.d.pending >> tile & 1 == 1 and self.c_executable(tile):
                self.d.stage = SUB
                return
        self.c_end_turn()

    def c_end_turn(self) -> None:
        """5.8."""
        self.d.pending = 0
        self.d.turn += 1
        empty = self.c_empty_forests()
        if empty >= self.rules.intermediate_at and self.d.intermediate_done == 0:
            self.c_score_sections()
            self.d.intermediate_done = 1
        if empty >= self.rules.final_at:
            self.c_finish(FORESTS)
        elif self.d.turn == self.rules.turn_limit:
            self.c_finish(LIMIT)
        else:
            self.d.seat = (self.d.seat + 1) % self.rules.seats
            self.d.stage = ADVANCE

    def c_score_sections(self) -> None:
        for seat in range(self.rules.seats):
            self.d.vp[seat] += self.c_sections(seat)

    def c_finish(self, reason: int) -> None:
        """7.2."""
        self.c_score_sections()
        for seat in range(self.rules.seats):
            self.d.vp[seat] += self.c_all_islands(seat) + self.c_leftovers(seat)
        self.d.reason = reason
        self.d.stage = OVER
