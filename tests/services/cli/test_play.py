"""`papamu play`: typed into a real terminal, and driven as JSON lines by a program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest
from papamu.records.v1 import records_pb2 as pb

from engines import registry
from engines.core.constants import CHANCE
from engines.core.game import BadInput
from engines.record import record as records
from engines.record.forms import FORMS
from services.cli.sitting import BotSpec, Sitting
from tests.engines.external.bots import alive, at_move

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-c", "from services.cli.main import main; main()", "play"]
# A terminal without answers to questions about the cursor, wide enough that nothing is folded.
TERMINAL = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "COLUMNS": "120", "LINES": "50", "NO_COLOR": "1"}
PROMPT = r"seat \d>"


@contextmanager
def terminal(*arguments: str) -> Iterator[pexpect.spawn]:
    """The command in a terminal of its own, at its first prompt."""
    child = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *arguments],
        env={**os.environ, **TERMINAL},
        dimensions=(50, 120),
        encoding="utf-8",
        timeout=60,
    )
    try:
        yield child
    finally:
        child.close(force=True)


def say(child: pexpect.spawn, line: str, answer: str) -> str:
    """Types a line at the prompt and waits for the answer; returns what came before it."""
    child.send(f"{line}\r")
    child.expect(answer)
    return str(child.before)


def test_a_person_plays_in_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.pgr"
    with terminal("tiki", "--seed", "1", "--bot", "greedy") as child:
        child.expect("You are seat 0; the others: seat 1 greedy")
        child.expect("chance: La1=1 Lb1=M")
        child.expect("turn 1 of yellow, ACTION")
        child.expect(PROMPT)
        say(child, "help", "every reason why it is not legal")
        say(child, "@a1", r"seat 1 \(greedy\): \S+")
        say(child, "@a1", r"@a1 is refused:\s.*tiki.create.occupied.*a1 holds a tiki")
        say(child, "why a1-c3", r"tiki.move.not_adjacent")
        say(child, "why nonsense", "'nonsense' is no Tiki move")
        say(child, "nonsense", "type legal for the legal moves")
        say(child, "legal", "@a2 @b2")
        say(child, "?", r"\(\d+%\)")
        say(child, "undo", "turn 1 of yellow")
        say(child, "undo", "there is nothing to take back")
        say(child, "@b2", r"turn 3 of yellow")
        say(child, f"save {file}", "written to")
        say(child, "save game.txt", "a record ends in .pgr, .json, .pb")
        say(child, "resign", "Over: RESIGNED")
        child.expect(r"1\s+seat 1 \(greedy\)")
        child.expect(r"2\s+you")
        child.expect(pexpect.EOF)
        child.wait()
    assert child.exitstatus == 0
    assert "1. *:La1=1" in file.read_text()
    assert "0:@b2" in file.read_text()


def test_tab_completes_moves_and_commands() -> None:
    with terminal("tiki", "--seed", "1") as child:
        child.expect(PROMPT)
        child.send("@b\t")
        child.expect("@b1")
        child.send("3\r")
        child.expect(r"seat 1 \(greedy\)")
        child.expect("turn 3")
        child.expect(PROMPT)
        child.send("leg\t")
        child.expect("al")
        child.send("\r")
        child.expect("@c1 ")
        child.expect(PROMPT)
        child.send("why b3-c3-\t")
        child.expect("c2")
        child.sendcontrol("c")
        child.expect(pexpect.EOF)
        child.wait()
    assert child.exitstatus == 0


def leave(child: pexpect.spawn) -> None:
    """Ctrl-D, again where the prompt was drawn but nobody listened yet."""
    for _ in range(10):
        child.sendcontrol("d")
        if child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=6) == 0:
            break
    child.wait()


def test_the_end_of_the_input_leaves_and_saves(tmp_path: Path) -> None:
    file = tmp_path / "left.json"
    with terminal("tiki", "--seed", "5", "--seat", "1", "--save", str(file)) as child:
        child.expect(PROMPT)
        leave(child)
    assert child.exitstatus == 0
    record = FORMS["json"].read(file.read_bytes())
    assert not record.HasField("result")
    assert records.verify(record) == []
    assert [p.name for p in record.players] == ["greedy", "person"]


class Program:
    """A program that plays over JSON lines."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments, "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found = json.loads(self.process.stdout.readline())
        assert isinstance(found, dict)
        return found

    def until(self, *events: str) -> dict[str, Any]:
        while (event := self.hear())["event"] not in events:
            pass
        return event

    def say(self, do: str, **content: str) -> None:
        self.raw(json.dumps({"do": do, **content}))

    def raw(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def end(self) -> int:
        self.process.communicate(timeout=30)
        return self.process.returncode


@pytest.mark.parametrize("slug", registry.SLUGS)
def test_a_program_plays_every_game(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "game.pb"
    seats = registry.game(slug).facts.seats[-1]
    with Program(slug, "--seed", "7", "--seats", str(seats), "--bot", "random", "--save", str(file)) as program:
        for turn in range(40):
            event = program.until("turn", "end")
            if event["event"] == "end":
                break
            assert event["seat"] == event["observation"].get("viewer", 0) == 0
            assert slug in event["observation"]
            program.say("play", move=event["legal"][turn % len(event["legal"])])
        else:
            program.say("resign")
            event = program.until("end")
        assert len(event["result"]["placements"]) == seats
        assert program.end() == 0
        record = FORMS["pb"].read(file.read_bytes())
        assert records.verify(record) == []
        assert record.players[1].kind == "random"


def test_lines_answer_questions_and_survive_nonsense(tmp_path: Path) -> None:
    with Program("tiki", "--seed", "1", "--bot", "mcts:simulations=20") as program:
        first = program.until("turn")
        program.say("hint")
        assert program.hear()["moves"][0]["move"] in first["legal"]
        program.say("play", move="@a1")
        program.until("turn")
        program.say("play", move="@a1")
        refused = program.hear()
        assert (refused["event"], refused["reasons"][0]["id"]) == ("refused", "tiki.create.occupied")
        program.say("why", move="@a1")
        assert program.hear()["reasons"] == refused["reasons"]
        program.say("undo")
        assert program.until("turn") == first
        program.say("undo")
        assert "nothing to take back" in program.hear()["error"]
        for line in (
            "nonsense",
            "[1]",
            '"play"',
            '{"do": 1}',
            '{"do": "play"}',
            "[" * 5000,
            '{"do": "play", "move": "zz"}',
        ):
            program.raw(line)
            assert program.hear()["event"] == "error"
        program.say("save", file=str(tmp_path / "nowhere" / "x.pgr"))
        assert "No such file" in program.hear()["error"]
        program.say("save", file=str(tmp_path / "a\0b.pgr"))
        assert "null" in program.hear()["error"]
        program.say("save", file=str(tmp_path / "x.pgr"))
        assert program.hear()["event"] == "saved"
        assert records.verify(FORMS["pgr"].read((tmp_path / "x.pgr").read_bytes())) == []
        assert program.end() == 0


def sitting(slug: str = "tiki", seats: int = 0, person: int = 0, seed: int = 1) -> Sitting:
    rules = registry.make_rules(registry.make_setup(registry.game(slug), seats=seats))
    bots = {seat: BotSpec.parse("random") for seat in range(rules.seats) if seat != person}
    return Sitting(rules, person, bots, seed)


def test_undo_brings_the_same_game_again() -> None:
    game = sitting()
    before = [list(game.go_on())]
    for _ in range(5):
        game.play(game.legal()[0])
        before.append(list(game.go_on()))
    keys = game.state.key()
    assert game.undo()
    game.play(game.legal()[0])
    assert list(game.go_on()) == before[-1]
    assert game.state.key() == keys


def test_what_the_person_may_not_see_is_not_told() -> None:
    """Ten cards are dealt to each of three seats; the person sees its own."""
    game = sitting("gaul", seats=3, person=1)
    dealt = [made for made in game.go_on() if made.sender == CHANCE][:30]
    assert sum(made.token == "" for made in dealt) == 20
    shown = [made for made in dealt if made.token]
    assert [made.token for made in shown] == [game.tokens[game.moves[made.ply - 1][0]] for made in shown]


def test_resigning_leaves_the_last_place() -> None:
    game = sitting()
    list(game.go_on())
    game.resign()
    result = game.result()
    assert result is not None
    assert (result.ending, list(result.placements), result.offender) == (pb.ENDING_RESIGN, [2, 1], 0)
    assert records.verify(game.record()) == []
    assert list(game.go_on()) == []


def test_a_bot_from_outside_plays_and_forfeits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").write_text(at_move(3, "sys.exit(4)"))
    roster = tmp_path / "bots.toml"
    roster.write_text(f'[bots.mine]\ncommand = ["{sys.executable}", "-S", "bot.py"]\n')
    monkeypatch.setenv("PAPAMU_BOTS", str(roster))
    with Program("tiki", "--seed", "1", "--bot", "mine:milliseconds=9000") as program:
        made = 0
        while (event := program.until("turn", "end"))["event"] == "turn":
            program.say("play", move=event["legal"][0])
            made += 1
        assert (event["result"]["reason"], event["result"]["offender"], made) == ("EXITED_4", 1, 3)
        assert event["result"]["placements"] == [1, 2]
        assert program.end() == 0
        assert alive(str(tmp_path / "bot.py")) == alive("bots.toml") == []


@pytest.mark.parametrize(
    "text", ["nobody", "mcts:simulations", "mcts:simulations=x", "mcts:speed=1", "greedy:blunder_percent=101"]
)
def test_bots_that_do_not_exist_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        BotSpec.parse(text)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess"], "unknown game"),
        (["tiki", "--seat", "2"], "only 2 seats"),
        (["tiki", "--bot", "greedy", "--bot", "random"], "2 bots for 1 seats"),
        (["tiki", "--bot", "nobody"], "unknown kind"),
        (["tiki", "--save", "game.txt"], "a record ends in"),
        (["tiki", "--option", "speed=1"], "speed"),
    ],
)
def test_faults_of_the_command_line_are_told_before_the_game(
    papamu: Callable[..., Any], arguments: list[str], told: str
) -> None:
    ran = papamu("play", *arguments)
    assert ran.code == 2
    assert told in ran.err


def test_where_nothing_can_be_saved_no_game_begins(papamu: Callable[..., Any], tmp_path: Path) -> None:
    ran = papamu("play", "tiki", "--save", str(tmp_path / "nowhere" / "x.pgr"))
    assert ran.code == 4
    assert "nothing can be written there" in ran.err
