"""A service made for tests: it echoes, waits, fails and streams on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from services.common.calls import Call
from services.common.server import Server

SERVICE = "papamu.test.v1.Probe"
PATIENCE = 60
"""Seconds that a call may take on a busy machine."""


class Probe:
    """`entered` is set by a call that waits; it goes on when `release` is set."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.release = threading.Event()
        self.error: Exception = ValueError("a secret detail")

    def echo(self, request: StringValue, call: Call) -> StringValue:
        return request

    def hold(self, request: StringValue, call: Call) -> StringValue:
        self.entered.release()
        self.release.wait(30)
        return request

    def fail(self, request: StringValue, call: Call) -> StringValue:
        raise self.error

    def compute(self, request: StringValue, call: Call) -> StringValue:
        """Works until its deadline, as a long search does."""
        self.entered.release()
        while True:
            call.check()
            sum(range(1000))

    def talk(self, requests: Iterator[StringValue], call: Call) -> Iterator[StringValue]:
        for request in requests:
            if request.value == "fail":
                raise self.error
            if request.value == "hold":
                self.hold(request, call)
            yield request

    def count(self, request: StringValue, call: Call) -> Iterator[StringValue]:
        for i in range(int(request.value)):
            yield StringValue(value=str(i).ljust(10_000))

    def add(self, server: Server) -> None:
        kinds = {
            "Echo": (grpc.unary_unary_rpc_method_handler, self.echo),
            "Hold": (grpc.unary_unary_rpc_method_handler, self.hold),
            "Fail": (grpc.unary_unary_rpc_method_handler, self.fail),
            "Compute": (grpc.unary_unary_rpc_method_handler, self.compute),
            "Talk": (grpc.stream_stream_rpc_method_handler, self.talk),
            "Count": (grpc.unary_stream_rpc_method_handler, self.count),
        }
        handlers = {
            name: make(behavior, request_deserializer=StringValue.FromString)  # type: ignore[operator]
            for name, (make, behavior) in kinds.items()
        }
        server.add(lambda _, target: target.add_registered_method_handlers(SERVICE, handlers), self)


def code_of(call: Callable[[], Any]) -> grpc.StatusCode:
    """The status with which a call fails."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value.code()


def handled(running: Any, method: str, code: str, kind: str = "unary", service: str = SERVICE) -> float:
    """How many calls of a method have ended so, by the server's metrics."""
    labels = {"grpc_type": kind, "grpc_service": service, "grpc_method": method, "grpc_code": code}
    count: float = running.value("grpc_server_handled_total", **labels)
    return count


def unary(channel: grpc.Channel, method: str) -> Any:
    """A callable for a method of the probe: text in, text out."""
    return channel.unary_unary(f"/{SERVICE}/{method}", lambda text: StringValue(value=text).SerializeToString(), _text)


def raw(channel: grpc.Channel, method: str) -> Any:
    """The same for bytes."""
    return channel.unary_unary(f"/{SERVICE}/{method}")


def talk(channel: grpc.Channel) -> Any:
    """A callable for the bidirectional method."""
    return channel.stream_stream(f"/{SERVICE}/Talk", lambda text: StringValue(value=text).SerializeToString(), _text)


def _text(data: bytes) -> str:
    return StringValue.FromString(data).value
