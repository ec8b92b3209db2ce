"""Programs that tests drive and PyPI does not carry: found, or the test is listed as not run."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("/usr/bin", "/usr/sbin", str(ROOT / ".tools/usr/bin"), str(ROOT / ".tools/usr/sbin"))
MARK = "NOT RUN"


def program(name: str, package: str = "") -> str:
    """The path of a program. Without it the test is skipped and listed at the end; with CI=1 it fails."""
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(FOLDERS))
    if not found:
        missing(name, package or name)
    return found


def missing(name: str, package: str) -> NoReturn:
    """Ends a test that lacks a program, telling the command that would provide it."""
    text = f"{MARK}: needs {name}; `scripts/tools {package}` provides it"
    if os.environ.get("CI"):
        pytest.fail(text)
    pytest.skip(text)
