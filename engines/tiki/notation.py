"""Text of Tiki moves and positions (README section 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.core.game import BadInput, Violation
from engines.core.state import Rules, State
from engines.tiki import history
from engines.tiki.board import TikiRules
from engines.tiki.edition import split_layout
from engines.tiki.facts import ACTION, GAPS, NONE, RESOLVE, SHAMAN, VILLAGES
from engines.tiki.moves import Create, Decline, First, Lay, Move, Pass, PlaceShaman, Resolve, TikiMove
from engines.tiki.rules import Tiki, load
from engines.tiki.snapshot import Snapshot

_VILLAGE = "[abc][123]"
_TOKEN = re.compile(
    rf"@(?P<create>{_VILLAGE})|(?P<path>{_VILLAGE}(?:-{_VILLAGE}){{1,2}})|(?P<pass_>pass)|!(?P<resolve>{_VILLAGE})"
    rf"|S(?P<gap>{_VILLAGE}{_VILLAGE})|(?P<decline>S-)|L(?P<lay>{_VILLAGE})=(?P<tile>[0-9A-Z]{{1,2}})|F(?P<first>[01])"
)
_GAP_NAMES = tuple(VILLAGES[a] + VILLAGES[b] for a, b in GAPS)
_LETTERS = "YP"


def token(rules: Rules, move: TikiMove) -> str:
    """The text of a well-formed move."""
    match move:
        case Create(village):
            return f"@{VILLAGES[village]}"
        case Move(path):
            return "-".join(VILLAGES[u] for u in path)
        case Pass():
            return "pass"
        case Resolve(village):
            return f"!{VILLAGES[village]}"
        case PlaceShaman(gap):
            return f"S{_GAP_NAMES[gap]}"
        case Decline():
            return "S-"
        case Lay(village, tile):
            assert isinstance(rules, TikiRules)
            return f"L{VILLAGES[village]}={rules.tiles[tile]}"
        case First(seat):
            return f"F{seat}"


def parse(rules: Rules, token: str) -> TikiMove:
    """The move of a token. Raises BadInput (`tiki.parse`) when it is none."""
    assert isinstance(rules, TikiRules)
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise _no_token(token)
    part = found.groupdict()
    if part["create"]:
        return Create(VILLAGES.index(part["create"]))
    if part["path"]:
        return Move(tuple(VILLAGES.index(name) for name in part["path"].split("-")))
    if part["pass_"]:
        return Pass()
    if part["resolve"]:
        return Resolve(VILLAGES.index(part["resolve"]))
    if part["gap"]:
        if part["gap"] not in _GAP_NAMES:
            raise _no_token(token)
        return PlaceShaman(_GAP_NAMES.index(part["gap"]))
    if part["decline"]:
        return Decline()
    if part["lay"]:
        if part["tile"] not in rules.tiles:
            raise _no_token(token)
        return Lay(VILLAGES.index(part["lay"]), rules.tiles.index(part["tile"]))
    return First(int(part["first"]))


def _no_token(token: str) -> BadInput:
    return BadInput([Violation("token", f"{token[:40]!r} is no Tiki move", "tiki.parse")])


# -- positions ----------------------------------------------------------------------------------------------------


def _grid(cells: list[str]) -> str:
    return "/".join(",".join(cells[row : row + 3]) for row in (0, 3, 6))


def _stack_text(stack: tuple[int, ...]) -> str:
    return "".join(_LETTERS[seat] for seat in stack) or "-"


def _gap_text(gap: int) -> str:
    return "-" if gap == NONE else _GAP_NAMES[gap]


def write_position(state: Tiki) -> str:
    """The seven fields of README section 8.3. Raises ValueError in the set-up, which has no text."""
    s = state.snapshot()
    if s.phase < ACTION:
        raise ValueError("a position in the set-up has no text")
    phase = "ARSE"[s.phase - ACTION] + str(s.turn_seat) + (VILLAGES[s.resolving] if s.phase == SHAMAN else "")
    middle = _middle(s.stacks, s.shaman, (*s.fruits, s.reserve, s.spoiled), phase, s.sudden_death)
    return f"{_grid([state.rules.tiles[tile] for tile in s.layout])} {middle} t{s.turn}"


def _middle(stacks: Sequence[tuple[int, ...]], shaman: int, counts: Sequence[int], phase: str, sudden: bool) -> str:
    """Fields 2 to 6: also the text of a history entry."""
    return " ".join(
        (
            _grid([_stack_text(stack) for stack in stacks]),
            _gap_text(shaman),
            ":".join(str(count) for count in counts),
            phase,
            "s" if sudden else "n",
        )
    )


def _bad(field: str, sentence: str) -> BadInput:
    return BadInput([Violation(field, sentence, "tiki.parse")])


def _read_stacks(text: str) -> tuple[tuple[int, ...], ...]:
    rows = [row.split(",") for row in text.split("/")]
    if [len(row) for row in rows] != [3, 3, 3]:
        raise _bad("stacks", "must be three rows of three stacks")
    cells = [cell for row in rows for cell in row]
    if not all(re.fullmatch("-|[YP]{1,3}", cell) for cell in cells):
        raise _bad("stacks", "a stack is - or one to three of Y and P, bottom first")
    return tuple(tuple(_LETTERS.index(letter) for letter in cell if letter != "-") for cell in cells)


def _read_gap(text: str) -> int:
    if text != "-" and text not in _GAP_NAMES:
        raise _bad("shaman", "must be - or a gap as in b2b3")
    return NONE if text == "-" else _GAP_NAMES.index(text)


def read_position(rules: Rules, text: str) -> State:
    """The state of a position text. Raises BadInput: `tiki.parse`, or the broken invariants.

    A finished position is refused, since its text lacks the reason of the end. With the repetition rule on, the history
    is taken as just this position.
    """
    assert isinstance(rules, TikiRules)
    fields = text.split(" ")
    if len(text) > 200 or len(fields) != 7:
        raise _bad("position", "must be seven fields with single spaces")
    codes = split_layout(fields[0])
    if any(code not in rules.tiles for code in codes):
        raise _bad("layout", "names a tile that the edition lacks")
    stacks = _read_stacks(fields[1])
    shaman = _read_gap(fields[2])
    counts = re.fullmatch(r"(\d{1,2}):(\d{1,2}):(\d{1,2}):(\d{1,2})", fields[3])
    phase = re.fullmatch(rf"([ARE])([01])|S([01])({_VILLAGE})", fields[4])
    turn = re.fullmatch(r"t(\d{1,4})", fields[6])
    if counts is None:
        raise _bad("fruits", "must be four numbers as in 2:1:3:1")
    if phase is None:
        raise _bad("phase", "must be as in A0, R1 or S0b3")
    if fields[5] not in ("n", "s"):
        raise _bad("sudden_death", "must be n or s")
    if turn is None:
        raise _bad("turn", "must be as in t12")
    if phase[1] == "E":
        raise _bad("phase", "a finished position does not carry its reason and cannot be read")
    numbers = [int(n) for n in counts.groups()]
    seat = int(phase[2] or phase[3])
    turn_number = int(turn[1])
    code = ACTION if phase[1] == "A" else RESOLVE if phase[1] == "R" else SHAMAN
    sudden = fields[5] == "s"
    in_history = rules.repetition_limit > 0 and code == ACTION
    packed = history.pack(stacks, shaman, numbers[:3], seat, sudden) if in_history else 0
    snapshot = Snapshot(
        phase=code,
        layout=tuple(rules.tiles.index(c) for c in codes),
        starter=seat if turn_number % 2 == 1 else 1 - seat,
        turn=turn_number,
        turn_seat=seat,
        stacks=stacks,
        hands=tuple(rules.tikis - sum(stack.count(s) for stack in stacks) for s in (0, 1)),
        fruits=(numbers[0], numbers[1]),
        reserve=numbers[2],
        spoiled=numbers[3],
        shaman=shaman,
        resolving=VILLAGES.index(phase[4]) if code == SHAMAN else NONE,
        sudden_death=sudden,
        history=(packed,) if in_history else (),
        winner=NONE,
        reason=0,
    )
    return load(rules, snapshot)


def write_history(rules: TikiRules, packed: int) -> str:
    """A packed position of the history as text."""
    stacks, shaman, counts, seat, sudden = history.unpack(packed)
    return _middle(stacks, shaman, (*counts, rules.fruits - sum(counts)), f"A{seat}", sudden)


def read_history(rules: TikiRules, text: str) -> int:
    """The packed position of a history entry. Raises BadInput when the text is not exactly such an entry."""
    fields = text.split(" ")
    counts = re.fullmatch(r"(\d{1,2}):(\d{1,2}):(\d{1,2}):\d{1,2}", fields[2]) if len(fields) == 5 else None
    if counts is None or fields[3] not in ("A0", "A1"):
        raise _bad("history", "is no position at the start of a turn")
    stacks = _read_stacks(fields[0])
    if any(len(stack) == 3 for stack in stacks):
        raise _bad("history", "holds a full village at the start of a turn")
    numbers = [int(n) for n in counts.groups()]
    packed = history.pack(stacks, _read_gap(fields[1]), numbers, int(fields[3][1]), fields[4] == "s")
    if write_history(rules, packed) != text:
        raise _bad("history", "is not written in its one form")
    return packed
