"""What the tests share that disturb a ladder: a cluster with slow bots, and what an undisturbed run comes to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb

from tests.support.contest import Expect, Outcome, create, outcome
from tests.support.ladders import Ladders, ladders
from tests.support.processes import Cluster, cluster


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """What comes out of a run in which nothing happens."""
    folder = tmp_path_factory.mktemp("quiet")
    with cluster(folder, workers=2) as machines, ladders(machines.address("ladder")) as client:
        machines.serve("ladder", "records")
        machines.work()
        return outcome(client, create(client), machines.address("records"))


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Cluster]:
    with cluster(tmp_path, slow=True, workers=2, lease_seconds=2) as made:
        yield made


@pytest.fixture
def client(machines: Cluster) -> Iterator[Ladders]:
    with ladders(machines.address("ladder")) as made:
        yield made


@pytest.fixture
def expect(machines: Cluster, client: Ladders, undisturbed: Outcome) -> Expect:
    def compare(ladder: pb.Ladder) -> None:
        assert outcome(client, ladder, machines.address("records")) == undisturbed
        assert client.rebuild(ladder.id).standings == client.standings(ladder.id).standings

    return compare
