"""What holds in every possible state of Village of Gaul (README section 3): the door for states from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engines.core.game import Violation
from engines.gaul.facts import (
    ACT_AISLING,
    ACT_CROSS,
    ACT_DRAW,
    ACT_REMOVE,
    ACT_SPLIT,
    ACT_STEP,
    ACT_SWAP,
    ACTION,
    AISLING,
    DEAL,
    DECLINE_NEVER,
    DRAW,
    NONE,
    OVER,
    PHASES,
)
from engines.gaul.snapshot import Snapshot, View

if TYPE_CHECKING:
    from engines.gaul.board import GaulRules

SCORE_LIMIT = 2**31
"""Scores are 32-bit numbers; `scored` bounds them far below."""


def check(rules: GaulRules, snapshot: Snapshot) -> list[Violation]:
    """The faults of the first broken row of the table; empty exactly for a state that the engine may trust.

    A row means something only where those above it hold, so the rest is not looked at.
    """
    for name, row in _ROWS.items():
        faults = [Violation(field, sentence, f"gaul.state.{name}") for field, sentence in row(rules, snapshot)]
        if faults:
            return faults
    return []


Fault = tuple[str, str]
"""Field path and sentence."""


# -- what is derived, never stored --------------------------------------------------------------------------------


def in_turn(s: Snapshot | View) -> bool:
    """A card has been played in this turn and the turn is unfinished."""
    return s.phase in (ACTION, DRAW, AISLING)


def laid(r: GaulRules, s: Snapshot | View, seat: int) -> int:
    """How many cards lie in front of a seat: as many as it has played, since swaps exchange one for one."""
    if s.phase == OVER:
        return int(r.rounds)
    return s.round - 1 + (seat < s.turn or (seat == s.turn and in_turn(s)))


def drawn(r: GaulRules, s: Snapshot) -> int:
    """How many cards have been drawn so far by draw cards; fewer than those when the stock ran out."""
    cards = sum(r.cards[kind].action == ACT_DRAW for kind in s.played) - (s.phase == DRAW)
    return min(cards, int(r.cards_total) - r.seats * int(r.hand))


def exhausted_faces(r: GaulRules, s: Snapshot) -> Counter[int]:
    """Played cards that no longer lie charged, by face."""
    faces = Counter(r.face_of[r.cards[kind].face] for kind in s.played)
    faces.subtract(face for cards in s.charged for face in cards)
    return faces


def symbols(r: GaulRules, s: Snapshot) -> list[int]:
    """Symbols of each tool on the charged cards of all seats."""
    totals = [0] * len(r.tools)
    for cards in s.charged:
        for face in cards:
            totals[r.faces[face].tool] += r.faces[face].symbols
    return totals


def executable(r: GaulRules, s: Snapshot) -> bool:
    """Whether the action of the card in play can be carried out."""
    act = r.cards[s.in_play].action
    if act == ACT_SWAP:
        return sum(_has_swappable(r, s, seat) for seat in range(r.seats)) > 1
    if act == ACT_REMOVE:
        return any(s.menhirs)
    if act == ACT_STEP:
        return any(s.menhirs[origin] for origin, _ in r.steps)
    if act == ACT_SPLIT:
        return any(s.menhirs[origin] > 1 for origin, _, _ in r.splits)
    return any(s.menhirs[way[0]] and s.menhirs[way[2]] for way in r.crosses)


def _has_swappable(r: GaulRules, s: Snapshot, seat: int) -> bool:
    exhausted = laid(r, s, seat) - len(s.charged[seat])
    own = seat == s.turn and not r.swap_self
    return len(s.charged[seat]) - own > 0 or (r.any_played and exhausted > 0)


# -- the rows -----------------------------------------------------------------------------------------------------


def _shape(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    """Lengths and ranges: the C struct could not even hold what breaks these."""
    for field, value, low, high in (
        ("phase", s.phase, 0, len(PHASES) - 1),
        ("round", s.round, 1, r.rounds),
        ("turn", s.turn, 0, r.seats - 1),
        ("aisling", s.aisling, NONE, r.n_districts - 1),
        ("in_play", s.in_play, NONE, r.n_kinds - 1),
    ):
        if not low <= value <= high:
            yield field, f"must be {max(low, 0)} to {high}"
    for field, values, length, high in (
        ("menhirs", s.menhirs, r.n_districts, r.menhirs_total),
        ("scores", s.scores, r.seats, SCORE_LIMIT - 1),
    ):
        if len(values) != length:
            yield field, f"must have {length} entries"
        for i, value in enumerate(values):
            if not 0 <= value <= high:
                yield f"{field}[{i}]", f"must be 0 to {high}"
    for field, lists in (("hands", s.hands), ("charged", s.charged)):
        if len(lists) != r.seats:
            yield field, f"must have {r.seats} entries"
    kinds = [(f"hands[{seat}].kinds[{i}]", kind) for seat, hand in enumerate(s.hands) for i, kind in enumerate(hand)]
    kinds += [(f"played[{i}]", kind) for i, kind in enumerate(s.played)]
    for field, kind in kinds:
        if not 0 <= kind < r.n_kinds:
            yield field, "is no kind of the edition"
    for seat, cards in enumerate(s.charged):
        for i, face in enumerate(cards):
            if not 0 <= face < r.n_faces:
                yield f"charged[{seat}].faces[{i}]", "is no face of the edition"


def _cards(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    count = Counter(s.played)
    for hand in s.hands:
        count.update(hand)
    for kind, n in sorted(count.items()):
        if n > r.cards[kind].copies:
            yield _holder(s, kind), f"kind {kind} is there {n} times; the deck has {r.cards[kind].copies}"


def _holder(s: Snapshot, kind: int) -> str:
    return next((f"hands[{seat}].kinds" for seat, hand in enumerate(s.hands) if kind in hand), "played")


def _laid(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    need = sum(laid(r, s, seat) for seat in range(r.seats))
    if len(s.played) != need:
        yield "played", f"has {len(s.played)} cards; by round and turn it should have {need}"


def _charged(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    for face, n in sorted(exhausted_faces(r, s).items()):
        if n < 0:
            seat = next(seat for seat, cards in enumerate(s.charged) if face in cards)
            yield f"charged[{seat}].faces", f"more cards with face {face} lie charged than were played"
    for seat, cards in enumerate(s.charged):
        if len(cards) > laid(r, s, seat):
            yield f"charged[{seat}].faces", f"has {len(cards)} cards; the seat has played {laid(r, s, seat)}"


def _deal(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    if s.phase != DEAL:
        return
    sizes = [len(hand) for hand in s.hands]
    upcoming = next((seat for seat, size in enumerate(sizes) if size != r.hand), r.seats)
    if upcoming == r.seats:
        yield "hands", "are complete, which ends this phase"
    elif sizes[upcoming] > r.hand:
        yield f"hands[{upcoming}].kinds", f"has more than {r.hand} cards"
    elif any(sizes[upcoming + 1 :]):
        yield f"hands[{upcoming}].kinds", "is dealt before those after it"
    expected = {
        "round": 1,
        "turn": 0,
        "menhirs": r.start_menhirs(),
        "aisling": NONE,
        "scores": (0,) * r.seats,
        "in_play": NONE,
    }
    for field, value in expected.items():
        if getattr(s, field) != value:
            yield field, "is not at its start"


def _hands(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    if s.phase == DEAL:
        return
    for seat, hand in enumerate(s.hands):
        played = laid(r, s, seat)
        most = played - (s.phase == DRAW and seat == s.turn)
        if not 0 <= len(hand) - (r.hand - played) <= most:
            low = r.hand - played
            yield f"hands[{seat}].kinds", f"has {len(hand)} cards, not {low} to {low + most}"
    size = sum(len(hand) for hand in s.hands)
    need = r.seats * r.hand - len(s.played) + drawn(r, s)
    if size != need:
        yield "hands", f"have {size} cards together; by the cards played they should have {need}"


def _menhirs(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    removes = sum(r.cards[kind].action == ACT_REMOVE for kind in s.played)
    removes -= s.phase == ACTION and s.in_play != NONE and r.cards[s.in_play].action == ACT_REMOVE
    box = r.menhirs_total - sum(s.menhirs)
    least = min(removes, r.menhirs_total) if r.decline == DECLINE_NEVER else 0
    if not least <= box <= removes:
        yield "menhirs", f"{box} are out of the game after {removes} removes"


def _aisling(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    outside = s.round == 1 and s.turn == 0 and s.phase != OVER
    if outside and s.aisling != NONE:
        yield "aisling", "has not entered yet in the first turn"
    if not outside and s.aisling == NONE:
        yield "aisling", "has entered in the first turn"


def _in_play(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    if not in_turn(s):
        if s.in_play != NONE:
            yield "in_play", f"no card is in play in {PHASES[s.phase]}"
        return
    if s.in_play not in s.played:
        yield "in_play", "must be one of the played cards"
        return
    act = r.cards[s.in_play].action
    face = r.face_of[r.cards[s.in_play].face]
    moved = s.phase == AISLING and act == ACT_SWAP and r.swap_self
    if not any(face in cards for seat, cards in enumerate(s.charged) if moved or seat == s.turn):
        yield "in_play", "must lie charged"
    if s.phase == ACTION:
        if act not in (ACT_SWAP, ACT_REMOVE, ACT_STEP, ACT_SPLIT, ACT_CROSS):
            yield "in_play", "has no action to carry out"
        elif not executable(r, s):
            yield "in_play", "its action is impossible, so it is skipped"
    elif s.phase == DRAW:
        if act != ACT_DRAW:
            yield "in_play", "is no draw card"
        elif r.cards_total == len(s.played) + sum(len(hand) for hand in s.hands):
            yield "in_play", "nothing is left to draw"
    else:
        yield from _tied(s, act)


def _tied(s: Snapshot, act: int) -> Iterator[Fault]:
    """In AISLING: several districts to go to, and a reason to go."""
    others = [n for d, n in enumerate(s.menhirs) if d != s.aisling]
    if others.count(min(others)) < 2:
        yield "menhirs", "leave Aisling no choice"
    if act != ACT_AISLING and s.aisling != NONE and s.menhirs[s.aisling] == min(s.menhirs):
        yield "aisling", "stays where she is, among the fewest menhirs"


def _symbols(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    totals = symbols(r, s)
    if s.in_play != NONE:
        face = r.cards[s.in_play].face
        totals[face.tool] -= face.symbols
    for tool, total in enumerate(totals):
        if total >= r.trigger:
            yield "charged", f"{total} symbols of tool {tool} would have been scored"


def _scored(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    """Each scoring exhausts at least the trigger, and less than one card more."""
    faces = exhausted_faces(r, s)
    spent, most = [0] * len(r.tools), [1] * len(r.tools)
    for face in r.faces:
        most[face.tool] = max(most[face.tool], face.symbols)
    for number, n in faces.items():
        spent[r.faces[number].tool] += n * r.faces[number].symbols
    for tool, total in enumerate(spent):
        times = total // r.trigger
        if total > times * (r.trigger + most[tool] - 1):
            yield "charged", f"{total} exhausted symbols of tool {tool} do not come from whole scorings"
    bound = faces.total() * (r.points_per_menhir * r.menhirs_total + r.aisling_bonus)
    if sum(s.scores) > bound:
        yield "scores", f"are more than {faces.total()} scored cards can bring"


def _over(r: GaulRules, s: Snapshot) -> Iterator[Fault]:
    if s.phase == OVER:
        if s.round != r.rounds:
            yield "round", f"must be {r.rounds} after the end"
        if s.turn != 0:
            yield "turn", "must be 0 after the end"


_ROWS = {
    "shape": _shape,
    "cards": _cards,
    "laid": _laid,
    "charged": _charged,
    "deal": _deal,
    "hands": _hands,
    "menhirs": _menhirs,
    "aisling": _aisling,
    "in_play": _in_play,
    "symbols": _symbols,
    "scored": _scored,
    "over": _over,
}
"""The rows in their order; `gaul.state.config` is checked where a setup is read."""
IDS = tuple(f"gaul.state.{name}" for name in _ROWS)
