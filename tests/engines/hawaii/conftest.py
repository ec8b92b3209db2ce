"""What the tests of Hawaii share."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import editions, registry

ATOLL = Path(__file__).parents[2] / "golden" / "hawaii" / "editions" / "atoll.toml"


@pytest.fixture(scope="session")
def atoll() -> None:
    """Makes the edition `atoll` known: other numbers wherever the rules take one."""
    editions.add(registry.game("hawaii"), ATOLL)
