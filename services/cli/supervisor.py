"""Starts processes, restarts those that fail, and stops them all, in reverse order, when it is told to."""

from __future__ import annotations

import json
import os
import queue
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from services.common import tether

READY_TIMEOUT = 60.0
"""Seconds that a process may take until it says that it is ready: a cold start on a busy machine takes several."""
BACKOFF = (0.2, 1.0, 5.0, 15.0)
"""Seconds before the first, second, ... restart of a process that keeps failing; the last one repeats."""
STEADY = 60.0
"""A process that ran this long starts again from the first backoff."""
STOPPED = "told to stop"


class StartError(RuntimeError):
    """A process did not come up; the text quotes the end of its log."""


@dataclass
class Program:
    """What to run, and how it says that it is ready."""

    name: str
    argv: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    tells_ready: bool = False
    """Whether it takes `--ready-fd N` and writes one line of JSON there once it serves."""
    end_signal: signal.Signals = signal.SIGTERM
    """What the kernel sends it when the supervisor is gone."""


@dataclass
class Child:
    """A program that runs, or is to run again."""

    program: Program
    process: subprocess.Popen[bytes]
    pidfd: int
    started: float
    restarts: int = 0
    ready: dict[str, Any] = field(default_factory=dict)
    """What it told when it was ready."""


