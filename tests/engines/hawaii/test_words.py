"""Notation and wire of Hawaii refuse what is no Hawaii, and say where."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from papamu.hawaii.v1 import hawaii_pb2 as pb

from engines import registry
from engines.conformance.scenario import parse_position, parse_setup
from engines.core.game import BadInput
from engines.core.rollout import rollout
from engines.hawaii import wire
from engines.hawaii.notation import MOST_BOATS

HAWAII = registry.game("hawaii")
RULES = parse_setup(HAWAII, "seats=3")
STATE = HAWAII.rules.start(RULES)
rollout(STATE, 4, 150)
POSITION = HAWAII.notation.write_position(STATE)


@given(st.text("WFSXBVTKC@AIPR:$/-abcsfux0123459 HUT", max_size=12))
def test_any_text_is_a_token_or_refused(text: str) -> None:
    try:
        move = HAWAII.notation.parse(RULES, text)
    except BadInput as error:
        assert error.violations[0].id == "hawaii.parse"
    else:
        assert HAWAII.notation.token(RULES, move) == text


ODD_TOKENS = f"$0 $999s999f999u C:0 F:-/0 F:a{'b' * MOST_BOATS}/999 S:4/- X:999 T:0 B:sh0@2 B:ka2@6x".split()


@pytest.mark.parametrize("token", ODD_TOKENS)
def test_odd_tokens_are_well_formed(token: str) -> None:
    move = HAWAII.notation.parse(RULES, token)
    assert HAWAII.notation.token(RULES, move) == token
    assert wire.read_move(RULES, wire.write_move(RULES, move)) == move


NO_TOKENS = """
$ $1f1s $01s $0s $1000s F:aa/1 F:/1 F:ba/1 F:a F:{31}/1 S:0/a S:5/a X:0 V:0 V:6 B:zz1@2 B:st1@2 B:sh1@7 B:sh1@2xx
K:st W:hut R: @A: @I:I10 @P:1 T:-1
""".replace("{31}", "b" * 31).split()


@pytest.mark.parametrize("token", ["", "W:HUT ", *NO_TOKENS])
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(BadInput) as refused:
        HAWAII.notation.parse(RULES, token)
    assert [v.id for v in refused.value.violations] == ["hawaii.parse"]


@given(st.integers(0, len(POSITION) - 1), st.sampled_from("0123459abcx-+,.;/~PsI "))
def test_a_changed_position_text_is_read_exactly_or_refused(at: int, character: str) -> None:
    text = POSITION[:at] + character + POSITION[at + 1 :]
    try:
        state = HAWAII.notation.read_position(RULES, text)
    except BadInput as error:
        assert all(v.id.startswith("hawaii.") for v in error.violations)
    else:
        assert HAWAII.notation.write_position(state) == text


@pytest.mark.parametrize(
    "text", ["", "start", POSITION + " ", POSITION[:-1], "x" * 5000, POSITION.replace(";", "|", 1)]
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        HAWAII.notation.read_position(RULES, text)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({}, ""),
        ({"walk": {}}, "walk.area"),
        ({"walk": {"area": "hut"}}, "walk.area"),
        ({"fish": {"boats": {"start": 2}}}, "fish.boats.start"),
        ({"fish": {"boats": {"level_1": 31}}}, "fish.boats.level_1"),
        ({"fish": {"feet": 1000}}, "fish.feet"),
        ({"sail": {"dock": 5}}, "sail.dock"),
        ({"pass": {}}, "pass.spot"),
        ({"pay": {"fruit": 1 << 31}}, "pay.fruit"),
        ({"buy": {"kind": "start_hut", "token": {"value": 2}}}, "buy.kind"),
        ({"buy": {"kind": "taro", "token": {"value": 7}}}, "buy.token"),
        ({"buy": {"kind": "taro"}}, "buy.token"),
        ({"place": {"village": 6}}, "place.village"),
        ({"take_fish": {"fish": 1000}}, "take_fish.fish"),
        ({"take_tile": {"kind": ""}}, "take_tile.kind"),
        ({"collect": {"shells": 1000}}, "collect.shells"),
        ({"draw_area": {"area": "I0"}}, "draw_area.area"),
        ({"draw_island": {"island": "HUT"}}, "draw_island.island"),
        ({"draw_token": {}}, "draw_token.token"),
    ],
)
def test_malformed_move_is_refused_with_its_field(message: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        wire.read_move(RULES, pb.Move(**message))
    assert [v.field for v in refused.value.violations] == [field]


@pytest.mark.parametrize("option", ["beach_return", "exchange_scope", "laka_scope", "tie_break"])
def test_unknown_option_number_is_refused(option: str) -> None:
    message = pb.Options()
    setattr(message, option, 9)
    with pytest.raises(BadInput) as refused:
        wire.read_options(message)
    assert [(v.field, v.id) for v in refused.value.violations] == [(option, "hawaii.option.range")]


def _state(**change: Any) -> pb.State:
    message = wire.write_state(STATE)
    message.table.MergeFrom(pb.Table(**change))
    return message


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"phase": 99}, "table.phase"),
        ({"places": [{"area": "XYZ"}]}, "table.places[10].area"),
        ({"docks": ["I99"]}, "table.docks[4]"),
        ({"islands_gone": ["X"]}, "table.islands_gone"),
        ({"pending": {"trip": 9}}, "table.pending.trip"),
        ({"pending": {"kind": "castle"}}, "table.pending.kind"),
        ({"realms": [{}]}, "table.realms[3].at"),
        ({"realms": [{"position": 10}]}, "table.realms[3].position"),
        ({"bag": [{"token": {"value": 2}, "count": 0}]}, "table.bag"),
        ({"order": [0] * 1000}, "table.order"),
        ({"realms": [{"beach": {}}] * 1000}, "table.realms"),
    ],
)
def test_malformed_state_is_refused_with_its_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        wire.read_state(RULES, _state(**change))
    assert any(v.field.startswith(field) for v in refused.value.violations), refused.value


def test_a_view_shows_neither_more_nor_less_than_the_viewer_sees() -> None:
    view = wire.write_view(STATE.observe(1))
    assert [(p.HasField("points"), p.HasField("goods")) for p in view.purses] == [
        (False, False),
        (True, True),
        (False, False),
    ]
    assert wire.read_view(RULES, 1, view) == STATE.observe(1)
    more, less, few = pb.View(), pb.View(), pb.View()
    for message in (more, less, few):
        message.CopyFrom(view)
    more.purses[0].goods.SetInParent()
    less.purses[1].ClearField("points")
    del few.purses[2]
    for message, field in ((more, "purses[0].goods"), (less, "purses[1].points"), (few, "purses")):
        with pytest.raises(BadInput) as refused:
            wire.read_view(RULES, 1, message)
        assert [v.field for v in refused.value.violations] == [field]
    with pytest.raises(BadInput):
        wire.read_view(RULES, 3, view)


def test_a_position_of_the_set_up_has_a_text() -> None:
    state = parse_position(HAWAII, RULES, "start @A:GOD @A:HUT")
    text = HAWAII.notation.write_position(state)
    assert text.startswith("1.DRAW_AREAS.- 012 GOD,HUT,-,-")
    assert HAWAII.notation.read_position(RULES, text).key() == state.key()
