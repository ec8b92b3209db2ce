"""A Tiki position as people see it: a terminal text and an SVG from one geometry."""

from __future__ import annotations

from engines.core.ansi import paint
from engines.core.svg import Drawing
from engines.tiki.facts import GAPS, NONE, OVER, PHASES, VILLAGES
from engines.tiki.observe import TikiObservation
from engines.tiki.snapshot import Snapshot

LETTERS = "YP"
COLOURS = ("#d9a300", "#7d3c98")
NAMES = ("yellow", "purple")
CELL = 96
MARGIN = 28


def _places() -> list[tuple[int, int]]:
    """Column and row of each village."""
    return [(u % 3, u // 3) for u in range(9)]


def _status(s: Snapshot) -> list[str]:
    lines = [f"{NAMES[seat]}: fruits {s.fruits[seat]}, tikis in hand {s.hands[seat]}" for seat in (0, 1)]
    lines.append(f"reserve {s.reserve}, spoiled {s.spoiled}" + (", sudden death" if s.sudden_death else ""))
    if s.phase == OVER:
        lines.append("over: " + ("a draw" if s.winner == NONE else f"{NAMES[s.winner]} wins"))
    else:
        whose = f" of {NAMES[s.turn_seat]}" if s.turn_seat != NONE else ""
        lines.append(f"turn {s.turn}{whose}, {PHASES[s.phase]}")
    return lines


def _tile(o: TikiObservation, u: int) -> str:
    tile = o.snapshot.layout[u]
    return "?" if tile == NONE else o.rules.tiles[tile]


def text(observation: TikiObservation, colour: bool = False) -> str:
    """The board, its stacks bottom first, `#` where the shaman stands, and the standing beside it."""
    s = observation.snapshot
    shaman = GAPS[s.shaman] if s.shaman != NONE else None
    lines = ["     a       b       c"]
    for row in range(3):
        cells, below = [], []
        for column in range(3):
            u = 3 * row + column
            stack = "".join(LETTERS[seat] for seat in s.stacks[u]) or "."
            cells.append(f"{_tile(observation, u):>2}:{stack:<3}")
            if column < 2:
                cells.append("#" if shaman == (u, u + 1) else " ")
            below.append("   #   " if shaman == (u, u + 3) else "       ")
        lines.append(f"{row + 1}  {' '.join(cells)}".rstrip())
        lines.append(f"   {' '.join(below)}".rstrip())
    board = "\n".join(lines[:-1])
    if colour:
        board = paint(board, r"(?<=:)[YP]+|#", {"Y": "33", "P": "35", "#": "1"})
    return "\n".join([board, "", *_status(s)])


def svg(observation: TikiObservation) -> str:
    """The same as an SVG document."""
    s = observation.snapshot
    size = 3 * CELL + 2 * MARGIN
    drawing = Drawing(size, size + 96, "Tiki position")
    for u, (column, row) in enumerate(_places()):
        x, y = MARGIN + column * CELL, MARGIN + row * CELL
        drawing.rect(x + 6, y + 6, CELL - 12, CELL - 12, fill="#f4ead2", stroke="#8a6d3b", title=VILLAGES[u])
        drawing.text(x + 14, y + 26, _tile(observation, u), size=16, fill="#5d4037")
        for level, seat in enumerate(s.stacks[u]):
            drawing.rect(x + 34, y + CELL - 30 - 20 * level, 34, 17, fill=COLOURS[seat], title=NAMES[seat])
    if s.shaman != NONE:
        a, b = (_places()[u] for u in GAPS[s.shaman])
        middle = [MARGIN + (a[i] + b[i] + 1) * CELL / 2 for i in (0, 1)]
        drawing.circle(middle[0], middle[1], 9, fill="#1b5e20", title="shaman")
    for i, line in enumerate(_status(s)):
        drawing.text(MARGIN, size + 14 + 20 * i, line, size=14)
    return drawing.document()
