"""Programs as bots: they play, and whatever they do wrong is their forfeit and leaves nothing behind."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from papamu.records.v1 import records_pb2 as pb

from engines import registry
from engines.core.state import Moves
from engines.external import program as programs
from engines.external.dialogue import Clock
from engines.external.failures import MachineFailure
from engines.external.program import Program, ProgramBot
from engines.referee import Referee
from engines.search.bots import make_bot
from tests.engines.external.bots import FIRST, HEAD, alive, at_move, program

Play = Callable[..., pb.Result]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="cages adopt and find processes as Linux lets them"),
]


def referee_of(first: Any, slug: str = "tiki") -> Referee:
    game = registry.game(slug)
    rules = registry.make_rules(registry.make_setup(game))
    others = [make_bot(game, "random", {}, 3, seat) for seat in range(1, rules.seats)]
    return Referee(rules, [first, *others], chance_seed=3)


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Plays a game with a program on seat 0 and returns the result; nothing of the program runs afterwards."""

    def run(source: str, move: float = 10.0, game: float = 0.0, slug: str = "tiki", **limits: Any) -> pb.Result:
        bot = ProgramBot(program(tmp_path, source, **limits), Clock(move, game))
        result = referee_of(bot, slug).run()
        assert alive(str(tmp_path)) == []
        assert result is not None
        return result

    return run


@pytest.mark.parametrize("slug", registry.SLUGS)
def test_a_program_plays_a_whole_game(play: Play, slug: str) -> None:
    result = play(HEAD + FIRST, slug=slug)
    assert result.ending == pb.ENDING_NORMAL


