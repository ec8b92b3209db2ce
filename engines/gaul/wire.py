"""Village of Gaul messages of the contract (`papamu.gaul.v1`) to and from the engine's own words."""

from __future__ import annotations

from collections.abc import Sequence

from papamu.gaul.v1 import gaul_pb2 as pb

from engines.core.game import BadInput, OptionValue, Setup, Violation
from engines.core.state import Rules
from engines.gaul.board import GaulRules
from engines.gaul.edition import CONFIG
from engines.gaul.facts import DECLINE_RULES, EXHAUSTED, NONE, PHASES, SWAP_SCOPES, Face, Ref
from engines.gaul.moves import Aisling, Cross, Deal, Decline, Draw, GaulMove, Play, Remove, Split, Step, Swap
from engines.gaul.observe import GaulObservation
from engines.gaul.rules import Gaul, load
from engines.gaul.snapshot import Snapshot, View

_ENUMS = (("decline", pb.DeclineRule, DECLINE_RULES), ("swap_scope", pb.SwapScope, SWAP_SCOPES))
"""Option, its enum, the option's words in the order of the numbers from 1."""


def _bad(field: str, sentence: str, rule_id: str = "") -> BadInput:
    return BadInput([Violation(field, sentence, rule_id)])


# -- options ------------------------------------------------------------------------------------------------------


def write_options(setup: Setup) -> pb.Options:
    """All options of a setup."""
    numbers = {name: enum.Name(words.index(str(setup.options[name])) + 1) for name, enum, words in _ENUMS}
    return pb.Options(swap_self=bool(setup.options["swap_self"]), **numbers)


def read_options(message: pb.Options) -> dict[str, OptionValue]:
    """The options that are set. Raises BadInput on an unknown enum number."""
    given: dict[str, OptionValue] = {}
    for name, _, words in _ENUMS:
        number = getattr(message, name)
        if not 0 <= number <= len(words):
            raise _bad(name, f"unknown number {number}", CONFIG)
        if number != 0:
            given[name] = words[number - 1]
    if message.HasField("swap_self"):
        given["swap_self"] = message.swap_self
    return given


# -- moves --------------------------------------------------------------------------------------------------------


def write_move(rules: Rules, move: GaulMove) -> pb.Move:
    """The message of a well-formed move."""
    match move:
        case Play(kind):
            return pb.Move(play=pb.Play(kind=kind))
        case Swap(seat_a, a, seat_b, b):
            return pb.Move(swap=pb.Swap(seat_a=seat_a, a=_write_ref(a), seat_b=seat_b, b=_write_ref(b)))
        case Remove(district):
            return pb.Move(remove=pb.Remove(district=district))
        case Step(origin, target):
            return pb.Move(step=pb.Step(origin=origin, target=target))
        case Split(origin, target_a, target_b):
            return pb.Move(split=pb.Split(origin=origin, target_a=target_a, target_b=target_b))
        case Cross(origin_a, target_a, origin_b, target_b):
            cross = pb.Cross(origin_a=origin_a, target_a=target_a, origin_b=origin_b, target_b=target_b)
            return pb.Move(cross=cross)
        case Aisling(district):
            return pb.Move(aisling=pb.Aisling(district=district))
        case Decline():
            return pb.Move(decline=pb.Decline())
        case Deal(kind):
            return pb.Move(deal=pb.Deal(kind=kind))
        case Draw(kind):
            return pb.Move(draw=pb.Draw(kind=kind))


def _write_face(face: Face) -> pb.Face:
    return pb.Face(colour=face.colour, tool=face.tool, symbols=face.symbols)


def _write_ref(ref: Ref) -> pb.PlayedCard:
    if ref is EXHAUSTED:
        return pb.PlayedCard(exhausted=pb.Exhausted())
    return pb.PlayedCard(charged=_write_face(ref))


def read_move(rules: Rules, message: pb.Move) -> GaulMove:
    """The typed move. Raises BadInput when none is set, or a swap lacks a card.

    Numbers of kinds, districts, tools and seats may be any: one that does not exist makes a well-formed illegal move.
    """
    match message.WhichOneof("kind"):
        case "play":
            return Play(message.play.kind)
        case "swap":
            swap = message.swap
            return Swap(swap.seat_a, _read_ref(swap.a, "swap.a"), swap.seat_b, _read_ref(swap.b, "swap.b"))
        case "remove":
            return Remove(message.remove.district)
        case "step":
            return Step(message.step.origin, message.step.target)
        case "split":
            return Split(message.split.origin, message.split.target_a, message.split.target_b)
        case "cross":
            cross = message.cross
            return Cross(cross.origin_a, cross.target_a, cross.origin_b, cross.target_b)
        case "aisling":
            return Aisling(message.aisling.district)
        case "decline":
            return Decline()
        case "deal":
            return Deal(message.deal.kind)
        case "draw":
            return Draw(message.draw.kind)
        case _:
            raise _bad("", "no move is set")


def _read_ref(message: pb.PlayedCard, field: str) -> Ref:
    match message.WhichOneof("card"):
        case "charged":
            return Face(message.charged.colour, message.charged.tool, message.charged.symbols)
        case "exhausted":
            return EXHAUSTED
        case _:
            raise _bad(field, "no card is set")


