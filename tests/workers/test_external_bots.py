"""Bots from outside on a real ladder: they play, they forfeit, and they are gone when their worker is."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from papamu.records.v1 import records_pb2

from tests.engines.external.bots import FIRST, HEAD, alive, at_move
from tests.support.ladders import check_books, ladders
from tests.support.processes import cluster, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="cages adopt and find processes as Linux lets them"),
]

BOTS = {"first": HEAD + FIRST, "broken": at_move(3, "sys.exit(7)"), "sleeper": at_move(3, "time.sleep(600)")}


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    file = tmp_path / "bots.toml"
    for name, source in BOTS.items():
        (tmp_path / f"{name}.py").write_text(source)
    file.write_text(
        "".join(f'[bots.{name}]\ncommand = ["{sys.executable}", "-S", "{tmp_path}/{name}.py"]\n' for name in BOTS)
    )
    return file


def test_bots_from_outside_play_a_ladder(tmp_path: Path, roster: Path) -> None:
    with (
        cluster(tmp_path, workers=2, bots=roster) as machines,
        ladders(machines.address("ladder")) as client,
    ):
        machines.serve("ladder", "records")
        machines.work()
        ladder = client.wait(client.create(["first", "broken", "random"], 2).id)
        check_books(client, ladder, machines.address("records"))
        for game in client.games(ladder.id):
            if "broken" in game.seats:
                assert (game.result.ending, game.result.reason) == (records_pb2.ENDING_CRASH, "EXITED_7")
                assert game.seats[game.result.offender] == "broken"
            else:
                assert game.result.ending == records_pb2.ENDING_NORMAL
        assert [process for name in BOTS for process in alive(f"{tmp_path}/{name}.py")] == []


def test_a_machine_that_lacks_what_a_bot_needs_charges_nobody(tmp_path: Path, roster: Path) -> None:
    """The folder in which the roster's programs run goes away under the worker."""
    home = tmp_path / "home"
    home.mkdir()
    roster = roster.rename(home / roster.name)
    with (
        cluster(tmp_path, workers=1, bots=roster, lease_seconds=1) as machines,
        ladders(machines.address("ladder")) as client,
    ):
        machines.serve("ladder", "records")
        machines.work()
        client.wait(client.create(["first", "random"], 1).id)
        home.rename(tmp_path / "gone")
        ladder = client.wait(client.create(["first", "random"], 1, "without").id)
        results = [game.result for game in client.games(ladder.id)]
        assert {(r.ending, r.reason) for r in results} == {(records_pb2.ENDING_VOID, "WORKER_LOST")}


def test_no_bot_outlives_its_worker(tmp_path: Path, roster: Path) -> None:
    with (
        cluster(tmp_path, workers=1, bots=roster, lease_seconds=1) as machines,
        ladders(machines.address("ladder")) as client,
    ):
        machines.serve("ladder", "records")
        workers = machines.work()
        client.create(["sleeper", "random"], 1)
        sleeper = str(tmp_path / "sleeper.py")
        wait_until(lambda: len(alive(sleeper)) >= 2, "the cage and its bot run")
        first = set(alive(sleeper))
        os.kill(workers.children()[0].pid, signal.SIGKILL)
        wait_until(lambda: not first & set(alive(sleeper)), "what the killed child ran is gone")
        workers.kill()
        wait_until(lambda: not alive(sleeper), "nothing of it is left")