@pytest.mark.parametrize(
    ("deed", "ending", "reason"),
    [
        ("sys.exit(3)", pb.ENDING_CRASH, "EXITED_3"),
        ("sys.exit()", pb.ENDING_CRASH, "EXITED_0"),
        ("raise ValueError", pb.ENDING_CRASH, "EXITED_1"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", pb.ENDING_CRASH, "SIGNAL_11"),
        ("print('\"nonsense', flush=True)", pb.ENDING_ILLEGAL, "NO_ANSWER"),
        ("print(flush=True)", pb.ENDING_ILLEGAL, "NO_ANSWER"),
        ("print('[' * 9999, flush=True)", pb.ENDING_ILLEGAL, "NO_ANSWER"),
        ("os.write(1, bytes([0xff, 10]))", pb.ENDING_ILLEGAL, "NO_ANSWER"),
        ("print('{}', flush=True)", pb.ENDING_ILLEGAL, "NO_MOVE"),
        ('print(\'{"token": "zz"}\', flush=True)', pb.ENDING_ILLEGAL, "NO_MOVE"),
        ('print(\'{"token": "a1-b1-a1"}\', flush=True)', pb.ENDING_ILLEGAL, "ILLEGAL_MOVE"),
        ('print(\'{"token": "pass"}\', flush=True)', pb.ENDING_ILLEGAL, "ILLEGAL_MOVE"),
        ("while True: os.write(1, b'x' * 4096)", pb.ENDING_STALL, "ENDLESS_ANSWER"),
    ],
)
def test_what_goes_wrong_is_the_seats_forfeit(play: Play, deed: str, ending: int, reason: str) -> None:
    result = play(at_move(2, deed))
    assert (result.ending, result.reason, result.offender) == (ending, reason, 0)
    assert list(result.placements) == [2, 1]


@pytest.mark.parametrize("deed", ["time.sleep(60)", "os.kill(os.getpid(), signal.SIGSTOP)"])
def test_no_answer_in_time_is_time(play: Play, deed: str) -> None:
    begin = time.monotonic()
    result = play(at_move(2, deed), move=0.7)
    assert (result.ending, result.reason) == (pb.ENDING_TIME, "TOO_LATE")
    assert time.monotonic() - begin < 30


def test_a_late_answer_is_time_too(play: Play) -> None:
    assert play(at_move(1, "time.sleep(1.2)"), move=1.0).ending == pb.ENDING_TIME


def test_time_for_the_game_is_shared_by_its_moves(play: Play) -> None:
    slow = HEAD + FIRST.replace("    print", "    time.sleep(0.4); print")
    assert play(slow, move=0.0, game=1.0).ending == pb.ENDING_TIME


def test_a_program_that_takes_no_input_is_too_late(play: Play) -> None:
    assert play(HEAD + "time.sleep(60)", move=0.5).ending == pb.ENDING_TIME


@pytest.mark.parametrize(
    ("limits", "deed", "reasons"),
    [
        ({"memory_mb": 200}, "hoard = bytearray(400 << 20)", {"EXITED_1"}),
        ({"cpu_seconds": 1}, "[0 for _ in iter(int, 1)]", {"SIGNAL_24", "SIGNAL_9"}),
    ],
)
def test_limits_of_memory_and_processor_hold(play: Play, limits: dict[str, int], deed: str, reasons: set[str]) -> None:
    result = play(at_move(1, deed), move=60.0, **limits)
    assert result.ending == pb.ENDING_CRASH
    assert result.reason in reasons


def test_within_its_limits_a_program_plays_on(play: Play) -> None:
    result = play(at_move(1, "hoard = bytearray(50 << 20)"), memory_mb=200, cpu_seconds=20)
    assert result.ending == pb.ENDING_NORMAL


def test_processes_that_made_themselves_independent_end_too(play: Play, tmp_path: Path) -> None:
    hidden = f"[sys.executable, '-c', 'import time; time.sleep(600) # {tmp_path}']"
    start = f"subprocess.Popen({hidden}, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)"
    twice = f"os.fork() or (os.setsid(), {start}, os._exit(0))"
    assert play(at_move(1, f"{start}; {twice}")).ending == pb.ENDING_NORMAL
    assert play(at_move(1, f"{start}; {twice}; sys.exit(1)")).ending == pb.ENDING_CRASH


def test_a_program_that_never_greets_or_is_not_there(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play("print('hello', flush=True)").reason == "NO_GREETING"
    assert play("").reason == "EXITED_0"
    monkeypatch.setattr(programs, "START_SECONDS", 0.5)
    assert play("import time; time.sleep(60)").reason == "TOO_LATE"
    monkeypatch.undo()
    result = referee_of(ProgramBot(Program([str(tmp_path / "none")], tmp_path), Clock(5))).run()
    assert result is not None
    assert (result.ending, result.reason) == (pb.ENDING_CRASH, "NO_COMMAND")


def test_a_program_sees_the_question_and_none_of_our_secrets(tmp_path: Path) -> None:
    """What it is asked, and the environment that it runs in."""
    source = HEAD + (
        "line = sys.stdin.readline()\n"
        f"open({str(tmp_path / 'seen.json')!r}, 'w').write(json.dumps([json.loads(line), dict(os.environ)]))\n"
        'print(json.dumps({"token": json.loads(line)["legal_moves"][-1]["token"]}), flush=True)\n'
    )
    bot = ProgramBot(
        program(tmp_path, source), Clock(5, 60), environment={**os.environ, "PAPAMU_SECRET": "x", "AWS_KEY": "y"}
    )
    referee_of(bot).run()
    question, environment = json.loads((tmp_path / "seen.json").read_text())
    assert set(environment) - {"LC_CTYPE"} <= set(programs.PASSED_ON)
    assert question["ply"] == 10
    assert question["observation"]["setup"]["edition"] == "tiki-base"
    assert "seed" not in json.dumps(question)
    assert {move["token"] for move in question["legal_moves"]} == {f"@{c}{r}" for c in "abc" for r in "123"}
    assert 0 < question["budget"]["move_ms"] <= 5000
    assert 50_000 < question["budget"]["game_ms"] <= 60_000


def test_moves_may_be_messages(play: Play) -> None:
    source = HEAD + FIRST.replace('"token"', '"move"', 1).replace('["token"]', '["move"]')
    assert play(source).ending == pb.ENDING_NORMAL


def test_nothing_outlives_a_referee_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(at_move(2, "os.fork() or os.setsid(); time.sleep(600)"))
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from engines.external.program import Program, ProgramBot\nfrom engines.external.dialogue import Clock\n"
        "from tests.engines.external.test_program import referee_of\n"
        f"referee_of(ProgramBot(Program([sys.executable, {str(file)!r}], Path('/')), Clock(600))).run()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as referee:
        until(lambda: len(alive(str(file))) >= 3)  # the cage, the program and its child
        referee.send_signal(signal.SIGKILL)
    until(lambda: not alive(str(file)))


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_closing_is_safe_at_any_time(tmp_path: Path) -> None:
    bot = ProgramBot(program(tmp_path, HEAD + FIRST), Clock(5))
    bot.close()
    state = registry.game("tiki").rules.start(registry.make_rules(registry.make_setup(registry.game("tiki"))))
    moves = Moves()
    while state.actor < 0:
        state.legal(moves)
        state.play(moves.to_list()[0])
    state.legal(moves)
    code = bot.choose(state.observe(state.actor), moves, 10)
    assert code == moves.to_list()[0]
    assert alive(str(tmp_path))
    bot.close()
    bot.close()
    assert alive(str(tmp_path)) == []


def test_clocks_need_a_limit_and_say_what_is_left() -> None:
    with pytest.raises(ValueError, match="limit"):
        Clock(0)
    clock = Clock(2, 3)
    assert (clock.allowed, clock.game_left) == (2, 3)
    clock.start()
    clock.stop()
    assert 2.9 < (clock.game_left or 0) <= 3
    assert Clock(2).game_left is None


@pytest.mark.parametrize("lacking", ["a folder", "files", "room for a process"])
def test_what_the_machine_lacks_is_no_fault_of_the_bot(
    tmp_path: Path, lacking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = ProgramBot(program(tmp_path, HEAD + FIRST), Clock(10.0, 0.0))

    def fail(*_: Any, **__: Any) -> Any:
        raise BlockingIOError(errno.EAGAIN, "not now")

    if lacking == "a folder":
        bot = ProgramBot(Program([sys.executable], tmp_path / "gone"), Clock(10.0, 0.0))
    elif lacking == "files":
        monkeypatch.setattr("os.pipe", fail)
    else:
        monkeypatch.setattr(subprocess, "Popen", fail)
    opened = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(MachineFailure):
        referee_of(bot).run()
    assert len(list(Path("/proc/self/fd").iterdir())) == opened
