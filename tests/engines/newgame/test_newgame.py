"""The generator lays out a game that plays at once; the kit names what is still to be done."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines.newgame import lay_out

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.slow

PARTS = ("engines", "proto", "setup.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE")
RUN = """
import json, pathlib
from engines import conformance
subject = conformance.subject("pile", data=pathlib.Path("tests/golden/pile"))
print(json.dumps({check.name: failures for check, failures in conformance.run(subject)}))
"""
DATA = {"perft-tables", "refusals", "impossible-positions", "records", "playthroughs"}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns("*.so", "__pycache__", "*_pb2*", "build")
            shutil.copytree(source, tmp_path / part, ignore=ignored)
        else:
            shutil.copy(source, tmp_path / part)
    return tmp_path


def _run(checkout: Path, *arguments: str) -> str:
    environment = {
        **os.environ,
        "PAPAMU_BUILD": "pure",
        "PAPAMU_PURE": "1",
        "PYTHONPATH": f"{checkout}{os.pathsep}{checkout / 'proto'}",
    }
    done = subprocess.run([sys.executable, *arguments], cwd=checkout, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_new_game_plays_and_the_kit_names_the_missing_data(checkout: Path) -> None:
    written = lay_out(checkout, "pile", "Pile of Stones")
    assert checkout / "engines/pile/rules.pxd" in written
    assert "class PileOfStones(State)" in (checkout / "engines/pile/rules.py").read_text("utf-8")
    _run(checkout, "setup.py", "-q", "build_ext", "--inplace")
    results = json.loads(_run(checkout, "-c", RUN))
    failing = {name for name, failures in results.items() if failures}
    assert failing == DATA & set(results)
    for name in failing:
        assert "lacks" in results[name][0]


def test_refuses_what_is_there_or_no_slug(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(FileExistsError):
        lay_out(checkout, "tiki")
    with pytest.raises(ValueError, match="no slug"):
        lay_out(checkout, "../x")
    with pytest.raises(ValueError, match="no checkout"):
        lay_out(tmp_path_factory.mktemp("empty"), "pile")
