"""What a scrape of a real worker says: every task and every ply of its children, once."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb

from engines.measure import MODE
from services.common.queues import PLAY, QUEUES, make_app
from tests.support.ladders import ladders
from tests.support.processes import Process, cluster, metric, wait_until

pytestmark = pytest.mark.slow

CHILDREN = 4
TASKS = 400


def counted(worker: Process) -> dict[str, float]:
    lines = {
        "empty": 'papamu_worker_batches_total{outcome="empty"}',
        "failed": 'papamu_worker_batches_total{outcome="failed"}',
        "games": "papamu_worker_games_total",
        "plies": f'papamu_engine_ops_total{{game="tiki",mode="{MODE}",op="apply"}}',
    }
    return {name: metric(worker, line) for name, line in lines.items()}


def test_400_tasks_over_4_children_are_counted_exactly(tmp_path: Path) -> None:
    with (
        cluster(tmp_path, workers=CHILDREN, lease_seconds=60) as machines,
        ladders(machines.address("ladder")) as client,
    ):
        machines.serve("ladder", "records")
        worker = machines.work()
        app = make_app(machines.redis.url)
        for number in range(TASKS):  # batches that nobody made: children ask for them and get nothing
            app.send_task(PLAY, args=[1_000_000 + number], queue=QUEUES[pb.PRIORITY_NORMAL])
        app.close()
        wait_until(lambda: counted(worker)["empty"] >= TASKS, "all tasks were taken")
        assert counted(worker) == {"empty": TASKS, "failed": 0, "games": 0, "plies": 0}

        client.name_bot("other", "random")
        ladder = client.wait(client.create(["random", "other"], 100).id)
        plies = sum(game.plies for game in client.games(ladder.id))
        wait_until(lambda: counted(worker)["games"] >= ladder.games_total, "all children have counted")
        expected = {"empty": 0, "failed": 0, "games": ladder.games_total, "plies": plies}
        assert counted(worker) | {"empty": 0} == expected  # the ladder's messages may come twice

        for child in worker.children():
            os.kill(child.pid, signal.SIGKILL)
            child.wait(30)
        wait_until(lambda: len(worker.children()) == CHILDREN, "there are new children")
        assert counted(worker) | {"empty": 0} == expected
