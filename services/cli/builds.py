"""Whether the engines are of one build: all hot modules compiled from the sources beside them, or none."""

from __future__ import annotations

import os
from pathlib import Path

import engines

ROOT = Path(engines.__path__[0])
ADVICE = "make build"
"""What to do about every fault."""


def pure() -> bool:
    """Whether compiled modules are left alone, whatever there is of them."""
    return os.environ.get("PAPAMU_PURE") == "1"


def compiled() -> dict[str, Path | None]:
    """The hot modules by name, each with its compiled file; None where there is none."""
    return {
        str(layout.relative_to(ROOT).with_suffix("")): next(
            (path for path in sorted(layout.parent.glob(f"{layout.stem}.*")) if path.suffix in (".so", ".pyd")), None
        )
        for layout in sorted(ROOT.rglob("*.pxd"))
    }


def faults() -> list[str]:
    """What is wrong with the build, a sentence each."""
    if pure():
        return []
    modules = compiled()
    missing = [name for name, built in modules.items() if built is None]
    found = []
    if 0 < len(missing) < len(modules):  # a compiled class cannot extend an interpreted one
        found.append(f"mixed: {', '.join(missing)} not compiled")
    if (ROOT.parent / "setup.py").exists():  # an installed package keeps its sources as they were, but not their dates
        stale = [name for name, built in modules.items() if built and _stale(ROOT / name, built)]
        if stale:
            found.append(f"older than their source: {', '.join(stale)}")
    return found


def _stale(module: Path, built: Path) -> bool:
    sources = (module.with_suffix(".pxd"), module.with_suffix(".py"))
    return built.stat().st_mtime < max(source.stat().st_mtime for source in sources)
