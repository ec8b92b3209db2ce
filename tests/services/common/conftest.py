"""The service made for tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.services.common.probe import Probe


@pytest.fixture
def probe() -> Iterator[Probe]:
    made = Probe()
    yield made
    made.release.set()
