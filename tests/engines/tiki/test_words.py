"""Notation and wire of Tiki refuse what is no Tiki, and say where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from papamu.tiki.v1 import tiki_pb2 as pb

from engines import registry
from engines.core.game import BadInput
from engines.tiki import history, wire
from engines.tiki.facts import PATHS

TIKI = registry.game("tiki")
RULES = registry.make_rules(registry.make_setup(TIKI))
ALPHABET = "@!SLFp-abc123=MX012YP/,: nstARE"


@given(st.text(ALPHABET, max_size=12))
def test_any_text_is_a_token_or_refused(text: str) -> None:
    try:
        move = TIKI.notation.parse(RULES, text)
    except BadInput as error:
        assert error.violations[0].id == "tiki.parse"
    else:
        assert TIKI.notation.token(RULES, move) == text


@given(st.one_of(st.text(ALPHABET, max_size=80), st.text(max_size=80)))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    with pytest.raises(BadInput):
        TIKI.notation.read_position(RULES, text)


BOARD = ["1,M,1/X,2,M/1,M,1", "-,Y,-/P,-,P/-,-,Y", "-", "0:0:7:0", "A0", "n", "t5"]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (0, "1,M,1/X,2,M/1,M"),
        (0, "1,M,1/X,2,M/1,M,Q"),
        (1, "-,Y,-/P,-,P/-,-"),
        (1, "-,Y,-/P,-,P/-,-,YYYY"),
        (2, "b1b1"),
        (3, "0:0:7"),
        (4, "A2"),
        (4, "E0"),
        (4, "S0"),
        (5, "x"),
        (6, "5"),
    ],
)
def test_bad_field_of_a_position_text(field: int, text: str) -> None:
    with pytest.raises(BadInput):
        TIKI.notation.read_position(RULES, " ".join([*BOARD[:field], text, *BOARD[field + 1 :]]))


def test_setup_positions_have_no_text() -> None:
    with pytest.raises(ValueError, match="no text"):
        TIKI.notation.write_position(TIKI.rules.start(RULES))


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (pb.Move(), ""),
        (pb.Move(create=pb.Create(village=9)), "create.village"),
        (pb.Move(move=pb.Carry(path=[1])), "move.path"),
        (pb.Move(move=pb.Carry(path=[1, 2, 3, 4])), "move.path"),
        (pb.Move(move=pb.Carry(path=[1, 4_000_000_000])), "move.path[1]"),
        (pb.Move(resolve=pb.Resolve(village=9)), "resolve.village"),
        (pb.Move(place_shaman=pb.PlaceShaman(gap=12)), "place_shaman.gap"),
        (pb.Move(lay=pb.Lay(village=9, tile="M")), "lay.village"),
        (pb.Move(lay=pb.Lay(village=0, tile="")), "lay.tile"),
        (pb.Move(first=pb.First(seat=2)), "first.seat"),
    ],
)
def test_malformed_move_names_its_field(message: pb.Move, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        wire.read_move(RULES, message)
    assert [v.field for v in refused.value.violations] == [field]


def test_unknown_enum_numbers_are_refused() -> None:
    options = pb.Options.FromString(b"\x18\x63")  # starter = 99
    with pytest.raises(BadInput, match="unknown number 99"):
        wire.read_options(options)
    with pytest.raises(BadInput, match="unknown number 99"):
        wire.read_state(RULES, pb.State.FromString(b"\x08\x63"))


@given(
    st.lists(st.lists(st.integers(0, 1), max_size=2).map(tuple), min_size=9, max_size=9).map(tuple),
    st.integers(-1, 11),
    st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)),
    st.integers(0, 1),
    st.booleans(),
)
def test_packed_positions_unpack(
    stacks: tuple[tuple[int, ...], ...], shaman: int, counts: tuple[int, int, int], seat: int, sudden: bool
) -> None:
    packed = history.pack(stacks, shaman, counts, seat, sudden)
    assert 0 <= packed < 1 << 54
    assert history.unpack(packed) == (stacks, shaman, counts, seat, sudden)


def test_code_anchors() -> None:
    """Codes that the specification names."""
    anchors = {9: "a1-b1", 10: "a1-a2", 11: "b1-a1", 32: "c3-b3", 33: "a1-b1-c1", 34: "a1-b1-b2", 36: "a1-a2-a3"}
    anchors |= {51: "b2-b1-a1", 58: "b2-b3-c3", 76: "c3-b3-a3", 77: "pass", 95: "Sb2b3", 99: "S-", 244: "F0"}
    moves = TIKI.moves.vocabulary(RULES)
    assert {code: TIKI.notation.token(RULES, moves[code]) for code in anchors} == anchors
    assert len(PATHS) == 24 + 44
