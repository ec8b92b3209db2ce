"""Texts and messages of moves and positions, and pictures: what is taken and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from papamu.eruption.v1 import eruption_pb2 as pb

from engines.core.game import BadInput
from engines.eruption import notation, picture, wire
from tests.engines.eruption.support import K, position, rules


@pytest.mark.parametrize(
    "token",
    ["", "+g4", "+g4/6", "+z4/0", "+a1/0", "*g12", "+g04/1", "p0", "p4", "XX", "QK&XX", "s>6", "x:O1", "s:O8", "s:Z1"]
    + ["s:g4.E", "s~g4.N", "[T:X]", "[T:012]", "[D6:AS]", "[S6]", "[R:100-1]", "[R:-1]", "[P4:3]", "/c", "x*", "-O9"],
)
def test_no_moves(token: str) -> None:
    with pytest.raises(BadInput) as caught:
        notation.parse(rules(), token)
    assert caught.value.violations[0].id == "eruption.parse"


@pytest.mark.parametrize("token", ["[R:7-3]", "[R:0-99]", "[D0:??]", "[C5:??]", "RN&QK", "w:f6.N", "-f6.S", "@f6/0"])
def test_well_formed_tokens_outside_the_vocabulary(token: str) -> None:
    assert notation.token(rules(), notation.parse(rules(), token)) == token


MALFORMED: dict[str, tuple[str, pb.Move]] = {
    "nothing": ("", pb.Move()),
    "a hex": ("place_tile.hex", pb.Move(place_tile=pb.PlaceTile(hex="a1"))),
    "a rotation": ("place_tile.rot", pb.Move(place_tile=pb.PlaceTile(hex="g4", rot=6))),
    "a pile": ("pick_pile.pile", pb.Move(pick_pile=pb.PickPile())),
    "a site": ("build_wall.site", pb.Move(build_wall=pb.BuildWall(site="g4", material="MATERIAL_STRAW"))),
    "a material": ("build_wall.material", pb.Move(build_wall=pb.BuildWall(site="g4.N"))),
    "a site in the open": ("relocate_wall.site", pb.Move(relocate_wall=pb.RelocateWall(site="g4.N", material=1))),
    "no card": ("play_card.card", pb.Move(play_card=pb.PlayCard())),
    "an unknown card": ("play_card.card", pb.Move(play_card=pb.PlayCard(card=9))),
    "a seat": ("give_card.to", pb.Move(give_card=pb.GiveCard(to=6, card=1))),
    "the eruption tile": ("draw_tile.kind", pb.Move(draw_tile=pb.DrawTile(kind="X"))),
    "a die": ("roll_dice.lava", pb.Move(roll_dice=pb.RollDice(lava=100, wall=1))),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_moves(name: str) -> None:
    field, message = MALFORMED[name]
    with pytest.raises(BadInput) as caught:
        wire.read_move(rules(), message)
    assert [violation.field for violation in caught.value.violations] == [field]


def test_hidden_cards_travel() -> None:
    message = pb.Move(draw_card=pb.DrawCard(seat=1))
    move = wire.read_move(rules(), message)
    assert notation.token(rules(), move) == "[C1:??]"
    assert wire.write_move(rules(), move) == message


STATES: dict[str, tuple[str, Callable[[Any], object]]] = {
    "no phase": ("table.phase", lambda m: m.table.ClearField("phase")),
    "an unknown phase": ("table.phase", lambda m: m.table.__setattr__("phase", 99)),
    "a hex of the volcano": ("table.board[0].hex", lambda m: m.table.board[0].__setattr__("hex", "f6")),
    "an unknown tile": ("table.board[0].kind", lambda m: m.table.board[0].__setattr__("kind", "012")),
    "an unknown site": ("table.walls[0].site", lambda m: m.table.walls[0].__setattr__("site", "g4")),
    "no material": ("table.walls[0].material", lambda m: m.table.walls[0].ClearField("material")),
    "a count of nothing": ("table.stack[0]", lambda m: m.table.stack[0].ClearField("count")),
    "a kind twice": ("table.stack[1]", lambda m: m.table.stack[1].CopyFrom(m.table.stack[0])),
    "a card twice": ("deck.counts[1]", lambda m: m.deck.counts[1].CopyFrom(m.deck.counts[0])),
    "a held and used tile": (
        "table.eruption[0]",
        lambda m: m.table.eruption[0].CopyFrom(pb.EruptionTile(holder=0, used=True)),
    ),
    "a target without a hex": ("table.target.hex", lambda m: m.table.target.SetInParent()),
    "too many tiles": ("table.board", lambda m: m.table.board.extend([m.table.board[0]] * 100)),
    "too many seats": ("table.pieces", lambda m: m.table.pieces.extend([pb.Pieces()] * 1000)),
    "an unknown purpose": ("table.purpose", lambda m: m.table.__setattr__("purpose", 17)),
    "a huge count": ("table.stock", lambda m: m.table.stock.__setattr__("straw", 2**32 - 1)),
}


@pytest.mark.parametrize("name", STATES)
def test_malformed_states(name: str) -> None:
    field, spoil = STATES[name]
    state = position(f"BUILD 0 pieces=swt/swt board={K} walls=s:O2")
    message = wire.write_state(state)
    spoil(message)
    with pytest.raises(BadInput) as caught:
        wire.read_state(state.rules, message)
    assert field in [violation.field for violation in caught.value.violations]


def test_options_on_the_wire() -> None:
    options = pb.Options(mode="MODE_ANNIHILATION", forecast=True, ply_limit=700)
    assert wire.read_options(options) == {"mode": "annihilation", "forecast": True, "ply_limit": 700}
    assert wire.write_options(rules(4, mode="clans", clans_layout="opposite").setup).clans_layout == 2
    with pytest.raises(BadInput, match="unknown number 9"):
        wire.read_options(pb.Options(mode=9))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "BUILD",
        "BUILD x",
        "NOWHERE 0",
        "BUILD 0  pieces=s/-",
        "BUILD 0 pieces=s/- pieces=s/-",
        "BUILD 0 weather=fine",
        "BUILD 0 pieces=q/-",
        "BUILD 0 cards=ZZ/-",
        "BUILD 0 board=g4=0123",
        "BUILD 0 board=z4=0123/1",
        "BUILD 0 board=g4=99/1",
        "BUILD 0 walls=w",
        "BUILD 0 walls=w:g4",
        "BUILD 0 eruption=row,row,7",
        "BUILD 0 temps=ten/0",
        "BUILD 0 loud=yes",
        "BUILD 0 for=FUN",
        "BUILD 0 target=g4/9",
        "BUILD 0 " + "x" * 5000,
    ],
)
def test_no_positions(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        notation.read_position(rules(), text)
    assert {violation.id for violation in caught.value.violations} == {"eruption.parse"}


def test_impossible_positions_name_their_invariant() -> None:
    with pytest.raises(BadInput) as caught:
        notation.read_position(rules(), "BUILD 0 temps=15/0")
    assert [violation.id for violation in caught.value.violations] == ["eruption.state.temp"]


def test_pictures() -> None:
    state = position(f"ACTION 0 temps=60/0 cards=AS,QK/RN,VB board={K},c8=X/0 walls=s:O2,w:B1 eruption=used,row,row")
    own, other = state.observe(0), state.observe(1)
    text = picture.text(own)
    assert "AS,QK" in text
    assert "AS,QK" not in picture.text(other)
    assert "RN,VB" in picture.text(other)
    assert "*c8*" in text
    assert "#g2#" in text
    assert "^f6^" in text
    assert "\x1b[" not in text
    assert "\x1b[38;5;208m" in picture.text(own, colour=True)
    drawing = picture.svg(own)
    for title in ("g4: 0123/4", "straw on O2", "wood on B1", "orange (0)", "purple"):
        assert title in drawing
    assert "RN" not in drawing
