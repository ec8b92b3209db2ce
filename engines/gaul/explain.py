"""Why a Village of Gaul move is refused: the published rule ids (README section 9) in their four stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engines.core.constants import CHANCE
from engines.core.game import Kind, Reason, Rule
from engines.core.reasons import reasons_of
from engines.gaul import invariants
from engines.gaul.board import GaulRules
from engines.gaul.facts import (
    ACT_REMOVE,
    ACTION,
    ACTION_NAMES,
    AISLING,
    DEAL,
    DECLINE_ANY,
    DECLINE_WORDED,
    DRAW,
    EXHAUSTED,
    NONE,
    OVER,
    PHASES,
    PLAY,
    Ref,
)
from engines.gaul.moves import Aisling, Cross, Deal, Decline, Draw, GaulMove, Play, Remove, Split, Step, Swap
from engines.gaul.notation import card_text, face_text
from engines.gaul.rules import Gaul
from engines.gaul.snapshot import Snapshot

RULES = (
    Rule("gaul.flow.over", Kind.GAME_OVER, "Nobody moves after the end of the game.", "5.6"),
    Rule("gaul.flow.actor", Kind.NOT_THE_ACTOR, "Only the actor moves: one seat, or chance.", "5.2"),
    Rule("gaul.flow.type", Kind.WRONG_PHASE, "Each decision point takes its own kinds of moves.", "5.2"),
    Rule("gaul.form.range", Kind.OUT_OF_RANGE, "Kinds, districts, tools, seats and symbols must exist.", "5.3"),
    Rule("gaul.chance.not_in_stock", Kind.RULE, "Chance deals and draws cards that are left in the stock.", "6"),
    Rule("gaul.play.not_in_hand", Kind.RULE, "A seat plays a card that it holds.", "5.2"),
    Rule("gaul.decline.not_allowed", Kind.RULE, "A possible action is carried out, options apart.", "5.3"),
    Rule("gaul.swap.same_seat", Kind.RULE, "The two cards lie in front of different seats.", "5.3"),
    Rule("gaul.swap.order", Kind.RULE, "A swap names the lower seat first.", "5.3"),
    Rule("gaul.swap.not_charged", Kind.RULE, "A face that is named lies charged in front of that seat.", "5.3"),
    Rule("gaul.swap.itself", Kind.RULE, "The card just played is none of the two, options apart.", "5.3"),
    Rule("gaul.swap.no_exhausted", Kind.RULE, "An exhausted card is named only where one lies.", "5.3"),
    Rule("gaul.swap.exhausted_barred", Kind.RULE, "An option can keep swaps to charged cards.", "5.3"),
    Rule("gaul.remove.empty", Kind.RULE, "A menhir is removed from a district that has one.", "5.3"),
    Rule("gaul.step.empty", Kind.RULE, "A menhir steps from a district that has one.", "5.3"),
    Rule("gaul.step.not_adjacent", Kind.RULE, "A step leads to an adjacent district.", "5.3"),
    Rule("gaul.split.too_few", Kind.RULE, "A split takes two menhirs from one district.", "5.3"),
    Rule("gaul.split.stays", Kind.RULE, "Both menhirs of a split leave their district.", "5.3"),
    Rule("gaul.split.same_target", Kind.RULE, "The menhirs of a split go to two different districts.", "5.3"),
    Rule("gaul.split.order", Kind.RULE, "A split names the lower target first.", "5.3"),
    Rule("gaul.cross.empty", Kind.RULE, "Both menhirs of a cross come from districts that have one.", "5.3"),
    Rule("gaul.cross.not_distinct", Kind.RULE, "A cross takes four different districts.", "5.3"),
    Rule("gaul.cross.order", Kind.RULE, "A cross names the lower origin first.", "5.3"),
    Rule("gaul.aisling.stays", Kind.RULE, "When Aisling moves, she leaves her district.", "5.4"),
    Rule("gaul.aisling.not_fewest", Kind.RULE, "Aisling goes where the menhirs are fewest.", "5.4"),
)
_BY_ID = {rule.id: rule for rule in RULES}

_PHASE_OF = {Play: PLAY, Aisling: AISLING, Deal: DEAL, Draw: DRAW}
"""Kinds of moves that belong to a phase of their own; the others belong to ACTION."""
_MOVE_OF_ACTION = (Swap, Remove, Step, Split, Cross)

Broken = tuple[str, str, str]
"""Rule id without the slug, field below the move's own message, sentence."""


