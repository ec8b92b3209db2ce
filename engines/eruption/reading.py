"""What a table means, read from plain data by the definitions of README section 5.1.

The engine answers the same questions from tables of patterns; this is the slow and plain way, for explanations, checks
of states from outside, and pictures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from engines.eruption.facts import ANNIHILATION, FLOW_SITES, FOR_QUAKE, HEXES, NONE, VILLAGE_EDGES
from engines.eruption.snapshot import Table
from engines.eruption.tables import EruptionRules

Tiles = Mapping[int, tuple[int, int]]
"""(kind, rotation) by hex."""


class Reading:
    """One table and its rules; the board must consist of tile hexes and known kinds."""

    def __init__(self, rules: EruptionRules, table: Table) -> None:
        self.rules = rules
        self.table = table
        self.geometry = rules.geometry
        self.tiles: dict[int, tuple[int, int]] = {h: (kind, rot) for h, kind, rot in table.board}
        self.walls: dict[int, int] = dict(table.walls)
        self._around: dict[int, tuple[int, int]] = {}

    # -- edges ----------------------------------------------------------------------------------------------------

    @cached_property
    def lava(self) -> dict[int, int]:
        """The edges with lava, as bits, of every hex that has a tile or belongs to the volcano."""
        return self._lava_with(self.tiles)

    def _lava_with(self, tiles: Tiles) -> dict[int, int]:
        return self.geometry.volcano_lava | {h: self.rules.lava(*tile) for h, tile in tiles.items()}

    def has_lava(self, h: int, d: int) -> bool:
        """Whether the tile on hex `h`, or the volcano there, has lava on edge `d`."""
        return bool(self.lava.get(h, 0) >> d & 1)

    def around(self, h: int) -> tuple[int, int]:
        """The edges of hex `h` that face a tile or the volcano, and those that face lava, as bits."""
        if h not in self._around:
            taken = hot = 0
            for d, g in enumerate(self.geometry.beside[h]):
                if g in self.lava:
                    taken |= 1 << d
                    hot |= (self.lava[g] >> (d + 3) % 6 & 1) << d
            self._around[h] = taken, hot
        return self._around[h]

    def flows(self, h: int) -> list[int]:
        """The directions from which lava faces hex `h`."""
        _, hot = self.around(h)
        return [d for d in range(6) if hot >> d & 1]

    def walls_round(self, h: int) -> list[int]:
        """Those of them whose flow is walled."""
        return [d for d in self.flows(h) if 6 * self.geometry.beside[h][d] + (d + 3) % 6 in self.walls]

    def wrong_edges(self, h: int, kind: int, rot: int) -> int:
        """The edges of a tile that do not match what they face, as bits."""
        taken, hot = self.around(h)
        return taken & (hot ^ self.rules.lava(kind, rot))

    def fits(self, h: int, kind: int, rot: int) -> bool:
        """Whether a tile may lie on hex `h`, whatever lies there now."""
        joined = kind == self.rules.source or self.around(h)[1] != 0
        return joined and rot < self.rules.turns(kind) and not self.wrong_edges(h, kind, rot)

    # -- tiles ----------------------------------------------------------------------------------------------------

    def placements(self, kind: int, held: Collection[int] = ()) -> Iterator[tuple[int, int]]:
        """Every (hex, rotation) where a tile of the kind may be laid."""
        for h in range(len(self.geometry.hexes)):
            if h not in self.tiles and h not in held:
                yield from ((h, rot) for rot in range(6) if self.fits(h, kind, rot))

    def fits_some(self, kind: int, held: Collection[int] = ()) -> bool:
        """Whether there is such a place."""
        return any(True for _ in self.placements(kind, held))

    def connected(self, tiles: Tiles) -> bool:
        """Whether lava reaches every tile of a board from a source or a mouth."""
        beside = self.geometry.beside
        lava = self._lava_with(tiles)
        reached = {h for h in lava if h >= HEXES or tiles[h][0] == self.rules.source}
        edge = list(reached)
        while edge:
            h = edge.pop()
            for d, g in enumerate(beside[h]):
                if g in lava and g not in reached and lava[h] >> d & 1 and lava[g] >> (d + 3) % 6 & 1:
                    reached.add(g)
                    edge.append(g)
        return len(reached) == len(lava)

    def without(self, h: int) -> Tiles:
        """The board without the tile on `h`."""
        return {g: tile for g, tile in self.tiles.items() if g != h}

    def replacements(self, kind: int) -> Iterator[tuple[int, int]]:
        """Every (hex, rotation) where a tile of the kind may take the place of another."""
        for h in self.tiles:
            for rot in range(6):
                if self.fits(h, kind, rot) and self.connected({**self.tiles, h: (kind, rot)}):
                    yield h, rot

    def rotations(self) -> Iterator[tuple[int, int]]:
        """Every (hex, rotation) that an Aftershock may give."""
        for h, (kind, now) in self.tiles.items():
            for rot in range(6):
                if self.fits(h, kind, rot) and (rot != now or self.rules.turns(kind) < 6):
                    yield h, rot

    # -- what can be drawn ----------------------------------------------------------------------------------------

    @cached_property
    def avail(self) -> set[int]:
        """The lava kinds still to be drawn."""
        return {kind for kind, n in enumerate(self.table.stack) if n > 0} | set(self.table.pile_tops) - {NONE}

    def candidates(self, purpose: int, held: Collection[int] = ()) -> set[int]:
        """Those of them that have a place, for this purpose."""
        if purpose == FOR_QUAKE:
            return {kind for kind in self.avail if any(True for _ in self.replacements(kind))}
        return {kind for kind in self.avail if self.fits_some(kind, held)}

    # -- walls and villages ---------------------------------------------------------------------------------------

    def edge_site(self, village: int, e: int) -> int:
        """The site of edge 1..7 of a village."""
        return FLOW_SITES + VILLAGE_EDGES * village + e - 1

    def contact(self, village: int, e: int) -> bool:
        """Whether lava touches edge 1..7 of a village."""
        h, d = divmod(self.geometry.edges[village][e - 1], 6)
        return self.has_lava(h, d)

    def is_open_flow(self, site: int) -> bool:
        """Whether the edge of a hex has lava that faces an empty tile hex."""
        h, d = divmod(site, 6)
        g = self.geometry.beside[h][d]
        return self.has_lava(h, d) and NONE < g < HEXES and g not in self.tiles

    def sites(self, seat: int) -> list[int]:
        """The sites where a seat may build."""
        village = self.village(seat)
        return [
            site
            for site in self.geometry.wall_sites
            if site not in self.walls
            and ((site - FLOW_SITES) // VILLAGE_EDGES == village if site >= FLOW_SITES else self.is_open_flow(site))
        ]

    # -- seats ----------------------------------------------------------------------------------------------------

    def village(self, seat: int) -> int:
        """The village of a seat."""
        return self.rules.villages_of_seats()[seat]

    def zone(self, seat: int) -> int:
        """The danger zone of a seat, 0 to 3."""
        return sum(start <= self.table.temps[seat] for start in self.rules.zones()[0])

    def dead(self, seat: int) -> bool:
        """Whether a seat only places tiles any more."""
        return self.rules.mode == ANNIHILATION and self.table.burnt[seat]

    def obtainable(self, material: int) -> bool:
        """Whether the stock has a piece of the material or of a weaker one."""
        while material != NONE and self.table.stock[material] == 0:
            material = self.rules.material(material)[3]
        return material != NONE
