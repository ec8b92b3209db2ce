"""How a server ends: what is under way finishes, what comes is told to go elsewhere, and nothing keeps it up."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status
from papamu.rules.v1 import rules_pb2 as pb

from services.common.metrics import CallMetrics, new_registry
from services.common.server import Server
from services.common.settings import load
from tests.services.common.probe import PATIENCE, SERVICE, Probe, code_of, talk, unary


@contextmanager
def serving(probe: Probe, **settings: Any) -> Iterator[tuple[Server, grpc.Channel]]:
    server = Server("127.0.0.1:0", load(**settings), CallMetrics(new_registry()))
    probe.add(server)
    with grpc.insecure_channel(str(server.start())) as channel:
        yield server, channel


@contextmanager
def draining(server: Server) -> Iterator[None]:
    """Drains beside what the block does; comes back when it is done."""
    thread = threading.Thread(target=server.drain)
    thread.start()
    yield
    thread.join(timeout=PATIENCE)
    assert not thread.is_alive()


def test_drain_finishes_what_is_under_way_and_refuses_the_rest(probe: Probe) -> None:
    with serving(probe, drain_grace=PATIENCE) as (server, channel):
        health = health_pb2_grpc.HealthStub(channel)
        watch = health.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        held = unary(channel, "Hold").future("held", timeout=PATIENCE)
        idle: queue.Queue[str | None] = queue.Queue()
        stream = talk(channel)(iter(idle.get, None), timeout=PATIENCE)
        idle.put("hello")
        assert next(stream) == "hello"
        assert probe.entered.acquire(timeout=PATIENCE)
        with draining(server):
            assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
            assert code_of(lambda: next(stream)) is grpc.StatusCode.CANCELLED  # it had nothing under way
            idle.put(None)
            assert code_of(lambda: unary(channel, "Echo")("new", timeout=PATIENCE)) is grpc.StatusCode.UNAVAILABLE
            assert health.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.NOT_SERVING
            probe.release.set()
            assert held.result(timeout=PATIENCE) == "held"
            with pytest.raises(grpc.RpcError) as caught:
                next(watch)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            status = rpc_status.from_call(caught.value)
            assert status is not None
            assert any(detail.Unpack(ErrorInfo()) for detail in status.details)


def test_a_message_that_is_on_its_way_is_still_answered(probe: Probe) -> None:
    with serving(probe, drain_grace=PATIENCE) as (server, channel):
        words: queue.Queue[bytes | None] = queue.Queue()
        call = channel.stream_unary(f"/{SERVICE}/Echo").future(iter(words.get, None), timeout=PATIENCE)
        while server.inside("unary") == 0:
            pass
        with draining(server):
            assert code_of(lambda: unary(channel, "Echo")("new", timeout=PATIENCE)) is grpc.StatusCode.UNAVAILABLE
            words.put(b"\x0a\x02hi")
            words.put(None)
            assert call.result(timeout=PATIENCE) == b"\x0a\x02hi"


def test_a_stream_that_falls_silent_in_the_drain_does_not_hold_it_up(probe: Probe) -> None:
    """It has an answer under way when the drain begins: the grace is far longer than the test may take."""
    with serving(probe, drain_grace=600, stream_idle=600) as (server, channel):
        words: queue.Queue[str | None] = queue.Queue()
        stream = talk(channel)(iter(words.get, None), timeout=600)
        words.put("hold")
        assert probe.entered.acquire(timeout=PATIENCE)
        with draining(server):
            assert code_of(lambda: unary(channel, "Echo")("new", timeout=PATIENCE)) is grpc.StatusCode.UNAVAILABLE
            probe.release.set()
            assert next(stream) == "hold"
            assert code_of(lambda: next(stream)) is grpc.StatusCode.CANCELLED
        words.put(None)


@pytest.mark.parametrize("_time", range(3))
def test_busy_callers_hear_nothing_but_answers_and_unavailable(probe: Probe, _time: int) -> None:
    with serving(probe) as (server, _):
        heard: Counter[str] = Counter()
        begun = threading.Semaphore(0)

        def ask() -> None:
            with grpc.insecure_channel(str(server.address), [("grpc.enable_retries", 0)]) as channel:
                echo = unary(channel, "Echo")
                for i in range(100_000):
                    try:
                        echo("x", timeout=PATIENCE)
                        heard["OK"] += 1
                    except grpc.RpcError as error:
                        heard[error.code().name] += 1
                        return
                    if i == 10:
                        begun.release()

        callers = [threading.Thread(target=ask) for _ in range(8)]
        for caller in callers:
            caller.start()
        for _ in callers:
            assert begun.acquire(timeout=PATIENCE)
        server.drain()
        for caller in callers:
            caller.join(PATIENCE)
        assert set(heard) == {"OK", "UNAVAILABLE"}
        assert heard["UNAVAILABLE"] == len(callers)


STUBBORN = """
import sys, time
from services import serve
from services.rules.service import RulesService
def sleep(service, request, call):
    print("asleep", flush=True)
    time.sleep(600)
RulesService.ListGames = sleep
serve.main()
"""


@pytest.mark.slow
def test_a_call_that_looks_at_no_deadline_does_not_keep_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"unix:{tmp_path}/rules.sock"
    for name, value in (("RULES_ADDRESS", address), ("METRICS_ADDRESS", "127.0.0.1:0"), ("DRAIN_GRACE", "0.5")):
        monkeypatch.setenv(f"PAPAMU_{name}", value)
    command = [sys.executable, "-c", STUBBORN, "rules"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process, ExitStack() as opened:
        opened.callback(process.kill)
        with grpc.insecure_channel(address) as channel:
            ask = channel.unary_unary("/papamu.rules.v1.RulesService/ListGames")
            request = pb.ListGamesRequest().SerializeToString()
            held = ask.future(request, timeout=600, wait_for_ready=True)
            assert process.stdout is not None
            assert any(line == "asleep\n" for line in process.stdout)
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=PATIENCE) == 0
            assert isinstance(held.exception(timeout=PATIENCE), grpc.RpcError)


def test_who_stops_a_process_waits_longer_than_it_drains() -> None:
    settings = load(drain_wait=33, drain_grace=44)
    assert settings.stop_timeout > 33 + 44
