"""The server builder over real sockets: limits, errors, health, reflection, drain."""

from __future__ import annotations

import queue
import socket
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2
from grpc_status import rpc_status
from papamu.sdk.channel import _options, authorization, connect

from services.common import server as server_module
from services.common.channel import dial
from services.common.metrics import CallMetrics, new_registry
from services.common.server import ListenError, Server
from services.common.settings import load
from tests.services.common.probe import PATIENCE, SERVICE, Probe, code_of, handled, raw, talk, unary
from tests.support.certificates import certificate


def test_a_call_is_counted_by_its_code(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add)
    assert handled(running, "Echo", "OK") == 0  # there from the start
    assert unary(running.channel, "Echo")("hello") == "hello"
    assert handled(running, "Echo", "OK") == 1
    labels = {"grpc_type": "unary", "grpc_service": SERVICE, "grpc_method": "Echo"}
    for name in ("started_total", "msg_received_total", "msg_sent_total", "handling_seconds_count"):
        assert running.value(f"grpc_server_{name}", **labels) == 1


def test_bytes_that_are_no_message(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add)
    with pytest.raises(grpc.RpcError) as caught:
        raw(running.channel, "Echo")(b"\xff\xff\xff")
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert caught.value.details() == "the bytes are no message of this method"
    labels = {"grpc_type": "unary", "grpc_service": SERVICE, "grpc_method": "Echo"}
    assert running.value("grpc_server_msg_malformed_total", **labels) == 1
    assert handled(running, "Echo", "InvalidArgument") == 1
    assert unary(running.channel, "Echo")("next") == "next"


def test_a_message_over_the_limit_is_refused_and_counted(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, max_message_bytes=1024)
    assert code_of(lambda: unary(running.channel, "Echo")("x" * 2000)) is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert unary(running.channel, "Echo")("next") == "next"
    until = time.monotonic() + 5  # the client may hear of it before the server does
    while handled(running, "Echo", "ResourceExhausted") != 1:
        assert time.monotonic() < until


def test_a_message_far_over_the_limit_is_dropped(start: Callable[..., Any], probe: Probe) -> None:
    """gRPC itself refuses it. Whether the server hears of the call at all is a race, so no count is promised."""
    running = start(probe.add, max_message_bytes=1024)
    assert code_of(lambda: unary(running.channel, "Echo")("x" * 100_000)) is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert unary(running.channel, "Echo")("next") == "next"


def test_unknown_methods_share_one_label(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add)
    for path in ("/nobody/Nothing", f"/{SERVICE}/Nothing", "/x"):
        call = running.channel.unary_unary(path)
        assert code_of(partial(call, b"")) is grpc.StatusCode.UNIMPLEMENTED
    assert handled(running, "unknown", "Unimplemented", service="unknown") == 3


def test_an_internal_error_tells_an_id_and_nothing_else(
    start: Callable[..., Any], probe: Probe, capsys: pytest.CaptureFixture[str]
) -> None:
    running = start(probe.add)
    with pytest.raises(grpc.RpcError) as caught:
        unary(running.channel, "Fail")("x")
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert "secret" not in str(caught.value.trailing_metadata()) + caught.value.details()
    error_id = caught.value.details().removeprefix("internal error ")
    logged = capsys.readouterr().out
    assert error_id in logged
    assert "a secret detail" in logged


def test_long_work_ends_at_the_servers_own_deadline(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, default_deadline=0.2, max_deadline=0.3)
    began = time.monotonic()
    assert code_of(lambda: unary(running.channel, "Compute")("x")) is grpc.StatusCode.DEADLINE_EXCEEDED
    assert code_of(lambda: unary(running.channel, "Compute")("x", timeout=60)) is grpc.StatusCode.DEADLINE_EXCEEDED
    assert time.monotonic() - began < 5


