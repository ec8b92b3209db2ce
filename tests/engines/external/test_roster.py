"""The roster: what it allows, what it refuses, and bots made from it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from papamu.records.v1 import records_pb2 as pb

from engines import registry
from engines.core.game import BadInput
from engines.external import roster
from engines.external.program import ProgramBot
from engines.external.service import ServiceBot
from engines.search.bots import KINDS, check_options, make_bot, resumes
from tests.engines.external.bots import FIRST, HEAD
from tests.engines.external.test_program import referee_of

GOOD = """
[bots.first]
about = "takes the first move"
command = ["{python}", "-S", "bot.py"]
memory_mb = 500
cpu_seconds = 100

[bots.here]
endpoint = "grpc://127.0.0.1:50070"

[bots.far]
endpoint = "grpcs://bots.example.org:443"
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A roster whose bots are kinds of this process as long as the test runs."""
    (tmp_path / "bot.py").write_text(HEAD + FIRST)
    file = tmp_path / "bots.toml"
    file.write_text(GOOD.format(python=sys.executable))
    before = dict(KINDS)
    assert roster.install(file) == ["first", "here", "far"]
    yield file
    KINDS.clear()
    KINDS.update(before)


def test_bots_of_a_roster_are_kinds_like_others(installed: Path) -> None:
    game = registry.game("tiki")
    assert KINDS["first"].about == "takes the first move"
    assert check_options("first", {"milliseconds": 500}) == {"game_milliseconds": 0, "milliseconds": 500}
    assert isinstance(make_bot(game, "here", {}, 1, 0), ServiceBot)
    assert isinstance(make_bot(game, "far", {}, 1, 0), ServiceBot)
    bot = make_bot(game, "first", {"milliseconds": 10_000}, 1, 0)
    assert isinstance(bot, ProgramBot)
    result = referee_of(bot).run()
    assert result is not None
    assert result.ending == pb.ENDING_NORMAL


def test_a_game_against_the_clock_starts_over_where_it_was_lost(installed: Path) -> None:
    assert resumes("first", check_options("first", {}))
    assert not resumes("first", check_options("first", {"game_milliseconds": 60_000}))
    assert resumes("gone", {"milliseconds": 1})


def test_some_limit_there_must_be(installed: Path) -> None:
    with pytest.raises(BadInput, match="needs some limit"):
        make_bot(registry.game("tiki"), "first", {"milliseconds": 0}, 1, 0)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("bots = 3", "bots"),
        ("[other]", "bots"),
        ("[bots.greedy]\ncommand = ['x']", "bots.greedy"),
        ("[bots.Big]\ncommand = ['x']", "bots.Big"),
        ("[bots.a]", "bots.a"),
        ("[bots]\na = 1", "bots.a"),
        ("[bots.a]\ncommand = ['x']\nendpoint = 'grpc://localhost:1'", "bots.a"),
        ("[bots.a]\ncommand = 'x'", "bots.a.command"),
        ("[bots.a]\ncommand = []", "bots.a.command"),
        ("[bots.a]\ncommand = ['x', 1]", "bots.a.command"),
        ('[bots.a]\ncommand = ["x", "a\\u0000"]', "bots.a.command"),
        ("[bots.a]\ncommand = ['x']\nmemory_mb = -1", "bots.a.memory_mb"),
        ("[bots.a]\ncommand = ['x']\nmemory_mb = 2147483648", "bots.a.memory_mb"),
        ("[bots.a]\ncommand = ['x']\ncpu_seconds = 99999999999999999999", "bots.a.cpu_seconds"),
        ("[bots.a]\ncommand = ['x']\nmemory_mb = true", "bots.a.memory_mb"),
        ("[bots.a]\ncommand = ['x']\nshell = true", "bots.a.shell"),
        ("[bots.a]\nendpoint = 'grpc://192.168.1.5:50070'", "bots.a.endpoint"),
        ("[bots.a]\nendpoint = 'grpc://bots.example.org:50070'", "bots.a.endpoint"),
        ("[bots.a]\nendpoint = 'http://127.0.0.1:80'", "bots.a.endpoint"),
        ("[bots.a]\nendpoint = 'grpc://127.0.0.1'", "bots.a.endpoint"),
        ("[bots.a]\nendpoint = 'grpc://127.0.0.1:99999999'", "bots.a.endpoint"),
        ("[bots.a]\nendpoint = 'grpcs://bots.example.org:443/path'", "bots.a.endpoint"),
        ("[bots.a]\nendpoint = 'grpcs://somebody@bots.example.org:443'", "bots.a.endpoint"),
        ("[bots.a]\nendpoint = 7", "bots.a.endpoint"),
        ("[bots.a", "is no TOML"),
    ],
)
def test_what_a_roster_may_not_hold_is_told_by_field(tmp_path: Path, text: str, field: str) -> None:
    file = tmp_path / "bots.toml"
    file.write_text(text)
    before = dict(KINDS)
    with pytest.raises(BadInput) as refused:
        roster.install(file)
    assert field in str(refused.value)
    assert before == KINDS


def test_a_roster_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        roster.install(tmp_path / "nowhere.toml")
