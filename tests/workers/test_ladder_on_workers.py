"""A ladder on real processes: Redis, the ladder service, workers; and what happens when some of them are killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from engines.measure import MODE
from tests.support.ladders import check_books, ladders
from tests.support.processes import Process, cluster, metric, wait_until

pytestmark = pytest.mark.slow


def test_a_ladder_is_played_to_its_end_and_nothing_is_left(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=2) as machines, ladders(machines.address("ladder")) as client:
        service = machines.serve("ladder", "records")
        workers = machines.work()
        ladder = client.create(["random", "greedy"], 20)
        assert client.create(["random", "greedy"], 20).id == ladder.id
        ladder = client.wait(ladder.id)
        check_books(client, ladder, machines.address("records"))
        first = client.standings(ladder.id).standings[0]
        assert first.bot == "greedy"
        assert first.elo - first.error > 0

        plies = sum(game.plies for game in client.games(ladder.id))
        assert metric(workers, f'papamu_engine_ops_total{{game="tiki",mode="{MODE}",op="apply"}}') >= plies
        children = workers.children()
        assert workers.stop() == 0
        assert not any(child.is_running() for child in children)
        assert service.stop() == 0


def test_records_arrive_at_whatever_port_their_service_got(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=1) as machines, ladders(machines.address("ladder")) as client:
        services = machines.serve("ladder", "records", records_address="127.0.0.1:0")
        machines.work()
        ladder = client.wait(client.create(["random", "greedy"], 2).id)
        check_books(client, ladder, services.told["records"])


def kill_a_child(workers: Process) -> None:
    child = wait_until(workers.children, "there is a child")[0]
    os.kill(child.pid, signal.SIGKILL)
    child.wait(10)


@pytest.mark.parametrize("victim", ["child", "worker"])
def test_a_ladder_survives_the_death_of_its_workers(tmp_path: Path, victim: str) -> None:
    slow = cluster(tmp_path, slow=True, workers=2, lease_seconds=1)
    with slow as machines, ladders(machines.address("ladder")) as client:
        machines.serve("ladder", "records")
        workers = machines.work()
        ladder = client.create(["random", "greedy"], 30)
        client.wait_for_games(ladder.id, 10)
        wait_until(lambda: client.get(ladder.id).games_leased, "games are in play")
        if victim == "child":
            kill_a_child(workers)
        else:
            workers.kill()
            workers = machines.work()
        ladder = client.wait(ladder.id)
        check_books(client, ladder, machines.address("records"))