def test_a_call_over_the_bound_is_told_when_to_come_back(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, unary_threads=1, unary_queue=1)
    held = [unary(running.channel, "Hold").future("x", timeout=PATIENCE) for _ in range(2)]
    assert probe.entered.acquire(timeout=PATIENCE)
    while running.server.inside("unary") < 2:  # the second call is on its way
        pass
    with pytest.raises(grpc.RpcError) as caught:
        unary(running.channel, "Echo")("x", timeout=PATIENCE)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    retry = RetryInfo()
    status = rpc_status.from_call(caught.value)
    assert status is not None
    assert any(detail.Unpack(retry) for detail in status.details)
    assert retry.retry_delay.seconds == 1
    stream = talk(running.channel)(iter(["streams have places of their own"]), timeout=PATIENCE)
    assert len(list(stream)) == 1
    probe.release.set()
    assert [f.result() for f in held] == ["x", "x"]
    assert unary(running.channel, "Echo")("free again", timeout=PATIENCE) == "free again"


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
def test_reflection_tells_the_contract(start: Callable[..., Any], probe: Probe, version: str) -> None:
    from services.rules.server import add_rules

    running = start(add_rules)
    name = f"grpc.reflection.{version}.ServerReflection"
    ask = running.channel.stream_stream(
        f"/{name}/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )

    def files(symbol: str) -> list[FileDescriptorProto]:
        request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)
        answer = next(ask(iter([request]), timeout=PATIENCE))
        return [FileDescriptorProto.FromString(f) for f in answer.file_descriptor_response.file_descriptor_proto]

    listed = next(ask(iter([reflection_pb2.ServerReflectionRequest(list_services="")]), timeout=PATIENCE))
    names = [s.name for s in listed.list_services_response.service]
    assert {"papamu.rules.v1.RulesService", "grpc.health.v1.Health", name} <= set(names)
    assert all(files(service) for service in names)
    assert "papamu/tiki/v1/tiki.proto" in {f.name for f in files("papamu.rules.v1.RulesService")}


def test_a_client_that_sends_nothing_does_not_keep_a_thread(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, unary_threads=1, message_wait=0.2)
    silent: queue.Queue[str] = queue.Queue()
    held = running.channel.stream_unary(f"/{SERVICE}/Echo").future(iter(silent.get, None), timeout=PATIENCE)
    assert unary(running.channel, "Echo")("next", timeout=PATIENCE) == "next"
    assert isinstance(held.exception(timeout=PATIENCE), grpc.RpcError)
    silent.put(None)  # type: ignore[arg-type]


def test_silent_clients_make_room_for_others(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, unary_threads=2, message_wait=600)
    silent: queue.Queue[str | None] = queue.Queue()
    silence = iter(silent.get, None)
    held = [running.channel.stream_unary(f"/{SERVICE}/Echo").future(silence, timeout=PATIENCE) for _ in range(2)]
    while running.server.inside("unary") < len(held):
        pass
    assert unary(running.channel, "Echo")("next", timeout=PATIENCE) == "next"
    for call in held:
        call.cancel()
        silent.put(None)