def explain(state: Gaul, move: GaulMove, sender: int) -> list[Reason]:
    """Every broken rule of the first stage that has any; empty exactly when the move is legal for `sender`."""
    phase, in_play = state.stage()
    broken = (
        list(_over(phase))
        or list(_flow(state, phase, in_play, move, sender))
        or list(_range(state.rules, move))
        or list(_content(state.rules, state.snapshot(), move))
    )
    return reasons_of(_BY_ID, "gaul", type(move).__name__.lower(), broken)


def _over(phase: int) -> Iterator[Broken]:
    if phase == OVER:
        yield "flow.over", "", "the game is over"


def _flow(state: Gaul, phase: int, in_play: int, move: GaulMove, sender: int) -> Iterator[Broken]:
    if sender != state.actor:
        yield "flow.actor", "sender", f"{_who(sender)} moves, but {_who(state.actor)} is to decide"
    if phase != _PHASE_OF.get(type(move), ACTION):
        yield "flow.type", "", f"a {type(move).__name__} does not belong to {PHASES[phase]}"
    elif phase == ACTION:
        act = state.rules.cards[in_play].action
        if not isinstance(move, (_MOVE_OF_ACTION[act], Decline)):
            yield "flow.type", "", f"the card in play has the action {ACTION_NAMES[act]}"


def _who(actor: int) -> str:
    return "chance" if actor == CHANCE else f"seat {actor}"


# -- stage 3: what does not exist ---------------------------------------------------------------------------------


def _range(r: GaulRules, move: GaulMove) -> Iterator[Broken]:
    for field, value, limit, what in _numbers(r, move):
        if value >= limit:
            yield "form.range", field, f"there is no {what} {value}"
    if isinstance(move, Swap):
        for field, ref in (("a", move.a), ("b", move.b)):
            if ref is not EXHAUSTED and ref.symbols == 0:
                yield "form.range", f"{field}.charged.symbols", "a face has at least one symbol"


def _numbers(r: GaulRules, move: GaulMove) -> Iterator[tuple[str, int, int, str]]:
    """Field, number, limit and name of everything that a move counts."""
    match move:
        case Play(kind) | Deal(kind) | Draw(kind):
            yield "kind", kind, r.n_kinds, "kind"
        case Swap(seat_a, a, seat_b, b):
            yield "seat_a", seat_a, r.seats, "seat"
            yield "seat_b", seat_b, r.seats, "seat"
            for field, ref in (("a", a), ("b", b)):
                if ref is not EXHAUSTED:
                    yield f"{field}.charged.colour", ref.colour, r.n_districts, "district"
                    yield f"{field}.charged.tool", ref.tool, len(r.tools), "tool"
        case Decline():
            return
        case _:
            for field in move.__dataclass_fields__:
                yield field, getattr(move, field), r.n_districts, "district"


# -- stage 4: the rules of each move ------------------------------------------------------------------------------


