"""Component data: the counts and symmetries of the box, and what makes an edition unsound."""

from __future__ import annotations

import copy
import tomllib
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from engines import registry
from engines.core.game import BadInput, Setup
from engines.core.rollout import rollout
from engines.eruption import edition, invariants, moves
from engines.eruption.facts import AT, DEAL_CODE, FLOW_SITES, HEXES, NAME_AT, NONE
from engines.eruption.rules import make_rules, start
from tests.engines.eruption.support import rules

DATA = tomllib.loads((files("engines.eruption") / "editions" / "eruption-stratus-2011.toml").read_text("utf-8"))


def test_the_box() -> None:
    assert edition.check(DATA) == []
    tiles = DATA["tiles"]
    assert sum(row["count"] for row in tiles.values() if not row["source"]) == 40
    assert tiles["ERUPTION"]["count"] == 3
    assert sum(row["count"] for row in DATA["cards"].values()) == 36
    assert [row["stock"] for row in DATA["materials"].values()] == [18, 15, 15]
    assert sum(DATA["forecast"]["piles"]) == 40
    walls = Counter(row["wall"] for row in DATA["cards"].values() for _ in range(row["count"]))
    assert walls == {"stone": 10, "wood": 12, "straw": 14}


def test_periods() -> None:
    known = rules()
    periods = {kind: known.turns(k) for k, kind in enumerate(known.kinds)}
    assert {kind: n for kind, n in periods.items() if n < 6} == {"03": 3, "0134": 3, "024": 2, "X": 1}


def test_edges_of_the_board() -> None:
    geometry = rules().geometry
    faced = Counter()
    for h in range(len(geometry.hexes)):
        for d, g in enumerate(geometry.beside[h]):
            shore = "village" if 6 * h + d in geometry.village_edge else "sea"
            faced[shore if g == NONE else "volcano" if g >= HEXES else "tile"] += 1
    assert faced == {"tile": 276, "volcano": 18, "village": 42, "sea": 24}
    assert (len(geometry.hexes), len(geometry.volcano), len(geometry.mouths)) == (60, 7, 6)
    assert Counter(geometry.resources.values()) == {0: 6, 1: 3, 2: 3}


