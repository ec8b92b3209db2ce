"""The door of a server: finds the method of a call, and turns away who may not come in or finds no place."""

from __future__ import annotations

import hmac
import time
from typing import TYPE_CHECKING

import grpc

from services.common import errors
from services.common.calls import Method, refusing
from services.common.lanes import Lane
from services.common.metrics import UNKNOWN, CallMetrics, MethodMetrics

if TYPE_CHECKING:
    from services.common.calls import Handler


class Door(grpc.GenericRpcHandler):
    """gRPC asks it for the handler of each call, on its one polling thread: nothing here may wait."""

    def __init__(self, metrics: CallMetrics, token: str) -> None:
        self._unknown = metrics.method("unary", UNKNOWN, UNKNOWN)
        self._expected = f"Bearer {token}".encode() if token else b""
        self._methods: dict[str, tuple[Method, Handler]] = {}
        self._open_to_all: set[str] = set()
        self._refusals = Lane("refuse", 1, 0)
        self._closed = False
        self._last = 0.0

    def add(self, method: Method, *, open_to_all: bool = False) -> None:
        """Lets a method in; `open_to_all` needs no token and stays until the end, as health does."""
        self._methods[method.path] = (method, method.guarded())
        if open_to_all:
            self._open_to_all.add(method.path)

    def close(self) -> None:
        """From now on new calls are UNAVAILABLE."""
        self._closed = True

    def quiet(self) -> float:
        """Seconds since a call came."""
        return time.monotonic() - self._last

    def release(self) -> None:
        """Lets the door's own thread go."""
        self._refusals.close()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        """The handler of a call."""
        self._last = time.monotonic()
        path = handler_call_details.method
        found = self._methods.get(path)
        if found is None:
            return self._refuse(errors.Unimplemented("there is no such method"), self._unknown)
        method, handler = found
        if path not in self._open_to_all:
            if self._expected and not self._knows_token(handler_call_details):
                return self._refuse(errors.Unauthenticated("the call lacks the token of this server"), method.metrics)
            if self._closed:
                return self._refuse(errors.Unavailable("the server is shutting down"), method.metrics)
        if not method.lane.enter():
            text = f"the server already has {method.lane.limit} {method.lane.name} calls"
            return self._refuse(errors.Exhausted(text), method.metrics)
        return handler

    def _knows_token(self, details: grpc.HandlerCallDetails) -> bool:
        for key, value in details.invocation_metadata or ():
            if key == "authorization":
                given = value if isinstance(value, bytes) else value.encode()
                return hmac.compare_digest(given, self._expected)
        return False

    def _refuse(self, error: errors.CallError, metrics: MethodMetrics) -> Handler:
        return refusing(error, metrics, self._refusals)
