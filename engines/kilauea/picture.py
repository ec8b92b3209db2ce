"""A Kilauea position as people see it: a terminal text, and an SVG of the ring round the volcano.

Both show the same parts by section: forest with its tile, pillars, flank, reef slots, canoe track, and each seat's
canoe and island.
"""

from __future__ import annotations

from math import cos, radians, sin

from engines.core.ansi import paint
from engines.core.constants import CHANCE, TERMINAL
from engines.core.svg import Drawing
from engines.kilauea.facts import DRAFT, FACTS, NONE, SECTIONS, STAGES
from engines.kilauea.forests import TILE_SLOT
from engines.kilauea.observe import KilaueaObservation
from engines.kilauea.snapshot import Vector

COLUMN = 14
LABEL = 10
TINTS = ("31", "33", "36", "35", "91", "34")
"""Colours of a terminal, by colour of the edition."""

Cell = str | int
"""A forest cell: a colour, "." for an empty space, "-" for one that this number of seats never uses, or the tile."""


def _status(o: KilaueaObservation) -> str:
    s = o.snapshot
    if s.actor == TERMINAL:
        return f"over after {s.turn} turns: {FACTS.end_reasons[s.reason - 1]}"
    who = "chance" if s.actor == CHANCE else f"seat {s.actor}"
    when = f"turn {s.turn + 1}" if s.stage > DRAFT else "before the first turn"
    return f"{when}, {who} to {STAGES[s.stage]}"


def _letters(o: KilaueaObservation, tikis: Vector) -> str:
    return "".join(colour * n for colour, n in zip(o.rules.colours, tikis, strict=True))


def _forest(o: KilaueaObservation, t: int) -> list[list[Cell]]:
    """The rows of a forest, shore first."""
    number = o.snapshot.boards[t]
    if number == NONE:
        return []
    face, usable = o.rules.face(number), o.rules.usable_spaces(number)
    cells: list[Cell] = []
    for x, c in enumerate(o.snapshot.forests[t]):
        cells.append(o.rules.colours[c] if c != NONE else "." if usable >> x & 1 else "-")
    left = iter(cells)
    return [[o.snapshot.heart[t] if letter == TILE_SLOT else next(left) for letter in row] for row in face.rows]


def _doing(o: KilaueaObservation) -> list[str]:
    """What is on offer and what is being carried out."""
    s, lines = o.snapshot, []
    if s.pending:
        lines.append("on offer: tile " + ", ".join(map(str, s.pending)))
    if s.effect.tile:
        hand = "" if s.effect.hand == NONE else f", {o.rules.colours[s.effect.hand]} in hand"
        lines.append(f"carrying out tile {s.effect.tile}{hand}")
    return lines


# -- terminal -----------------------------------------------------------------------------------------------------


