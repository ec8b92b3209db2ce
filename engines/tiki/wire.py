"""Tiki messages of the contract (`papamu.tiki.v1`) to and from the engine's own words."""

from __future__ import annotations

from collections.abc import Sequence

from papamu.tiki.v1 import tiki_pb2 as pb

from engines.core.game import BadInput, OptionValue, Setup, Violation
from engines.core.state import Rules
from engines.tiki import notation
from engines.tiki.board import TikiRules
from engines.tiki.facts import GAPS, NONE, PHASES
from engines.tiki.moves import Create, Decline, First, Lay, Move, Pass, PlaceShaman, Resolve, TikiMove
from engines.tiki.observe import TikiObservation
from engines.tiki.rules import Tiki, load
from engines.tiki.snapshot import Snapshot

_STARTERS = {pb.STARTER_DRAW: "DRAW", pb.STARTER_SEAT0: "SEAT0", pb.STARTER_SEAT1: "SEAT1"}
_RETURNS = {pb.TIE_RETURN_ALL: "ALL", pb.TIE_RETURN_ONE: "ONE"}


def _bad(field: str, sentence: str, rule_id: str = "") -> BadInput:
    return BadInput([Violation(field, sentence, rule_id)])


# -- options ------------------------------------------------------------------------------------------------------


def write_options(setup: Setup) -> pb.Options:
    """All options of a setup."""
    o = setup.options
    return pb.Options(
        shaman=bool(o["shaman"]),
        layout=str(o["layout"]),
        starter=next(number for number, name in _STARTERS.items() if name == o["starter"]),
        tie_return=next(number for number, name in _RETURNS.items() if name == o["tie_return"]),
        turn_limit=int(o["turn_limit"]),
        repetition_limit=int(o["repetition_limit"]),
    )


def read_options(message: pb.Options) -> dict[str, OptionValue]:
    """The options that are set. Raises BadInput on an unknown enum number."""
    given: dict[str, OptionValue] = {}
    for name in ("shaman", "layout", "turn_limit", "repetition_limit"):
        if message.HasField(name):
            given[name] = getattr(message, name)
    for name, names in (("starter", _STARTERS), ("tie_return", _RETURNS)):
        number = getattr(message, name)
        if number != 0:
            if number not in names:
                raise _bad(name, f"unknown number {number}", "tiki.option.range")
            given[name] = names[number]
    return given


# -- moves --------------------------------------------------------------------------------------------------------


def write_move(rules: Rules, move: TikiMove) -> pb.Move:
    """The message of a well-formed move."""
    match move:
        case Create(village):
            return pb.Move(create=pb.Create(village=village))
        case Move(path):
            return pb.Move(move=pb.Carry(path=path))
        case Pass():
            message = pb.Move()
            getattr(message, "pass").SetInParent()  # a Python keyword
            return message
        case Resolve(village):
            return pb.Move(resolve=pb.Resolve(village=village))
        case PlaceShaman(gap):
            return pb.Move(place_shaman=pb.PlaceShaman(gap=gap))
        case Decline():
            return pb.Move(decline=pb.Decline())
        case Lay(village, tile):
            assert isinstance(rules, TikiRules)
            return pb.Move(lay=pb.Lay(village=village, tile=rules.tiles[tile]))
        case First(seat):
            return pb.Move(first=pb.First(seat=seat))


def _below(value: int, limit: int, field: str) -> int:
    if value >= limit:
        raise _bad(field, f"must be 0 to {limit - 1}")
    return value


def read_move(rules: Rules, message: pb.Move) -> TikiMove:
    """The typed move. Raises BadInput for what is malformed: nothing set, or a number of nothing that exists."""
    assert isinstance(rules, TikiRules)
    match message.WhichOneof("kind"):
        case "create":
            return Create(_below(message.create.village, 9, "create.village"))
        case "move":
            path = message.move.path
            if len(path) not in (2, 3):
                raise _bad("move.path", "must have two or three villages")
            return Move(tuple(_below(u, 9, f"move.path[{i}]") for i, u in enumerate(path)))
        case "pass":
            return Pass()
        case "resolve":
            return Resolve(_below(message.resolve.village, 9, "resolve.village"))
        case "place_shaman":
            return PlaceShaman(_below(message.place_shaman.gap, len(GAPS), "place_shaman.gap"))
        case "decline":
            return Decline()
        case "lay":
            village = _below(message.lay.village, 9, "lay.village")
            if message.lay.tile not in rules.tiles:
                raise _bad("lay.tile", "is no tile of the edition")
            return Lay(village, rules.tiles.index(message.lay.tile))
        case "first":
            return First(_below(message.first.seat, 2, "first.seat"))
        case _:
            raise _bad("", "no move is set")


