"""The setup of one game of Hawaii as numbers: the edition's tables and the options, in native arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cython

from engines.core.game import BadInput, Setup, Violation
from engines.core.state import Rules
from engines.hawaii.edition import beach_steps, steps_from
from engines.hawaii.facts import (
    BEACH,
    BOAT_CAPACITY,
    BOAT_PREPAID,
    CLASSES,
    DOCKS,
    EFFECTS,
    POSITIONS,
    START_CODE,
    START_HUT,
)

if not cython.compiled:
    from engines.core.layout import array


class HawaiiRules(Rules):
    """Edition and options of one game. Python callers read it by the methods; the arrays are for compiled code."""

    def __init__(self, setup: Setup, data: Mapping[str, Any]) -> None:
        Rules.__init__(self, setup)
        head = data["edition"]
        if not head["seats_min"] <= setup.seats <= head["seats_max"]:
            sentence = f"the edition takes {head['seats_min']} to {head['seats_max']} seats, not {setup.seats}"
            raise BadInput([Violation("seats", sentence)])
        self._arrays()
        self.seats_max = head["seats_max"]
        self.first_spot_vp = head["first_spot_vp_last_round"]
        for i, factor in enumerate(head["level_price"]):
            self.level_price[i] = factor
        self._options(setup.options)
        self._kinds(data["kind"], data["realm"]["start_hut_width"])
        self._main_board(data)
        self._rounds(data)
        self._realm(data["realm"])
        self._sea(data)
        dearest = max(token["value"] for token in data["token"]) * max(head["level_price"])
        self.farthest = max([self.walk[a][b] for a in range(POSITIONS + 1) for b in range(POSITIONS)])
        self.most_paid = max(dearest, self.farthest, POSITIONS, *(dock["cost"] for dock in data["dock"]))
        any_kinds = [max(level.get("any_per_round", 0) for level in kind["levels"]) for kind in data["kind"]]
        self.most_collected = self.n_villages * sum(any_kinds)

    def _arrays(self) -> None:
        if not cython.compiled:
            shapes: dict[str, dict[str, tuple[int, ...]]] = {
                "int16_t": {
                    "start_goods": (3,),
                    "start_fruit": (5,),
                    "target": (5,),
                    "goal_vp": (5, 3),
                    "next_goods": (5, 2),
                },
                "uint32_t": {"sold": (10,), "island_kinds": (16,)},
                "int8_t": {"walk": (11, 10), "effect": (32, 2, 18)},
            }
            for names, size in (
                ("level_price", 2),
                ("boat_capacity boat_prepaid", 3),
                ("dock_cost dock_vp", 4),
                ("kahuna_vp kahuna_shells", 5),
                ("tiki_column tiki_feet", 8),
                ("slots limit", 10),
                ("value spear fish copies island_fruit island_vp", 16),
                ("cls count width levels", 32),
            ):
                shapes["int8_t"].update((name, (size,)) for name in names.split())
            for ctype, arrays in shapes.items():
                for name, dims in arrays.items():
                    setattr(self, name, array(ctype, *dims))

    def _options(self, options: Mapping[str, Any]) -> None:
        self.path_return = options["beach_return"] == "path"
        self.turn_return = options["beach_return"] == "turn"
        self.every_payment = options["exchange_scope"] == "payment"
        self.row_skip = options["row_skip"]
        self.equal_stays = options["limit_equal_stays"]
        self.laka_all = options["laka_scope"] == "all"
        self.by_resources = options["tie_break"] == "resources"
        self.open_hands = options["open_hands"]
        self.open_scores = options["open_scores"]

    def _kinds(self, kinds: list[dict[str, Any]], start_hut_width: int) -> None:
        self.n_kinds = len(kinds)
        self.start_hut = self.n_kinds
        start = {
            "id": START_HUT,
            "name": "start hut",
            "code": START_CODE,
            "class": "hut",
            "count": 0,
            "width": start_hut_width,
            "levels": [{}],
        }
        rows = [*kinds, start]
        self.kinds = tuple(row["id"] for row in rows)
        self.kind_codes = tuple(row["code"] for row in rows)
        self.kind_names = tuple(row["name"] for row in rows)
        masks = dict.fromkeys(CLASSES, 0)
        for k, row in enumerate(rows):
            self.cls[k] = CLASSES.index(row["class"])
            self.count[k] = row["count"]
            self.width[k] = row["width"]
            self.levels[k] = len(row["levels"])
            masks[row["class"]] |= 1 << k
            for level, effects in enumerate(row["levels"]):
                for e, key in enumerate(EFFECTS):
                    self.effect[k][level][e] = effects.get(key, 0)
        self.huts = masks["hut"]
        self.gods = masks["god"]
        self.fruits = masks["fruit"]
        self.surfers = masks["surfer"]
        self.boat_kind, self.kahuna_kind, self.tiki_kind = (
            next(k for k, row in enumerate(kinds) if row["class"] == name) for name in ("boat", "kahuna", "tiki")
        )

    def _mask(self, ids: list[str]) -> int:
        mask = 0
        for kind in ids:
            mask |= 1 << self.kinds.index(kind)
        return mask

    def _main_board(self, data: Mapping[str, Any]) -> None:
        self.areas = tuple(area["id"] for area in data["area"])
        for a, area in enumerate(data["area"]):
            self.slots[a] = area["slots"]
            self.limit[a] = area["limit"]
            self.sold[a] = self._mask(area["kinds"])
        self.n_types = len(data["token"])
        self.tokens = tuple((token["value"], token["spear"]) for token in data["token"])
        for t, token in enumerate(data["token"]):
            self.value[t] = token["value"]
            self.spear[t] = token["spear"]
            self.fish[t] = token["fish"]
            self.copies[t] = token["count"]
        self.positions = tuple((row["x"], row["row"], row["beach"]) for row in data["position"])
        beach = [1 + steps for steps in beach_steps(data["position"])]
        for q in range(POSITIONS):
            self.walk[BEACH][q] = beach[q]
            for p, steps in enumerate(steps_from(data["position"], [q])):
                cost = 1 if p == q else steps
                self.walk[q][p] = min(cost, beach[p]) if self.path_return else cost

    def _rounds(self, data: Mapping[str, Any]) -> None:
        start = data["start"]
        self.start_goods[0] = start["shells"]
        self.start_goods[1] = start["feet"]
        for s, fruit in enumerate(start["fruit"]):
            self.start_fruit[s] = fruit
        self.n_rounds = len(data["round"])
        for i, row in enumerate(data["round"]):
            self.target[i] = row["target"]
            self.next_goods[i][0] = row["next_shells"]
            self.next_goods[i][1] = row["next_feet"]
            for k in range(3):
                self.goal_vp[i][k] = row["vp"][k]

    def _realm(self, realm: Mapping[str, Any]) -> None:
        self.n_villages = realm["villages"]
        self.columns = realm["columns"]
        self.printed_column = realm["printed_tiki_column"]
        self.n_tikis = len(realm["tiki"])
        for i, space in enumerate(realm["tiki"]):
            self.tiki_column[i] = space["column"]
            self.tiki_feet[i] = space["feet"]
        for i, space in enumerate(realm["kahuna"]):
            self.kahuna_vp[i] = space["vp"]
            self.kahuna_shells[i] = space["shells"]
        self.boat_capacity[0] = realm["start_boat_capacity"]
        for level in range(self.levels[self.boat_kind]):
            self.boat_capacity[level + 1] = self.effect[self.boat_kind][level][BOAT_CAPACITY]
            self.boat_prepaid[level + 1] = self.effect[self.boat_kind][level][BOAT_PREPAID]

    def _sea(self, data: Mapping[str, Any]) -> None:
        self.n_docks = DOCKS
        for i, dock in enumerate(data["dock"]):
            self.dock_cost[i] = dock["cost"]
            self.dock_vp[i] = dock["vp"]
        self.islands = tuple(island["id"] for island in data["island"])
        self.n_islands = len(self.islands)
        for i, island in enumerate(data["island"]):
            self.island_fruit[i] = island["fruit"]
            self.island_vp[i] = island["vp"]
            self.island_kinds[i] = self._mask(island["kinds"])

    # -- for Python callers; each raises IndexError for a number that does not exist --------------------------------

    def kind(self, k: int) -> tuple[int, int, int, int]:
        """Class, count, width and number of levels of a kind; the start hut is the last one."""
        if not 0 <= k <= self.n_kinds:
            raise IndexError(k)
        return self.cls[k], self.count[k], self.width[k], self.levels[k]

    def effects(self, k: int, level: int) -> tuple[int, ...]:
        """What side `level` (1 or 2) of a kind does, in the order of `facts.EFFECTS`."""
        if not (0 <= k <= self.n_kinds and 1 <= level <= 2):
            raise IndexError((k, level))
        return tuple([self.effect[k][level - 1][e] for e in range(len(EFFECTS))])

    def token(self, t: int) -> tuple[int, bool, int, int]:
        """Value, whether it has spears, fish and count of a token type."""
        if not 0 <= t < self.n_types:
            raise IndexError(t)
        return self.value[t], bool(self.spear[t]), self.fish[t], self.copies[t]

    def area(self, a: int) -> tuple[int, int, tuple[int, ...]]:
        """Slots, limit and kinds on sale of an area."""
        if not 0 <= a < POSITIONS:
            raise IndexError(a)
        return self.slots[a], self.limit[a], self._members(self.sold[a])

    def island(self, i: int) -> tuple[int, int, tuple[int, ...]]:
        """Fruit, points and kinds of an island."""
        if not 0 <= i < self.n_islands:
            raise IndexError(i)
        return self.island_fruit[i], self.island_vp[i], self._members(self.island_kinds[i])

    def dock(self, d: int) -> tuple[int, int]:
        """Feet and points of dock 1 to 4."""
        if not 1 <= d <= self.n_docks:
            raise IndexError(d)
        return self.dock_cost[d - 1], self.dock_vp[d - 1]

    def round(self, r: int) -> tuple[int, tuple[int, int, int], tuple[int, int]]:
        """Target, points (first, second, others) and goods at the next start (shells, feet) of round 1, 2, ..."""
        if not 1 <= r <= self.n_rounds:
            raise IndexError(r)
        i = r - 1
        points = (self.goal_vp[i][0], self.goal_vp[i][1], self.goal_vp[i][2])
        return self.target[i], points, (self.next_goods[i][0], self.next_goods[i][1])

    def boat(self, sort: int) -> tuple[int, int]:
        """Capacity and prepaid feet of the start boat (0) or a boat of level 1 or 2."""
        if not 0 <= sort <= 2:
            raise IndexError(sort)
        return self.boat_capacity[sort], self.boat_prepaid[sort]

    def tiki(self, i: int) -> tuple[int, int]:
        """Column and feet of tiki space 1, 2, ... from the right."""
        if not 1 <= i <= self.n_tikis:
            raise IndexError(i)
        return self.tiki_column[i - 1], self.tiki_feet[i - 1]

    def kahuna(self, i: int) -> tuple[int, int]:
        """Points and shells of kahuna space 1, 2, ... from the top."""
        if not 1 <= i <= self.n_villages:
            raise IndexError(i)
        return self.kahuna_vp[i - 1], self.kahuna_shells[i - 1]

    def price(self, token: int, level: int) -> int:
        """Shells of a purchase with a token type on side `level` (1 or 2)."""
        if not (0 <= token < self.n_types and 1 <= level <= 2):
            raise IndexError((token, level))
        return self.value[token] * self.level_price[level - 1]

    def start(self, seat: int) -> tuple[int, int, int]:
        """Shells, feet and fruit that a seat starts with."""
        if not 0 <= seat < self.seats:
            raise IndexError(seat)
        return self.start_goods[0], self.start_goods[1], self.start_fruit[seat]

    def _members(self, mask: int) -> tuple[int, ...]:
        return tuple([k for k in range(self.n_kinds) if mask >> k & 1])
