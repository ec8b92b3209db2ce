"""Tiki: the board without its moves: data, copies, points. Section numbers are those of README.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cython

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import BreakdownRow, Setup
from engines.core.state import Rules, State
from engines.tiki.edition import split_layout
from engines.tiki.facts import ACTION, FACTS, OVER, RESOLVE, SHAMAN
from engines.tiki.history import stack_seats
from engines.tiki.snapshot import Snapshot

if not cython.compiled:
    from engines.core.layout import array, struct

    Data = struct(__file__, "Data")


class TikiRules(Rules):
    """Edition and options of one game, as numbers."""

    def __init__(self, setup: Setup, data: Mapping[str, Any]) -> None:
        Rules.__init__(self, setup)
        if not cython.compiled:
            self.tile_fruits = array("int8_t", 16)
            self.tile_shaman = array("int8_t", 16)
            self.tile_copies = array("int8_t", 16)
            self.layout = array("int8_t", 9)
        tiles = data["tile"]
        codes = [tile["code"] for tile in tiles]
        options = setup.options
        self.tiles = tuple(codes)
        self.n_tiles = len(tiles)
        for i, tile in enumerate(tiles):
            self.tile_fruits[i] = tile["fruits"]
            self.tile_shaman[i] = tile["shaman"] and options["shaman"]
            self.tile_copies[i] = tile["copies"]
        self.fruits = data["edition"]["fruits"]
        self.win_fruits = data["edition"]["win_fruits"]
        self.tikis = data["edition"]["tikis_per_seat"]
        layout = str(options["layout"])
        self.fixed_layout = layout != ""
        fixed = split_layout(layout) if layout else []
        for u in range(9):
            self.layout[u] = codes.index(fixed[u]) if fixed else -1
        self.starter = ("DRAW", "SEAT0", "SEAT1").index(options["starter"]) - 1
        self.return_all = options["tie_return"] == "ALL"
        self.shaman = bool(options["shaman"])
        self.turn_limit = int(options["turn_limit"])
        self.repetition_limit = int(options["repetition_limit"])

    def tile(self, i: int) -> tuple[int, bool, int]:
        """Fruits, whether the shaman moves there in this game, and copies of tile type `i`."""
        if not 0 <= i < self.n_tiles:
            raise IndexError(i)
        return self.tile_fruits[i], bool(self.tile_shaman[i]), self.tile_copies[i]


class History:
    """Packed positions at the start of turns; made only where the repetition rule is on."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.packed = array("uint64_t", 1001)


@cython.no_gc  # see docs/adding-a-game.md
@cython.cclass
class Board(State):
    """One position of Tiki; `rules.Tiki` adds the moves."""

    def __init__(self, rules: TikiRules) -> None:
        if not isinstance(rules, TikiRules):
            raise TypeError("rules must be TikiRules")
        self.rules = rules
        if not cython.compiled:
            self.d = Data()
        self.history = History() if rules.repetition_limit > 0 else None

    # -- the hot path ---------------------------------------------------------------------------------------------

    def c_actor(self) -> int:
        if self.d.phase == ACTION:
            return self.d.turn_seat
        if self.d.phase == RESOLVE:
            return 1 - self.d.turn_seat
        if self.d.phase == SHAMAN:
            return self.d.stack[self.d.resolving] & 1
        if self.d.phase == OVER:
            return TERMINAL
        return CHANCE

    def c_next_village(self) -> int:
        u = 0
        while self.d.layout[u] >= 0:
            u += 1
        return u

    def c_copies_left(self, tile: int) -> int:
        left = self.rules.tile_copies[tile]
        for u in range(9):
            if self.d.layout[u] == tile:
                left -= 1
        return left

    def c_packed(self) -> int:
        """`history.pack` of the present position."""
        packed = cython.cast(cython.ulonglong, 0)
        for u in range(9):
            packed = packed << 3 | self.d.stack[u]
        packed = packed << 4 | self.d.shaman + 1
        packed = packed << 7 | self.d.fruits[0]
        packed = packed << 7 | self.d.fruits[1]
        packed = packed << 7 | self.d.reserve
        return packed << 2 | self.d.turn_seat << 1 | self.d.sudden

    def c_copy_from(self, other: State) -> None:
        if cython.compiled:
            self.d = cython.cast(Board, other).d
        else:
            self.d = cython.cast(Board, other).d.copy()
        if self.rules.repetition_limit > 0:
            for i in range(self.d.history_n):
                self.history.packed[i] = cython.cast(Board, other).history.packed[i]

    def c_seats(self) -> int:
        return 2

    def c_score(self, seat: int) -> int:
        return self.d.fruits[seat]

    def c_place(self, seat: int) -> int:
        return 2 if self.d.fruits[seat] < self.d.fruits[1 - seat] else 1

    # -- for Python callers ---------------------------------------------------------------------------------------

    def end_reason(self) -> str:
        """One of `Facts.end_reasons`, or "" while the game runs."""
        return FACTS.end_reasons[self.d.reason - 1] if self.d.reason else ""

    def breakdown(self) -> list[BreakdownRow]:
        """One row a seat: its fruits."""
        return [BreakdownRow(s, "fruits", self.d.fruits[s]) for s in range(2)]

    def snapshot(self) -> Snapshot:
        """Every field of the state as plain data."""
        over = self.d.phase == OVER
        lead = self.d.fruits[0] - self.d.fruits[1]
        return Snapshot(
            phase=self.d.phase,
            layout=tuple([self.d.layout[u] for u in range(9)]),
            starter=self.d.starter,
            turn=self.d.turn,
            turn_seat=self.d.turn_seat,
            stacks=tuple([stack_seats(self.d.stack[u]) for u in range(9)]),
            hands=(self.d.hands[0], self.d.hands[1]),
            fruits=(self.d.fruits[0], self.d.fruits[1]),
            reserve=self.d.reserve,
            spoiled=self.d.spoiled,
            shaman=self.d.shaman,
            resolving=self.d.resolving,
            sudden_death=bool(self.d.sudden),
            history=tuple([self.history.packed[i] for i in range(self.d.history_n)]),
            winner=(0 if lead > 0 else 1) if over and lead != 0 else -1,
            reason=self.d.reason,
        )
