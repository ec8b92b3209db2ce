"""What holds in every possible Tiki state (README section 3): the door for states from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engines.core.game import Violation
from engines.tiki import history
from engines.tiki.facts import (
    ACTION,
    FOUR_FRUITS,
    GAP_OF,
    GAPS,
    NEIGHBOURS,
    NO_FRUIT_LEFT,
    NONE,
    OVER,
    PHASES,
    REPETITION,
    RESERVE_EMPTY,
    RESOLVE,
    SETUP_FIRST,
    SETUP_LAYOUT,
    SHAMAN,
    SUDDEN_GAIN,
    SUDDEN_LOSS,
    TURN_LIMIT,
)
from engines.tiki.snapshot import Snapshot

if TYPE_CHECKING:
    from engines.tiki.board import TikiRules

IDS = tuple(
    f"tiki.state.{name}"
    for name in (
        "stack",
        "tikis",
        "fruits",
        "reserve",
        "won",
        "pending",
        "order",
        "marsh",
        "sudden",
        "shaman",
        "turn",
        "layout",
        "spoiled",
        "history",
        "outcome",
        "setup",
    )
)
HISTORY_MAX = 1001


def check(rules: TikiRules, snapshot: Snapshot) -> list[Violation]:
    """Every broken invariant; empty exactly for a state that the rest of the engine may trust.

    Shapes and ranges come first: when one of them is broken, the others are not looked at.
    """
    faults = list(_shape(rules, snapshot))
    if not faults:
        for part in (_counts, _pending, _turn, _layout, _special, _history, _outcome, _setup):
            faults += part(rules, snapshot)
    return [Violation(field, sentence, f"tiki.state.{name}") for name, field, sentence in faults]


Fault = tuple[str, str, str]
"""Name of the invariant, field path, sentence."""


def _shape(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    """Lengths and ranges: the C struct could not even hold what breaks these."""
    if not 0 <= s.phase < len(PHASES):
        yield "setup", "phase", f"must be 0 to {len(PHASES) - 1}"
    if len(s.layout) != 9:
        yield "layout", "layout", "must have nine entries"
    for u, tile in enumerate(s.layout):
        if not NONE <= tile < r.n_tiles:
            yield "layout", f"layout[{u}]", "is no tile of the edition"
    if len(s.stacks) != 9:
        yield "stack", "stacks", "must have nine entries"
    for u, stack in enumerate(s.stacks):
        if len(stack) > 3:
            yield "stack", f"stacks[{u}]", "holds more than three tikis"
        if any(seat not in (0, 1) for seat in stack):
            yield "stack", f"stacks[{u}]", "names a seat that is not 0 or 1"
    for name, field, values in (("tikis", "hands", s.hands), ("fruits", "fruits", s.fruits)):
        if len(values) != 2:
            yield name, field, "must have two entries"
        top = r.tikis if field == "hands" else r.fruits
        for seat, value in enumerate(values):
            if not 0 <= value <= top:
                yield name, f"{field}[{seat}]", f"must be 0 to {top}"
    for field, value in (("reserve", s.reserve), ("spoiled", s.spoiled)):
        if not 0 <= value <= r.fruits:
            yield "fruits", field, f"must be 0 to {r.fruits}"
    for name, field, value in (("turn", "starter", s.starter), ("turn", "turn_seat", s.turn_seat)):
        if value not in (NONE, 0, 1):
            yield name, field, "must be a seat"
    if not 0 <= s.turn <= r.turn_limit:
        yield "turn", "turn", f"must be 0 to {r.turn_limit}"
    if not NONE <= s.shaman < len(GAPS):
        yield "shaman", "shaman", "is no gap"
    if not NONE <= s.resolving < 9:
        yield "marsh", "resolving", "is no village"
    if len(s.history) >= HISTORY_MAX:
        yield "history", "history", f"has more than {HISTORY_MAX - 1} entries"
    if s.winner not in (NONE, 0, 1):
        yield "outcome", "outcome.winner", "must be a seat"
    if not 0 <= s.reason <= NO_FRUIT_LEFT:
        yield "outcome", "outcome.reason", "is no reason"


def _full(s: Snapshot) -> list[int]:
    return [u for u in range(9) if len(s.stacks[u]) == 3]


def _counts(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    for seat in (0, 1):
        on_board = sum(stack.count(seat) for stack in s.stacks)
        if s.hands[seat] + on_board != r.tikis:
            yield "tikis", f"hands[{seat}]", f"hand {s.hands[seat]} and board {on_board} do not make {r.tikis} tikis"
    total = sum(s.fruits) + s.reserve + s.spoiled
    if total != r.fruits:
        yield "fruits", "reserve", f"all fruits add up to {total}, not {r.fruits}"
    if s.phase != OVER:
        if s.reserve < 1:
            yield "reserve", "reserve", "is empty in a running game"
        for seat in (0, 1):
            if s.fruits[seat] >= r.win_fruits:
                yield "won", f"fruits[{seat}]", f"{s.fruits[seat]} fruits have already won"


def _pending(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    """I6 to I8: which villages may be full, and why."""
    full = _full(s)
    if len(full) > (1 if s.phase == OVER else 0) and s.phase not in (RESOLVE, SHAMAN):
        yield "pending", f"stacks[{full[-1]}]", "is full, but nothing is being resolved"
    if s.phase == RESOLVE and not _could_fill(s, full):
        yield "order", "stacks", "no move fills these villages together"
    if s.phase != SHAMAN:
        if s.resolving != NONE:
            yield "marsh", "resolving", "is only set while the shaman is decided"
        return
    if not r.shaman:
        yield "marsh", "phase", "the game is played without shaman"
    elif s.resolving == NONE or s.resolving not in full:
        yield "marsh", "resolving", "must be a full village"
    elif s.layout[s.resolving] == NONE or not r.tile(s.layout[s.resolving])[1]:
        yield "marsh", "resolving", "is no marshland"
    others = [u for u in full if u != s.resolving]
    if len(others) > 1 or any(u not in NEIGHBOURS[s.resolving] for u in others if s.resolving != NONE):
        yield "marsh", "stacks", "another full village must be a single neighbour"


def _could_fill(s: Snapshot, full: list[int]) -> bool:
    """I7: some totem of the turn's seat came s-a-c and filled a and c."""
    if len(full) != 2:
        return False
    for a, c in (full, full[::-1]):
        joined = (a, c) in GAP_OF and GAP_OF[a, c] != s.shaman
        if joined and s.stacks[c][-1] == s.turn_seat:
            for origin in NEIGHBOURS[a]:
                if origin != c and not s.stacks[origin] and GAP_OF[origin, a] != s.shaman:
                    return True
    return False


