"""Without a C compiler the same files run as plain Python: the worked examples of all games, and Tiki's other tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engines import registry

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
RUN = """
import sys, pytest
from engines.measure import MODE
assert MODE == "interpreted", MODE
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


def test_the_games_pass_interpreted() -> None:
    tests = [HERE / game.facts.slug / "test_examples.py" for game in registry.games()]
    run = subprocess.run(
        [sys.executable, "-c", RUN, *tests, HERE / "tiki"],
        cwd=HERE.parents[1],
        env={**os.environ, "PAPAMU_PURE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
