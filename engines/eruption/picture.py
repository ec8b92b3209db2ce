"""An Eruption position as people see it: a hex map for the terminal and an SVG from one geometry."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin, sqrt

from engines.core.svg import Drawing
from engines.eruption.facts import (
    AT,
    CARDS,
    FACTS,
    FLOW_SITES,
    HEXES,
    MATERIAL_LETTERS,
    MATERIALS,
    NONE,
    OVER,
    PHASES,
    ROW,
    USED,
    VILLAGE_EDGES,
)
from engines.eruption.observe import EruptionObservation
from engines.eruption.reading import Reading

VILLAGE_COLOURS = {
    "orange": "#e67e22",
    "yellow": "#d4ac0d",
    "green": "#1e8449",
    "blue": "#2471a3",
    "purple": "#7d3c98",
    "red": "#c0392b",
}
MATERIAL_COLOURS = ("#e8c547", "#8d5524", "#aab1b5")
LAVA_COLOUR, ROCK, SAND, VOLCANO, PAPER = "#ff7a1a", "#46403c", "#efe4c8", "#6d4c41", "#eaf3f7"
MARKS = "|/\\|/\\"
"""How an edge with lava looks in the terminal, by direction."""


@dataclass(frozen=True)
class _Scene:
    """What both pictures draw."""

    observation: EruptionObservation
    reading: Reading

    def village_name(self, v: int) -> str:
        return str(self.reading.geometry.villages[v])

    def owner(self, v: int) -> int:
        """The seat that owns a village, or NONE."""
        villages = self.reading.rules.villages_of_seats()
        return villages.index(v) if v in villages else NONE

    def wall(self, h: int, d: int) -> int:
        """The material of the wall on an edge of a hex, in the open or in a village; NONE without one."""
        edge = self.reading.geometry.village_edge.get(6 * h + d)
        site = 6 * h + d if edge is None else self.reading.edge_site(*edge)
        return self.reading.walls.get(site, NONE)

    def seats(self) -> list[str]:
        """One line a seat: village, heat, cards and pieces."""
        o, t = self.observation, self.observation.table
        lines = []
        for seat, v in enumerate(o.rules.villages_of_seats()):
            pieces = "".join(letter * n for letter, n in zip(MATERIAL_LETTERS, t.pieces[seat], strict=True)) or "-"
            cards = f"{o.hand_sizes[seat]} cards"
            if seat == o.viewer:
                cards = ",".join(card for card, n in zip(CARDS, o.hand, strict=True) for _ in range(n)) or "no cards"
            burnt = " burnt" if t.burnt[seat] else ""
            heat = f"{t.temps[seat]:>3} degrees, zone {self.reading.zone(seat)}{burnt}"
            lines.append(f"{seat} {self.village_name(v):<6} {heat}, {cards}, pieces {pieces}")
        return lines

    def table(self) -> list[str]:
        """What lies beside the board, and whose turn it is."""
        o, t = self.observation, self.observation.table
        rules = o.rules
        places = {ROW: "in the row", USED: "used"} | {seat: f"held by {seat}" for seat in range(rules.seats)}
        tiles = "  ".join(f"{rules.kinds[k]}:{n}" for k, n in enumerate(t.stack) if n)
        stock = ", ".join(f"{n} {name}" for name, n in zip(MATERIALS, t.stock, strict=True))
        lines = [f"stack of {sum(t.stack)}: {tiles or 'none'}"]
        if rules.forecast:
            tops = [rules.kinds[k] if k != NONE else "?" for k in t.pile_tops]
            lines.append("piles " + ", ".join(f"{n} ({top})" for n, top in zip(t.pile_sizes, tops, strict=True)))
        lines.append(f"stock {stock}; deck {o.deck_size} cards, {sum(t.card_discard)} discarded")
        lines.append("eruption tiles " + ", ".join(places[holder] for holder in t.eruption))
        drawn = "" if t.tile == NONE else f", tile {rules.kinds[t.tile]}"
        last = f", last round ({t.final_left} turns left)" if t.final_left else ""
        if t.phase == OVER:
            lines.append(f"over: {FACTS.end_reasons[t.ended_by - 1]}")
        else:
            lines.append(f"turn of seat {t.turn_seat}, {PHASES[t.phase]}{drawn}{last}")
        return lines


def _scene(observation: EruptionObservation) -> _Scene:
    return _Scene(observation, Reading(observation.rules, observation.table))


# -- terminal -----------------------------------------------------------------------------------------------------

_OFFSETS = ((0, 0), (1, 2), (3, 2), (3, 0), (3, -2), (1, -2))
"""Line and column of each edge's mark from the top and the middle of its hex."""
_STYLES = {"lava": "38;5;208", "wall": "1", "tile": "38;5;245", "source": "1;38;5;196", "volcano": "38;5;130"}