def text(observation: KilaueaObservation, colour: bool = False) -> str:
    """One column a section: forest with its tile in brackets, pillars (* sealed), flank; then seats, islands below."""
    o, s = observation, observation.snapshot
    lines = [f"{_status(o)}; crater {s.crater}", ""]
    lines.append(_row("section", [f"{t} {flower}" for t, flower in enumerate(o.rules.flowers)]))
    here = o.rules.canoe_space(s.canoe)[0]
    lines.append(_row("pawn", [f"space {s.canoe}" if t == here else "" for t in range(SECTIONS)]))
    lines.append(_row("forest", ["" if board == NONE else o.rules.face(board).name for board in s.boards]))
    forests = [[_cells(row) for row in _forest(o, t)] for t in range(SECTIONS)]
    height = max(map(len, forests))
    lines += [_row("", [forest[k] if k < len(forest) else "" for forest in forests]) for k in range(height)]
    lines.append(_row("volcano", [_pillars(o, t) for t in range(SECTIONS)]))
    lines.append(_row("flank", [f"({tile})" if tile else "-" for tile in s.flank]))
    lines.append(" " * (COLUMN // 2) + _row("reef", [f"({tile})" if tile else "-" for tile in s.reef]))
    for seat in range(o.rules.seats):
        canoe = _letters(o, s.tikis[seat]) or "-"
        lines.append(f"seat {seat}: {s.vp[seat]} VP, canoe {canoe} and {s.stones[seat]} stones")
        lines.append(_row("  island", [_letters(o, stack) or "-" for stack in s.islands[seat]]))
    picture = "\n".join(lines)
    if colour:
        letters = "".join(o.rules.colours)
        picture = paint(picture, f"(?<![A-Za-z])[{letters}]+(?![A-Za-z])", dict(zip(letters, TINTS, strict=False)))
    return "\n".join([picture, *_doing(o)])


def _row(label: str, cells: list[str]) -> str:
    return (f"{label:<{LABEL}}" + "".join(f"{cell:<{COLUMN}}" for cell in cells)).rstrip()


def _cells(row: list[Cell]) -> str:
    return " ".join(cell if isinstance(cell, str) else f"({cell})" if cell else "( )" for cell in row)


def _pillars(o: KilaueaObservation, t: int) -> str:
    heights = zip(o.rules.colours, o.snapshot.pillars[t], strict=True)
    sealed = [o.rules.colours[c] for section, c in o.snapshot.seals if section == t]
    return " ".join(f"{colour}{height}{'*' if colour in sealed else ''}" for colour, height in heights)


# -- SVG ----------------------------------------------------------------------------------------------------------

CENTRE = 330.0
RIM, TRACK, REEF, FOREST = 128.0, 152.0, 196.0, 252.0
"""Radii of the volcano, the canoe track, the reef tiles and the middles of the forests."""
CELL = 24.0
PANEL = 2 * CENTRE + 10
SEAT_HEIGHT = 150.0
PAINT = ("#c0392b", "#e6b422", "#1abc9c", "#8e44ad", "#d35400", "#2c3e50")
"""By colour of the edition, in its order."""


def _at(angle: float, radius: float) -> tuple[float, float]:
    """Degrees clockwise from the top."""
    return CENTRE + radius * sin(radians(angle)), CENTRE - radius * cos(radians(angle))


def svg(observation: KilaueaObservation) -> str:
    """The ring seen from above, section 0 on top, and the seats beside it."""
    o = observation
    height = max(2 * CENTRE, 40 + o.rules.seats * SEAT_HEIGHT) + 30
    drawing = Drawing(PANEL + 330, height, "Kilauea position")
    for t in range(SECTIONS):
        _draw_section(drawing, o, t)
        _draw_forest(drawing, o, t)
        _draw_tile(drawing, *_at(72 * t + 36, REEF), o.snapshot.reef[t], "#5dade2", "reef")
    drawing.circle(CENTRE, CENTRE, 24, fill="#e74c3c", title="crater")
    drawing.text(CENTRE, CENTRE + 6, str(o.snapshot.crater), size=18, fill="#fff", anchor="middle")
    _draw_track(drawing, o)
    for seat in range(o.rules.seats):
        _draw_seat(drawing, o, seat, 40 + seat * SEAT_HEIGHT)
    drawing.text(PANEL, 22, "; ".join([_status(o), *_doing(o)]), size=14)
    return drawing.document()


def _draw_section(drawing: Drawing, o: KilaueaObservation, t: int) -> None:
    corners = [_at(72 * t + step, RIM) for step in (-36, -18, 0, 18, 36)]
    drawing.polygon([(CENTRE, CENTRE), *corners], fill="#d7ccc8", stroke="#bf360c", title=o.rules.flowers[t])
    for c, height in enumerate(o.snapshot.pillars[t]):
        angle = 72 * t + (c - (o.rules.n_colours - 1) / 2) * 60 / o.rules.n_colours
        x, y = _at(angle, RIM - 22)
        drawing.circle(x, y, 12, fill=PAINT[c] if height else "#efebe9", title=f"{o.rules.colours[c]} {height}")
        drawing.text(x, y + 5, str(height), size=13, fill="#fff" if height else "#999", anchor="middle")
        if (t, c) in o.snapshot.seals:
            drawing.circle(*_at(angle, RIM - 4), 5, fill="#212121", title="magic seal")
    _draw_tile(drawing, *_at(72 * t, RIM - 62), o.snapshot.flank[t], "#ffab91", "flank")


def _draw_tile(drawing: Drawing, x: float, y: float, tile: int, fill: str, title: str) -> None:
    drawing.rect(x - 13, y - 13, 26, 26, fill=fill if tile else "#eceff1", stroke="#555", title=title)
    drawing.text(x, y + 5, str(tile) if tile else "", size=14, anchor="middle")


def _draw_forest(drawing: Drawing, o: KilaueaObservation, t: int) -> None:
    """Upright wherever it lies; the shore is its upper row."""
    rows = _forest(o, t)
    x, y = _at(72 * t, FOREST)
    drawing.rect(x - 66, y - 50, 132, 100, fill="#c8e6c9", stroke="#2e7d32", title=f"forest of section {t}")
    for r, row in enumerate(rows):
        for k, cell in enumerate(row):
            cx = x + (k - (len(row) - 1) / 2) * CELL
            cy = y + 6 + (r - (len(rows) - 1) / 2) * (CELL + 2)
            if isinstance(cell, int):
                _draw_tile(drawing, cx, cy, cell, "#ffab91", "volcano tile")
            elif cell in o.rules.colours:
                drawing.circle(cx, cy, 10, fill=PAINT[o.rules.colours.index(cell)], title=cell)
            else:
                drawing.circle(cx, cy, 6 if cell == "." else 3, fill="#a5d6a7", stroke="#81c784", title="empty")
    name = "" if o.snapshot.boards[t] == NONE else o.rules.face(o.snapshot.boards[t]).name
    drawing.text(x - 60, y - 37, f"{t} {o.rules.flowers[t]} {name}", size=11, fill="#1b5e20")


def _draw_track(drawing: Drawing, o: KilaueaObservation) -> None:
    spaces = [o.rules.canoe_space(i) for i in range(o.rules.track_length)]
    for i, (section, _, is_open) in enumerate(spaces):
        mine = [k for k, (other, _, _) in enumerate(spaces) if other == section]
        angle = 72 * section + (mine.index(i) - (len(mine) - 1) / 2) * 54 / len(mine)
        x, y = _at(angle, TRACK)
        pawn = i == o.snapshot.canoe
        fill = "#6d4c41" if pawn else "#aed6f1" if is_open else "#eceff1"
        drawing.circle(x, y, 12 if pawn else 9, fill=fill, title="canoe pawn" if pawn else f"canoe space {i}")
        drawing.text(x, y + 4, str(i), size=11, fill="#fff" if pawn else "#5d6d7e", anchor="middle")


def _draw_seat(drawing: Drawing, o: KilaueaObservation, seat: int, top: float) -> None:
    s = o.snapshot
    drawing.rect(PANEL, top, 320, SEAT_HEIGHT - 12, fill="#fff8e1" if s.actor == seat else "#fafafa", stroke="#8d6e63")
    drawing.text(PANEL + 8, top + 20, f"seat {seat}: {s.vp[seat]} VP, {s.stones[seat]} stones", size=14)
    _draw_tikis(drawing, o, s.tikis[seat], PANEL + 200, top + 15, (20, 0))
    for t in range(SECTIONS):
        x = PANEL + 8 + 62 * t
        drawing.rect(x, top + 32, 56, 100, fill="#f1e2b8", stroke="#a1887f", title=o.rules.flowers[t])
        drawing.text(x + 4, top + 44, o.rules.flowers[t][:8], size=10, fill="#6d4c41")
        _draw_tikis(drawing, o, s.islands[seat][t], x + 28, top + 124, (0, -15))


def _draw_tikis(
    drawing: Drawing, o: KilaueaObservation, tikis: Vector, x: float, y: float, step: tuple[float, float]
) -> None:
    for i, letter in enumerate(_letters(o, tikis)):
        drawing.circle(x + i * step[0], y + i * step[1], 7.5, fill=PAINT[o.rules.colours.index(letter)], title=letter)
