"""Corners of the rules that the worked examples leave out."""

from __future__ import annotations

import random

import pytest

from engines import registry
from engines.core.constants import CHANCE, TERMINAL
from engines.core.rollout import rollout
from engines.core.state import Moves
from engines.eruption import invariants
from engines.eruption.reading import Reading
from engines.eruption.rules import start
from engines.search.bots import make_bot
from tests.engines.eruption.support import fields, legal, play, position, rules

ALL = "3,03,34,34,35,35,024,024,024,123,123,123,035,035,035,035,013,013,013,013,0134,0134,0134,0134"
ALL += ",0123,0123,0123,0123,0135,0135,0135,0135,0135,0135,01235,01235,01235,01235,01235,01235"


def _without(*kinds: str) -> str:
    left = ALL.split(",")
    for kind in kinds:
        left.remove(kind)
    return ",".join(left)


def test_the_engine_places_what_the_definitions_place() -> None:
    """The tables of patterns against the plain reading of section 5.1, for every kind on boards of random games."""
    for seed in range(12):
        state = start(rules(4))
        rollout(state, seed, 60 + 10 * seed)
        if state.actor == TERMINAL:
            continue
        reading = Reading(state.rules, state.snapshot().table)
        for kind in range(state.rules.source + 1):
            expected = sorted((h, rot) for h, rot in reading.placements(kind))
            found = [
                (h, rot) for h in range(60) for rot in range(6) if h not in reading.tiles and state.fits(h, kind, rot)
            ]
            assert found == expected


def test_annihilation_brings_discards_back() -> None:
    """The last tile of the stack is drawn: the discarded ones come back at once, eruption tiles do not."""
    text = f"TILE_DRAW 0 for=NORMAL out={_without('0135', '3')},X eruption=used,row,row board=g4=3/1"
    state = play(position(text, 3, mode="annihilation"), "[T:0135]")
    table = state.snapshot().table
    assert sum(table.stack) == 38
    assert table.tile_discard == (0,) * 12 + (1,)


def test_annihilation_fills_the_piles_again() -> None:
    text = f"TILE_PICK 0 for=NORMAL out={_without('0135', '3')} piles=1:0135/0:-/0:- board=g4=3/1"
    state = play(position(text, 3, mode="annihilation", forecast=True), "p1")
    assert fields(state)["piles"] == "13:-/13:-/12:-"
    assert fields(state)["phase"] == "REVEAL"
    play(state, "[P1:34] [P2:35] [P3:024]")
    assert fields(state)["phase"] == "TILE_PLACE"


def test_tops_without_a_place_go_back() -> None:
    """None of the tops fits: they are mixed in, and the first new one is drawn among those that fit."""
    walls = "t:g4.N,t:g4.NE,t:e7.NW,t:e7.S,t:g6.NE,t:g6.S"
    text = f"BUILD 1 pieces=-/s board=g4=0123/4,e5=34/4 walls={walls} piles=14:3/12:-/12:-"
    state = play(position(text, forecast=True), "/b")
    assert fields(state)["phase"] == "REVEAL"
    assert "restricted" not in fields(state)
    board = "g4=34/1,e5=013/1,d7=35/3,e8=35/3,g7=035/1,h5=34/0"
    out = _without("013", "34", "34", "35", "35", "035", "3", "123", "123", "123", "024", "024")
    text = f"BUILD 1 pieces=-/s board={board} out={out} piles=2:3/2:123/2:123"
    state = play(position(text, forecast=True), "/b")
    assert fields(state)["restricted"] == "1"
    assert fields(state)["piles"] == "2:-/2:-/2:-"
    assert legal(state) == ["[P1:024]"]
    play(state, "[P1:024] [P2:3] [P3:123]")
    assert legal(state) == ["p1"]


def test_a_held_tile_goes_back_to_its_pile() -> None:
    walls = "t:g4.N,t:g4.NE,t:e7.NW,t:e7.S,t:g6.NE,t:g6.S"
    text = f"TILE_PICK 0 for=NORMAL board=g4=0123/4,e5=34/4 walls={walls} piles=13:3/13:024/12:0135"
    state = play(position(text, forecast=True), "p1 [P1:03]")
    play(state, "+d7/5 [R:1-1] +e8/3 [R:1-1] +g3/0 [R:1-1] +g7/3 [R:1-1] +h3/1 [R:1-1] +h5/1 [R:1-1]")
    assert fields(state)["piles"] == "13:03/13:024/12:0135"
    assert fields(state)["phase"] == "TILE_PICK"
    assert legal(state) == ["p2", "p3"]


def test_stock_chain() -> None:
    """Stone and wood are out: straw. All out: nothing, and the hex still takes the tile."""
    text = "TILE_PLACE 0 for=NORMAL tile=03 board=g4=0123/4,h3=35/1 pieces=-/"
    assert fields(play(position(text + "w" * 15 + "t" * 15), "+h2/0"))["pieces"].startswith("s/")
    assert fields(play(position(text + "s" * 18 + "w" * 15 + "t" * 15), "+h2/0"))["pieces"].startswith("-/")


def test_places_of_teams_count_seats() -> None:
    state = position("ACTION 0 temps=30/40/0/10/20/0 cards=AS/-/-/-/-/-", 6, mode="clans")
    assert state.placements() == [4, 4, 4, 1, 1, 1]
    assert state.teams() == [0, 0, 0, 1, 1, 1]
    assert state.scores() == [30, 40, 0, 10, 20, 0]
    opposite = position("ACTION 0 temps=30/40/0/10/20/0 cards=AS/-/-/-/-/-", 6, mode="clans", clans_layout="opposite")
    assert opposite.placements() == [3, 5, 1, 3, 5, 1]


