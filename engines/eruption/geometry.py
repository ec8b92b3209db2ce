"""The board of an edition: hexes, edges and villages as numbers, and their names (README section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engines.eruption.facts import (
    AT,
    DIRECTIONS,
    FLOW_SITES,
    HEXES,
    MATERIALS,
    NAME_AT,
    NONE,
    STEPS,
    VILLAGE_EDGES,
)


@dataclass(frozen=True)
class Geometry:
    """Tile hexes are numbered from 0, volcano hexes from HEXES, edges as sites (`facts.FLOW_SITES`)."""

    hexes: tuple[str, ...]
    """Names of the tile hexes."""
    volcano: tuple[str, ...]
    mouths: frozenset[int]
    """Volcano edges with lava."""
    edges: tuple[tuple[int, ...], ...]
    """By village, the edges 1..7: each the tile hex's edge that borders the village."""
    letters: str
    """By village, the letter of its edges' names."""
    villages: tuple[str, ...]
    resources: Mapping[int, int]
    """Material by resource hex."""

    @cached_property
    def number(self) -> dict[str, int]:
        """Number of each hex name."""
        return {name: i for i, name in enumerate(self.hexes)} | {name: HEXES + i for i, name in enumerate(self.volcano)}

    @cached_property
    def beside(self) -> dict[int, tuple[int, ...]]:
        """By hex, what lies in each direction: a tile hex, a volcano hex, or NONE for a village or the sea."""
        return {
            h: tuple(self.number.get(NAME_AT.get((q + dq, r + dr), ""), NONE) for dq, dr in STEPS)
            for name, h in self.number.items()
            for q, r in (AT[name],)
        }

    @cached_property
    def volcano_lava(self) -> dict[int, int]:
        """By volcano hex, its mouths as bits of the edges."""
        return {
            h: sum(1 << d for d in range(6) if 6 * h + d in self.mouths)
            for h in range(HEXES, HEXES + len(self.volcano))
        }

    @cached_property
    def village_edge(self) -> dict[int, tuple[int, int]]:
        """Village and edge 1..7 of each edge of a tile hex that borders a village."""
        return {site: (v, e) for v, sites in enumerate(self.edges) for e, site in enumerate(sites, 1)}

    @cached_property
    def wall_sites(self) -> tuple[int, ...]:
        """Every site where a wall may stand in some position, ascending."""
        between = [6 * h + d for h in range(len(self.hexes)) for d, g in enumerate(self.beside[h]) if NONE < g < HEXES]
        villages = [FLOW_SITES + VILLAGE_EDGES * v + e for v in range(len(self.edges)) for e in range(VILLAGE_EDGES)]
        return (*between, *sorted(self.mouths), *villages)

    @cached_property
    def wall_site_set(self) -> frozenset[int]:
        """The same as a set."""
        return frozenset(self.wall_sites)

    def hex_name(self, h: int) -> str:
        """The name of a hex."""
        return self.hexes[h] if h < HEXES else self.volcano[h - HEXES]

    def site_name(self, site: int) -> str:
        """The name of a site: `g4.NE`, or `O3` for a village edge."""
        if site >= FLOW_SITES:
            village, edge = divmod(site - FLOW_SITES, VILLAGE_EDGES)
            return f"{self.letters[village]}{edge + 1}"
        return f"{self.hex_name(site // 6)}.{DIRECTIONS[site % 6]}"

    @cached_property
    def site(self) -> dict[str, int]:
        """The site of each name: any edge of any hex, and the village edges."""
        flows = [6 * h + d for h in self.number.values() for d in range(6)]
        villages = [FLOW_SITES + VILLAGE_EDGES * v + e for v in range(len(self.edges)) for e in range(VILLAGE_EDGES)]
        return {self.site_name(site): site for site in (*flows, *villages)}


def edge_of(name: str) -> tuple[str, int] | None:
    """Hex name and direction of an edge's name as `g4.NE`; None for another text."""
    hex_name, _, direction = name.partition(".")
    return (hex_name, DIRECTIONS.index(direction)) if hex_name in AT and direction in DIRECTIONS else None


def make_geometry(data: Mapping[str, Any]) -> Geometry:
    """The geometry of checked edition data."""
    hexes, volcano = tuple(data["board"]["hexes"]), tuple(data["board"]["volcano"])
    number = {name: i for i, name in enumerate(hexes)} | {name: HEXES + i for i, name in enumerate(volcano)}

    def site(name: str) -> int:
        hex_name, direction = name.split(".")
        return 6 * number[hex_name] + DIRECTIONS.index(direction)

    villages = data["villages"]
    return Geometry(
        hexes=hexes,
        volcano=volcano,
        mouths=frozenset(site(name) for name in data["board"]["mouths"]),
        edges=tuple(tuple(site(name) for name in village["edges"]) for village in villages.values()),
        letters="".join(village["letter"] for village in villages.values()),
        villages=tuple(villages),
        resources={number[name]: m for m, word in enumerate(MATERIALS) for name in data["resources"][word]},
    )