# -- states -------------------------------------------------------------------------------------------------------


def _present(value: int) -> int | None:
    return None if value == NONE else value


def _write_charged(rules: GaulRules, charged: Sequence[Sequence[int]]) -> list[pb.Charged]:
    return [pb.Charged(faces=[_write_face(rules.faces[face]) for face in cards]) for cards in charged]


def write_state(state: Gaul) -> pb.State:
    """The message of a state."""
    s = state.snapshot()
    return pb.State(
        phase=pb.Phase.Name(s.phase + 1),
        round=s.round,
        turn=s.turn,
        menhirs=s.menhirs,
        aisling=_present(s.aisling),
        scores=s.scores,
        hands=[pb.Hand(kinds=hand) for hand in s.hands],
        charged=_write_charged(state.rules, s.charged),
        played=s.played,
        in_play=_present(s.in_play),
    )


def read_state(rules: Rules, message: pb.State) -> Gaul:
    """The state. Raises BadInput: an unknown phase, or the first broken invariant."""
    assert isinstance(rules, GaulRules)
    m = message
    snapshot = Snapshot(
        phase=_read_phase(m.phase),
        round=m.round,
        turn=m.turn,
        menhirs=_cut(m.menhirs, rules.n_districts),
        aisling=m.aisling if m.HasField("aisling") else NONE,
        scores=_cut(m.scores, rules.seats),
        hands=tuple(_cut(hand.kinds, rules.cards_total) for hand in m.hands[: rules.seats + 1]),
        charged=_read_charged(rules, m.charged),
        played=_cut(m.played, rules.cards_total),
        in_play=m.in_play if m.HasField("in_play") else NONE,
    )
    return load(rules, snapshot)


def _read_phase(number: int) -> int:
    if not 1 <= number <= len(PHASES):
        raise _bad("phase", f"unknown number {number}")
    return number - 1


def _cut(values: Sequence[int], length: int) -> tuple[int, ...]:
    """A list that is too long keeps one entry too many, for the invariants to refuse."""
    return tuple(values[: length + 1])


def _read_charged(rules: GaulRules, charged: Sequence[pb.Charged]) -> tuple[tuple[int, ...], ...]:
    def face(message: pb.Face) -> int:
        return int(rules.face_of.get(Face(message.colour, message.tool, message.symbols), NONE))

    limit = rules.cards_total + 1
    return tuple(tuple(face(f) for f in cards.faces[:limit]) for cards in charged[: rules.seats + 1])


# -- views --------------------------------------------------------------------------------------------------------


def write_view(observation: GaulObservation) -> pb.View:
    """The message of an observation."""
    v = observation.view
    return pb.View(
        phase=pb.Phase.Name(v.phase + 1),
        round=v.round,
        turn=v.turn,
        menhirs=v.menhirs,
        aisling=_present(v.aisling),
        scores=v.scores,
        hand=pb.Hand(kinds=v.hand),
        hand_sizes=v.hand_sizes,
        charged=_write_charged(observation.rules, v.charged),
        played=v.played,
        in_play=_present(v.in_play),
    )


def read_view(rules: Rules, viewer: int, message: pb.View) -> GaulObservation:
    """The observation. Raises BadInput when no possible state looks like that."""
    assert isinstance(rules, GaulRules)
    m = message
    if viewer >= rules.seats:
        raise _bad("viewer", f"must be 0 to {rules.seats - 1}")
    if len(m.hand_sizes) != rules.seats:
        raise _bad("hand_sizes", f"must have {rules.seats} entries")
    hand = _cut(m.hand.kinds, rules.cards_total)
    if m.hand_sizes[viewer] != len(hand):
        raise _bad(f"hand_sizes[{viewer}]", "is not the size of the viewer's hand")
    for seat, size in enumerate(m.hand_sizes):
        if size > rules.hand:
            raise _bad(f"hand_sizes[{seat}]", f"must be at most {rules.hand}")
    view = View(
        phase=_read_phase(m.phase),
        round=m.round,
        turn=m.turn,
        menhirs=_cut(m.menhirs, rules.n_districts),
        aisling=m.aisling if m.HasField("aisling") else NONE,
        scores=_cut(m.scores, rules.seats),
        hand=hand,
        hand_sizes=tuple(m.hand_sizes),
        charged=_read_charged(rules, m.charged),
        played=_cut(m.played, rules.cards_total),
        in_play=m.in_play if m.HasField("in_play") else NONE,
    )
    try:
        return GaulObservation(rules, viewer, view).canonical()
    except BadInput as error:
        raise BadInput([Violation(_view_field(v.field, viewer), v.sentence, v.id) for v in error.violations]) from error


def _view_field(field: str, viewer: int) -> str:
    """The field of the view for one of the state: of another hand there is only the size."""
    if field.startswith(f"hands[{viewer}]"):
        return "hand" + field.removeprefix(f"hands[{viewer}]")
    return field.replace("hands", "hand_sizes").removesuffix(".kinds")