def _turn(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    if s.phase in (SETUP_LAYOUT, SETUP_FIRST):
        return
    if s.starter == NONE:
        yield "turn", "starter", "is missing"
    elif r.starter not in (-1, s.starter):
        yield "turn", "starter", f"is fixed to seat {r.starter} by the option"
    if s.turn < 1:
        yield "turn", "turn", "must be at least 1"
    elif s.starter != NONE and s.turn_seat != (s.starter if s.turn % 2 == 1 else 1 - s.starter):
        yield "turn", "turn_seat", f"turn {s.turn} belongs to the other seat"


def _layout(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    laid = [tile for tile in s.layout if tile != NONE]
    for tile, times in sorted(Counter(laid).items()):
        if times > r.tile(tile)[2]:
            yield "layout", "layout", f"tile {r.tiles[tile]} lies {times} times, it has {r.tile(tile)[2]} copies"
    if s.phase == SETUP_LAYOUT:
        if len(laid) > 8 or any(tile != NONE for tile in s.layout[len(laid) :]):
            yield "layout", "layout", "villages are laid in order and the last one ends this phase"
    elif len(laid) < 9:
        yield "layout", "layout", "must be complete"
    if r.fixed_layout and (s.phase == SETUP_LAYOUT or s.layout != fixed_layout(r)):
        yield "layout", "layout", "is not the layout of the option"


def fixed_layout(r: TikiRules) -> tuple[int, ...]:
    """The tile types of the option `layout`, which must be set."""
    codes = str(r.setup.options["layout"]).replace("/", ",").split(",")
    return tuple(r.tiles.index(code) for code in codes)


def _special(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    """I9, I10, I13: sudden death, shaman, spoiled fruits."""
    in_setup = s.phase in (SETUP_LAYOUT, SETUP_FIRST)
    tiles = [r.tile(tile) for tile in s.layout if tile != NONE]
    if s.sudden_death and in_setup:
        yield "sudden", "sudden_death", "is never on in the set-up"
    elif s.sudden_death and s.phase != OVER:
        if s.fruits[0] != s.fruits[1]:
            yield "sudden", "sudden_death", "needs equal fruits"
        if not r.return_all and s.reserve != 1:
            yield "sudden", "reserve", "must be 1 in sudden death when one fruit returns"
        if r.return_all and s.fruits[0] > 0 and s.spoiled != 0:
            yield "sudden", "spoiled", "must be 0 in sudden death when all fruits return"
    if s.shaman != NONE and (in_setup or not any(shaman for _, shaman, _ in tiles)):
        yield "shaman", "shaman", "cannot have come onto the board"
    if s.phase != SETUP_LAYOUT and not any(fruits < 0 for fruits, _, _ in tiles):
        if s.spoiled != 0:
            yield "spoiled", "spoiled", "no village of this layout spoils a fruit"
        if s.sudden_death:
            yield "spoiled", "sudden_death", "needs a spoiled fruit, which this layout never makes"


def _history(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    if r.repetition_limit == 0:
        if s.history:
            yield "history", "history", "must be empty without the repetition rule"
        return
    limit = r.repetition_limit
    if s.phase != OVER and any(times >= limit for times in Counter(s.history).values()):
        yield "history", "history", f"holds a position {limit} times, which ends the game"
    for i, packed in enumerate(s.history):
        if not 0 <= packed < 1 << 54:
            yield "history", f"history[{i}]", "is no packed position"
    if s.phase == ACTION:
        now = history.pack(s.stacks, s.shaman, (*s.fruits, s.reserve), max(s.turn_seat, 0), s.sudden_death)
        if not s.history or s.history[-1] != now:
            yield "history", "history", "must end with the present position"


def _outcome(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    if s.phase != OVER:
        if s.reason or s.winner != NONE:
            yield "outcome", "outcome", "a running game has none"
        return
    lead = s.fruits[0] - s.fruits[1]
    if s.winner != (NONE if lead == 0 else int(lead < 0)):
        yield "outcome", "outcome.winner", "must be the seat with more fruits"
    fits = {
        FOUR_FRUITS: max(s.fruits) >= r.win_fruits and not s.sudden_death,
        RESERVE_EMPTY: s.reserve == 0 and not s.sudden_death and lead != 0,
        SUDDEN_GAIN: s.sudden_death and lead != 0,
        SUDDEN_LOSS: s.sudden_death and lead != 0,
        TURN_LIMIT: s.turn == r.turn_limit,
        REPETITION: r.repetition_limit > 0,
        NO_FRUIT_LEFT: s.reserve == 0 and s.spoiled == 0 and lead == 0,
    }
    if not fits.get(s.reason, False):
        yield "outcome", "outcome.reason", "does not fit the position"


def _setup(r: TikiRules, s: Snapshot) -> Iterator[Fault]:
    if s.phase not in (SETUP_LAYOUT, SETUP_FIRST):
        return
    if s.phase == SETUP_FIRST and r.starter != NONE:
        yield "setup", "phase", "the starter is fixed by the option"
    expected = {
        "stacks": ((),) * 9,
        "hands": (r.tikis, r.tikis),
        "fruits": (0, 0),
        "reserve": r.fruits,
        "spoiled": 0,
        "shaman": NONE,
        "turn": 0,
        "turn_seat": NONE,
        "starter": r.starter,
        "history": (),
    }
    for field, value in expected.items():
        if getattr(s, field) != value:
            yield "setup", field, "is not at its start"