# -- states -------------------------------------------------------------------------------------------------------


def _present(value: int) -> int | None:
    return None if value == NONE else value


def write_state(state: Tiki) -> pb.State:
    """The message of a state."""
    return _write(state.rules, state.snapshot())


def _write(rules: TikiRules, s: Snapshot) -> pb.State:
    return pb.State(
        phase=pb.Phase.Name(s.phase + 1),
        layout=["" if tile == NONE else rules.tiles[tile] for tile in s.layout],
        starter=_present(s.starter),
        turn=s.turn,
        turn_seat=_present(s.turn_seat),
        stacks=[pb.Stack(seats=stack) for stack in s.stacks],
        hands=s.hands,
        fruits=s.fruits,
        reserve=s.reserve,
        spoiled=s.spoiled,
        shaman=_present(s.shaman),
        resolving=_present(s.resolving),
        sudden_death=s.sudden_death,
        history=[notation.write_history(rules, packed) for packed in s.history],
        outcome=pb.Outcome(winner=_present(s.winner), reason=pb.Reason.Name(s.reason)) if s.reason else None,
    )


def read_state(rules: Rules, message: pb.State) -> Tiki:
    """The state. Raises BadInput: malformed fields, or every broken invariant."""
    assert isinstance(rules, TikiRules)
    return load(rules, _read(rules, message))


def _tiles(rules: TikiRules, layout: Sequence[str]) -> tuple[int, ...]:
    for u, code in enumerate(layout[:10]):
        if code and code not in rules.tiles:
            raise _bad(f"layout[{u}]", "is no tile of the edition", "tiki.state.layout")
    return tuple(rules.tiles.index(code) if code else NONE for code in layout[:10])


def _history(rules: TikiRules, entries: Sequence[str]) -> tuple[int, ...]:
    packed = []
    for i, text in enumerate(entries[:1001]):
        try:
            packed.append(notation.read_history(rules, text))
        except BadInput as error:
            raise _bad(f"history[{i}]", error.violations[0].sentence, "tiki.state.history") from error
    return tuple(packed)


def _read(rules: TikiRules, m: pb.State) -> Snapshot:
    if not 1 <= m.phase <= len(PHASES):
        raise _bad("phase", f"unknown number {m.phase}")
    return Snapshot(
        phase=m.phase - 1,
        layout=_tiles(rules, m.layout),
        starter=m.starter if m.HasField("starter") else NONE,
        turn=m.turn,
        turn_seat=m.turn_seat if m.HasField("turn_seat") else NONE,
        stacks=tuple(tuple(stack.seats[:4]) for stack in m.stacks[:10]),
        hands=tuple(m.hands[:3]),
        fruits=tuple(m.fruits[:3]),
        reserve=m.reserve,
        spoiled=m.spoiled,
        shaman=m.shaman if m.HasField("shaman") else NONE,
        resolving=m.resolving if m.HasField("resolving") else NONE,
        sudden_death=m.sudden_death,
        history=_history(rules, m.history),
        winner=m.outcome.winner if m.outcome.HasField("winner") else NONE,
        reason=m.outcome.reason,
    )


def write_view(observation: TikiObservation) -> pb.View:
    """The message of an observation."""
    return pb.View(state=_write(observation.rules, observation.snapshot))


def read_view(rules: Rules, viewer: int, message: pb.View) -> TikiObservation:
    """The observation. Raises BadInput."""
    assert isinstance(rules, TikiRules)
    _below(viewer, 2, "viewer")
    snapshot = _read(rules, message.state)
    load(rules, snapshot)
    return TikiObservation(rules, viewer, snapshot)
