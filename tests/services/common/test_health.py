"""The health service over real sockets: whatever clients do, it answers and keeps nothing of theirs."""

from __future__ import annotations

import queue
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from services.common.settings import load
from tests.services.common.probe import PATIENCE, SERVICE, Probe, code_of, handled, unary

WATCH = "/grpc.health.v1.Health/Watch"
HEALTH = "grpc.health.v1.Health"


BUSY_SERVER = """
import sys
from services.common.metrics import CallMetrics, new_registry
from services.common.server import Server, serve, stop_signals
from services.common.settings import load
from tests.services.common.probe import Probe
server = Server(sys.argv[1], load(), CallMetrics(new_registry()))
Probe().add(server)
with stop_signals() as stop:
    serve([server], stop)
"""


@pytest.mark.slow
def test_health_answers_while_every_thread_computes(tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/busy.sock"
    process = subprocess.Popen([sys.executable, "-c", BUSY_SERVER, address], stdout=subprocess.DEVNULL)
    try:
        with grpc.insecure_channel(address) as channel:
            check = health_pb2_grpc.HealthStub(channel).Check
            check(health_pb2.HealthCheckRequest(), timeout=30, wait_for_ready=True)
            busy = [unary(channel, "Compute").future("x", timeout=PATIENCE) for _ in range(load().unary_threads)]
            waits = []
            for _ in range(20):
                began = time.perf_counter()
                check(health_pb2.HealthCheckRequest(service=SERVICE), timeout=PATIENCE)
                waits.append(time.perf_counter() - began)
            assert not any(call.done() for call in busy)  # nothing was waited for
            print(f"health answers in {1000 * sorted(waits)[len(waits) // 2]:.0f} ms")
            for call in busy:
                call.cancel()
    finally:
        process.terminate()
        assert process.wait(timeout=PATIENCE) == 0


def test_health_lists_and_watches_every_service(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add)
    health = health_pb2_grpc.HealthStub(running.channel)
    states = health.List(health_pb2.HealthListRequest()).statuses
    assert {name: s.status for name, s in states.items()} == {"": 1, SERVICE: 1}
    unknown = lambda: health.Check(health_pb2.HealthCheckRequest(service="nobody"))  # noqa: E731
    assert code_of(unknown) is grpc.StatusCode.NOT_FOUND
    for service, status in ((SERVICE, 1), ("", 1), ("nobody", 3)):
        watch = health.Watch(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE)
        assert next(watch).status == status
        watch.cancel()
    assert running.server.wait_idle("watch", PATIENCE)
    assert handled(running, "Watch", "Cancelled", "server_stream", HEALTH) == 3


def test_names_that_clients_watch_are_not_kept(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add)
    health = health_pb2_grpc.HealthStub(running.channel)

    def watch_some() -> None:
        for i in range(20):
            watch = health.Watch(health_pb2.HealthCheckRequest(service=f"{i}".ljust(500_000)), timeout=PATIENCE)
            next(watch)
            watch.cancel()
        assert running.server.wait_idle("watch", PATIENCE)

    watch_some()
    tracemalloc.start()
    try:
        watch_some()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 2_000_000  # of 10,000,000


def test_watches_that_say_nothing_do_not_keep_health_from_answering(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, message_wait=600)
    silent: queue.Queue[bytes | None] = queue.Queue()
    silence = iter(silent.get, None)
    held = [running.channel.stream_stream(WATCH)(silence, timeout=PATIENCE) for _ in range(5)]
    while running.server.inside("watch") < len(held):
        pass
    health = health_pb2_grpc.HealthStub(running.channel)
    assert health.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE).status == 1
    assert next(health.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE)).status == 1  # they made room
    for call in held:
        call.cancel()
        silent.put(None)


def test_a_watch_of_bytes_that_are_no_message(
    start: Callable[..., Any], probe: Probe, capfd: pytest.CaptureFixture[str]
) -> None:
    running = start(probe.add)
    watch = running.channel.unary_stream(WATCH)
    assert code_of(lambda: next(watch(b"\xff\xff"))) is grpc.StatusCode.INVALID_ARGUMENT
    labels = {"grpc_type": "server_stream", "grpc_service": HEALTH, "grpc_method": "Watch"}
    assert running.value("grpc_server_msg_malformed_total", **labels) == 1
    assert handled(running, "Watch", "InvalidArgument", "server_stream", HEALTH) == 1
    assert running.server.wait_idle("watch", PATIENCE)
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_watch_too_many_is_told_when_to_come_back(
    start: Callable[..., Any], probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.common.health.MAX_WATCHES", 3)
    running = start(probe.add)
    health = health_pb2_grpc.HealthStub(running.channel)
    watches = [health.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE) for _ in range(3)]
    assert [next(watch).status for watch in watches] == [1, 1, 1]
    with pytest.raises(grpc.RpcError) as caught:
        next(health.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    status = rpc_status.from_call(caught.value)
    assert status is not None
    assert any(detail.Unpack(RetryInfo()) for detail in status.details)
    for watch in watches:
        watch.cancel()
    assert running.server.wait_idle("watch", PATIENCE)
    assert next(health.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE)).status == 1
