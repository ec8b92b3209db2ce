"""gRPC services as bots, the Python helper that makes them, and the examples of the documentation."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from papamu.bot.v1 import bot_pb2, bot_pb2_grpc
from papamu.records.v1 import records_pb2 as pb
from papamu.sdk.bot import Choose, Turn, serve, speak

from engines import registry
from engines.core.state import Moves
from engines.external.dialogue import Clock, Dialogue
from engines.external.program import Program, ProgramBot
from engines.external.service import ServiceBot
from tests.engines.external.test_program import referee_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "bots"


@contextmanager
def served(choose: Choose) -> Iterator[str]:
    server, port = serve(choose, "127.0.0.1:0")
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(0).wait()


def outcome(target: str, move: float = 10.0, slug: str = "tiki") -> pb.Result:
    result = referee_of(ServiceBot(target, Clock(move)), slug).run()
    assert result is not None
    return result


@pytest.mark.parametrize("slug", registry.SLUGS)
def test_a_service_plays_a_whole_game(slug: str) -> None:
    turns: list[Turn] = []

    def choose(turn: Turn) -> str:
        turns.append(turn)
        return turn.legal[-1]

    with served(choose) as target:
        assert outcome(target, slug=slug).ending == pb.ENDING_NORMAL
    assert {turn.seat for turn in turns} == {0}
    assert len({turn.game for turn in turns}) == 1
    assert [turn.ply for turn in turns] == sorted({turn.ply for turn in turns})
    assert all(0 < turn.seconds <= 10 and turn.observation.WhichOneof("view") == slug for turn in turns)


def raise_error(turn: Turn) -> str:
    raise RuntimeError("a fault of the bot")


def sleep(turn: Turn) -> str:
    time.sleep(1)
    return turn.legal[0]


@pytest.mark.parametrize(
    ("choose", "ending", "reason"),
    [
        (lambda turn: "zz", pb.ENDING_ILLEGAL, "NO_MOVE"),
        (lambda turn: "pass", pb.ENDING_ILLEGAL, "ILLEGAL_MOVE"),
        (lambda turn: "x" * (1 << 17), pb.ENDING_CRASH, "RESOURCE_EXHAUSTED"),
        (raise_error, pb.ENDING_CRASH, "UNKNOWN"),
        (sleep, pb.ENDING_TIME, "TOO_LATE"),
    ],
)
def test_what_goes_wrong_is_the_seats_forfeit(choose: Choose, ending: int, reason: str) -> None:
    with served(choose) as target:
        result = outcome(target, move=0.7)
    assert (result.ending, result.reason, result.offender) == (ending, reason, 0)


def test_a_service_that_is_not_there_forfeits_at_once() -> None:
    with served(lambda turn: turn.legal[0]) as target:
        pass
    begin = time.monotonic()
    assert outcome(target, move=20).reason == "UNAVAILABLE"
    assert time.monotonic() - begin < 10


def test_a_service_that_dies_in_the_middle() -> None:
    class Mortal(bot_pb2_grpc.BotServiceServicer):
        def ChooseMove(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
            if request.ply > 14:
                server.stop(0)
            return bot_pb2.ChooseMoveResponse(move=request.legal_moves[0].move)

    server = grpc.server(ThreadPoolExecutor(1))
    bot_pb2_grpc.add_BotServiceServicer_to_server(Mortal(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    result = outcome(f"127.0.0.1:{port}")
    assert result.ending == pb.ENDING_CRASH
    assert result.reason in ("UNAVAILABLE", "CANCELLED")


def question(ply: int = 10) -> bot_pb2.ChooseMoveRequest:
    game = registry.game("tiki")
    state, moves = game.rules.start(registry.make_rules(registry.make_setup(game))), Moves()
    while state.actor < 0:
        state.legal(moves)
        state.play(moves.to_list()[0])
    state.legal(moves)
    return Dialogue(Clock(2, 9)).question(state.observe(state.actor), moves, ply)


def test_lines_are_answered_until_they_end() -> None:
    lines = b"".join(json.dumps(json_format.MessageToDict(question(ply))).encode() + b"\n" for ply in (10, 12))
    sink = io.BytesIO()
    plies = []

    def choose(turn: Turn) -> str:
        plies.append(turn.ply)
        return turn.legal[1]

    speak(choose, io.BytesIO(lines), sink)
    assert plies == [10, 12]
    told = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert told == [{"protocol": "papamu.bot.v1"}, {"token": "@b1"}, {"token": "@b1"}]


def test_the_question_tells_what_time_is_left() -> None:
    budget = question().budget
    assert (budget.move_ms, budget.game_ms) == (2000, 9000)


# -- examples ---------------------------------------------------------------------------------------------------------


def test_the_documentation_shows_the_examples_as_they_are() -> None:
    text = (ROOT / "docs" / "bots.md").read_text()
    blocks = dict(re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL))
    assert blocks["python"] == (EXAMPLES / "first.py").read_text()
    assert blocks["javascript"] == (EXAMPLES / "node" / "bot.js").read_text()
    assert len((EXAMPLES / "first.py").read_text().splitlines()) <= 20


@pytest.mark.parametrize("slug", registry.SLUGS)
def test_the_python_example_plays_as_a_program(slug: str) -> None:
    """With the package where the interpreter finds it, as after an installation."""
    start = f"import sys, runpy; sys.path[:0] = {[str(ROOT), str(ROOT / 'proto')]}; runpy.run_path('first.py')"
    bot = ProgramBot(Program([sys.executable, "-c", start], EXAMPLES), Clock(30))
    result = referee_of(bot, slug).run()
    assert result is not None
    assert result.ending == pb.ENDING_NORMAL


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[str]:
    """A program that says on which port it serves."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield "127.0.0.1:" + process.stdout.readline().split()[-1]
        finally:
            process.kill()


def test_the_python_example_plays_as_a_service() -> None:
    start = (
        f"import sys, runpy; sys.path[:0] = {[str(ROOT), str(ROOT / 'proto')]}; sys.argv[1:] = ['127.0.0.1:0'];"
        "runpy.run_path('first.py')"
    )
    with running([sys.executable, "-c", start], EXAMPLES) as target:
        assert outcome(target).ending == pb.ENDING_NORMAL


def modules() -> Path | None:
    """Where the libraries of the Node example are."""
    places = (EXAMPLES / "node" / "node_modules", ROOT / ".tools" / "node" / "node_modules")
    return next((place for place in places if place.is_dir()), None)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
@pytest.mark.skipif(modules() is None, reason="the example's libraries lack: npm ci in examples/bots/node")
def test_the_node_example_plays_as_a_service(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "node" / "bot.js", tmp_path)
    found = modules()
    assert found is not None
    (tmp_path / "node_modules").symlink_to(found)
    with running(["node", "bot.js", "127.0.0.1:0", str(ROOT / "proto")], tmp_path) as target:
        assert outcome(target).ending == pb.ENDING_NORMAL
