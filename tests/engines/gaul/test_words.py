"""Notation and wire of Village of Gaul refuse what is none of it, and say where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from papamu.gaul.v1 import gaul_pb2 as pb

from engines import registry
from engines.conformance.scenario import parse_position, parse_setup
from engines.core.game import BadInput
from engines.gaul import wire
from engines.gaul.facts import EXHAUSTED, Face
from engines.gaul.moves import Play, Remove, Split, Step, Swap

GAUL = registry.game("gaul")
RULES = registry.make_rules(registry.make_setup(GAUL))
ALPHABET = "YRBWSHK0129xrmscad:+-@~>/,[]"
POSITION = (
    "2,6,4,4 Y r4 play0 10,4 BK1/RS1,RS2 RS1x,RH2m,BK1m,RS2s,BH1c,WH2c "
    "WS1x,WS1s,RK1s,BK1s,BS1c,WK1a,RS1d/BS1x,RH1r,RK2r,YS1d,BS2d,YK2d,WK1d"
)
FIELDS = POSITION.split()


@given(st.text(ALPHABET, max_size=14))
def test_any_text_is_a_token_or_refused(text: str) -> None:
    try:
        move = GAUL.notation.parse(RULES, text)
    except BadInput as error:
        assert error.violations[0].id == "gaul.parse"
    else:
        assert GAUL.notation.token(RULES, move) == text


NUMBER = st.one_of(st.integers(0, 12), st.integers(0, 2**32 - 1))
REF = st.one_of(st.just(EXHAUSTED), st.builds(Face, NUMBER, NUMBER, NUMBER))


@given(
    st.one_of(
        st.builds(Play, NUMBER),
        st.builds(Swap, NUMBER, REF, NUMBER, REF),
        st.builds(Remove, NUMBER),
        st.builds(Step, NUMBER, NUMBER),
        st.builds(Split, NUMBER, NUMBER, NUMBER),
    )
)
def test_any_well_formed_move_has_one_text_and_one_message(move: Play | Swap | Remove | Step | Split) -> None:
    assert GAUL.notation.parse(RULES, GAUL.notation.token(RULES, move)) == move
    assert wire.read_move(RULES, wire.write_move(RULES, move)) == move


@pytest.mark.parametrize(
    "text", ["-[0]", "[83]", "[4294967296]", "x[1]-/0-", "YS3x", "Z>Y", "Y>RB,B>W", "x0ZS1/1-", "٣"]
)
def test_a_second_spelling_or_an_unknown_letter_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="no move"):
        GAUL.notation.parse(RULES, text)


@given(st.text(ALPHABET + " ", max_size=80))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    with pytest.raises(BadInput):
        GAUL.notation.read_position(RULES, text)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (0, "2,6,4,x"),
        (0, ""),
        (1, "Z"),
        (2, "4"),
        (2, "r٣"),
        (3, "play"),
        (3, "action0:YS9x"),
        (3, "deal0"),
        (4, "10;4"),
        (5, "BK1/RS9"),
        (5, "BK1/[1]S1"),
        (6, "YS9x"),
        (7, "[84]/-"),
    ],
)
def test_bad_field_of_a_position_text(field: int, text: str) -> None:
    with pytest.raises(BadInput) as refused:
        GAUL.notation.read_position(RULES, " ".join([*FIELDS[:field], text, *FIELDS[field + 1 :]]))
    assert refused.value.violations[0].id == "gaul.parse"


def test_lists_of_cards_are_read_in_any_order() -> None:
    state = parse_position(GAUL, RULES, POSITION)
    message = wire.write_state(state)
    for kinds in (message.hands[0].kinds, message.played, message.charged[1].faces):
        listed = list(kinds)[::-1]
        del kinds[:]
        kinds.extend(listed)
    again = wire.read_state(RULES, message)
    assert (again.key(), wire.write_state(again)) == (state.key(), wire.write_state(state))


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (pb.Move(), ""),
        (pb.Move(swap=pb.Swap(seat_b=1, b=pb.PlayedCard(exhausted=pb.Exhausted()))), "swap.a"),
        (pb.Move(swap=pb.Swap(a=pb.PlayedCard(exhausted=pb.Exhausted()), b=pb.PlayedCard())), "swap.b"),
    ],
)
def test_malformed_move_names_its_field(message: pb.Move, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        wire.read_move(RULES, message)
    assert [v.field for v in refused.value.violations] == [field]


def test_unknown_enum_numbers_are_refused() -> None:
    for data in (b"\x08\x63", b"\x10\x63"):
        with pytest.raises(BadInput, match="unknown number 99"):
            wire.read_options(pb.Options.FromString(data))
    with pytest.raises(BadInput, match="unknown number 99"):
        wire.read_state(RULES, pb.State.FromString(b"\x08\x63"))
    with pytest.raises(BadInput, match="unknown number 99"):
        wire.read_view(RULES, 0, pb.View(hand_sizes=[0, 0], hand=pb.Hand()).FromString(b"\x08\x63\x42\x02\x00\x00"))


def _view() -> pb.View:
    return wire.write_view(parse_position(GAUL, RULES, POSITION).observe(0))


def test_a_view_hides_the_other_hand() -> None:
    view = _view()
    assert list(view.hand_sizes) == [7, 7]
    assert [GAUL.notation.card_text(RULES, kind) for kind in view.hand.kinds] == FIELDS[7].split("/")[0].split(",")
    assert "hands" not in {field.name for field in view.DESCRIPTOR.fields}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"hand_sizes": [7]}, "hand_sizes"),
        ({"hand_sizes": [8, 7]}, "hand_sizes[0]"),
        ({"hand_sizes": [7, 11]}, "hand_sizes[1]"),
        ({"hand_sizes": [7, 4_000_000_000]}, "hand_sizes[1]"),
        ({"hand_sizes": [7, 6]}, "hand_sizes[1]"),
        ({"hand_sizes": [7, 8]}, "hand_sizes"),
        ({"menhirs": [2, 6, 4, 5]}, "menhirs"),
        ({"played": []}, "played"),
    ],
)
def test_impossible_view_names_its_field(change: dict[str, list[int]], field: str) -> None:
    view = _view()
    for name, values in change.items():
        del getattr(view, name)[:]
        getattr(view, name).extend(values)
    with pytest.raises(BadInput) as refused:
        wire.read_view(RULES, 0, view)
    assert refused.value.violations[0].field == field


def test_a_view_with_an_unknown_card_names_it() -> None:
    view = _view()
    view.hand.kinds[2] = 84
    with pytest.raises(BadInput) as refused:
        wire.read_view(RULES, 0, view)
    assert [v.field for v in refused.value.violations] == ["hand.kinds[2]"]
    with pytest.raises(BadInput, match="must be 0 to 1"):
        wire.read_view(RULES, 2, _view())


def test_a_view_from_outside_gets_its_lists_in_order() -> None:
    view = _view()
    kinds = list(view.hand.kinds)[::-1]
    del view.hand.kinds[:]
    view.hand.kinds.extend(kinds)
    assert wire.write_view(wire.read_view(RULES, 0, view)) == _view()


def test_setup_of_seats_is_read(odd_editions: None) -> None:
    rules = parse_setup(GAUL, "edition=five seats=3 decline=worded swap_scope=charged_only swap_self=true")
    options = wire.write_options(rules.setup)
    assert wire.read_options(options) == dict(rules.setup.options)
    assert wire.read_options(pb.Options()) == {}
