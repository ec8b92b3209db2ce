"""Edition and options of one game of Eruption, as tables of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cython

from engines.core.game import Setup
from engines.core.state import Rules
from engines.eruption.facts import CARDS, CLANS, HEXES, MATERIALS, MODES, NONE
from engines.eruption.geometry import make_geometry

if not cython.compiled:
    from engines.core.layout import struct

    Tables = struct(__file__, "Tables")
    TERNARY = [0] * 64


def fill_tables() -> None:
    """TERNARY[m]: the sum of 3**d over the directions d of a set of edges, a bit per direction."""
    for edges in range(64):
        TERNARY[edges] = sum(3**d for d in range(6) if edges >> d & 1)


fill_tables()


def turned(edges: int, rot: int) -> int:
    """A set of edges turned clockwise by `rot` steps."""
    return (edges << rot | edges >> (6 - rot)) & 63


class EruptionRules(Rules):
    """Edition and options of one game; a set of edges is a number with a bit per direction.

    What surrounds a hex is one of 3**6 patterns: each edge free, facing bare ground or facing lava. Its number is
    TERNARY[known edges] + TERNARY[edges facing lava]; `fits[pattern][kind]` is the set of rotations in which a tile of
    the kind may lie there, `fitting[pattern]` the set of lava kinds that have one.
    """

    def __init__(self, setup: Setup, data: Mapping[str, Any]) -> None:
        Rules.__init__(self, setup)
        if not cython.compiled:
            self.t = Tables()
        options = setup.options
        self.geometry = make_geometry(data)
        self.mode = MODES.index(options["mode"])
        self.ply_limit = options["ply_limit"]
        self.forecast = bool(options["forecast"])
        self.fill_numbers(data)
        self.fill_cards(data, bool(options["no_rain"]))
        self.fill_tiles(data["tiles"])
        self.fill_patterns()
        self.fill_board()
        self.fill_seats(data, str(options["clans_layout"]))

    def fill_numbers(self, data: Mapping[str, Any]) -> None:
        """The tables `numbers`, `materials` and `forecast` of the edition."""
        numbers = data["numbers"]
        self.damage_open_flow = numbers["damage_open_flow"]
        self.damage_lost_wall = numbers["damage_lost_wall"]
        self.eruption_heat = numbers["eruption_heat"]
        self.rain = numbers["rain"]
        self.meter_step = numbers["meter_step"]
        self.meter_last = numbers["meter_last"]
        self.hand_start = numbers["hand_start"]
        self.hand_limit = numbers["hand_limit"]
        self.builds_per_turn = numbers["builds_per_turn"]
        self.extra_builds_from_zone = numbers["extra_builds_from_zone"]
        self.extra_card_from_zone = numbers["extra_card_from_zone"]
        self.extra_tile_from_zone = numbers["extra_tile_from_zone"]
        for k in range(3):
            self.t.zone_start[k] = numbers["zone_starts"][k]
            self.t.eruption_space[k] = numbers["eruption_spaces"][k]
            self.t.pile_size[k] = data["forecast"]["piles"][k] if self.forecast else 0
        for m, name in enumerate(MATERIALS):
            row = data["materials"][name]
            self.t.walls_start[m] = numbers["walls_start"][name]
            self.t.pieces[m] = row["stock"]
            self.t.die_bonus[m] = row["die_bonus"]
            self.t.points[m] = row["points"]
            self.t.weaker[m] = MATERIALS.index(row["weaker"]) if row["weaker"] else NONE

    def fill_cards(self, data: Mapping[str, Any], no_rain: bool) -> None:
        """The table `cards` of the edition."""
        for c, name in enumerate(CARDS):
            row = data["cards"][name]
            self.t.card_count[c] = 0 if no_rain and name == "RN" else row["count"]
            self.t.card_wall[c] = MATERIALS.index(row["wall"])

    def fill_tiles(self, tiles: Mapping[str, Any]) -> None:
        """Kinds in the order of the edition, the eruption tile last."""
        rows = [row for row in tiles.values() if not row["source"]]
        self.source = len(rows)
        rows += [row for row in tiles.values() if row["source"]]
        names = []
        for k, row in enumerate(rows):
            names.append("X" if row["source"] else "".join(str(d) for d in row["edges"]))
            self.t.tile_count[k] = row["count"]
            edges = sum(1 << d for d in row["edges"])
            for rot in range(6):
                self.t.shape[k][rot] = turned(edges, rot)
            self.t.period[k] = len({turned(edges, rot) for rot in range(6)})
        self.kinds = tuple(names)

    def fill_patterns(self) -> None:
        """`fits` and `fitting` (README 5.1)."""
        for known in range(64):
            for lava in range(64):
                if lava & ~known == 0:
                    pattern = TERNARY[known] + TERNARY[lava]
                    self.t.fitting[pattern] = 0
                    for k in range(len(self.kinds)):
                        rots = 0
                        for rot in range(self.t.period[k]):
                            if self.t.shape[k][rot] & known == lava and (lava or k == self.source):
                                rots |= 1 << rot
                        self.t.fits[pattern][k] = rots
                        if rots and k != self.source:
                            self.t.fitting[pattern] |= 1 << k

    def fill_board(self) -> None:
        """Neighbours, and for each hex the edges that face tile hexes, lava or rock of the volcano, and villages."""
        geometry = self.geometry
        self.n_hexes = len(geometry.hexes)
        for h in range(67):
            for d in range(6):
                self.t.beside[h][d] = NONE
        for h, beside in geometry.beside.items():
            self.t.tile_edges[h] = sum(1 << d for d, g in enumerate(beside) if NONE < g < HEXES)
            self.t.mouth_edges[h] = sum(1 << d for d in range(6) if 6 * h + d in geometry.mouths)
            for d, g in enumerate(beside):
                self.t.beside[h][d] = g
        for h in range(HEXES):
            self.t.resource[h] = geometry.resources.get(h, NONE)
        for h in range(self.n_hexes):
            rock = 0
            hot = 0
            for d, g in enumerate(geometry.beside[h]):
                if g >= HEXES:
                    rock |= 1 << d
                    if 6 * g + (d + 3) % 6 in geometry.mouths:
                        hot |= 1 << d
            self.t.rock_edges[h] = rock
            self.t.hot_edges[h] = hot
            self.t.shore_edges[h] = sum(1 << d for d in range(6) if 6 * h + d in geometry.village_edge)

    def fill_seats(self, data: Mapping[str, Any], layout: str) -> None:
        """Who owns which village, and who is a team."""
        geometry = self.geometry
        self.n_villages = len(geometry.villages)
        for v in range(6):
            self.t.village[v] = NONE
            self.t.owner[v] = NONE
            self.t.team[v] = v
            for e in range(7):
                self.t.village_site[v][e] = geometry.edges[v][e] if v < self.n_villages else NONE
        for seat, name in enumerate(data["villages_by_seats"][str(self.seats)]):
            v = geometry.villages.index(name)
            self.t.village[seat] = v
            self.t.owner[v] = seat
        if self.mode == CLANS:
            for seat, team in enumerate(data["clans"][f"{layout}_{self.seats}"]):
                self.t.team[seat] = team

    # -- for Python callers ---------------------------------------------------------------------------------------

    def number_of_tiles(self, kind: int) -> int:
        """Tiles of a kind in the box."""
        return self.t.tile_count[self.known_kind(kind)]

    def known_kind(self, kind: int) -> int:
        """The kind itself. Raises IndexError when the edition has none of that number."""
        if not 0 <= kind < len(self.kinds):
            raise IndexError(kind)
        return kind

    def lava(self, kind: int, rot: int) -> int:
        """The edges with lava of a tile of a kind, turned by `rot` 0..5."""
        return self.t.shape[self.known_kind(kind)][rot % 6]

    def turns(self, kind: int) -> int:
        """The number of different orientations of a kind."""
        return self.t.period[self.known_kind(kind)]

    def card(self, card: int) -> tuple[int, int]:
        """Copies of a card in this game, and the material of its wall."""
        if not 0 <= card < 8:
            raise IndexError(card)
        return self.t.card_count[card], self.t.card_wall[card]

    def material(self, m: int) -> tuple[int, int, int, int]:
        """Pieces in the box, start of a seat, points at a tie and the weaker material (or NONE) of a material."""
        if not 0 <= m < 3:
            raise IndexError(m)
        return self.t.pieces[m], self.t.walls_start[m], self.t.points[m], self.t.weaker[m]

    def zones(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """First temperatures of the danger zones, and the eruption spaces."""
        return tuple([self.t.zone_start[k] for k in range(3)]), tuple([self.t.eruption_space[k] for k in range(3)])

    def villages_of_seats(self) -> tuple[int, ...]:
        """The village of each seat."""
        return tuple([self.t.village[s] for s in range(self.seats)])

    def teams_of_seats(self) -> tuple[int, ...]:
        """The team of each seat."""
        return tuple([self.t.team[s] for s in range(self.seats)])