class Supervisor:
    """Runs programs until `stop`. All processes are started by one thread that lives as long as they do.

    The kernel ties a child to the *thread* that started it, so this must not be a thread that may end earlier.
    """

    def __init__(self, stop_timeout: float = 20.0) -> None:
        """`stop_timeout`: seconds that a process may take to stop before it is killed."""
        self._stop_timeout = stop_timeout
        self._children: dict[str, Child] = {}
        self._requests: queue.SimpleQueue[tuple[Program, queue.SimpleQueue[Child | Exception]]] = queue.SimpleQueue()
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._closed = False  # under the lock: nobody will read the pipe or the requests any more
        self._due: dict[str, tuple[float, Child]] = {}
        self._thread = threading.Thread(target=self._run, name="supervisor")
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def children(self) -> list[Child]:
        """The processes that run, in the order they were first started."""
        return list(self._children.values())

    def start(self, program: Program) -> dict[str, Any]:
        """Starts a program and waits until it is ready; returns what it told. Raises StartError."""
        answer: queue.SimpleQueue[Child | Exception] = queue.SimpleQueue()
        with self._lock:
            if self._closed:
                raise StartError(STOPPED)
            self._requests.put((program, answer))
            self._wake()
        child = answer.get()
        if isinstance(child, Exception):
            raise child
        return child.ready

    def stop(self) -> None:
        """Stops all processes, last started first. Returns when none is left."""
        with self._lock:
            if not self._closed:
                self._stopping.set()
                self._wake()
        self._thread.join()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # a full pipe wakes as well
            os.write(self._wake_write, b"x")

    # -- what follows runs in the supervisor's own thread ---------------------------------------------------------

    def _run(self) -> None:
        selector = selectors.DefaultSelector()
        selector.register(self._wake_read, selectors.EVENT_READ)
        try:
            while not self._stopping.is_set():
                for key, _ in selector.select(self._until_due()):
                    if key.fileobj == self._wake_read:
                        os.read(self._wake_read, 4096)
                    else:
                        self._bury(selector, key.data)
                self._serve_requests(selector)
                self._restart_due(selector)
        finally:
            self._stop_all()
            selector.close()
            with self._lock:
                self._closed = True
                os.close(self._wake_read)
                os.close(self._wake_write)
                self._refuse_requests()

    def _serve_requests(self, selector: selectors.BaseSelector) -> None:
        while not self._requests.empty() and not self._stopping.is_set():
            program, answer = self._requests.get()
            try:
                child = self._spawn(program)
            except (OSError, StartError) as error:
                answer.put(error)
            else:
                self._adopt(selector, child)
                answer.put(child)

    def _refuse_requests(self) -> None:
        while not self._requests.empty():
            self._requests.get()[1].put(StartError(STOPPED))

    def _adopt(self, selector: selectors.BaseSelector, child: Child) -> None:
        self._children[child.program.name] = child
        selector.register(child.pidfd, selectors.EVENT_READ, child)

    def _until_due(self) -> float | None:
        return max(min(at for at, _ in self._due.values()) - time.monotonic(), 0) if self._due else None

    def _restart_due(self, selector: selectors.BaseSelector) -> None:
        for name, (at, dead) in list(self._due.items()):
            if at <= time.monotonic() and not self._stopping.is_set():
                del self._due[name]
                try:
                    child = self._spawn(dead.program)
                except (OSError, StartError) as error:
                    _note(dead.program, f"did not start again: {error}")
                    dead.restarts += 1
                    self._due[name] = (time.monotonic() + _backoff(dead.restarts), dead)
                else:
                    child.restarts = dead.restarts + 1
                    self._adopt(selector, child)

    def _bury(self, selector: selectors.BaseSelector, child: Child) -> None:
        selector.unregister(child.pidfd)
        os.close(child.pidfd)
        code = child.process.wait()
        _kill_group(child)
        if time.monotonic() - child.started > STEADY:
            child.restarts = 0
        wait = _backoff(child.restarts)
        _note(child.program, f"ended with {code}; starting again in {wait} s")
        self._due[child.program.name] = (time.monotonic() + wait, child)

    def _spawn(self, program: Program) -> Child:
        ready_read, ready_write = os.pipe2(os.O_CLOEXEC)
        argv = list(program.argv)
        if program.tells_ready:
            argv += ["--ready-fd", str(ready_write)]
        with program.log.open("ab") as log:
            process = subprocess.Popen(  # noqa: S603  # our own command lines
                tether.command(argv, program.end_signal),
                env=dict(program.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[ready_write] if program.tells_ready else [],
                start_new_session=True,  # Ctrl-C is for the supervisor, which stops its children in order
            )
        os.close(ready_write)
        child = Child(program, process, os.pidfd_open(process.pid), time.monotonic())
        try:
            if program.tells_ready:
                child.ready = self._wait_ready(child, ready_read)
        except StartError:
            _end(child, self._stop_timeout)
            raise
        finally:
            os.close(ready_read)
        return child

    def _wait_ready(self, child: Child, ready: int) -> dict[str, Any]:
        deadline = time.monotonic() + READY_TIMEOUT
        told = b""
        with selectors.DefaultSelector() as selector:
            selector.register(ready, selectors.EVENT_READ)
            selector.register(self._wake_read, selectors.EVENT_READ)
            while not told.endswith(b"\n"):
                events = {key.fileobj for key, _ in selector.select(max(deadline - time.monotonic(), 0))}
                if self._stopping.is_set():
                    raise StartError(STOPPED)
                if self._wake_read in events:
                    os.read(self._wake_read, 4096)
                chunk = os.read(ready, 65536) if ready in events else b""
                if ready in events and not chunk:
                    raise StartError(f"{child.program.name} ended while it started:\n{_tail(child.program.log)}")
                if time.monotonic() > deadline:
                    raise StartError(f"{child.program.name} was not ready after {READY_TIMEOUT:.0f} s")
                told += chunk
        answer: dict[str, Any] = json.loads(told)
        return answer

    def _stop_all(self) -> None:
        running = [child for name, child in self._children.items() if name not in self._due]
        for child in reversed(running):
            _end(child, self._stop_timeout)
        self._children.clear()


def _backoff(restarts: int) -> float:
    return BACKOFF[min(restarts, len(BACKOFF) - 1)]


def _end(child: Child, timeout: float) -> None:
    """Asks the process to stop, kills it when it does not, and kills what is left of its group."""
    child.process.terminate()
    try:
        child.process.wait(timeout)
    except subprocess.TimeoutExpired:
        _note(child.program, f"did not stop within {timeout:.0f} s; killed")
    _kill_group(child)
    child.process.wait()
    os.close(child.pidfd)


def _kill_group(child: Child) -> None:
    """Kills what a process has started and left behind, and itself."""
    with suppress(ProcessLookupError):
        os.killpg(child.process.pid, signal.SIGKILL)


def _note(program: Program, text: str) -> None:
    with program.log.open("a") as log:
        log.write(f"papamu: {program.name} {text}\n")


def _tail(log: Path, lines: int = 15) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
