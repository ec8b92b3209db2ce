"""`papamu rules`: legal moves, refusals with reasons, moves played, scores; for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.services.cli.conftest import Papamu

START = "1,1,1/1,M,2/2,2,M -,-,-/-,-,-/-,-,- - 0:0:7:0 A0 n t1"


def test_legal_draws_the_board_and_lists_the_moves(papamu: Papamu) -> None:
    ran = papamu("rules", "legal", "tiki")
    assert ran.code == 0
    assert "legal moves: @a1" in ran.out
    assert "next: seat" in ran.out


def test_the_same_seed_gives_the_same_position(papamu: Papamu) -> None:
    one, two, other = (papamu("rules", "legal", "tiki", "--seed", seed, "--json").json for seed in "778")
    assert one == two
    assert one["position"] != other["position"]


def test_a_refused_move_tells_why_and_exits_with_1(papamu: Papamu) -> None:
    ran = papamu("rules", "validate", "tiki", "@a1", "--moves", "@a1", "--json")
    assert ran.code == 1
    assert ran.json["legal"] is False
    assert ran.json["reasons"][0]["id"] == "tiki.create.occupied"
    for_people = papamu("rules", "validate", "tiki", "@a1", "--moves", "@a1")
    assert "tiki.create.occupied" in for_people.out


def test_a_legal_move_exits_with_0(papamu: Papamu) -> None:
    assert papamu("rules", "validate", "tiki", "@a1", "--json").json == {"move": "@a1", "legal": True, "reasons": []}


def test_what_is_no_move_is_an_input_error(papamu: Papamu) -> None:
    ran = papamu("rules", "validate", "tiki", "nonsense")
    assert ran.code == 2
    assert "nonsense" in ran.err


def test_apply_shows_where_it_leads_and_stops_at_a_refused_move(papamu: Papamu) -> None:
    ran = papamu("rules", "apply", "tiki", "@a1", "@b2", "--json")
    assert ran.code == 0
    assert ran.json["made"][:2] == ["@a1", "@b2"]
    again = papamu("rules", "legal", "tiki", "--position", ran.json["position"], "--json")
    assert again.json["position"] == ran.json["position"]
    refused = papamu("rules", "apply", "tiki", "@a1", "@a1", "--json")
    assert refused.code == 1
    assert (refused.json["made"], refused.json["refused"]) == (["@a1"], "@a1")


def test_score_adds_up(papamu: Papamu) -> None:
    answer = papamu("rules", "score", "tiki", "--json").json
    assert sum(row["points"] for row in answer["breakdown"]) == sum(answer["scores"])
    assert len(answer["placements"]) == 2


def test_every_published_rule_is_explained(papamu: Papamu) -> None:
    everything = papamu("rules", "explain", "tiki", "--json").json
    one = papamu("rules", "explain", "tiki", everything[3]["id"], "--json").json
    assert one == [everything[3]]
    assert papamu("rules", "explain", "tiki", "tiki.no.such").code == 2


def test_unknown_names_are_told_with_the_known_ones(papamu: Papamu) -> None:
    assert "tiki" in papamu("rules", "legal", "chess").err
    assert "tiki-base" in papamu("rules", "legal", "tiki", "--edition", "nope").err
    ran = papamu("rules", "legal", "tiki", "-o", "shaman")
    assert ran.code == 2
    assert "turn_limit" in ran.err


def test_options_change_the_setup(papamu: Papamu) -> None:
    assert papamu("rules", "legal", "tiki", "-o", "shaman=no", "-o", "turn_limit=20").code == 0
    assert papamu("rules", "legal", "tiki", "-o", "turn_limit=0").code == 2
