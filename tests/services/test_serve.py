"""`python -m services.serve` as real processes: how they start, drain and end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub

pytestmark = pytest.mark.slow

PATIENCE = 60.0
"""Seconds after which a test stops waiting: the machine may be busy."""
Launch = Callable[..., "subprocess.Popen[str]"]
EVERYTHING = health_pb2.HealthCheckRequest()
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


@pytest.fixture
def launch() -> Iterator[Launch]:
    """Starts the program in a session of its own, and kills what is left of it after the test."""
    with ExitStack() as started:

        def begin(*arguments: str, **settings: str) -> subprocess.Popen[str]:
            names = {"METRICS_ADDRESS": "127.0.0.1:0", "LOG_JSON": "true", **settings}
            process = subprocess.Popen(
                [sys.executable, "-m", "services.serve", *(arguments or ("rules",))],
                env={**os.environ, **{f"PAPAMU_{name}": value for name, value in names.items()}},
                stderr=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            started.enter_context(process)
            started.callback(process.kill)
            return process

        yield begin


def analysis(channel: grpc.Channel, milliseconds: int) -> Iterator[pb.AnalyzePositionResponse]:
    """A call that is under way: its first report has come."""
    stub = RulesServiceStub(channel)
    position = stub.NewGame(
        pb.NewGameRequest(setup={"tiki": {}}, seed=1), wait_for_ready=True, timeout=PATIENCE
    ).position
    request = pb.AnalyzePositionRequest(position=position, milliseconds=milliseconds, report_every=50)
    reports = stub.AnalyzePosition(request, timeout=PATIENCE)
    assert not next(reports).final
    return reports


def wait_until_draining(channel: grpc.Channel) -> None:
    health = health_pb2_grpc.HealthStub(channel)
    assert any(state.status == NOT_SERVING for state in health.Watch(EVERYTHING, timeout=PATIENCE))


def test_a_process_drains_on_sigterm_and_exits_with_0(launch: Launch) -> None:
    address = free_address()
    process = launch(RULES_ADDRESS=address)
    with grpc.insecure_channel(address) as channel:
        reports = analysis(channel, 1000)
        second = launch(RULES_ADDRESS=address)
        assert "cannot listen" in second.communicate(timeout=PATIENCE)[1]
        assert second.returncode == 2
        process.send_signal(signal.SIGTERM)
        assert list(reports)[-1].final
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert '"event": "stopped"' in said


def test_a_second_sigterm_ends_a_draining_process_at_once(launch: Launch) -> None:
    address = free_address()
    process = launch(RULES_ADDRESS=address, DRAIN_GRACE="600")
    with grpc.insecure_channel(address) as channel:
        reports = analysis(channel, 60_000)
        process.send_signal(signal.SIGTERM)
        wait_until_draining(channel)
        assert not next(reports).final  # what is under way goes on
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE)
        with pytest.raises(grpc.RpcError) as caught:
            list(reports)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert process.returncode == -signal.SIGTERM
    assert '"event": "stopped"' not in said


def test_all_wrong_settings_are_told_at_once(launch: Launch) -> None:
    process = launch(RULES_ADDRESS="nowhere", UNARY_THREADS="0", REDIS_URL="http://x")
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert all(name in said for name in ("PAPAMU_RULES_ADDRESS", "PAPAMU_UNARY_THREADS", "PAPAMU_REDIS_URL"))
    assert "Traceback" not in said


def launch_two(launch: Launch, address: str, **settings: str) -> subprocess.Popen[str]:
    """Two processes on one port, both listening."""
    parent = launch("rules", "--processes", "2", RULES_ADDRESS=address, **settings)
    assert parent.stderr is not None
    listening = 0
    while listening < 2:
        line = parent.stderr.readline()
        assert line, "ended before both listened"
        listening += '"event": "listening"' in line and address in line
    return parent


def test_several_processes_share_a_port_and_end_together(launch: Launch) -> None:
    address = free_address()
    parent = launch_two(launch, address)
    for _ in range(4):
        with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            assert RulesServiceStub(channel).ListGames(pb.ListGamesRequest(), timeout=PATIENCE).games
    second = launch(RULES_ADDRESS=address)
    assert "cannot listen" in second.communicate(timeout=PATIENCE)[1]
    parent.send_signal(signal.SIGTERM)
    _, said = parent.communicate(timeout=PATIENCE)
    assert parent.returncode == 0, said
    assert said.count('"event": "stopped"') == 2


def test_a_terminals_ctrl_c_drains_all_of_them(launch: Launch) -> None:
    """It goes to every process of the group; to those that share a port it must not come a second time."""
    parent = launch_two(launch, free_address())
    os.killpg(parent.pid, signal.SIGINT)
    _, said = parent.communicate(timeout=PATIENCE)
    assert parent.returncode == 0, said
    assert said.count('"event": "stopped"') == 2


def test_a_second_sigterm_ends_all_of_them_at_once(launch: Launch) -> None:
    address = free_address()
    parent = launch_two(launch, address, DRAIN_GRACE="600")
    with grpc.insecure_channel(address) as channel:
        reports = analysis(channel, 60_000)
        parent.send_signal(signal.SIGTERM)
        wait_until_draining(channel)
        parent.send_signal(signal.SIGTERM)
        parent.communicate(timeout=PATIENCE)  # comes back when the processes too have closed its standard error
        with pytest.raises(grpc.RpcError):
            list(reports)
    assert parent.returncode == -signal.SIGTERM


def test_only_what_keeps_nothing_shares_its_port(launch: Launch) -> None:
    for arguments in ("ladder --processes 2", "rules records --processes 2", "rules --processes 0"):
        process = launch(*arguments.split())
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        assert "only for `rules` alone" in said


def test_what_keeps_a_service_from_starting_is_told_in_words(launch: Launch, tmp_path: Path) -> None:
    (tmp_path / "records.sqlite").write_bytes(b"no database" * 1000)
    (tmp_path / "file").touch()
    named = {"DATA_DIR": str(tmp_path), "RECORDS_ADDRESS": "127.0.0.1:0", "LADDER_ADDRESS": "127.0.0.1:0"}
    started = {
        "PAPAMU_REDIS_URL: must name": launch("ladder", **named, REDIS_URL=""),
        "cannot be opened as a database: file is not": launch("records", **named),
        "cannot be opened as a database: connection": launch(
            "records", **named, DATABASE_URL="postgresql://papamu@127.0.0.1:1/papamu"
        ),
        "PAPAMU_DATABASE_URL: Could not parse": launch("records", **named, DATABASE_URL="postgresql:x"),
        "no folder": launch("records", **{**named, "DATA_DIR": f"{tmp_path}/file"}),
        "none/x.sqlite": launch("records", **named, DATABASE_URL=f"sqlite:///{tmp_path}/none/x.sqlite"),
    }
    for words, process in started.items():
        _, said = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in said
        assert words in said
        assert process.returncode == 2


def test_services_of_one_process_share_a_file(launch: Launch, tmp_path: Path) -> None:
    named = {"DATABASE_URL": f"sqlite:///{tmp_path}/one.sqlite", "RECORDS_ADDRESS": "127.0.0.1:0"}
    process = launch(
        "records", "ladder", **named, LADDER_ADDRESS="127.0.0.1:0", REDIS_URL=f"unix://{tmp_path}/none.sock"
    )
    assert process.stderr is not None
    listening = 0
    while listening < 2:
        line = process.stderr.readline()
        assert line, "ended before both listened"
        listening += '"event": "listening"' in line
    second = launch("records", **named)
    assert "in use by another process" in second.communicate(timeout=PATIENCE)[1]
    assert second.returncode == 2
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
