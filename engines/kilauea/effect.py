"""Kilauea, the middle layer: the effects of tiles step by step, and the look-ahead that forbids dead ends (5.6, 5.7).

An effect is a list of at most MAX_STEPS steps. The look-ahead tries the rest of it on the state itself and puts the
data back. It goes at most 2 * MAX_STEPS deep: only one tile copies others, and not itself.
"""

from __future__ import annotations

import cython

from engines.kilauea.board import Board
from engines.kilauea.facts import (
    AUTOMATIC,
    COPY_ALL,
    COPY_REEF,
    GAIN_STONES,
    GAIN_VP,
    HOME_FOREST,
    HOME_ISLAND,
    HOME_NONE,
    HOME_VOLCANO,
    IN_REEF,
    MAX_COLOURS,
    MAX_SPACES,
    NEED_FULL,
    ON_FLANK,
    PUT_ADJACENT,
    PUT_APART,
    PUT_CANOE,
    PUT_HOME,
    PUT_ISLAND,
    PUT_ISLAND_OTHER,
    PUT_VOLCANO,
    SEAL,
    STEAL_STONE,
    STEP_CODES,
    SWAP_RIVAL,
    TAKE_BACK,
    TAKE_CANOE,
    TAKE_FOREST,
    TAKE_ISLAND,
    TAKE_RIVAL,
    TAKE_VOLCANO,
)

if not cython.compiled:
    from engines.core.layout import array
    from engines.kilauea.board import kept

    CHOICE_CODE = array("int16_t", 17)
    CHOICES = array("int16_t", 17)

for _op, (_first, _number) in enumerate(STEP_CODES):
    CHOICE_CODE[_op] = _first
    CHOICES[_op] = _number


