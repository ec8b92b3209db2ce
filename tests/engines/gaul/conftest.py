"""What the tests of Village of Gaul share."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import editions, registry

FOLDER = Path(__file__).parents[2] / "golden" / "gaul" / "editions"


@pytest.fixture(scope="session")
def odd_editions() -> None:
    """Makes the editions of the golden data known: other numbers of districts, cards, copies and rounds."""
    for path in sorted(FOLDER.glob("*.toml")):
        editions.add(registry.game("gaul"), path)
