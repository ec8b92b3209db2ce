"""A Hawaii position as people see it: a terminal text and an SVG from one geometry."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.ansi import SEATS, paint
from engines.core.svg import Drawing
from engines.hawaii.facts import BEACH, CLASSES, NONE, OVER, PASSED, PHASES
from engines.hawaii.observe import HawaiiObservation
from engines.hawaii.snapshot import Purse, Realm
from engines.hawaii.spelling import boats_text, token_text

COLOURS = ("#c62828", "#1565c0", "#2e7d32", "#f9a825", "#6a1b9a")
"""Of the seats."""
FILLS = {
    "hut": "#d7b98e",
    "fruit": "#aed581",
    "surfer": "#81d4fa",
    "god": "#ffd54f",
    "other": "#f48fb1",
    "boat": "#bcaaa4",
    "kahuna": "#b39ddb",
    "tiki": "#a1887f",
}
"""Of the tile classes."""
WORD = 26
"""Characters of half a place in the terminal: its row of the board is moved by so many."""
HALF, HIGH, MARGIN = 100, 92, 16
"""Half a place and its height in pixels."""
TILE, LINE = 40, 26


def _places(o: HawaiiObservation) -> list[tuple[int, int, int]]:
    """Position, half-place column and row from the top, rows from the top, columns from the left."""
    top = max(row for _, row, _ in o.rules.positions)
    found = [(p, x, top - row) for p, (x, row, _) in enumerate(o.rules.positions)]
    return sorted(found, key=lambda place: (place[2], place[1]))


def _tokens(o: HawaiiObservation, tokens: Sequence[int]) -> list[str]:
    return [token_text(o.rules, token) for token in tokens]


def _counted(counts: Sequence[int]) -> list[int]:
    return [token for token, n in enumerate(counts) for _ in range(n)]


def _standing(o: HawaiiObservation, at: int) -> list[int]:
    return [seat for seat, realm in enumerate(o.table.realms) if realm.at == at]


def _area_name(o: HawaiiObservation, position: int) -> str:
    area = o.table.board[position]
    return "?" if area == NONE else str(o.rules.areas[area])


def _goods_on_sale(o: HawaiiObservation, position: int) -> list[tuple[int, int]]:
    """Kinds that the area on a position sells, with what is left of each."""
    area = o.table.board[position]
    return [] if area == NONE else [(kind, o.table.stock[kind]) for kind in o.rules.area(area)[2]]


def _head(o: HawaiiObservation) -> list[str]:
    t = o.table
    target, points, _ = o.rules.round(t.round)
    decides = f", seat {t.actor} decides" if t.actor != NONE else ""
    lines = [f"round {t.round} of {o.rules.n_rounds}, {PHASES[t.phase]}{decides}; order {' '.join(map(str, t.order))}"]
    lines.append(f"goal {target}: {'/'.join(map(str, points))} points")
    p = t.pending
    about = [f"{p.amount} to pay"] if p.amount else []
    about += [f"{o.rules.kind_names[p.kind]} {p.level}"] if p.kind != NONE else []
    about += [f"{p.take} fish tokens to take"] if p.take else []
    about += [f"dock {p.dock}"] if p.dock != NONE else []
    about += [f"island {o.rules.islands[p.island]}"] if p.island != NONE else []
    return [*lines, "at hand: " + ", ".join(about)] if about else lines


def _spots(o: HawaiiObservation) -> list[str]:
    t = o.table
    spots = zip(t.spot_tokens, t.spot_seats, strict=True)
    return [
        f"{i}: seat {seat}" if seat != NONE else f"{i}: {'-' if token == NONE else token_text(o.rules, token)}"
        for i, (token, seat) in enumerate(spots, start=1)
    ]


def _docks(o: HawaiiObservation) -> list[str]:
    lines = []
    for d, island in enumerate(o.table.docks, start=1):
        cost, vp = o.rules.dock(d)
        lines.append(f"dock {d} ({cost} feet, {vp} points): {_island(o, island)}")
    return lines


def _island(o: HawaiiObservation, island: int) -> str:
    if island == NONE:
        return "-"
    fruit, vp, kinds = o.rules.island(island)
    gives = [f"{fruit} fruit"] if fruit else []
    gives += [f"{vp} points"] if vp else []
    gives += [" or ".join(o.rules.kind_codes[kind] for kind in kinds)] if kinds else []
    return f"{o.rules.islands[island]} {', '.join(gives)}"


def _fish(o: HawaiiObservation) -> str:
    fish = sorted(o.rules.token(token)[2] for token in _counted(o.table.bay))
    return "bay: " + (" ".join(f"{n} fish" for n in fish) or "empty")


def _sum(o: HawaiiObservation, realm: Realm) -> int:
    taken = sum(o.rules.token(token)[0] for token in _counted(realm.tokens))
    return taken + sum(o.rules.token(token)[2] for token in _counted(realm.fish))


def _purse(purse: Purse) -> str:
    goods = "goods hidden" if purse.shells == NONE else f"{purse.shells} shells {purse.feet} feet {purse.fruit} fruit"
    return f"{'points hidden' if purse.points[0] == NONE else f'{sum(purse.points)} points'}, {goods}"


def _title(o: HawaiiObservation, seat: int) -> str:
    realm, purse = o.table.realms[seat], o.purses[seat]
    you = " (you)" if seat == o.viewer else ""
    taken = " ".join(_tokens(o, _counted(realm.tokens))) or "-"
    boats = boats_text(1, *realm.boats) + (f", used {boats_text(*realm.used)}" if any(realm.used) else "")
    gained = "so far " if o.table.phase != OVER else "before the end "
    return f"seat {seat}{you}: {gained}{_purse(purse)}; tokens {taken}, sum {_sum(o, realm)}; boats {boats}"


def _need(o: HawaiiObservation, realm: Realm) -> int:
    columns: list[int] = [o.rules.tiki(i)[0] for i in range(1, realm.tikis + 1)]
    printed: int = o.rules.printed_column
    return min([printed, *columns])


def _width(o: HawaiiObservation, village: Sequence[tuple[int, int]]) -> int:
    return sum([int(o.rules.kind(kind)[2]) for kind, _ in village])


def text(observation: HawaiiObservation, colour: bool = False) -> str:
    """The island with tokens and pieces (`#0` is seat 0), what lies around it, and every realm as the viewer sees it.

    A village is a line of tiles with their levels, `K` where a kahuna stands, `ok` where it is valid.
    """
    o = observation
    lines = _head(o)
    places = _places(o)
    for row in range(1 + max(row for _, _, row in places)):
        names, wares = "", ""
        for position, x, at in places:
            if at == row:
                pieces = "".join(f" #{seat}" for seat in _standing(o, position))
                tokens = " ".join(_tokens(o, o.table.area_tokens[position])) or "-"
                sold = " ".join(f"{o.rules.kind_codes[k]}{n}" for k, n in _goods_on_sale(o, position) if n)
                start = x * WORD // 2
                names = names.ljust(start) + f"[{_area_name(o, position)} {tokens}]{pieces}"
                wares = wares.ljust(start) + f" {sold[: WORD - 2]}"
        lines += [names, wares]
    beach = " ".join(f"#{seat}" for seat in _standing(o, BEACH))
    passed = " ".join(f"#{seat}" for seat in _standing(o, PASSED))
    lines.append(f"~~~ beach {beach} ~~~" + (f"  passed {passed}" if passed else ""))
    lines += [_fish(o), "order spots " + ", ".join(_spots(o)), *_docks(o)]
    for seat, realm in enumerate(o.table.realms):
        need = _need(o, realm)
        lines += ["", _title(o, seat), f"   villages need {need} columns; tikis {realm.tikis}, kahunas {realm.kahunas}"]
        for v, village in enumerate(realm.villages):
            tiles = " ".join(f"{o.rules.kind_codes[kind]}{level}" for kind, level in village)
            kahuna = "K" if v < realm.kahunas else " "
            valid = " ok" if village and _width(o, village) >= need else ""
            lines.append(f"   {kahuna} {v + 1} {tiles}{valid}".rstrip())
    picture = "\n".join(lines)
    return paint(picture, r"#\d|\bseat \d", SEATS) if colour else picture


def svg(observation: HawaiiObservation) -> str:
    """The same as an SVG document."""
    o = observation
    places = _places(o)
    left = (max(x for _, x, _ in places) + 2) * HALF + 2 * MARGIN
    board = (1 + max(row for _, _, row in places)) * HIGH + MARGIN
    realms = [_realm_size(o, realm) for realm in o.table.realms]
    below = board + 46
    width = max(left + 330, MARGIN * 2 + max(w for w, _ in realms))
    drawing = Drawing(width, below + sum(h for _, h in realms) + MARGIN, "Hawaii position")
    for position, x, row in places:
        _draw_place(drawing, o, position, MARGIN + x * HALF, MARGIN + row * HIGH)
    drawing.rect(MARGIN, board + 2, left - 2 * MARGIN, 26, fill="#ffe9b0", stroke="#d9b45b", title="beach")
    drawing.text(MARGIN + 8, board + 20, "beach", size=13, fill="#8a6d3b")
    _draw_pieces(drawing, _standing(o, BEACH), MARGIN + 70, board + 15)
    lines = [*_head(o), "", "order spots", *_spots(o), "", _fish(o), "", *_docks(o)]
    for i, line in enumerate(lines):
        drawing.text(left, MARGIN + 14 + 18 * i, line, size=12)
    y = below
    for seat, (_, height) in enumerate(realms):
        _draw_realm(drawing, o, seat, y)
        y += height
    return drawing.document()


def _draw_place(drawing: Drawing, o: HawaiiObservation, position: int, x: float, y: float) -> None:
    drawing.rect(x + 2, y + 2, 2 * HALF - 4, HIGH - 4, fill="#eef5e4", stroke="#7a9a5a", title=f"position {position}")
    area = o.table.board[position]
    drawing.text(x + 10, y + 20, _area_name(o, position), size=13, fill="#33691e")
    if area != NONE:
        drawing.text(x + 2 * HALF - 10, y + 20, f"limit {o.rules.area(area)[1]}", size=11, fill="#777", anchor="end")
    for i, (kind, left) in enumerate(_goods_on_sale(o, position)):
        column, line = i % 6, i // 6
        title = f"{o.rules.kind_names[kind]}, {left} left"
        fill = FILLS[CLASSES[o.rules.kind(kind)[0]]] if left else "#eee"
        drawing.rect(x + 10 + 31 * column, y + 28 + 22 * line, 28, 18, fill=fill, stroke="#999", title=title)
        drawing.text(x + 24 + 31 * column, y + 41 + 22 * line, o.rules.kind_codes[kind], size=11, anchor="middle")
    for i, token in enumerate(o.table.area_tokens[position]):
        drawing.circle(x + 22 + 30 * i, y + HIGH - 22, 12, fill="#ffb74d", title="price token")
        drawing.text(x + 22 + 30 * i, y + HIGH - 18, token_text(o.rules, token), size=12, anchor="middle")
    _draw_pieces(drawing, _standing(o, position), x + 2 * HALF - 20, y + HIGH - 20, step=-18)


def _draw_pieces(drawing: Drawing, seats: Sequence[int], x: float, y: float, step: float = 22) -> None:
    for i, seat in enumerate(seats):
        drawing.circle(x + step * i, y, 9, fill=COLOURS[seat], title=f"seat {seat}")
        drawing.text(x + step * i, y + 4, str(seat), size=11, fill="#fff", anchor="middle")


def _realm_size(o: HawaiiObservation, realm: Realm) -> tuple[int, int]:
    columns = max(o.rules.columns, *(_width(o, village) for village in realm.villages))
    return 60 + columns * TILE + 40, 58 + LINE * o.rules.n_villages


def _draw_realm(drawing: Drawing, o: HawaiiObservation, seat: int, y: float) -> None:
    realm = o.table.realms[seat]
    x = MARGIN + 44
    drawing.circle(MARGIN + 9, y + 10, 9, fill=COLOURS[seat], title=f"seat {seat}")
    drawing.text(MARGIN + 24, y + 14, _title(o, seat), size=12)
    columns = {o.rules.printed_column: "printed"} | {o.rules.tiki(i)[0]: "tiki" for i in range(1, realm.tikis + 1)}
    for column, title in columns.items():
        fill = FILLS["tiki"] if title == "tiki" else "#e0d7d2"
        drawing.rect(x + (column - 1) * TILE + 6, y + 22, TILE - 12, 14, fill=fill, title=f"{title}, column {column}")
    need = _need(o, realm)
    for v, village in enumerate(realm.villages):
        top = y + 40 + LINE * v
        if v < realm.kahunas:
            drawing.rect(MARGIN + 4, top + 2, 30, LINE - 6, fill=FILLS["kahuna"], title="kahuna")
            drawing.text(MARGIN + 19, top + 16, "ka", size=11, anchor="middle")
        for column in range(o.rules.columns):
            drawing.rect(x + column * TILE, top, TILE - 2, LINE - 2, fill="#fafafa", stroke="#ddd")
        filled = 0
        for kind, level in village:
            class_, _, width, _ = o.rules.kind(kind)
            title = f"{o.rules.kind_names[kind]} {'I' * level}"
            at = x + filled * TILE
            drawing.rect(at, top, width * TILE - 2, LINE - 2, fill=FILLS[CLASSES[class_]], stroke="#888", title=title)
            label = f"{o.rules.kind_codes[kind]} {'I' * level}"
            drawing.text(at + width * TILE / 2, top + 16, label, size=11, anchor="middle")
            filled += width
        if village and filled >= need:
            drawing.text(x + max(filled, o.rules.columns) * TILE + 6, top + 17, "✓", size=14, fill="#2e7d32")
