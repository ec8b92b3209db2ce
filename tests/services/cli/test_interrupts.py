"""Ctrl-C ends whatever takes long, soon and without words."""

from __future__ import annotations

import signal
import subprocess
import sys

import psutil
import pytest

from tests.support.processes import wait_until

pytestmark = pytest.mark.slow

PATIENCE = 60.0
"""Seconds that the end may take on a busy machine; each of the commands would take hours."""
BUSY = 6.0
"""Seconds of processor time after which a command is surely past its start."""


@pytest.mark.parametrize(
    "command",
    [
        "perft tiki 30",
        "perft tiki 30 --divide",
        "rollout tiki --games 10000000 --json",
        "analyze tiki --seconds 86400 --json",
        "analyze hawaii --seconds 86400 --threads 2 --json",
        "analyze hawaii --seconds 86400 --threads 2",
        "conformance tiki --games 10000",
        "bench",
    ],
)
def test_ctrl_c_ends_it(command: str) -> None:
    # A run of the tests in the background of a shell ignores Ctrl-C, and so would what it starts.
    process = subprocess.Popen(
        ["env", "--default-signal=INT", sys.executable, "-m", "services.cli", *command.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        looked_at = psutil.Process(process.pid)
        wait_until(lambda: looked_at.cpu_times().user > BUSY, "it is at work")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode in (130, -signal.SIGINT)  # the same to a shell
    assert "Traceback" not in said