def text(observation: EruptionObservation, colour: bool = False) -> str:
    """The hex map and the standing; `colour` adds the codes of an ANSI terminal.

    A hex shows its name: between `#` with a lava tile, `*` with an eruption tile, `^` in the volcano; a letter after
    it is its resource. Around it stand lava (`|`, `/`, `\\`), lava that enters a village (`!`), walls (`s`, `w`, `t`)
    and the letters of the villages beyond.
    """
    scene = _scene(observation)
    geometry = scene.reading.geometry
    cells: dict[tuple[int, int], tuple[str, str]] = {}
    for name, h in geometry.number.items():
        q, r = AT[name]
        line, column = 4 * r + 2 * q, 6 * q
        words, style = _hex_words(scene, name, h)
        for i, letter in enumerate(words):
            cells[line + 2, column + i - len(words) // 2] = (letter, style)
        for d, (down, right) in enumerate(_OFFSETS):
            mark, style = _mark(scene, h, d)
            if mark:
                cells[line + down, column + right] = (mark, style)
    lines = [_line(cells, line, colour) for line in range(min(cells)[0], max(cells)[0] + 1)]
    return "\n".join([*lines, "", *scene.seats(), *scene.table()])


def _line(cells: dict[tuple[int, int], tuple[str, str]], line: int, colour: bool) -> str:
    left, right = min(c for _, c in cells), max(c for _, c in cells)
    written = [cells.get((line, column), (" ", "")) for column in range(left, right + 1)]
    codes = {"": ""} | _STYLES
    shown = [
        f"\x1b[{codes.get(style, style)}m{letter}\x1b[0m" if colour and style else letter for letter, style in written
    ]
    while shown and shown[-1] == " ":
        shown.pop()
    return "".join(shown)


def _hex_words(scene: _Scene, name: str, h: int) -> tuple[str, str]:
    resource = scene.reading.geometry.resources.get(h, NONE)
    letter = "" if resource == NONE else f"/{MATERIAL_LETTERS[resource]}"
    if h >= HEXES:
        return f"^{name}^", "volcano"
    if h not in scene.reading.tiles:
        held = "~" if h in scene.observation.table.held else ""
        return f"{held}{name}{letter}", ""
    source = scene.reading.tiles[h][0] == scene.reading.rules.source
    return (f"*{name}*", "source") if source else (f"#{name}#", "tile")


def _mark(scene: _Scene, h: int, d: int) -> tuple[str, str]:
    """The letter on an edge of a hex, and its style."""
    wall, lava = scene.wall(h, d), scene.reading.has_lava(h, d)
    edge = scene.reading.geometry.village_edge.get(6 * h + d)
    if wall != NONE:
        return MATERIAL_LETTERS[wall], "wall"
    if edge is None:
        return (MARKS[d], "lava") if lava else ("", "")
    return ("!", "lava") if lava else (str(scene.reading.geometry.letters[edge[0]]), "")


# -- SVG ----------------------------------------------------------------------------------------------------------

SIZE = 34.0
"""Side of a hex in pixels."""
MAP_WIDTH, MAP_HEIGHT = 700.0, 640.0
METER_LEFT, METER_WIDTH, METER_HEIGHT = 120.0, 480.0, 14.0

Point = tuple[float, float]


def _centre(name: str) -> Point:
    q, r = AT[name]
    return MAP_WIDTH / 2 + 1.5 * SIZE * q, MAP_HEIGHT / 2 + sqrt(3) * SIZE * (r + q / 2)


def _off(centre: Point, degrees: float, distance: float) -> Point:
    return centre[0] + distance * cos(radians(degrees)), centre[1] + distance * sin(radians(degrees))


def _towards(centre: Point, d: int, share: float) -> Point:
    """The point on the way to the middle of edge `d`; share 1 is that middle."""
    return _off(centre, 60 * d - 90, share * SIZE * sqrt(3) / 2)


def _corners(centre: Point, size: float) -> list[Point]:
    return [_off(centre, 60 * i, size) for i in range(6)]


def _bar(centre: Point, d: int, share: float, length: float, width: float) -> list[Point]:
    """A bar along edge `d`, in pixels."""
    x, y = _towards(centre, d, share)
    along, across = radians(60 * d), radians(60 * d - 90)
    return [
        (
            x + a * length / 2 * cos(along) + b * width / 2 * cos(across),
            y + a * length / 2 * sin(along) + b * width / 2 * sin(across),
        )
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def svg(observation: EruptionObservation) -> str:
    """The same as an SVG document, with the temperatures as a meter."""
    scene = _scene(observation)
    geometry = scene.reading.geometry
    words = [*scene.seats(), *scene.table()]
    height = MAP_HEIGHT + (METER_HEIGHT + 10) * observation.rules.seats + 22 * len(words) + 50
    drawing = Drawing(MAP_WIDTH, height, "Eruption position")
    drawing.rect(0, 0, MAP_WIDTH, height, fill=PAPER, stroke="none")
    for name, h in geometry.number.items():
        _draw_hex(drawing, scene, name, h)
    for v, sites in enumerate(geometry.edges):
        _draw_village(drawing, scene, v, sites)
    for site, material in observation.table.walls:
        _draw_wall(drawing, scene, site, material)
    bottom = _draw_meter(drawing, scene, MAP_HEIGHT + 10)
    for i, line in enumerate(words):
        drawing.text(20, bottom + 26 + 22 * i, line, size=13)
    return drawing.document()


def _draw_hex(drawing: Drawing, scene: _Scene, name: str, h: int) -> None:
    centre = _centre(name)
    tile = scene.reading.tiles.get(h)
    table = scene.observation.table
    resource = scene.reading.geometry.resources.get(h, NONE)
    fill = VOLCANO if h >= HEXES else ROCK if tile else SAND
    stroke = "#d32f2f" if h in table.held or (table.target != NONE and table.target // 6 == h) else "#9b8f78"
    title = name if tile is None else f"{name}: {scene.reading.rules.kinds[tile[0]]}/{tile[1]}"
    drawing.polygon(_corners(centre, SIZE - 1), fill=fill, stroke=stroke, title=title)
    lava = [d for d in range(6) if scene.reading.has_lava(h, d)]
    for d in lava:
        start = _towards(centre, d, 0.7 if h >= HEXES else 0)
        end = _towards(centre, d, 0.97)
        drawing.line(*start, *end, stroke=LAVA_COLOUR, width=11)
    if tile is None:
        if h < HEXES:
            drawing.text(centre[0], centre[1] + 4, name, size=10, fill="#8a7f6a", anchor="middle")
        if resource != NONE:
            x, y = centre[0] - 7, centre[1] - 20
            drawing.rect(x, y, 14, 10, fill=MATERIAL_COLOURS[resource], title=MATERIALS[resource])
        return
    source = tile[0] == scene.reading.rules.source
    drawing.circle(*centre, 14 if source else 6, fill="#ffd54f" if source else LAVA_COLOUR, stroke=LAVA_COLOUR)


def _draw_village(drawing: Drawing, scene: _Scene, v: int, sites: tuple[int, ...]) -> None:
    name, owner = scene.village_name(v), scene.owner(v)
    colour = VILLAGE_COLOURS.get(name, "#555555")
    middle = (MAP_WIDTH / 2, MAP_HEIGHT / 2)
    points = []
    for e, site in enumerate(sites, 1):
        h, d = divmod(site, 6)
        centre = _centre(scene.reading.geometry.hexes[h])
        points.append(_towards(centre, d, 1.3))
        title = f"{scene.reading.geometry.letters[v]}{e}"
        drawing.polygon(_bar(centre, d, 1.06, SIZE * 0.96, 7), fill=colour, stroke="none", title=title)
        if scene.reading.contact(v, e):
            drawing.circle(*_towards(centre, d, 1.06), 5, fill=LAVA_COLOUR, stroke="#b71c1c")
    x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    x, y = x + 0.16 * (x - middle[0]), y + 0.16 * (y - middle[1])
    drawing.text(x, y + 5, name if owner == NONE else f"{name} ({owner})", size=14, fill=colour, anchor="middle")


def _draw_wall(drawing: Drawing, scene: _Scene, site: int, material: int) -> None:
    geometry = scene.reading.geometry
    title = f"{MATERIALS[material]} on {geometry.site_name(site)}"
    share = 0.9
    if site >= FLOW_SITES:
        site = geometry.edges[(site - FLOW_SITES) // VILLAGE_EDGES][(site - FLOW_SITES) % VILLAGE_EDGES]
        share = 1.1
    h, d = divmod(site, 6)
    shape = _bar(_centre(geometry.hex_name(h)), d, share, SIZE * 0.62, 9)
    drawing.polygon(shape, fill=MATERIAL_COLOURS[material], stroke="#222222", title=title)


def _draw_meter(drawing: Drawing, scene: _Scene, top: float) -> float:
    """A bar a seat, with the danger zones marked; returns where it ends."""
    rules, temps = scene.reading.rules, scene.observation.table.temps
    end = top + (METER_HEIGHT + 10) * rules.seats
    for seat, v in enumerate(rules.villages_of_seats()):
        y = top + (METER_HEIGHT + 10) * seat
        name = scene.village_name(v)
        colour = VILLAGE_COLOURS.get(name, "#555555")
        drawing.text(20, y + 12, f"{name} ({seat})", size=13, fill=colour)
        drawing.rect(METER_LEFT, y, METER_WIDTH, METER_HEIGHT, fill="#ffffff", stroke="#999999")
        drawing.rect(METER_LEFT, y, METER_WIDTH * temps[seat] / rules.meter_last, METER_HEIGHT, fill=colour)
        drawing.text(METER_LEFT + METER_WIDTH + 10, y + 12, str(temps[seat]), size=13)
    for start in rules.zones()[0]:
        x = METER_LEFT + METER_WIDTH * start / rules.meter_last
        drawing.line(x, top - 4, x, end - 6, stroke="#b71c1c", width=1.5)
        drawing.text(x, end + 6, str(start), size=10, fill="#b71c1c", anchor="middle")
    return end
