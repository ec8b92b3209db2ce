"""Answers are lost after the work was done and written, over connections that are really cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.contest import GAMES, Expect, create
from tests.support.cutting import CuttingProxy, cutting
from tests.support.ladders import Ladders
from tests.support.processes import Cluster, metric

pytestmark = pytest.mark.slow


@pytest.fixture
def proxies(tmp_path: Path) -> Iterator[tuple[CuttingProxy, CuttingProxy]]:
    """Before the ladder service, and before the record service. Comes before `machines`, which must go first."""
    with (
        cutting(tmp_path / "to-ladder.sock", tmp_path / "ladder.sock", seed=1) as to_ladder,
        cutting(tmp_path / "to-records.sock", tmp_path / "records.sock", seed=1) as to_records,
    ):
        yield to_ladder, to_records


def test_half_of_all_answers_are_lost(
    proxies: tuple[CuttingProxy, CuttingProxy], machines: Cluster, client: Ladders, expect: Expect
) -> None:
    to_ladder, to_records = proxies
    machines.serve("records")
    service = machines.serve("ladder", records_address=f"unix:{to_records.server_address}")
    machines.work(ladder_address=f"unix:{to_ladder.server_address}")
    expect(create(client))
    assert to_ladder.cuts > 10
    assert to_records.cuts > 0
    # Games whose results were written, while their worker did not hear of it, were reported again.
    assert metric(service, 'papamu_reported_games_total{outcome="stored"}') > GAMES
    assert metric(service, "papamu_outbox_failures_total") > 0
