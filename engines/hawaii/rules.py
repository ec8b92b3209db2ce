"""Hawaii: the state as Python callers know it. What moves do stands in course.py, what is legal in legal.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cython

from engines.core.game import BadInput, Setup
from engines.core.state import State
from engines.hawaii import invariants
from engines.hawaii.facts import FACTS, FEET, FRUIT, OVER, POSITIONS, SHELLS
from engines.hawaii.snapshot import Pending, Purse, Realm, Snapshot, Table
from engines.hawaii.tables import HawaiiRules
from engines.hawaii.worlds import Worlds

if TYPE_CHECKING:
    from engines.hawaii.observe import HawaiiObservation

ONE = 1


class Hawaii(Worlds):
    """One position of Hawaii."""

    def c_fill(self, s: Snapshot) -> None:
        """Takes over a snapshot that keeps the invariants, and adds up again what is derived from it."""
        t = s.table
        self.d.phase = t.phase
        self.d.actor = t.actor
        self.d.round = t.round
        self.d.cursor = t.cursor
        for p in range(POSITIONS):
            self.d.place[p] = -1
        for p, area in enumerate(t.board):
            self.d.board[p] = area
            if area >= 0:
                self.d.place[area] = p
            self.d.area_n[p] = len(t.area_tokens[p])
            for i, token in enumerate(t.area_tokens[p]):
                self.d.area[p][i] = token
        for token in range(self.rules.n_types):
            self.d.bag[token] = t.bag[token]
            self.d.bay[token] = t.bay[token]
        self.d.bay_n = sum(t.bay)
        self.d.order_n = len(t.order_draw)
        for i, token in enumerate(t.order_draw):
            self.d.order_draw[i] = token
        for i, island in enumerate(t.docks):
            self.d.docks[i] = island
        for island in range(self.rules.n_islands):
            if island not in t.docks and island not in t.islands_gone:
                self.d.islands_left |= ONE << island
        for k in range(self.rules.n_kinds):
            self.d.stock[k] = t.stock[k]
            self.d.lost[k] = t.lost[k]
            if t.stock[k] > 0:
                self.d.in_stock |= ONE << k
        self.d.queue_n = len(t.collect_queue)
        for i, seat in enumerate(t.collect_queue):
            self.d.queue[i] = seat
        pending = t.pending
        self.d.amount = pending.amount
        self.d.walk_sub = pending.walk_sub
        self.d.kind = pending.kind
        self.d.level = pending.level
        self.d.trip = pending.trip
        self.d.take = pending.take
        self.d.dock = pending.dock
        self.d.island = pending.island
        for seat in range(self.rules.seats):
            self.d.order[seat] = t.order[seat]
            self.d.spot_token[seat] = t.spot_tokens[seat]
            self.d.spot_seat[seat] = t.spot_seats[seat]
            if t.spot_seats[seat] >= 0:
                self.d.spot[t.spot_seats[seat]] = seat + 1
            self.c_fill_seat(seat, t.realms[seat], s.purses[seat])
        if self.d.phase == OVER:
            self.c_score_game()

    def c_fill_seat(self, seat: int, realm: Realm, purse: Purse) -> None:
        self.d.goods[seat][SHELLS] = purse.shells
        self.d.goods[seat][FEET] = purse.feet
        self.d.goods[seat][FRUIT] = purse.fruit
        for i, points in enumerate(purse.points):
            self.d.points[seat][i] = points
        self.d.kahunas[seat] = realm.kahunas
        self.d.tikis[seat] = realm.tikis
        self.d.boats[seat][0] = 1
        for i in range(2):
            self.d.boats[seat][i + 1] = realm.boats[i]
        for i in range(3):
            self.d.used[seat][i] = realm.used[i]
        self.d.at[seat] = realm.at
        for token in range(self.rules.n_types):
            self.d.tokens[seat][token] = realm.tokens[token]
            self.d.fish[seat][token] = realm.fish[token]
            self.d.total[seat] += realm.tokens[token] * self.rules.value[token]
            self.d.total[seat] += realm.fish[token] * self.rules.fish[token]
            self.d.spears[seat] += realm.tokens[token] * self.rules.spear[token]
        self.d.hut_sums[seat] = 1
        for v, village in enumerate(realm.villages):
            for kind, level in village:
                self.c_lay(seat, v, kind, level - 1)

    # -- for Python callers ---------------------------------------------------------------------------------------

    def blank(self) -> State:
        """A state of the same rules whose content does not matter yet."""
        other = Hawaii.__new__(Hawaii) if cython.compiled else Hawaii(self.rules)
        other.rules = self.rules
        return other

    def end_reason(self) -> str:
        """One of `Facts.end_reasons`, or "" while the game runs."""
        return FACTS.end_reasons[0] if self.d.phase == OVER else ""

    def snapshot(self) -> Snapshot:
        """Every field of the state as plain data."""
        return Snapshot(self.table(), tuple([self._purse(s) for s in range(self.rules.seats)]))

    def table(self) -> Table:
        """Everything that all see, as plain data."""
        r = self.rules
        here = [self.d.docks[i] for i in range(r.n_docks)]
        gone = [i for i in range(r.n_islands) if not self.d.islands_left >> i & 1 and i not in here]
        return Table(
            phase=self.d.phase,
            actor=self.d.actor,
            round=self.d.round,
            board=tuple([self.d.board[p] for p in range(POSITIONS)]),
            area_tokens=tuple([self._area(p) for p in range(POSITIONS)]),
            bag=tuple([self.d.bag[t] for t in range(r.n_types)]),
            bay=self.bay(),
            cursor=self.d.cursor,
            order_draw=tuple([self.d.order_draw[i] for i in range(self.d.order_n)]),
            spot_tokens=tuple([self.d.spot_token[i] for i in range(r.seats)]),
            spot_seats=tuple([self.d.spot_seat[i] for i in range(r.seats)]),
            docks=tuple(here),
            islands_gone=tuple(gone),
            stock=tuple([self.d.stock[k] for k in range(r.n_kinds)]),
            lost=tuple([self.d.lost[k] for k in range(r.n_kinds)]),
            order=tuple([self.d.order[i] for i in range(r.seats)]),
            collect_queue=tuple([self.d.queue[i] for i in range(self.d.queue_n)]),
            pending=Pending(*self.pending()),
            realms=tuple([self._realm(s) for s in range(r.seats)]),
        )

    def _area(self, position: int) -> tuple[int, ...]:
        return tuple([self.d.area[position][i] for i in range(self.d.area_n[position])])

    def _purse(self, seat: int) -> Purse:
        shells, feet, fruit = self.goods(seat)
        return Purse(tuple([self.d.points[seat][i] for i in range(5)]), shells, feet, fruit)

    def _realm(self, seat: int) -> Realm:
        return Realm(
            villages=tuple([self._village(seat, v) for v in range(self.rules.n_villages)]),
            kahunas=self.d.kahunas[seat],
            tikis=self.d.tikis[seat],
            boats=(self.d.boats[seat][1], self.d.boats[seat][2]),
            used=(self.d.used[seat][0], self.d.used[seat][1], self.d.used[seat][2]),
            at=self.d.at[seat],
            tokens=tuple([self.d.tokens[seat][t] for t in range(self.rules.n_types)]),
            fish=tuple([self.d.fish[seat][t] for t in range(self.rules.n_types)]),
        )

    def _village(self, seat: int, village: int) -> tuple[tuple[int, int], ...]:
        tiles = [self.d.tiles[seat][village][i] for i in range(self.d.tile_n[seat][village])]
        return tuple([(tile // 2, tile % 2 + 1) for tile in tiles])

    def observe(self, seat: int) -> HawaiiObservation:
        """What `seat` sees."""
        from engines.hawaii.observe import observe

        return observe(self, seat)


def make_rules(setup: Setup, data: Mapping[str, Any]) -> HawaiiRules:
    """The immutable rules object of a checked setup. Raises BadInput for seats that the edition does not take."""
    return HawaiiRules(setup, data)


def start(rules: HawaiiRules) -> Hawaii:
    """The state before the first move."""
    state = Hawaii(rules)
    state.c_start()
    return state


def load(rules: HawaiiRules, snapshot: Snapshot) -> Hawaii:
    """A state from outside. Raises BadInput when an invariant of section 3 is broken."""
    violations = invariants.check(rules, snapshot)
    if violations:
        raise BadInput(violations)
    state = Hawaii(rules)
    state.c_fill(snapshot)
    return state
