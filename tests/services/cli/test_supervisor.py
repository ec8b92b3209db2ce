"""Children are started, restarted when they fail, and gone after the stop."""

from __future__ import annotations

import os
import selectors
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.cli import supervisor
from services.cli.supervisor import Program, StartError, Supervisor

# Takes --ready-fd N as services do, tells its process id there, and waits.
SERVICE = "import json, os, sys, signal; os.write(int(sys.argv[2]), json.dumps({'pid': os.getpid()}).encode() + b'\\n')"
WAITS = SERVICE + "; signal.pause()"


def program(folder: Path, code: str, name: str = "service") -> Program:
    return Program(name, [sys.executable, "-c", code], os.environ, folder / f"{name}.log", tells_ready=True)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_start_returns_what_the_process_told_and_stop_ends_it(tmp_path: Path) -> None:
    with Supervisor() as boss:
        pid = boss.start(program(tmp_path, WAITS))["pid"]
        assert alive(pid)
    assert not alive(pid)


def test_a_process_that_fails_to_start_is_reported_with_its_log(tmp_path: Path) -> None:
    with Supervisor() as boss, pytest.raises(StartError, match="no such port"):
        boss.start(program(tmp_path, "raise SystemExit('no such port')"))


def test_a_killed_process_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "BACKOFF", (0.01,))
    started = tmp_path / "started"
    os.mkfifo(started)
    code = f"open({str(started)!r}, 'w').write(str(__import__('os').getpid())); {WAITS}"
    plain = Program("service", [sys.executable, "-c", code, "--ready-fd", "1"], os.environ, tmp_path / "log")
    with Supervisor() as boss:
        boss.start(plain)
        first = int(started.read_text())
        os.kill(first, signal.SIGKILL)
        second = int(started.read_text())
        assert second != first
        assert not alive(first)
    assert not alive(second)


def test_what_a_process_left_behind_goes_with_it(tmp_path: Path) -> None:
    code = (
        "import subprocess, json, os, sys, signal; child = subprocess.Popen(['sleep', '60']);"
        "os.write(int(sys.argv[2]), json.dumps({'pid': child.pid}).encode() + b'\\n'); signal.pause()"
    )
    with Supervisor() as boss:
        orphan = boss.start(program(tmp_path, code))["pid"]
        pidfd = os.pidfd_open(orphan)
    with selectors.DefaultSelector() as gone:
        gone.register(pidfd, selectors.EVENT_READ)
        assert gone.select(10)
    os.close(pidfd)


def test_a_start_after_the_stop_is_refused(tmp_path: Path) -> None:
    with Supervisor() as boss:
        pass
    with pytest.raises(StartError, match="told to stop"):
        boss.start(program(tmp_path, WAITS))


def test_stop_does_not_wait_for_a_process_that_never_gets_ready(tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    never = f"import signal; open({str(started)!r}, 'w').write('x'); signal.pause()"
    with Supervisor() as boss, ThreadPoolExecutor(1) as pool:
        start = pool.submit(boss.start, program(tmp_path, never))
        started.read_text()
        boss.stop()
        with pytest.raises(StartError, match="told to stop"):
            start.result(10)