def test_villages() -> None:
    geometry = rules().geometry
    by_hex: dict[int, list[int]] = {}
    for site, (village, _) in geometry.village_edge.items():
        by_hex.setdefault(site // 6, []).append(village)
    assert all(len(set(found)) == 1 and len(found) <= 2 for found in by_hex.values())
    letters = {seats: "".join(geometry.letters[v] for v in rules(seats).villages_of_seats()) for seats in range(2, 7)}
    assert letters == {2: "OB", 3: "OGP", 4: "YGPR", 5: "OYGPR", 6: "OYGBPR"}


def test_half_a_turn_maps_the_board_onto_itself() -> None:
    geometry = rules().geometry

    def opposite(site: int) -> int:
        q, r = AT[geometry.hexes[site // 6]]
        return 6 * geometry.number[NAME_AT[-q, -r]] + (site + 3) % 6

    assert {opposite(6 * h) // 6 for h in range(len(geometry.hexes))} == set(range(len(geometry.hexes)))
    for v, sites in enumerate(geometry.edges):
        assert [opposite(site) for site in sites] == list(geometry.edges[(v + 3) % 6])


def test_codes() -> None:
    """The specification's table counts 21 codes for RelocateWall; here they name the village, so there are 126."""
    known = rules()
    words = moves.vocabulary(known)
    counts = Counter(type(move).__name__ for move in words if move is not None)
    assert sum(1 for move in words[:DEAL_CODE] if move is not None) == 2650 - 21 + 126
    assert sum(1 for move in words[DEAL_CODE:] if move is not None) == 186
    assert counts["BuildWall"] == 972
    assert counts["RemoveWall"] == 324
    assert len(known.geometry.wall_sites) == 276 + 6 + 42
    assert sum(site >= FLOW_SITES for site in known.geometry.wall_sites) == 42


def test_first_tile_of_every_kind() -> None:
    known = rules()
    state = start(known)
    assert state.snapshot().table.stack == tuple(known.number_of_tiles(k) for k in range(12))


FAULTS: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "a number too low": ("numbers.hand_start", lambda d: d["numbers"].update(hand_start=0)),
    "a hand over its limit": ("numbers.hand_start", lambda d: d["numbers"].update(hand_limit=2)),
    "heat between two spaces": ("numbers.rain", lambda d: d["numbers"].update(rain=35)),
    "two zones": ("numbers.zone_starts", lambda d: d["numbers"].update(zone_starts=[50, 120])),
    "another die": ("numbers.die_sides", lambda d: d["numbers"].update(die_sides=8)),
    "start beyond the stock": ("numbers.walls_start.straw", lambda d: d["numbers"]["walls_start"].update(straw=4)),
    "weaker is stronger": ("materials.straw.weaker", lambda d: d["materials"]["straw"].update(weaker="wood")),
    "a wall of glass": ("cards.AS.wall", lambda d: d["cards"]["AS"].update(wall="glass")),
    "too few cards": ("cards", lambda d: [row.update(count=2) for row in d["cards"].values()]),
    "a card missing": ("cards.LF", lambda d: d["cards"].pop("LF")),
    "a name that lies": ("tiles.T3", lambda d: d["tiles"]["T3"].update(edges=[2])),
    "an edge twice": ("tiles.T34.edges", lambda d: d["tiles"]["T34"].update(edges=[3, 3])),
    "no eruption tile": ("tiles", lambda d: d["tiles"].pop("ERUPTION")),
    "piles of another size": ("forecast.piles", lambda d: d["forecast"].update(piles=[14, 13, 12])),
    "a hex twice": ("board.hexes[1]", lambda d: d["board"]["hexes"].__setitem__(1, "a8")),
    "a hex off the grid": ("board.hexes[0]", lambda d: d["board"]["hexes"].__setitem__(0, "z9")),
    "a hex in the volcano": ("board.volcano", lambda d: d["board"]["volcano"].__setitem__(0, "a8")),
    "a mouth into rock": ("board.mouths[0]", lambda d: d["board"]["mouths"].__setitem__(0, "f6.N")),
    "a resource at sea": ("resources.wood[0]", lambda d: d["resources"]["wood"].__setitem__(0, "a1")),
    "a letter twice": ("villages.red.letter", lambda d: d["villages"]["red"].update(letter="O")),
    "an edge inland": ("villages.red.edges[0]", lambda d: d["villages"]["red"]["edges"].__setitem__(0, "h4.N")),
    "an owner without village": ("villages_by_seats.2", lambda d: d["villages_by_seats"].update({"2": ["orange"]})),
    "uneven teams": ("clans.halves_4", lambda d: d["clans"].update(halves_4=[0, 0, 0, 1])),
    "an unknown table": ("weather", lambda d: d.update(weather={})),
    "a text for a number": ("tiles.T3.count", lambda d: d["tiles"]["T3"].update(count="1")),
}


@pytest.mark.parametrize("name", FAULTS)
def test_unsound_editions(name: str) -> None:
    field, spoil = FAULTS[name]
    data = copy.deepcopy(DATA)
    spoil(data)
    found = edition.check(data)
    assert field in [violation.field for violation in found]
    assert {violation.id for violation in found} == {"eruption.edition.invalid"}


def test_another_box_plays() -> None:
    """Fewer hexes in another order, fewer kinds, other numbers: nothing is taken for granted."""
    data = copy.deepcopy(DATA)
    data["board"]["hexes"] = [name for name in reversed(data["board"]["hexes"]) if name not in ("d5", "h7")]
    for kind in ("T024", "T01235"):
        data["tiles"].pop(kind)
    data["forecast"]["piles"] = [11, 10, 10]
    data["numbers"] |= {"hand_limit": 2, "hand_start": 2, "meter_last": 300, "damage_open_flow": 30}
    assert edition.check(data) == []
    for mode, forecast in (("base", False), ("annihilation", True)):
        options = edition.options(data, {"mode": mode, "forecast": forecast})
        known = make_rules(Setup("eruption", "other", "0" * 16, 3, options), data)
        for seed in range(5):
            state = start(known)
            for limit in (20, 40, 80, 1000):
                rollout(state, seed, limit)
                assert invariants.check(known, state.snapshot()) == []
            assert state.end_reason()


def test_options() -> None:
    game = registry.game("eruption")
    with pytest.raises(BadInput, match="clans are played by 4 or 6 seats"):
        registry.make_setup(game, seats=3, options={"mode": "clans"})
    with pytest.raises(BadInput, match="ply_limit: must be 500 to 1000000"):
        registry.make_setup(game, options={"ply_limit": 10})
    assert rules(6, mode="clans").teams_of_seats() == (0, 0, 0, 1, 1, 1)
    assert rules(6, mode="clans", clans_layout="opposite").teams_of_seats() == (0, 1, 2, 0, 1, 2)
    assert rules(4, clans_layout="opposite").teams_of_seats() == (0, 1, 2, 3)
    assert rules(no_rain=True).card(3)[0] == 0
