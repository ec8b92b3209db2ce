"""Engines of which some parts are compiled and others not, or from other sources, are refused in words."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from services.cli import builds

if TYPE_CHECKING:
    from tests.services.cli.conftest import Papamu

ROOT = Path(__file__).parents[3]
SO = EXTENSION_SUFFIXES[0]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `engines` in a source tree, with two hot modules that are compiled."""
    root = tmp_path / "engines"
    (root / "tiki").mkdir(parents=True)
    (tmp_path / "setup.py").touch()
    for second, suffix in enumerate((".pxd", ".py", SO)):
        for name in ("tiki/board", "tiki/rules"):
            file = root / f"{name}{suffix}"
            file.touch()
            os.utime(file, (second, second))
    monkeypatch.setattr(builds, "ROOT", root)
    monkeypatch.delenv("PAPAMU_PURE", raising=False)
    return root


def test_one_build_has_no_faults(tree: Path) -> None:
    assert builds.faults() == []
    for built in tree.rglob(f"*{SO}"):
        built.unlink()
    assert builds.faults() == []


def test_a_mix_is_found_unless_all_is_interpreted_anyway(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / f"tiki/board{SO}").unlink()
    assert builds.faults() == ["mixed: tiki/board not compiled"]
    monkeypatch.setenv("PAPAMU_PURE", "1")
    assert builds.faults() == []


@pytest.mark.parametrize("source", ["tiki/rules.py", "tiki/rules.pxd"])
def test_a_source_newer_than_its_module_is_found_where_one_builds(tree: Path, source: str) -> None:
    os.utime(tree / source, (9, 9))
    assert builds.faults() == ["older than their source: tiki/rules"]
    (tree.parent / "setup.py").unlink()  # as in an installed package
    assert builds.faults() == []


def test_up_and_doctor_say_the_same_of_a_mix(
    tree: Path, tmp_path: Path, papamu: Papamu, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAMU_DATA_DIR", str(tmp_path / "data"))
    (tree / f"tiki/board{SO}").unlink()
    up = papamu("up")
    assert up.code == 4
    assert "mixed: tiki/board not compiled; `make build`" in up.err
    doctor = papamu("doctor", "--json")
    assert doctor.code == 1
    told = [finding for finding in doctor.json if finding["what"] == "engines"]
    assert [(f["value"], f["advice"]) for f in told] == [("mixed: tiki/board not compiled", "make build")]


def test_a_mix_that_cannot_be_imported_is_told_too(tmp_path: Path) -> None:
    for folder in ("engines", "services", "workers", "proto"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    (tmp_path / f"engines/core/state{SO}").touch()  # nothing that can be loaded
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{tmp_path / 'proto'}"}
    environment.pop("PAPAMU_PURE", None)
    command = [sys.executable, "-m", "services.cli", "doctor"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 4, done.stderr
    assert "mixed: " in done.stderr
    assert "make build" in done.stderr
