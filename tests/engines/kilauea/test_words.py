"""Notation and wire of Kilauea refuse what is no Kilauea, and say where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from papamu.kilauea.v1 import kilauea_pb2 as pb

from engines import registry
from engines.conformance.scenario import parse_position, parse_setup
from engines.core.game import BadInput
from engines.kilauea import moves, wire
from engines.kilauea.notation import MAX_NUMBER
from engines.kilauea.tables import KilaueaRules

KILAUEA = registry.game("kilauea")
RULES = parse_setup(KILAUEA, "seats=3 extra=e")
assert isinstance(RULES, KilaueaRules)
NUMBER = st.integers(0, MAX_NUMBER)
VALUES = {
    "colour": st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "space": st.sampled_from("abcdefghijklmnopqrstuvwxyz"),
    "face": st.sampled_from("fb"),
}
MOVES = st.one_of(
    st.builds(kind, **{name: VALUES.get(name, NUMBER) for name in kind.__dataclass_fields__}) for kind in moves.KIND_OF
)


@given(MOVES)
def test_text_and_message_are_one_to_one_on_all_well_formed_moves(move: moves.KilaueaMove) -> None:
    token = KILAUEA.notation.token(RULES, move)
    assert KILAUEA.notation.parse(RULES, token) == move
    assert wire.read_move(RULES, wire.write_move(RULES, move)) == move
    code = KILAUEA.moves.encode(RULES, move)
    assert code is None or KILAUEA.moves.vocabulary(RULES)[code] == move


@pytest.mark.parametrize(
    "token",
    ["", " ", "D2", "D2r", "D02R", "D2R ", "+", "+-1", "+01", "+4294967296", "Xaa", "VR", "V3R", "U", "f3", "f3B", ">4"]
    + [">v", "m2", "..", "B0=3", "B0=3x", "T0a", "T0aR", "R4", "H1=", "S1", "x" * 100, "+\u0663", "D2R\n"],
)
def test_bad_tokens_are_refused(token: str) -> None:
    with pytest.raises(BadInput) as refused:
        KILAUEA.notation.parse(RULES, token)
    assert [v.id for v in refused.value.violations] == ["kilauea.parse"]


PERFT = Path(__file__).parents[2] / "golden" / "kilauea" / "perft.txt"
POSITION = next(
    line.split("|")[2].strip() for line in PERFT.read_text("utf-8").splitlines() if line.startswith("extra-e3 ")
)


@pytest.mark.parametrize(
    ("field", "text", "name"),
    [
        (0, "WAIT", "stage"),
        (1, "nobody", "actor"),
        (1, "4", "actor"),
        (2, "x/0", "turn"),
        (3, "-/-/-/-", "forests"),
        (3, "1f:a/-/-/-/-", "forests"),
        (3, "1f:ZZZZZZZZ/-/-/-/-", "forests"),
        (4, "0,0,0", "pool"),
        (4, "0,0,0,00", "pool"),
        (5, "1,2,3", "reef"),
        (8, "1,1,1,1", "volcano"),
        (9, "5R", "seals"),
        (9, "0Z", "seals"),
        (10, "-1", "crater"),
        (11, "x", "canoe"),
        (12, "RY/T", "tikis"),
        (12, "YR/T/-", "tikis"),
        (12, "Q/T/-", "tikis"),
        (13, "1,1", "stones"),
        (14, "-/-/-/-/-", "islands"),
        (15, "1,1,x", "vp"),
        (17, "maybe", "intermediate"),
        (18, "a", "pending"),
        (19, "10", "effect"),
        (19, "10.2:-:g3:-", "effect"),
        (20, "TIRED", "end"),
    ],
)
def test_bad_field_of_a_position_text(field: int, text: str, name: str) -> None:
    parts = POSITION.split(" ")
    parts[field] = text
    with pytest.raises(BadInput) as refused:
        parse_position(KILAUEA, RULES, " ".join(parts))
    assert [(v.id, v.field) for v in refused.value.violations] == [("kilauea.parse", name)]


def test_position_text_needs_all_fields() -> None:
    with pytest.raises(BadInput, match="21 fields"):
        KILAUEA.notation.read_position(RULES, POSITION.rsplit(" ", 1)[0])
    with pytest.raises(BadInput, match="21 fields"):
        KILAUEA.notation.read_position(RULES, POSITION + " " * 2000)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (pb.Move(), ""),
        (pb.Move(draft=pb.Draft(section=1)), "draft.colour"),
        (pb.Move(draft=pb.Draft(colour="RY")), "draft.colour"),
        (pb.Move(draft=pb.Draft(colour="r")), "draft.colour"),
        (pb.Move(draft=pb.Draft(colour="R\n")), "draft.colour"),
        (pb.Move(fell=pb.Fell(space="A")), "fell.space"),
        (pb.Move(fell=pb.Fell()), "fell.space"),
        (pb.Move(draw_forest=pb.DrawForest(board=1)), "draw_forest.face"),
    ],
)
def test_malformed_move_names_its_field(message: pb.Move, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        wire.read_move(RULES, message)
    assert [v.field for v in refused.value.violations] == [field]


def _state(**changes: Any) -> pb.State:
    state: pb.State = wire.write_state(parse_position(KILAUEA, RULES, POSITION))
    for name, value in changes.items():
        field = getattr(state, name)
        if isinstance(field, Message):
            field.CopyFrom(value)
        elif isinstance(value, dict):
            for i, item in value.items():
                field[i].MergeFrom(item)
        else:
            setattr(state, name, value)
    return state


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"effect": pb.Effect()}, "effect.tile"),
        ({"effect": pb.Effect(tile=1, home=pb.Home())}, "effect.home"),
        ({"effect": pb.Effect(tile=1, hand="Q")}, "effect.hand"),
        ({"effect": pb.Effect(tile=1, put=pb.Pillar())}, "effect.put.colour"),
        ({"effect": pb.Effect(tile=1, home=pb.Home(forest=pb.ForestSpace(space="ab")))}, "effect.home.forest.space"),
        ({"forests": {0: pb.Forest(board=6)}}, "forests[0].board"),
        ({"forests": {0: pb.Forest(spaces=["", "x"])}}, "forests[0].spaces[9]"),
    ],
)
def test_malformed_state_names_its_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        wire.read_state(RULES, _state(**changes))
    assert [v.field for v in refused.value.violations] == [field]


@pytest.mark.parametrize("field", ["pool", "reef", "heart", "flank", "removed", "pending"])
def test_endless_lists_are_refused(field: str) -> None:
    state = _state()
    getattr(state, field).extend([1] * 100_000)
    with pytest.raises(BadInput):
        wire.read_state(RULES, state)


@pytest.mark.parametrize("field", ["forests", "pillars", "seals", "players"])
def test_endless_lists_of_messages_are_refused(field: str) -> None:
    state = _state()
    part = pb.Pillar(section=0, colour="R") if field == "seals" else getattr(state, field)[0]
    getattr(state, field).extend([part] * 10_000)
    with pytest.raises(BadInput):
        wire.read_state(RULES, state)


def test_unknown_enum_numbers_are_refused() -> None:
    with pytest.raises(BadInput, match="unknown number 99"):
        wire.read_options(pb.Options.FromString(b"\x08\x63"))
    with pytest.raises(BadInput, match="unknown number 99"):
        wire.read_state(RULES, pb.State.FromString(b"\x08\x63"))
    state = _state()
    state.MergeFromString(b"\x98\x01\x63")  # end_reason = 99
    with pytest.raises(BadInput, match="unknown number 99"):
        wire.read_state(RULES, state)
    state = _state()
    state.forests[0].MergeFromString(b"\x10\x63")  # face = 99
    with pytest.raises(BadInput, match="unknown number 99"):
        wire.read_state(RULES, state)


def test_a_view_is_the_whole_state() -> None:
    state = parse_position(KILAUEA, RULES, POSITION)
    view = wire.write_view(state.observe(2))
    assert view.state == wire.write_state(state)
    with pytest.raises(BadInput, match="viewer"):
        wire.read_view(RULES, 3, view)
    with pytest.raises(ValueError, match="no seat"):
        state.observe(3)