class Effects(Board):
    """Adds the effects of tiles. A choice is numbered from 0 within the codes that its step takes."""

    def c_place_of(self, tile: int) -> int:
        """Whose side counts: 0 in a reef slot, 1 in a forest centre or on the flank."""
        return 0 if self.d.lies[tile] == IN_REEF else 1

    def c_step_op(self) -> int:
        """The step that is due, or -1 after the last one."""
        place = self.c_place_of(self.d.tile)
        if self.d.step == self.rules.n_steps[place][self.d.tile]:
            return -1
        return self.rules.step_op[place][self.d.tile][self.d.step]

    def c_begin_effect(self, tile: int) -> None:
        """`start` of 5.6 without the run."""
        self.c_pay(self.rules.cost[self.c_place_of(tile)][tile])
        self.c_clear_effect()
        self.d.tile = tile

    def c_clear_effect(self) -> None:
        self.d.tile = 0
        self.d.step = 0
        self.d.hand = -1
        self.d.home_kind = HOME_NONE
        self.d.home_section = -1
        self.d.home_space = -1
        self.d.put_section = -1
        self.d.put_colour = -1

    def c_run(self) -> bool:
        """Carries out automatic steps until a choice is due (true) or the effect is complete and cleared (false).

        Whoever started the effect, or chose, knows that they can be carried out.
        """
        op = self.c_step_op()
        while op >= AUTOMATIC:
            self.c_automatic(op)
            self.d.step += 1
            op = self.c_step_op()
        if op >= 0:
            return True
        self.c_clear_effect()
        return False

    # -- the look-ahead -------------------------------------------------------------------------------------------

    def c_executable(self, tile: int) -> bool:
        """5.6: the actor can pay the tile and carry out its whole effect."""
        if self.d.stones[self.d.seat] < self.rules.cost[self.c_place_of(tile)][tile]:
            return False
        saved = kept(self.d)
        self.c_begin_effect(tile)
        done = self.c_completable()
        self.d = kept(saved)
        return done

    def c_completable(self) -> bool:
        """5.6: whether the rest of the effect can be carried out. Spoils the data: callers keep a copy."""
        op = self.c_step_op()
        while op >= AUTOMATIC:
            if not self.c_automatic(op):
                return False
            self.d.step += 1
            op = self.c_step_op()
        if op < 0:
            return True
        for choice in range(CHOICES[op]):
            if self.c_meets(op, choice) and self.c_leads_on(op, choice):
                return True
        return False

    def c_leads_on(self, op: int, choice: int) -> bool:
        """Whether the effect can be completed after a choice that meets its step's own condition."""
        if op >= COPY_REEF:
            return True  # being executable is the own condition of a copy
        if self.rules.sure_after[self.c_place_of(self.d.tile)][self.d.tile][self.d.step] != 0:
            return True
        saved = kept(self.d)
        self.c_choose(op, choice)
        done = self.c_completable()
        self.d = kept(saved)
        return done

    # -- steps ----------------------------------------------------------------------------------------------------

    def c_meets(self, op: int, choice: int) -> bool:
        """5.7: the own condition of a choosing step."""
        a = choice // MAX_COLOURS  # section or seat
        c = choice % MAX_COLOURS
        if op == TAKE_FOREST:
            return self.c_accessible(choice // MAX_SPACES, choice % MAX_SPACES)
        if op == TAKE_VOLCANO:
            return self.c_vtake(a, c)
        if op == TAKE_BACK:
            return a == self.d.put_section and c != self.d.put_colour and self.c_vtake(a, c)
        if op == TAKE_ISLAND:
            return self.d.island[self.d.seat][a][c] > 0
        if op == TAKE_CANOE:
            return self.d.tikis[self.d.seat][choice] > 0
        if op == TAKE_RIVAL or op == SWAP_RIVAL:
            return a < self.rules.seats and a != self.d.seat and self.d.tikis[a][c] > 0
        if op == SEAL:
            return self.d.pillar[a][c] > 0 and not self.c_sealed(a, c)
        if op == STEAL_STONE:
            return (
                choice < self.rules.seats
                and choice != self.d.seat
                and self.d.stones[choice] > 0
                and self.d.stones[self.d.seat] < self.rules.canoe_stones
            )
        if op == COPY_REEF or op == COPY_ALL:
            return self.c_may_copy(op, choice + 1)
        if op == PUT_ISLAND:
            return self.c_iput(self.d.seat, choice)
        if op == PUT_ISLAND_OTHER:
            return choice != self.d.home_section and self.c_iput(self.d.seat, choice)
        return self.c_related(op, choice) and self.c_vput(choice, self.d.hand)

    def c_related(self, op: int, t: int) -> bool:
        """Whether a volcano section stands as the step demands to the one where the tiki came from."""
        if op == PUT_VOLCANO:
            return True
        apart = (t - self.d.home_section + 5) % 5
        if op == PUT_ADJACENT:
            return apart == 1 or apart == 4
        if op == PUT_APART:
            return apart == 2 or apart == 3
        return apart != 0

    def c_may_copy(self, op: int, tile: int) -> bool:
        if tile == self.d.tile:
            return False
        lies = self.d.lies[tile]
        if lies == IN_REEF or (op == COPY_ALL and lies == ON_FLANK):
            return self.c_executable(tile)
        return False

    def c_choose(self, op: int, choice: int) -> None:
        """5.7: the effect of a choice that meets its condition; then the next step is due."""
        seat = self.d.seat
        a = choice // MAX_COLOURS
        c = choice % MAX_COLOURS
        if op == COPY_REEF or op == COPY_ALL:
            self.c_begin_effect(choice + 1)
            return
        self.d.step += 1
        if op == TAKE_FOREST:
            self.c_home(HOME_FOREST, choice // MAX_SPACES, choice % MAX_SPACES)
            self.d.hand = self.c_take_from_forest(choice // MAX_SPACES, choice % MAX_SPACES)
        elif op == TAKE_VOLCANO:
            self.c_home(HOME_VOLCANO, a, -1)
            self.c_take_from_volcano(a, c)
        elif op == TAKE_BACK:
            self.c_take_from_volcano(a, c)
        elif op == TAKE_ISLAND:
            self.c_home(HOME_ISLAND, a, -1)
            self.d.island[seat][a][c] -= 1
            self.d.hand = c
        elif op == TAKE_CANOE:
            self.c_load(seat, choice, -1)
            self.d.hand = choice
        elif op == TAKE_RIVAL:
            self.c_load(a, c, -1)
            self.d.hand = c
        elif op == SWAP_RIVAL:
            self.c_load(a, c, -1)
            self.c_load(a, self.d.hand, 1)
            self.c_load(seat, c, 1)
            self.d.hand = -1
        elif op == SEAL:
            self.c_seal(choice)
        elif op == STEAL_STONE:
            self.d.stones[choice] -= 1
            self.d.stones[seat] += 1
        elif op == PUT_ISLAND or op == PUT_ISLAND_OTHER:
            self.d.island[seat][choice][self.d.hand] += 1
            self.d.hand = -1
        else:
            self.d.pillar[choice][self.d.hand] += 1
            self.d.put_section = choice
            self.d.put_colour = self.d.hand
            self.d.hand = -1

    def c_home(self, kind: int, t: int, x: int) -> None:
        self.d.home_kind = kind
        self.d.home_section = t
        self.d.home_space = x

    def c_take_from_volcano(self, t: int, c: int) -> None:
        self.d.pillar[t][c] -= 1
        self.d.hand = c

    def c_automatic(self, op: int) -> bool:
        """5.7: carries out the automatic step that is due; false when it cannot be."""
        seat = self.d.seat
        number = self.rules.step_number[self.c_place_of(self.d.tile)][self.d.tile][self.d.step]
        if op == GAIN_VP:
            self.d.vp[seat] += number
        elif op == GAIN_STONES:
            stones = self.c_stones_within(number)
            if stones == 0 and self.d.step == 0:
                return False
            self.c_pay(-stones)
        elif op == NEED_FULL:
            return self.d.load[seat] == self.rules.canoe_tikis
        elif op == PUT_CANOE:
            if self.d.load[seat] >= self.rules.canoe_tikis:
                return False
            self.c_load(seat, self.d.hand, 1)
            self.d.hand = -1
        elif op == PUT_HOME:
            return self.c_put_home()
        else:
            self.d.removed[self.d.hand] += 1
            self.d.hand = -1
        return True

    def c_put_home(self) -> bool:
        t = self.d.home_section
        c = self.d.hand
        if self.d.home_kind == HOME_FOREST:
            self.c_set_in_forest(t, self.d.home_space, c)
        elif self.d.home_kind == HOME_VOLCANO:
            if not self.c_vput(t, c):
                return False
            self.d.pillar[t][c] += 1
        else:
            if not self.c_iput(self.d.seat, t):
                return False
            self.d.island[self.d.seat][t][c] += 1
        self.d.hand = -1
        return True
