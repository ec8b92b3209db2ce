"""Edition and options of one Kilauea game as C arrays: what its states read and never change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cython

from engines.core.game import Setup
from engines.core.state import Rules
from engines.kilauea import steps
from engines.kilauea.facts import DISCARD, GAIN_STONES, GAIN_VP, SEAL, SECTIONS, TILES
from engines.kilauea.forests import Face, read_faces

if not cython.compiled:
    from engines.core.layout import array


class KilaueaRules(Rules):
    """The rules object of a checked setup."""

    def __init__(self, setup: Setup, data: Mapping[str, Any]) -> None:
        Rules.__init__(self, setup)
        if not cython.compiled:
            self.n_space = array("int8_t", 10)
            self.usable = array("uint16_t", 10)
            self.tile_row = array("uint16_t", 10)
            self.before = array("uint16_t", 10, 12)
            self.face_weight = array("int8_t", 10)
            self.has_pillar = array("int8_t", 5, 6)
            self.lane = array("int8_t", 20)
            self.lane_at = array("int8_t", 20)
            self.space_section = array("int8_t", 20)
            self.space_reef = array("int8_t", 20)
            self.start_stones = array("int8_t", 4)
            self.cost = array("int8_t", 2, 11)
            self.n_steps = array("int8_t", 2, 11)
            self.step_op = array("int8_t", 2, 11, 6)
            self.step_number = array("int8_t", 2, 11, 6)
            self.sure_after = array("int8_t", 2, 11, 6)
        seats = data["seats"][str(setup.seats)]
        limits, score = data["limits"], data["score"]
        self.colours = tuple(data["edition"]["colours"])
        self.flowers = tuple(data["edition"]["flowers"])
        self.n_colours = len(self.colours)
        self.canoe_tikis = limits["canoe_tikis"]
        self.canoe_stones = limits["canoe_stones"]
        self.pillar_height = limits["pillar_height"]
        self.crater_start = limits["crater_start"]
        self.volcano_stones_max = limits["volcano_stones_max"]
        self.island_cost = limits["island_cost"]
        self.max_seals = limits["seals"]
        self.max_distance = 1 + self.canoe_tikis + self.canoe_stones
        self.vp_tallest = score["tallest"]
        self.vp_other = score["other"]
        self.vp_all_islands = score["all_islands"]
        self.stones_per_vp = score["stones_per_vp"]
        self.vp_canoe_tiki = score["canoe_tiki"]
        self.intermediate_at = score["intermediate_at"]
        self.final_at = score["final_at"]
        self.turn_limit = int(setup.options["turn_limit"])
        self.tikis_per_colour = seats["tikis_per_colour"]
        self.marked_used = seats["marked_spaces_used"]
        for i, stones in enumerate(seats["start_stones"]):
            self.start_stones[i] = stones
        for t in range(SECTIONS):
            for c, colour in enumerate(self.colours):
                self.has_pillar[t][c] = colour in data["volcano"]["pillars"][t]
        self._forests(read_faces(data["forest"]), str(setup.options["faces"]))
        self._track(data["track"])
        self._effects(data, str(setup.options["extra"]))

    def _forests(self, faces: tuple[Face, ...], option: str) -> None:
        self.faces = faces
        self.longest_face = max(len(face.spaces) for face in faces)
        for f, face in enumerate(faces):
            wanted = option[face.board - 1]
            self.face_weight[f] = 1 if wanted == "r" else 2 if wanted == face.letter else 0
            self.n_space[f] = len(face.spaces)
            everything = (1 << len(face.spaces)) - 1
            self.usable[f] = everything if self.marked_used else everything & ~face.marked
            self.tile_row[f] = face.tile_row
            for x, mask in enumerate(face.before):
                self.before[f][x] = mask

    def _track(self, track: Mapping[str, Any]) -> None:
        self.start_space = track["start"]
        self.track_length = len(track["space"])
        lane = [i for i, space in enumerate(track["space"]) if self.marked_used or not space["p34"]]
        self.lane_length = len(lane)
        for i, space in enumerate(track["space"]):
            self.space_section[i] = space["section"]
            self.space_reef[i] = space["reef"]
            self.lane_at[i] = lane.index(i) if i in lane else -1
        for k, i in enumerate(lane):
            self.lane[k] = i

    def _effects(self, data: Mapping[str, Any], extra: str) -> None:
        tiles = data["tiles"]
        self.may_seal = False
        for place, side in enumerate((tiles["reef_face"], tiles["volcano_face"])):
            for tile in range(1, TILES + 1):
                letter = extra if tile == tiles["extra_replaces"] and extra != "none" else ""
                effect = data["effect"][steps.name(tile, side, letter)]
                self.cost[place][tile] = effect["cost"]
                self.n_steps[place][tile] = len(effect["steps"])
                for i, text in enumerate(effect["steps"]):
                    step = steps.read_step(text)
                    assert step is not None
                    self.step_op[place][tile][i], self.step_number[place][tile][i] = step
                    self.may_seal = self.may_seal or step[0] == SEAL
                self._sure(place, tile)

    def _sure(self, place: int, tile: int) -> None:
        """Marks the steps after which nothing can fail any more, so that no look-ahead is needed."""
        sure = True
        for i in range(self.n_steps[place][tile] - 1, -1, -1):
            self.sure_after[place][tile][i] = sure
            op = self.step_op[place][tile][i]
            sure = sure and (op in (GAIN_VP, DISCARD) or (op == GAIN_STONES and i > 0))

    def face(self, number: int) -> Face:
        """The forest face of a number. Raises IndexError."""
        if number < 0:
            raise IndexError(number)
        return self.faces[number]

    def usable_spaces(self, face: int) -> int:
        """Mask of the spaces of a face that this number of seats uses. Raises IndexError."""
        if not 0 <= face < len(self.faces):
            raise IndexError(face)
        return self.usable[face]

    def weight_of(self, face: int) -> int:
        """Weight of a face in the draw of its board: 0 when the option `faces` excludes it. Raises IndexError."""
        if not 0 <= face < len(self.faces):
            raise IndexError(face)
        return self.face_weight[face]

    def pillar_space(self, section: int, colour: int) -> bool:
        """Whether a section has a pillar space of a colour. Raises IndexError."""
        if not (0 <= section < SECTIONS and 0 <= colour < self.n_colours):
            raise IndexError((section, colour))
        return bool(self.has_pillar[section][colour])

    def canoe_space(self, space: int) -> tuple[int, int, bool]:
        """Section, reef slot, and whether this number of seats uses a canoe space. Raises IndexError."""
        if not 0 <= space < self.track_length:
            raise IndexError(space)
        return self.space_section[space], self.space_reef[space], self.lane_at[space] >= 0

    def stones_at_start(self, position: int) -> int:
        """Stones that the seat in this position of the turn order begins with. Raises IndexError."""
        if not 0 <= position < self.seats:
            raise IndexError(position)
        return self.start_stones[position]

    def effect(self, tile: int, on_volcano: bool) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Cost and steps of a tile, by its reef side or its volcano side. Raises IndexError."""
        if not 1 <= tile <= TILES:
            raise IndexError(tile)
        place = 1 if on_volcano else 0
        n = self.n_steps[place][tile]
        pairs = [(self.step_op[place][tile][i], self.step_number[place][tile][i]) for i in range(n)]
        return self.cost[place][tile], tuple(pairs)
