"""A Village of Gaul position as people see it: a terminal text and an SVG from one geometry."""

from __future__ import annotations

from itertools import combinations
from math import dist, hypot

from engines.core.ansi import paint
from engines.core.svg import Drawing
from engines.gaul.board import GaulRules
from engines.gaul.facts import ACTIONS, AISLING, DEAL, DRAW, NONE, OVER, PLAY, Face
from engines.gaul.invariants import laid
from engines.gaul.notation import card_text, face_text
from engines.gaul.observe import GaulObservation

FLOWERS = {"Y": "#f2c230", "R": "#e0655a", "B": "#6a9bd8", "W": "#fafafa"}
OTHER_FLOWERS = ("#b58bd0", "#f0a050", "#7cc08a", "#d8a0b8", "#9ad0d0", "#c9c36a", "#c08a6a", "#a8b0d8")
TINTS = {"Y": "33", "R": "31", "B": "34", "W": "1"}
TINTED = r"\b[YRBW](?=[ *]|[A-Z]\d)"
"""Flowers of districts and cards in a terminal."""
WALL = "#b9a88a"
STONE = "#7d7d78"
SIDE = 400  # the board's square
INSIDE = 168  # radius of the village within the wall
TRACK = 26  # a space of the round track
PANEL = 420
ROW = 92
CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 34, 44, 5


def _places(r: GaulRules) -> list[tuple[int, int]]:
    """Column and row of each district; rows run down."""
    columns = sorted({x for x, _ in r.places})
    rows = sorted({-y for _, y in r.places})
    return [(columns.index(x), rows.index(-y)) for x, y in r.places]


def _status(o: GaulObservation) -> str:
    v = o.view
    if v.phase == OVER:
        best = max(v.scores)
        winners = [f"seat {seat}" for seat, score in enumerate(v.scores) if score == best]
        return f"over: {' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}"
    if v.phase == DEAL:
        return "the cards are being dealt"
    doing = {PLAY: "plays a card", DRAW: "draws a card", AISLING: "moves Aisling"}
    card = f" with {card_text(o.rules, v.in_play)}" if v.in_play != NONE else ""
    return f"round {v.round} of {o.rules.rounds}: seat {v.turn} {doing.get(v.phase, 'acts')}{card}"


def text(observation: GaulObservation, colour: bool = False) -> str:
    """The districts with their menhirs, `*` where Aisling stands, the cards of each seat, the viewer's hand."""
    r, v = observation.rules, observation.view
    places = _places(r)
    grid = [["       "] * (1 + max(c for c, _ in places)) for _ in range(1 + max(row for _, row in places))]
    for d, (column, row) in enumerate(places):
        grid[row][column] = f"{r.districts[d]}{'*' if v.aisling == d else ' '}{v.menhirs[d]:>3}  "
    lines = ["  ".join(cells).rstrip() for cells in grid]
    if v.aisling == NONE:
        lines.append("Aisling is outside the wall")
    lines += ["", _status(observation)]
    for seat, cards in enumerate(v.charged):
        faces = " ".join(face_text(r, r.faces[face]) for face in cards) or "-"
        spent = laid(r, v, seat) - len(cards)
        points = f"{v.scores[seat]:>3} points, {v.hand_sizes[seat]:>2} in hand"
        lines.append(f"seat {seat}: {points}, charged {faces}, exhausted {spent}")
    hand = " ".join(card_text(r, kind) for kind in v.hand) or "-"
    picture = "\n".join([*lines, f"hand of seat {observation.viewer}: {hand}"])
    return paint(picture, TINTED, TINTS) if colour else picture


def svg(observation: GaulObservation) -> str:
    """The same as an SVG document."""
    r, v = observation.rules, observation.view
    height = max(SIDE + TRACK + 8, 64 + ROW * r.seats + 74)
    drawing = Drawing(SIDE + PANEL, height, "Village of Gaul position")
    drawing.circle(SIDE / 2, SIDE / 2, SIDE / 2 - 24, fill="#efe6d2", stroke=WALL)
    drawing.circle(SIDE / 2, SIDE / 2, SIDE / 2 - 30, fill="#e3eccf", stroke=WALL)
    middles, radius = _layout(r)
    for d, (x, y) in enumerate(middles):
        _district(drawing, observation, d, x, y, radius)
    if v.aisling == NONE:
        _aisling(drawing, 22, SIDE - 22)
    _track(drawing, observation)
    drawing.text(SIDE + 8, 30, _status(observation), size=16)
    for seat in range(r.seats):
        _seat(drawing, observation, seat, 64 + ROW * seat)
    top = 64 + ROW * r.seats
    drawing.text(SIDE + 8, top + 4, f"hand of seat {observation.viewer}", size=13)
    for i, kind in enumerate(v.hand):
        card = r.cards[kind]
        _card(drawing, r, card.face, SIDE + 8 + i * (CARD_WIDTH + CARD_GAP), top + 12, ACTIONS[card.action])
    return drawing.document()


