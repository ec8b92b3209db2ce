"""Everything is killed, more than once; in the end nothing is lost, nothing counted twice, and the standings are those
of an undisturbed run, byte for byte."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from time import sleep

import grpc
import pytest
import redis
from celery import Celery
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2

from services.common.queues import PLAY, QUEUES, make_app
from tests.support.contest import BOTS, GAMES, Expect, Outcome, create, outcome
from tests.support.ladders import Ladders, ladders, stored_records
from tests.support.postgresql import postgresql
from tests.support.processes import Cluster, cluster, metric_lines, wait_until

pytestmark = pytest.mark.slow

OUTAGE = float(os.environ.get("OUTAGE", "3"))
"""Seconds that Redis or the database is away, longer than a lease; `OUTAGE=30 pytest ...` makes it half a minute."""


def test_the_same_on_postgresql(tmp_path: Path, undisturbed: Outcome) -> None:
    """Both services in one database; each is killed once."""
    with (
        postgresql(tmp_path) as server,
        cluster(tmp_path, slow=True, workers=2, lease_seconds=2, database_url=server.url("postgres")) as machines,
        ladders(machines.address("ladder")) as client,
    ):
        service, _ = machines.serve("ladder"), machines.serve("records")
        machines.work()
        ladder = create(client)
        client.wait_for_games(ladder.id, GAMES // 3)
        service.kill()
        machines.processes["records"].kill()
        machines.serve("ladder")
        machines.serve("records")
        assert outcome(client, ladder, machines.address("records")) == undisturbed


def test_the_database_is_away(tmp_path: Path, undisturbed: Outcome) -> None:
    """Callers are told to come again, the rest of the metrics stays, and no result is lost."""
    with (
        postgresql(tmp_path) as server,
        cluster(tmp_path, slow=True, workers=2, lease_seconds=2, database_url=server.url("postgres")) as machines,
        ladders(machines.address("ladder")) as client,
    ):
        services = machines.serve("ladder", "records")
        machines.work()
        ladder = create(client)
        for done in (GAMES // 4, GAMES // 2):
            client.wait_for_games(ladder.id, done)
            assert metric_lines(services, "papamu_batches{")
            server.stop(signal.SIGQUIT)
            with pytest.raises(grpc.RpcError) as caught:
                client.stub.GetStatus(pb.GetStatusRequest(), timeout=30)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert metric_lines(services, "grpc_server_handled_total{")
            assert not metric_lines(services, "papamu_batches{")
            sleep(OUTAGE)
            server.start()
        assert outcome(client, ladder, machines.address("records")) == undisturbed
        assert services.text().count("Traceback") == 0


def test_workers_and_their_children_are_killed(machines: Cluster, client: Ladders, expect: Expect) -> None:
    machines.serve("ladder", "records")
    first, second = machines.work("one", workers=1), machines.work("two", workers=1)
    ladder = create(client)
    client.wait_for_games(ladder.id, 4)
    first.kill()  # the whole worker; its child goes with it
    for done in (12, 24):
        client.wait_for_games(ladder.id, done)
        child = wait_until(second.children, "there is a child")[0]
        os.kill(child.pid, signal.SIGKILL)
    expect(ladder)


def test_services_are_killed(machines: Cluster, client: Ladders, expect: Expect) -> None:
    """The record service is away for most of the ladder; the ladder service dies between results and their delivery."""
    service = machines.serve("ladder")
    machines.work()
    ladder = create(client)
    for done in (8, 24):
        client.wait_for_games(ladder.id, done)
        service.kill()
        service = machines.serve("ladder")
    client.wait_for_games(ladder.id, GAMES // 2)
    assert client.status().outbox >= GAMES // 2
    for _ in range(3):
        before = client.status().outbox
        records = machines.serve("records")
        wait_until(lambda before=before: client.status().outbox < max(before, 1), "some are delivered")
        records.kill()
    service.kill()
    machines.serve("records")
    machines.serve("ladder")
    expect(ladder)


def test_redis_is_restarted_again_and_again(machines: Cluster, client: Ladders, expect: Expect) -> None:
    machines.serve("ladder", "records")
    machines.work()
    ladder = create(client)
    for done in (4, 10, 16, 22, 28):
        client.wait_for_games(ladder.id, done)
        machines.redis.kill()
        machines.restart_redis()
    machines.redis.kill()
    signal.sigtimedwait([], OUTAGE)
    for path in (machines.folder / "redis").rglob("*.*"):  # and loses all it knew
        path.unlink()
    machines.restart_redis()
    expect(ladder)


def flood(app: Celery, batches: range) -> None:
    for batch in batches:
        for queue in QUEUES.values():
            app.send_task(PLAY, args=[batch], queue=queue)


def test_messages_are_lost_duplicated_and_made_up(machines: Cluster, client: Ladders, expect: Expect) -> None:
    machines.serve("ladder", "records")
    machines.work()
    ladder = create(client)
    app = make_app(machines.redis.url)
    with redis.Redis.from_url(machines.redis.url) as broker:
        flood(app, range(1, 40))
        client.wait_for_games(ladder.id, 10)
        broker.delete(*QUEUES.values())  # all lost
        flood(app, range(1, 12))
        app.send_task(PLAY, args=[987_654_321], queue=QUEUES[pb.PRIORITY_NORMAL])
        app.send_task(PLAY, args=["nonsense"], queue=QUEUES[pb.PRIORITY_NORMAL])
    app.close()
    expect(ladder)


def test_workers_are_told_to_stop_and_come_back(machines: Cluster, client: Ladders, expect: Expect) -> None:
    """SIGTERM gives the games back without an attempt; SIGKILL soon after it finds nothing to lose."""
    machines.serve("ladder", "records")
    rng = random.Random(5)
    ladder = create(client)
    worker = machines.work()
    client.wait_for_games(ladder.id, 2)
    for child in worker.children():  # as a service manager does that knows of no parent
        child.terminate()
        child.wait(30)
    wait_until(lambda: len(worker.children()) == 2, "there are new children")
    worker.kill()
    for done in (6, 20):
        worker = machines.work()
        client.wait_for_games(ladder.id, done)
        worker.popen.terminate()
        signal.sigtimedwait([], rng.random() / 2)
        worker.kill()
    machines.work()
    expect(ladder)


def test_pause_resume_and_cancel(machines: Cluster, client: Ladders, expect: Expect) -> None:
    machines.serve("ladder", "records")
    machines.work()
    ladder = create(client)
    client.wait_for_games(ladder.id, 6)
    client.pause(ladder.id)
    paused = wait_until(lambda: (now := client.get(ladder.id)).games_leased == 0 and now, "all leases are back")
    assert paused.state == pb.LADDER_STATE_PAUSED
    client.resume(ladder.id)
    expect(ladder)

    other = client.create(BOTS, 500, "other")
    client.wait_for_games(other.id, 6)
    cancelled = client.cancel(other.id)
    assert cancelled.state == pb.LADDER_STATE_CANCELLED
    wait_until(lambda: client.get(other.id).games_leased == 0, "no lease is left")
    client.wait_for_relay()
    done = client.get(other.id).games_done
    assert 6 <= done < other.games_total
    assert client.standings(other.id).games_counted <= done


def test_a_game_that_kills_its_worker_is_void_and_the_ladder_goes_on(tmp_path: Path) -> None:
    with cluster(tmp_path, workers=2, lease_seconds=1) as machines, ladders(machines.address("ladder")) as client:
        machines.serve("ladder", "records", wrapper="tests.support.odd_bots poison")
        machines.work(wrapper="tests.support.odd_bots poison")
        ladder = client.create(["poison", "random"], 12)
        ladder = client.wait(ladder.id)
        games = client.games(ladder.id)
        void = [game for game in games if game.result.ending == records_pb2.ENDING_VOID]
        assert ladder.games_done == ladder.games_total
        assert 0 < len(void) == ladder.games_void < ladder.games_total
        assert {(game.attempts, game.result.reason) for game in void} == {(3, "WORKER_LOST")}
        # The others got through, and nobody is charged: only whole blocks without a void game count.
        spoiled = {game.block for game in void}
        standings = client.standings(ladder.id)
        assert standings.games_counted == sum(game.block not in spoiled for game in games)
        assert all(standing.forfeits == 0 for standing in standings.standings)
        client.wait_for_relay()
        assert len(stored_records(machines.address("records"), f"ladders/{ladder.id}")) == ladder.games_total


def test_a_second_ladder_service_on_the_same_data_is_refused(machines: Cluster) -> None:
    machines.serve("ladder")
    with pytest.raises(RuntimeError, match="in use by another process"):
        machines.serve("ladder", ladder_address=f"unix:{machines.folder}/other.sock")
