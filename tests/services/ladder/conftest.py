"""What tests of the ladder service share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.ladder.leases import Leases
from services.ladder.store import Store
from tests.services.ladder.bench import LEASE, Bench
from tests.support.databases import KINDS, Databases


@pytest.fixture(params=KINDS)
def bench(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Bench]:
    with databases.open(request.param, "services.ladder.migrations") as opened:
        now = [1000.0]
        store = Store(opened, lambda: now[0])
        store.add_built_in_bots()
        yield Bench(store, Leases(opened, LEASE, lambda: now[0]), now)
