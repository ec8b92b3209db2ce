"""A bot that is a program: JSON lines over its standard input and output, in a cage of its own for one game."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from papamu.bot.v1 import bot_pb2 as pb

from engines.core.game import Observation
from engines.core.state import Moves
from engines.external import cage
from engines.external.dialogue import Clock, Dialogue, read_answer
from engines.external.failures import MachineFailure, crashed, illegal, stalled, too_late

PROTOCOL = "papamu.bot.v1"
START_SECONDS = 20.0
"""How long a program may take until it says that it is there; that is not part of its clock."""
END_SECONDS = 10.0
"""How long a cage may take to be empty."""
MAX_ANSWER = 1 << 16
"""Longest line that is read, in bytes."""
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")
"""What a program gets of the environment: nothing that could hold a secret of ours."""


@dataclass(frozen=True)
class Program:
    """What to run and within which limits."""

    command: Sequence[str]
    folder: Path
    """Where it runs."""
    memory_mb: int = 1024
    """0 = no limit."""
    cpu_seconds: int = 3600
    """0 = no limit."""
    errors: bool = False
    """Whether its standard error is shown; else it goes nowhere."""


class ProgramBot:
    """Plays one seat of one game. The program starts with the first decision; `close` ends it and all it started."""

    def __init__(self, program: Program, clock: Clock, environment: Mapping[str, str] = os.environ) -> None:
        self._program = program
        self._dialogue = Dialogue(clock)
        self._environment = {name: environment[name] for name in PASSED_ON if name in environment}
        self._process: subprocess.Popen[bytes] | None = None
        self._tether = -1
        self._rest = b""

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`. Raises BotFailure and MachineFailure."""
        if self._process is None:
            self._start()
        question = json_format.MessageToDict(
            self._dialogue.question(observation, moves, ply), preserving_proto_field_name=True
        )
        line = json.dumps(question, separators=(",", ":")).encode() + b"\n"
        clock = self._dialogue.clock
        clock.start()
        answer = self._exchange(line, time.monotonic() + clock.allowed)
        clock.stop()
        try:
            found = json_format.Parse(answer, pb.ChooseMoveResponse(), max_recursion_depth=20)
        except (json_format.ParseError, UnicodeDecodeError, RecursionError):
            raise illegal("NO_ANSWER") from None
        return read_answer(observation.rules, moves, found)

    def close(self) -> None:
        """Ends the program and everything that it started; waits until that is so."""
        process, self._process = self._process, None
        if process is None:
            return
        os.close(self._tether)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        with suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self) -> None:
        """Starts the program and waits until it says that it is there.

        Raises BotFailure when it does not, and MachineFailure when there is no room for it, or not its folder.
        """
        try:
            theirs, self._tether = os.pipe()
        except OSError as error:
            raise MachineFailure(str(error)) from error
        program = self._program
        limits = [str(theirs), str(program.memory_mb), str(program.cpu_seconds)]
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the roster names it)
                [sys.executable, "-I", "-S", cage.__file__, *limits, *program.command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if program.errors else subprocess.DEVNULL,
                cwd=program.folder,
                env=self._environment,
                pass_fds=[theirs],
                bufsize=0,
            )
        except OSError as error:
            os.close(self._tether)
            raise MachineFailure(str(error)) from error
        finally:
            os.close(theirs)
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        hello = self._exchange(b"", time.monotonic() + START_SECONDS)
        try:
            greeting = json.loads(hello)
        except (ValueError, RecursionError):
            greeting = None
        if greeting != {"protocol": PROTOCOL}:
            raise crashed("NO_GREETING")

    def _exchange(self, line: bytes, deadline: float) -> bytes:
        """Writes a line and reads one, both before the deadline (monotonic). Raises BotFailure."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        stdin, stdout = self._process.stdin.fileno(), self._process.stdout.fileno()
        with selectors.DefaultSelector() as ready:
            ready.register(stdout, selectors.EVENT_READ)
            if line:
                ready.register(stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._rest:
                if len(self._rest) > MAX_ANSWER:
                    raise stalled()
                left = deadline - time.monotonic()
                events = ready.select(left) if left > 0 else []
                if not events:
                    raise too_late()
                for key, _ in events:
                    if key.fd == stdin:
                        line = self._write(line)
                        if not line:
                            ready.unregister(stdin)
                    else:
                        data = os.read(stdout, MAX_ANSWER)
                        if not data:
                            raise crashed(self._how_it_ended())
                        self._rest += data
        answer, _, self._rest = self._rest.partition(b"\n")
        return answer

    def _write(self, line: bytes) -> bytes:
        """Writes what can be written now; returns what is left."""
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            return line[os.write(self._process.stdin.fileno(), line) :]
        except BrokenPipeError:
            raise crashed(self._how_it_ended()) from None

    def _how_it_ended(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:  # it only closed its output
            return "CLOSED_ITS_OUTPUT"
        if code == cage.NO_COMMAND:
            return "NO_COMMAND"
        return f"SIGNAL_{code - 128}" if code > 128 else f"EXITED_{code}"