def _layout(r: GaulRules) -> tuple[list[tuple[float, float]], float]:
    """Middle of each district and their common radius: as large as the wall and the nearest neighbours allow."""
    x0, y0 = ((min(p[i] for p in r.places) + max(p[i] for p in r.places)) / 2 for i in (0, 1))
    centred = [(x - x0, y0 - y) for x, y in r.places]
    nearest = min(dist(a, b) for a, b in combinations(centred, 2))
    scale = INSIDE / (max(hypot(x, y) for x, y in centred) + 0.47 * nearest)
    return [(SIDE / 2 + x * scale, SIDE / 2 + y * scale) for x, y in centred], 0.47 * nearest * scale


def _flower(r: GaulRules, d: int) -> str:
    return FLOWERS.get(r.districts[d], OTHER_FLOWERS[d % len(OTHER_FLOWERS)])


def _district(drawing: Drawing, o: GaulObservation, d: int, x: float, y: float, radius: float) -> None:
    r, v = o.rules, o.view
    unit = radius / 66
    drawing.circle(x, y, radius, fill=_flower(r, d), stroke="#6b6b60", title=f"district {r.districts[d]}")
    drawing.text(x, y - 38 * unit, f"{r.districts[d]} {v.menhirs[d]}", size=18 * unit, anchor="middle")
    shown = min(v.menhirs[d], 15)
    for i in range(shown):
        row, column = divmod(i, 5)
        across = min(5, shown - 5 * row)
        _menhir(drawing, x + (column - (across - 1) / 2) * 17 * unit, y + (24 * row - 14) * unit, unit)
    if v.aisling == d:
        _aisling(drawing, x + 44 * unit, y + 44 * unit)


def _menhir(drawing: Drawing, x: float, y: float, unit: float) -> None:
    outline = [(-6, 10), (-5, -6), (-1, -11), (4, -8), (6, 10)]
    drawing.polygon([(x + dx * unit, y + dy * unit) for dx, dy in outline], fill=STONE, title="menhir")


def _aisling(drawing: Drawing, x: float, y: float) -> None:
    drawing.circle(x, y, 14, fill="#2f7d4f", title="Aisling")
    drawing.text(x, y + 6, "A", size=16, fill="#fff", anchor="middle")


def _track(drawing: Drawing, o: GaulObservation) -> None:
    """The spaces of the rounds; Lorcan stands on the present one."""
    left = SIDE / 2 - o.rules.rounds * TRACK / 2
    for i in range(o.rules.rounds):
        here = i + 1 == o.view.round
        title = "Lorcan" if here else f"round {i + 1}"
        drawing.rect(left + i * TRACK, SIDE, TRACK - 4, TRACK - 4, fill="#8d5a2b" if here else "#f7f5f0", title=title)
        colour = "#fff" if here else "#555"
        drawing.text(left + i * TRACK + 11, SIDE + 16, str(i + 1), size=13, fill=colour, anchor="middle")


def _seat(drawing: Drawing, o: GaulObservation, seat: int, y: float) -> None:
    r, v = o.rules, o.view
    on_turn = seat == v.turn and v.phase not in (DEAL, OVER)
    drawing.rect(SIDE, y - 14, PANEL - 12, ROW - 8, fill="#fff7df" if on_turn else "#f7f5f0", stroke="#c9c2b2")
    spent = laid(r, v, seat) - len(v.charged[seat])
    line = f"seat {seat}: {v.scores[seat]} points, {v.hand_sizes[seat]} in hand, {spent} exhausted"
    drawing.text(SIDE + 8, y + 4, line, size=14)
    for i, face in enumerate(v.charged[seat]):
        _card(drawing, r, r.faces[face], SIDE + 8 + i * (CARD_WIDTH + CARD_GAP), y + 14, "")


def _card(drawing: Drawing, r: GaulRules, face: Face, x: float, y: float, action: str) -> None:
    drawing.rect(x, y, CARD_WIDTH, CARD_HEIGHT, fill=_flower(r, face.colour), title=face_text(r, face) + action)
    middle = x + CARD_WIDTH / 2
    symbols = r.tools[face.tool] * face.symbols if face.symbols < 4 else f"{face.symbols}{r.tools[face.tool]}"
    drawing.text(middle, y + 19, symbols, size=15, anchor="middle")
    drawing.text(middle, y + 37, action, size=13, anchor="middle")
