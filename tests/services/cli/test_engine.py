"""`papamu games`, `perft`, `rollout`, `conformance`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.services.cli.conftest import Papamu


def test_games_lists_what_the_registry_has(papamu: Papamu) -> None:
    assert "tiki" in papamu("games").out
    assert papamu("games", "--json").json[0]["slug"] == "tiki"


def test_one_game_shows_options_and_editions(papamu: Papamu) -> None:
    told = papamu("games", "tiki", "--json").json
    assert told["editions"][0]["id"] == "tiki-base"
    assert {option["name"] for option in told["options"]} >= {"shaman", "layout"}
    assert "tiki-base" in papamu("games", "tiki").out


def test_perft_and_its_divide_agree(papamu: Papamu) -> None:
    whole = papamu("perft", "tiki", "3", "--json").json
    split = papamu("perft", "tiki", "3", "--divide", "--json").json
    assert whole["leaves"] == sum(split["divide"].values())
    assert "perft(3)" in papamu("perft", "tiki", "3").out


def test_rollout_counts_every_game_once_and_repeats_itself(papamu: Papamu) -> None:
    first = papamu("rollout", "tiki", "--games", "50", "--json").json
    again = papamu("rollout", "tiki", "--games", "50", "--json").json
    assert sum(first["ends"].values()) == 50
    assert (first["plies"], first["ends"]) == (again["plies"], again["ends"])
    assert "50 random games" in papamu("rollout", "tiki", "--games", "50").out


def test_conformance_runs_the_kit(papamu: Papamu) -> None:
    from engines.conformance import CHECKS

    name = CHECKS[0].name
    told = papamu("conformance", "tiki", "--games", "1", "--check", name, "--json").json
    assert [result["check"] for result in told["checks"]] == [name]
    assert told["conforms"] is True


def test_laws_that_had_nothing_to_look_at_are_not_told_to_hold(papamu: Papamu) -> None:
    wanted = ("--check", "refusals", "--check", "declared-facts")
    for golden, looked in (((), False), (("--golden", "tests/golden/tiki"), True)):
        told = papamu("conformance", "tiki", *wanted, *golden, "--json").json
        assert {result["check"]: result["looked_at"] for result in told["checks"]} == {
            "declared-facts": True,
            "refusals": looked,
        }
        assert ("not looked at" in papamu("conformance", "tiki", *wanted, *golden).out) != looked


@pytest.mark.parametrize("arguments", [("conformance", "no.such.game"), ("conformance", "tiki", "--check", "nope")])
def test_conformance_says_what_it_does_not_know(papamu: Papamu, arguments: tuple[str, ...]) -> None:
    assert papamu(*arguments).code == 2
