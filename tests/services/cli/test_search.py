"""`papamu analyze`, `strength` and `new-game`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.services.cli.conftest import Papamu

WINNING = "1,M,1/X,2,M/1,M,1 -,Y,-/-,PP,-/-,P,- - 3:2:1:1 A0 n t21"


def test_analyze_finds_the_win(papamu: Papamu) -> None:
    told = papamu("analyze", "tiki", "-p", WINNING, "--simulations", "2000", "--seconds", "0", "--json").json
    assert told["lines"][0]["move"] == "b1-b2"
    assert told["lines"][0]["proven_team"] == 0
    shown = papamu("analyze", "tiki", "-p", WINNING, "--simulations", "500", "--seconds", "0").out
    assert "b1-b2 (team 0 wins)" in shown


def test_analyze_needs_a_limit_and_a_decision(papamu: Papamu) -> None:
    assert papamu("analyze", "tiki", "--simulations", "0", "--seconds", "0").code == 2
    over = ("-o", "turn_limit=2", "-o", "layout=1,M,1/X,2,M/1,M,1", "-o", "starter=SEAT0", "--moves", "@a1 @c3")
    assert papamu("analyze", "tiki", *over).code == 2


@pytest.mark.slow
def test_strength_keeps_its_games(papamu: Papamu, tmp_path: Path) -> None:
    from engines.bench import strength

    file = tmp_path / "games.jsonl"
    for pairing in list(strength.pairings(strength.registry.game("tiki"), 10)):
        strength.run([(pairing, 1)], file, 1, lambda _: None)
    games = len(strength.read(file))
    assert games == 6
    told = strength.tally(strength.read(file), next(strength.pairings(strength.registry.game("tiki"), 10)))
    assert told.games == 2


def test_new_game_refuses_what_is_there(papamu: Papamu, tmp_path: Path) -> None:
    assert papamu("new-game", "volcano", "--folder", str(tmp_path)).code == 2
    assert papamu("new-game", "No-Slug").code == 2
