"""A tethered process ends with the one that started it, even when that is killed."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys

from services.common import tether

# Starts a tethered child that sleeps, tells its id, and sleeps itself.
PARENT = """
import signal, subprocess, sys
from services.common import tether
child = subprocess.Popen(tether.command(["sleep", "60"], signal.SIGTERM))
print(child.pid, flush=True)
child.wait()
"""


def wait_gone(pidfd: int, seconds: float) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(pidfd, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def test_child_ends_when_its_parent_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        child = int(parent.stdout.readline())
    pidfd = os.pidfd_open(child)
    try:
        assert not wait_gone(pidfd, 0.2)
        parent.kill()
        parent.wait()
        assert wait_gone(pidfd, 10)
    finally:
        os.close(pidfd)


def test_command_becomes_the_program_with_the_same_process_id() -> None:
    process = subprocess.Popen(
        tether.command(["sh", "-c", "echo $$"], signal.SIGKILL), stdout=subprocess.PIPE, text=True
    )
    told, _ = process.communicate(timeout=60)
    assert int(told) == process.pid


def test_a_parent_that_is_gone_already_ends_the_child() -> None:
    command = [sys.executable, "-m", "services.common.tether", "SIGTERM", "1", "echo", "ran"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
