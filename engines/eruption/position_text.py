"""Text of Eruption positions (README section 8.2).

`PHASE seat name=value ...`: what has its usual value is left out, and so is what follows from the box: stock, stack and
deck hold whatever lies nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from engines.core.game import BadInput, Violation
from engines.core.state import Rules
from engines.eruption.facts import (
    CARDS,
    CLANS,
    FACTS,
    HEXES,
    MATERIAL_LETTERS,
    NONE,
    PHASES,
    PURPOSES,
    RESUMES,
    REVEALS,
    ROW,
    USED,
)
from engines.eruption.rules import Eruption, load
from engines.eruption.snapshot import Snapshot, Table
from engines.eruption.tables import EruptionRules

LONGEST = 4000
"""Longest position text, in characters."""


def _bad(field: str, sentence: str) -> BadInput:
    return BadInput([Violation(field, sentence, "eruption.parse")])


# -- writing ------------------------------------------------------------------------------------------------------


def _times(names: Sequence[str], counts: Sequence[int], between: str) -> str:
    return between.join(name for name, n in zip(names, counts, strict=True) for _ in range(n))


def write_position(state: Eruption) -> str:
    """The position as one line."""
    return _write(state.rules, state.snapshot())


def _write(rules: EruptionRules, s: Snapshot) -> str:
    t, g = s.table, rules.geometry
    kinds = {NONE: "-", **dict(enumerate(rules.kinds))}
    holders = {ROW: "row", USED: "used"} | {seat: str(seat) for seat in range(rules.seats)}

    def by_seat(rows: Sequence[str]) -> str:
        return "/".join(row or "-" for row in rows) if any(rows) else ""

    fields = {
        "ply": str(t.ply or ""),
        "temps": "/".join(map(str, t.temps)) if any(t.temps) else "",
        "cards": by_seat([_times(CARDS, hand, ",") for hand in s.hands]),
        "pieces": by_seat([_times(MATERIAL_LETTERS, pieces, "") for pieces in t.pieces]),
        "discard": _times(CARDS, t.card_discard, ","),
        "board": ",".join(f"{g.hexes[h]}={rules.kinds[k]}/{rot}" for h, k, rot in t.board),
        "walls": ",".join(f"{MATERIAL_LETTERS[m]}:{g.site_name(site)}" for site, m in t.walls),
        "out": _times(rules.kinds, t.tile_discard, ","),
        "piles": "/".join(f"{n}:{kinds[k]}" for n, k in zip(t.pile_sizes, t.pile_tops, strict=True) if rules.forecast),
        "eruption": ",".join(holders[holder] for holder in t.eruption) if set(t.eruption) != {ROW} else "",
        "last": str(t.final_left or ""),
        "lastout": "" if t.final_out == NONE else str(t.final_out),
        "burnt": ",".join(map(str, t.burn_order or [seat for seat, burnt in enumerate(t.burnt) if burnt])),
        "loud": "" if t.turn_quiet else "1",
        "quiet": str(t.quiet_turns or ""),
        "for": PURPOSES[t.purpose],
        "tile": "" if t.tile == NONE else kinds[t.tile],
        "from": str(t.tile_pile + 1 or ""),
        "held": ",".join(g.hexes[h] for h in t.held),
        "target": "" if t.target == NONE else f"{g.hexes[t.target // 6]}/{t.target % 6}",
        "roll": "" if t.roll_pos == NONE else str(t.roll_pos),
        "lost": "1" if t.roll_lost else "",
        "draws": str(t.draws_left or ""),
        "then": RESUMES[t.resume],
        "tray": _times(MATERIAL_LETTERS, t.tray, ""),
        "set": str(t.tray_edge or ""),
        "built": str(t.builds_done or ""),
        "reveal": REVEALS[t.reveal_resume],
        "restricted": "1" if t.reveal_restricted else "",
        "end": FACTS.end_reasons[t.ended_by - 1] if t.ended_by else "",
    }
    return " ".join([PHASES[t.phase], str(t.turn_seat), *(f"{name}={text}" for name, text in fields.items() if text)])


# -- reading ------------------------------------------------------------------------------------------------------


class _Fields:
    """The fields of a text, taken one by one; what is never taken is unknown."""

    def __init__(self, rules: EruptionRules, texts: dict[str, str]) -> None:
        self.rules = rules
        self._texts = texts

    def text(self, name: str) -> str:
        return self._texts.pop(name, "")

    def number(self, name: str, absent: int = 0) -> int:
        text = self.text(name)
        return self.as_number(name, text) if text else absent

    def as_number(self, name: str, text: str) -> int:
        if not re.fullmatch("[0-9]{1,7}", text, re.ASCII):
            raise _bad(name, "must be a number")
        return int(text)

    def word(self, name: str, words: Sequence[str]) -> int:
        text = self.text(name)
        if text and text not in words:
            raise _bad(name, f"must be one of {', '.join(word for word in words if word)}")
        return words.index(text) if text else 0

    def flag(self, name: str) -> bool:
        return bool(self.word(name, ("", "1")))

    def listed(self, name: str) -> list[str]:
        text = self.text(name)
        return text.split(",") if text else []

    def counts(self, name: str, names: Sequence[str], items: Sequence[str]) -> tuple[int, ...]:
        found = Counter(items)
        if set(found) - set(names):
            raise _bad(name, f"knows only {', '.join(names)}")
        return tuple(found[known] for known in names)

    def by_seat(self, name: str, names: Sequence[str], split: Callable[[str], Sequence[str]]) -> list[tuple[int, ...]]:
        text = self.text(name) or "/".join("-" * self.rules.seats)
        return [self.counts(name, names, [] if row == "-" else split(row)) for row in text.split("/")]

    def hex(self, name: str, text: str) -> int:
        h = self.rules.geometry.number.get(text, HEXES)
        if h >= HEXES:
            raise _bad(name, f"{text[:8]!r} is no tile hex")
        return int(h)

    def kind(self, name: str, text: str) -> int:
        if text not in self.rules.kinds:
            raise _bad(name, f"{text[:8]!r} is no tile of the edition")
        return self.rules.kinds.index(text)

    def place(self, name: str, text: str) -> tuple[int, int]:
        """A hex and a rotation, as `g4/2`."""
        hex_name, _, rot = text.partition("/")
        if rot not in ("0", "1", "2", "3", "4", "5"):
            raise _bad(name, f"{text[:8]!r} has no rotation")
        return self.hex(name, hex_name), int(rot)

    def tile(self, text: str) -> tuple[int, int, int]:
        """A tile on the board, as `g4=0123/4`."""
        hex_name, _, rest = text.partition("=")
        kind, _, rot = rest.partition("/")
        h, turned = self.place("board", f"{hex_name}/{rot}")
        return h, self.kind("board", kind), turned

    def wall(self, text: str) -> tuple[int, int]:
        """A wall, as `w:g6.S`."""
        letter, _, site = text.partition(":")
        if len(letter) != 1 or letter not in MATERIAL_LETTERS or site not in self.rules.geometry.site:
            raise _bad("walls", f"{text[:8]!r} is no wall")
        return self.rules.geometry.site[site], MATERIAL_LETTERS.index(letter)

    def pile(self, text: str) -> tuple[int, int]:
        """A pile, as `13:0135`."""
        size, _, top = text.partition(":")
        return self.as_number("piles", size), NONE if top == "-" else self.kind("piles", top)

    def finish(self) -> None:
        if self._texts:
            raise _bad(next(iter(self._texts))[:20], "is no field of a position")


def read_position(rules: Rules, text: str) -> Eruption:
    """The state of a position text. Raises BadInput: `eruption.parse`, or the broken invariants."""
    assert isinstance(rules, EruptionRules)
    words = text.split(" ")
    if len(text) > LONGEST or len(words) < 2 or words[0] not in PHASES:
        raise _bad("position", "must begin with a phase and a seat")
    texts: dict[str, str] = {}
    for word in words[2:]:
        name, _, value = word.partition("=")
        if not value or name in texts:
            raise _bad(name[:20] or "position", "must be name=value, once and with single spaces between")
        texts[name] = value
    fields = _Fields(rules, texts)
    snapshot = _read(rules, fields, PHASES.index(words[0]), fields.as_number("seat", words[1]))
    fields.finish()
    return load(rules, snapshot)


def _read(rules: EruptionRules, f: _Fields, phase: int, seat: int) -> Snapshot:
    seats = range(rules.seats)
    lava = rules.source
    hands = f.by_seat("cards", CARDS, lambda row: row.split(","))
    pieces = f.by_seat("pieces", MATERIAL_LETTERS, list)
    card_discard = f.counts("discard", CARDS, f.listed("discard"))
    board = sorted(f.tile(text) for text in f.listed("board"))
    walls = sorted(f.wall(text) for text in f.listed("walls"))
    tray = f.counts("tray", MATERIAL_LETTERS, list(f.text("tray")))
    tile_discard = f.counts("out", rules.kinds, f.listed("out"))
    piles = [f.pile(text) for text in (f.text("piles") or "0:-/0:-/0:-").split("/")]
    tile = f.text("tile")
    drawn = f.kind("tile", tile) if tile else NONE
    burn_order = [f.as_number("burnt", text) for text in f.listed("burnt")]
    target = f.text("target")
    place = f.place("target", target) if target else None
    temps = f.text("temps") or "/".join("0" * rules.seats)
    holders = {"row": ROW, "used": USED} | {str(s): s for s in seats}
    eruption = f.listed("eruption") or ["row"] * 3
    if set(eruption) - set(holders):
        raise _bad("eruption", "must be row, used or a seat")

    laid, tops = Counter(kind for _, kind, _ in board), Counter(top for _, top in piles)
    standing = Counter(material for _, material in walls)
    table = Table(
        phase=phase,
        ply=f.number("ply"),
        turn_seat=seat,
        temps=tuple(f.as_number("temps", temp) for temp in temps.split("/")),
        stock=tuple(rules.material(m)[0] - tray[m] - standing[m] - sum(row[m] for row in pieces) for m in range(3)),
        pieces=tuple(pieces),
        card_discard=card_discard,
        board=tuple(board),
        stack=tuple(rules.number_of_tiles(k) - laid[k] - tops[k] - tile_discard[k] - (k == drawn) for k in range(lava)),
        pile_sizes=tuple(size for size, _ in piles),
        pile_tops=tuple(top for _, top in piles),
        tile_discard=tile_discard,
        walls=tuple(walls),
        eruption=tuple(holders[text] for text in eruption),
        final_left=f.number("last"),
        final_out=f.number("lastout", NONE),
        burnt=tuple(s in burn_order for s in seats),
        burn_order=() if rules.mode == CLANS else tuple(burn_order),
        turn_quiet=not f.flag("loud"),
        quiet_turns=f.number("quiet"),
        purpose=f.word("for", PURPOSES),
        tile=drawn,
        tile_pile=f.number("from") - 1,
        held=tuple(sorted(f.hex("held", text) for text in f.listed("held"))),
        target=6 * place[0] + place[1] if place else NONE,
        roll_pos=f.number("roll", NONE),
        roll_lost=f.flag("lost"),
        draws_left=f.number("draws"),
        resume=f.word("then", RESUMES),
        tray=tray,
        tray_edge=f.number("set"),
        builds_done=f.number("built"),
        reveal_resume=f.word("reveal", REVEALS),
        reveal_restricted=f.flag("restricted"),
        ended_by=f.word("end", ("", *FACTS.end_reasons)),
    )
    deck = tuple(rules.card(c)[0] - card_discard[c] - sum(hand[c] for hand in hands) for c in range(len(CARDS)))
    return Snapshot(table, tuple(hands), deck)