def _content(r: GaulRules, s: Snapshot, move: GaulMove) -> Iterator[Broken]:
    match move:
        case Deal(kind) | Draw(kind):
            taken = s.played.count(kind) + sum(hand.count(kind) for hand in s.hands)
            if taken >= r.cards[kind].copies:
                yield "chance.not_in_stock", "kind", f"no {card_text(r, kind)} is left"
        case Play(kind):
            if kind not in s.hands[s.turn]:
                yield "play.not_in_hand", "kind", f"seat {s.turn} does not hold {card_text(r, kind)}"
        case Decline():
            act = r.cards[s.in_play].action
            if not (r.decline == DECLINE_ANY or (r.decline == DECLINE_WORDED and act <= ACT_REMOVE)):
                yield "decline.not_allowed", "", f"the action {ACTION_NAMES[act]} must be carried out"
        case Swap():
            yield from _swap(r, s, move)
        case Remove(district):
            if s.menhirs[district] == 0:
                yield "remove.empty", "district", f"{r.districts[district]} has no menhir"
        case Step(origin, target):
            if s.menhirs[origin] == 0:
                yield "step.empty", "origin", f"{r.districts[origin]} has no menhir"
            if (origin, target) not in r.steps:
                yield "step.not_adjacent", "target", f"{r.districts[target]} is not adjacent to {r.districts[origin]}"
        case Split(origin, target_a, target_b):
            yield from _split(r, s, origin, target_a, target_b)
        case Cross():
            yield from _cross(r, s, move)
        case Aisling(district):
            yield from _aisling(r, s, district)


def _swap(r: GaulRules, s: Snapshot, move: Swap) -> Iterator[Broken]:
    if move.seat_a == move.seat_b:
        yield "swap.same_seat", "seat_b", f"both cards lie in front of seat {move.seat_a}"
    elif move.seat_a > move.seat_b:
        yield "swap.order", "seat_a", f"seat {move.seat_b} is named first"
    for field, seat, ref in (("a", move.seat_a, move.a), ("b", move.seat_b, move.b)):
        if ref is EXHAUSTED:
            if not r.any_played:
                yield "swap.exhausted_barred", field, "only charged cards may be swapped in this game"
            if invariants.laid(r, s, seat) == len(s.charged[seat]):
                yield "swap.no_exhausted", field, f"seat {seat} has no exhausted card"
        else:
            yield from _charged(r, s, field, seat, ref)


def _charged(r: GaulRules, s: Snapshot, field: str, seat: int, ref: Ref) -> Iterator[Broken]:
    assert ref is not EXHAUSTED
    n = Counter(s.charged[seat])[r.face_of.get(ref, NONE)]
    if n == 0:
        yield "swap.not_charged", field, f"no {face_text(r, ref)} lies charged in front of seat {seat}"
    elif n == 1 and seat == s.turn and ref == r.cards[s.in_play].face and not r.swap_self:
        yield "swap.itself", field, f"the only {face_text(r, ref)} there is the card just played"


def _split(r: GaulRules, s: Snapshot, origin: int, target_a: int, target_b: int) -> Iterator[Broken]:
    if s.menhirs[origin] < 2:
        yield "split.too_few", "origin", f"{r.districts[origin]} has {s.menhirs[origin]} menhirs"
    if origin in (target_a, target_b):
        field = "target_a" if origin == target_a else "target_b"
        yield "split.stays", field, f"{r.districts[origin]} is the district they leave"
    if target_a == target_b:
        yield "split.same_target", "target_b", f"both go to {r.districts[target_a]}"
    if target_a > target_b:
        yield "split.order", "target_a", f"{r.districts[target_b]} is named first"


def _cross(r: GaulRules, s: Snapshot, move: Cross) -> Iterator[Broken]:
    empty = [f for f in ("origin_a", "origin_b") if s.menhirs[getattr(move, f)] == 0]
    if empty:
        yield "cross.empty", empty[0], f"{r.districts[getattr(move, empty[0])]} has no menhir"
    if len({move.origin_a, move.target_a, move.origin_b, move.target_b}) < 4:
        yield "cross.not_distinct", "", "a district is named twice"
    if move.origin_a > move.origin_b:
        yield "cross.order", "origin_a", f"{r.districts[move.origin_b]} is named first"


def _aisling(r: GaulRules, s: Snapshot, district: int) -> Iterator[Broken]:
    fewest = min(n for d, n in enumerate(s.menhirs) if d != s.aisling)
    if district == s.aisling:
        yield "aisling.stays", "district", f"she stands in {r.districts[district]} now"
    elif s.menhirs[district] != fewest:
        yield (
            "aisling.not_fewest",
            "district",
            f"{s.menhirs[district]} menhirs are more than {fewest}",
        )
