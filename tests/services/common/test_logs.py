"""Logs: one pipe, JSON lines, no secrets."""

from __future__ import annotations

import json
import subprocess
import sys

SCRIPT = """
import logging
from services.common import logs
logs.setup("INFO", json=True)
logs.logger("papamu").info("hello", address="here", chance_seed=42, token="hush")
logging.getLogger("library").warning("from the %s library", "standard")
logs.logger("papamu").debug("too quiet")
try:
    1 / 0
except ZeroDivisionError:
    logs.logger("papamu").error("broken", exc_info=True)
"""


def test_lines_are_json_from_both_kinds_of_loggers_without_secrets() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert "hush" not in done.stderr
    assert "42" not in done.stderr
    ours, theirs, broken = (json.loads(line) for line in done.stderr.splitlines())
    assert (ours["event"], ours["address"], ours["token"]) == ("hello", "here", "***")
    assert (theirs["event"], theirs["logger"], theirs["level"]) == ("from the standard library", "library", "warning")
    assert "ZeroDivisionError" in broken["exception"]
