"""PAPAMU_PURE=1 runs the interpreted .py even where compiled modules lie beside them (tests, coverage, debugger)."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType


class SourceFirst:
    """Finds `engines.*` in .py files only, never in extension modules."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not name.startswith("engines.") or path is None:
            return None
        for folder in path:
            source = Path(folder, name.rpartition(".")[2] + ".py")
            if source.is_file():
                return importlib.util.spec_from_file_location(name, source)
        return None


def install() -> None:
    """Puts `SourceFirst` before every other finder; call before any hot module is imported."""
    sys.meta_path.insert(0, SourceFirst())