@pytest.mark.slow
def test_a_quiet_stream_outlives_the_pings_of_its_client(
    start: Callable[..., Any], probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a faster pace: gRPC's own limit of five minutes between pings would cut it off at the fourth."""
    assert dict(_options())["grpc.keepalive_time_ms"] > server_module.MIN_PING_INTERVAL
    monkeypatch.setattr(server_module, "MIN_PING_INTERVAL", 500)
    running = start(probe.add)
    pings = [("grpc.keepalive_time_ms", 1000), ("grpc.http2.max_pings_without_data", 0)]
    with grpc.insecure_channel(str(running.server.address), pings) as channel:
        words: queue.Queue[str | None] = queue.Queue()
        stream = talk(channel)(iter(words.get, None), timeout=PATIENCE)
        words.put("one")
        assert next(stream) == "one"
        time.sleep(7)
        words.put("two")
        assert next(stream) == "two"
        words.put(None)
        assert list(stream) == []


def test_a_stream_that_sends_nothing_is_ended(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, stream_threads=1, stream_idle=0.2)
    words: queue.Queue[str | None] = queue.Queue()
    stream = talk(running.channel)(iter(words.get, None), timeout=PATIENCE)
    words.put("one")
    assert next(stream) == "one"
    assert code_of(lambda: next(stream)) is grpc.StatusCode.CANCELLED
    words.put(None)
    assert list(talk(running.channel)(iter(["two"]), timeout=PATIENCE)) == ["two"]


def test_a_client_that_takes_no_answers_does_not_keep_a_thread(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, stream_threads=1, stream_idle=0.3)
    stuck = running.channel.unary_stream(f"/{SERVICE}/Count")(b"\x0a\x09100000000", timeout=30)
    next(stuck)  # and no more: flow control makes the server wait
    assert running.server.wait_idle("stream", 20)
    assert list(talk(running.channel)(iter(["two"]), timeout=PATIENCE)) == ["two"]


def test_streams_answer_and_fail_like_calls(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add)
    assert list(talk(running.channel)(iter(["a", "b"]))) == ["a", "b"]
    assert code_of(lambda: list(talk(running.channel)(iter(["a", "fail"])))) is grpc.StatusCode.INTERNAL
    count = running.channel.unary_stream(f"/{SERVICE}/Count")
    assert len(list(count(b"\x0a\x013"))) == 3
    assert code_of(lambda: list(count(b"\xff"))) is grpc.StatusCode.INVALID_ARGUMENT
    stream = count(b"\x0a\x0510000")
    next(stream)
    stream.cancel()
    assert handled(running, "Talk", "OK", "bidi_stream") == 1
    assert handled(running, "Talk", "Internal", "bidi_stream") == 1


def test_a_second_server_on_the_same_port_is_refused(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add)
    second = Server(running.server.address, load(), CallMetrics(new_registry()))
    with pytest.raises(ListenError, match="taken by another process"):
        second.start()
    second.stop()


def test_a_unix_socket_in_use_is_not_taken_away(start: Callable[..., Any], probe: Probe, tmp_path: Path) -> None:
    path = tmp_path / "rules.sock"
    leftover = socket.socket(socket.AF_UNIX)
    leftover.bind(str(path))
    leftover.close()  # the file stays, as after a crash
    running = start(probe.add, f"unix:{path}")
    assert unary(running.channel, "Echo")("over a socket file") == "over a socket file"
    second = Server(running.server.address, load(), CallMetrics(new_registry()))
    with pytest.raises(ListenError, match="another process listens"):
        second.start()
    second.stop()


def test_a_server_with_a_token_asks_for_it(start: Callable[..., Any], probe: Probe) -> None:
    running = start(probe.add, token="open sesame")
    echo = unary(running.channel, "Echo")
    for metadata in ((), (("authorization", "Bearer wrong"),)):
        assert code_of(partial(echo, "x", metadata=metadata)) is grpc.StatusCode.UNAUTHENTICATED
    assert echo("x", metadata=(("authorization", "Bearer open sesame"),)) == "x"
    assert health_pb2_grpc.HealthStub(running.channel).Check(health_pb2.HealthCheckRequest()).status == 1


def test_tls_guards_an_open_address(probe: Probe, tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    settings = load(tls_cert=cert, tls_key=key, token="sesame", rules_address="0.0.0.0:0")
    server = Server(settings.rules_address, settings, CallMetrics(new_registry()))
    probe.add(server)
    with server:
        address = f"127.0.0.1:{server.address.port}"
        with grpc.insecure_channel(address) as plain:
            assert code_of(lambda: unary(plain, "Echo")("x", timeout=PATIENCE)) is grpc.StatusCode.UNAVAILABLE
        with connect(address, cert.read_bytes()) as channel:
            assert code_of(lambda: unary(channel, "Echo")("x", timeout=PATIENCE)) is grpc.StatusCode.UNAUTHENTICATED
            assert unary(channel, "Echo")("x", timeout=5, metadata=authorization("sesame")) == "x"
        with dial(f"0.0.0.0:{server.address.port}", load(tls_cert=cert)) as channel:  # as its own settings name it
            assert unary(channel, "Echo")("x", timeout=5, metadata=authorization("sesame")) == "x"


def test_a_server_needs_the_key_of_its_certificate(probe: Probe, tmp_path: Path) -> None:
    cert, _ = certificate(tmp_path)
    server = Server("127.0.0.1:0", load(tls_cert=cert), CallMetrics(new_registry()))
    probe.add(server)
    with pytest.raises(ListenError, match="PAPAMU_TLS_KEY"):
        server.start()
    server.stop()
