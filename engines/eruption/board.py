"""Eruption: the fields of a state, and what lies on the board (README sections 3 and 5.1)."""

from __future__ import annotations

import cython

from engines.core.state import State
from engines.eruption.facts import ANNIHILATION, FLOW_SITES, FOR_QUAKE, HEXES, NONE, ONE
from engines.eruption.tables import EruptionRules

if not cython.compiled:
    from engines.core.layout import struct
    from engines.eruption.tables import TERNARY

    Data = struct(__file__, "Data")


@cython.no_gc  # see docs/adding-a-game.md
@cython.cclass
class Board(State):
    """Tiles and walls. For each tile hex, whether a tile lies on it or not, the state keeps two sets of edges.

    `known`: the edges that face the volcano or a tile; `facing`: those of them that face lava. Together they are the
    pattern of `EruptionRules.fits`, so that nothing is tried out to know what fits where.
    """

    def __init__(self, rules: EruptionRules) -> None:
        if not isinstance(rules, EruptionRules):
            raise TypeError("rules must be EruptionRules")
        self.rules = rules
        if not cython.compiled:
            self.d = Data()

    def c_clear_board(self) -> None:
        for h in range(HEXES):
            self.d.kind[h] = NONE
            self.d.rot[h] = 0
            self.d.lava[h] = 0
            self.d.known[h] = self.rules.t.rock_edges[h]
            self.d.facing[h] = self.rules.t.hot_edges[h]
        for h in range(67):
            self.d.walled[h] = 0
        for s in range(444):
            self.d.wall[s] = 0
        self.d.walls = 0

    # -- tiles ----------------------------------------------------------------------------------------------------

    def c_rotations(self, h: int, kind: int) -> int:
        """The set of rotations in which the kind fits on `h`; a tile that lies there is ignored."""
        return self.rules.t.fits[TERNARY[self.d.known[h]] + TERNARY[self.d.facing[h]]][kind]

    def c_fitting(self, h: int) -> int:
        """The set of lava kinds that fit on `h`."""
        return self.rules.t.fitting[TERNARY[self.d.known[h]] + TERNARY[self.d.facing[h]]]

    def c_lay(self, h: int, kind: int, rot: int) -> None:
        lava = self.rules.t.shape[kind][rot]
        self.d.kind[h] = kind
        self.d.rot[h] = rot
        self.d.lava[h] = lava
        for d in range(6):
            if self.rules.t.tile_edges[h] >> d & 1:
                g = self.rules.t.beside[h][d]
                bit = 1 << (d + 3) % 6
                self.d.known[g] |= bit
                if lava >> d & 1:
                    self.d.facing[g] |= bit

    def c_lift(self, h: int) -> None:
        self.d.kind[h] = NONE
        self.d.rot[h] = 0
        self.d.lava[h] = 0
        for d in range(6):
            if self.rules.t.tile_edges[h] >> d & 1:
                g = self.rules.t.beside[h][d]
                keep = 63 - (1 << (d + 3) % 6)
                self.d.known[g] &= keep
                self.d.facing[g] &= keep

    def c_connected(self, without: int, demoted: int) -> bool:
        """Whether lava reaches every tile, were there no tile on `without`, or no source on `demoted` (or NONE)."""
        if not cython.compiled:
            queue = [0] * HEXES
        seen = 0
        n = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0 and h != without:
                source = self.d.kind[h] == self.rules.source and h != demoted
                if source or self.d.lava[h] & self.rules.t.hot_edges[h]:
                    seen |= ONE << h
                    queue[n] = h
                    n += 1
        i = 0
        while i < n:
            h = queue[i]
            i += 1
            links = self.d.lava[h] & self.d.facing[h] & self.rules.t.tile_edges[h]
            for d in range(6):
                if links >> d & 1:
                    g = self.rules.t.beside[h][d]
                    if g != without and not seen >> g & 1:
                        seen |= ONE << g
                        queue[n] = g
                        n += 1
        return n == self.c_tiles() - (without >= 0)

    def c_is_end(self, h: int) -> bool:
        """Whether the tile on `h` is no source and has a single link, so that no other tile can hang on it."""
        links = self.d.lava[h] & self.d.facing[h]
        return self.d.kind[h] != self.rules.source and links & (links - 1) == 0

    def c_tiles(self) -> int:
        n = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0:
                n += 1
        return n

    # -- walls ----------------------------------------------------------------------------------------------------

    def c_walls_round(self, h: int) -> int:
        """The directions from which a walled flow faces `h`."""
        walls = 0
        for d in range(6):
            if self.d.facing[h] >> d & 1 and self.d.walled[self.rules.t.beside[h][d]] >> (d + 3) % 6 & 1:
                walls |= 1 << d
        return walls

    def c_put_wall(self, site: int, material: int) -> None:
        self.d.wall[site] = material + 1
        self.d.walls += 1
        if site < FLOW_SITES:
            self.d.walled[site // 6] |= 1 << site % 6

    def c_take_wall(self, site: int) -> int:
        """Removes a wall; returns its material."""
        material = self.d.wall[site] - 1
        self.d.wall[site] = 0
        self.d.walls -= 1
        if site < FLOW_SITES:
            self.d.walled[site // 6] &= 63 - (1 << site % 6)
        return material

    def c_unwall(self, site: int) -> None:
        self.d.stock[self.c_take_wall(site)] += 1
        self.d.turn_quiet = 0

    def c_unwall_tile(self, h: int) -> None:
        for d in range(6):
            if self.d.walled[h] >> d & 1:
                self.c_unwall(6 * h + d)

    def c_unwall_round(self, h: int) -> None:
        for d in range(6):
            if self.d.facing[h] >> d & 1 and self.d.walled[self.rules.t.beside[h][d]] >> (d + 3) % 6 & 1:
                self.c_unwall(6 * self.rules.t.beside[h][d] + (d + 3) % 6)

    def c_contact(self, village: int, e: int) -> bool:
        """Whether lava touches a village edge; edges are counted from 0 here."""
        site = self.rules.t.village_site[village][e]
        return self.d.lava[site // 6] >> site % 6 & 1

    def c_wall_at(self, village: int, e: int) -> int:
        """Material + 1 of the wall on a village edge; 0 = none."""
        return self.d.wall[FLOW_SITES + 7 * village + e]

    def c_touched(self, h: int) -> int:
        """The village edges that the tile on `h` touches, as its directions."""
        return self.d.lava[h] & self.rules.t.shore_edges[h]

    def c_open_flows(self, h: int) -> int:
        """The directions in which the tile on `h` has a flow that may take a wall."""
        return self.d.lava[h] & self.rules.t.tile_edges[h] & ~self.d.known[h] & ~self.d.walled[h]

    def c_open_mouths(self, h: int) -> int:
        """The directions in which the volcano hex `h` has a mouth that may take a wall."""
        free = self.rules.t.mouth_edges[h] & ~self.d.walled[h]
        for d in range(6):
            if free >> d & 1 and self.d.kind[self.rules.t.beside[h][d]] >= 0:
                free &= ~(1 << d)
        return free

    def c_has_site(self, seat: int) -> bool:
        v = self.rules.t.village[seat]
        for e in range(7):
            if self.c_wall_at(v, e) == 0:
                return True
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0 and self.c_open_flows(h):
                return True
        for h in range(HEXES, 67):
            if self.c_open_mouths(h):
                return True
        return False

    # -- what can be added ----------------------------------------------------------------------------------------

    def c_avail(self) -> int:
        """The set of lava kinds still to be drawn."""
        kinds = 0
        for k in range(self.rules.source):
            if self.d.stack[k] > 0:
                kinds |= 1 << k
        if self.rules.forecast:
            for k in range(3):
                if self.d.pile_top[k] >= 0:
                    kinds |= 1 << self.d.pile_top[k]
        return kinds

    def c_placeable(self, held: int) -> int:
        """The set of lava kinds that fit on some empty hex outside `held`."""
        kinds = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] < 0 and self.d.facing[h] and not held >> h & 1:
                kinds |= self.c_fitting(h)
        return kinds

    def c_replaceable(self, wanted: int) -> int:
        """The set of those of the wanted lava kinds that can take the place of some tile."""
        kinds = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0 and self.d.kind[h] != self.rules.source:
                kinds |= self.c_fitting(h)
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] == self.rules.source and wanted & self.c_fitting(h) & ~kinds:
                if self.c_connected(NONE, h):
                    kinds |= self.c_fitting(h)
        return kinds & wanted

    def c_candidates(self) -> int:
        if self.d.reason == FOR_QUAKE:
            return self.c_replaceable(self.c_avail())
        return self.c_avail() & self.c_placeable(self.d.held)

    def c_can_add_tile(self) -> bool:
        return self.c_avail() & self.c_placeable(0) != 0

    def c_source_fits(self) -> bool:
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] < 0 and self.c_rotations(h, self.rules.source):
                return True
        return False

    # -- seats ----------------------------------------------------------------------------------------------------

    def c_zone(self, seat: int) -> int:
        zone = 0
        for k in range(3):
            if self.d.temp[seat] >= self.rules.t.zone_start[k]:
                zone += 1
        return zone

    def c_dead(self, seat: int) -> bool:
        return self.rules.mode == ANNIHILATION and self.d.burnt[seat] != 0

    def c_pieces_of(self, seat: int) -> int:
        n = 0
        for m in range(3):
            n += self.d.hand_walls[seat][m]
        return n

    def c_tie_points(self, seat: int) -> int:
        """Points of the pieces in front of a seat and in its village, less its contacts (README 7)."""
        n = 0
        for m in range(3):
            n += self.rules.t.points[m] * self.d.hand_walls[seat][m]
            if seat == self.d.turn_seat:
                n += self.rules.t.points[m] * self.d.tray[m]
        v = self.rules.t.village[seat]
        for e in range(7):
            m = self.c_wall_at(v, e)
            if m > 0:
                n += self.rules.t.points[m - 1]
            n -= self.c_contact(v, e)
        return n