def test_places_of_burnt_seats() -> None:
    text = "TILE_DRAW 3 for=NORMAL temps=290/10/290/20 burnt=2,0 eruption=used,used,used out=X,X,X"
    assert position(text, 4, mode="annihilation").placements() == [3, 1, 4, 2]


def test_lifted_walls_count_at_the_ply_limit() -> None:
    text = "ACTION 0 ply=4999 cards=RL/- walls=s:O7,w:O1,t:O4"
    state = play(position(text), "RL")
    assert state.end_reason() == "PLY_LIMIT"
    assert state.tie_points() == [6, 0]
    assert state.placements() == [1, 2]


def test_a_clan_burns_as_a_whole() -> None:
    text = "BUILD 1 temps=290/290/0/0 pieces=-/s/s/s burnt=0 eruption=used,used,used out=X,X,X"
    state = play(position(text, 4, mode="clans"), "/b")
    assert (fields(state)["last"], fields(state)["lastout"], fields(state)["seat"]) == ("2", "0", "2")
    alone = play(position(text.replace("burnt=0 ", ""), 4, mode="clans"), "/b")
    assert "last" not in fields(alone)
    assert fields(alone)["burnt"] == "1"


CROWDED = (
    "a8=123/5,b8=01235/2,b9=013/3,c5=0135/2,c6=34/3,c7=0134/1,c10=024/1,c11=3/3,d3=34/5,d4=0135/1,d7=013/2,d9=0135/1,"
    "d11=0134/0,e3=01235/3,e4=01235/3,e5=35/3,e8=01235/3,e9=X/0,e10=01235/1,f3=35/0,f4=0123/5,f8=013/4,g4=035/5,"
    "g7=024/0,g8=0123/1,g9=035/1,h2=01235/3,h3=035/3,h4=0123/5,h7=0134/1,i1=03/0,i2=0134/2,i3=X/0,i4=123/4,i5=035/2,"
    "i6=0135/4,i7=0135/0,i8=123/5,j3=013/4,j5=0123/2"
)
"""The board of a random game: an edge without lava faces each empty hex."""


def test_an_eruption_tile_that_fits_nowhere_is_out() -> None:
    """Seat 0 claims the last one, but may lay it on none of the empty hexes: no heat for seat 1, the turn goes on."""
    text = f"BUILD 1 pieces=-/s temps=190/90 board={CROWDED} out=024,0135 eruption=used,used,row"
    state = play(position(text), "/b")
    assert fields(state)["eruption"] == "used,used,used"
    assert fields(state)["out"] == "024,0135,X"
    assert state.scores()[1] == 90
    assert state.actor == CHANCE


def test_extra_tile_of_the_last_zone() -> None:
    text = "TILE_PLACE 0 for=NORMAL tile=3 temps=200/0 eruption=used,used,used out=X,X,X"
    state = play(position(text), "+g4/1")
    assert legal(state) == ["x+", "x-"]
    assert fields(play(state, "x+"))["for"] == "ZONE"
    state = play(position(text), "+g4/1 x-")
    assert (fields(state)["phase"], fields(state)["then"]) == ("CARD_DRAW", "ACTIONS")


def test_deck_is_refilled_when_a_card_is_due() -> None:
    every = "AS,AS,AS,AS,AS,QK,QK,QK,QK,QK,SH,SH,SH,SH,RN,RN,RN,RN,VB,VB,VB,VB,LF,LF,LF,RL,RL,RL,RL,RL,RF,RF,RF,RF,RF"
    text = f"TILE_PLACE 0 for=NORMAL tile=035 board=g4=0123/4,g3=03/0 discard={every} cards=RF/-"
    state = play(position(text), "+g2/3")
    assert fields(state)["phase"] == "CARD_DRAW"
    assert "discard" not in fields(state)
    assert sum(state.snapshot().deck) == 35


@pytest.mark.slow
def test_walls_that_always_hold_do_not_hang_a_game() -> None:
    """Seats that wall in the flows and dice that favour walls: the game still ends, and every state is sound."""
    state, found, draw = start(rules(6)), Moves(), random.Random(5)
    plies = 0
    while state.actor != TERMINAL:
        state.legal(found)
        codes = found.to_list()
        words = legal(state)
        holding = [code for code, word in zip(codes, words, strict=True) if word == "[R:1-6]"]
        building = [code for code, word in zip(codes, words, strict=True) if word[1:2] == ":" and "." in word]
        state.play(draw.choice(holding or building or codes))
        plies += 1
        if plies % 40 == 0:
            assert invariants.check(state.rules, state.snapshot()) == []
    assert plies < 1500


def test_greedy_beats_random() -> None:
    game, known, found = registry.game("eruption"), rules(3), Moves()
    places = []
    for seed in range(6):
        state, chance = start(known), random.Random(seed)
        bots = [make_bot(game, "greedy" if s == seed % 3 else "random", {}, seed, s) for s in range(3)]
        ply = 0
        while state.actor != TERMINAL:
            state.legal(found)
            if state.actor == CHANCE:
                codes = found.to_list()
                state.weights(found)
                code = chance.choices(codes, found.to_weights())[0]
            else:
                code = bots[state.actor].choose(state.observe(state.actor), found, ply)
            state.play(code)
            ply += 1
        places.append(state.placements()[seed % 3])
    assert sum(places) <= 9  # six times second place would be 12
