"""The health service: grpc.health.v1 with List, on threads of its own so that it answers while all others compute.

The servicer that comes with gRPC is not used: it remembers every name that anybody ever watched, and a watch that sends
no message keeps one of its threads for good.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse, HealthListRequest, HealthListResponse

from services.common import errors
from services.common.calls import Subscription
from services.common.lanes import Lane

MAX_WATCHES = 1000
"""Watch calls at a time; each keeps a few kilobytes."""
WATCHING = 2
"""Threads that begin watches and tell them news."""


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]  # untyped base
    """States of the services of a server; "" stands for all of it."""

    def __init__(self) -> None:
        self.lane = Lane("watch", WATCHING, MAX_WATCHES - WATCHING)
        """Of Watch calls."""
        self._states = {"": HealthCheckResponse.SERVING}
        self._watches: dict[Subscription, str] = {}
        self._lock = threading.Lock()

    def add(self, service: str) -> None:
        """A service that is here, and serving. To be said before the server starts."""
        self._states[service] = HealthCheckResponse.SERVING

    def Check(self, request: HealthCheckRequest, call: Any) -> HealthCheckResponse:  # noqa: N802
        """The state of one service. Raises NotFound for one that is not here."""
        if request.service not in self._states:
            raise errors.NotFound("there is no such service here")
        return self._state(request.service)

    def List(self, request: HealthListRequest, call: Any) -> HealthListResponse:  # noqa: N802
        """The states of all services."""
        return HealthListResponse(statuses={name: self._state(name) for name in self._states})

    def Watch(self, request: HealthCheckRequest, subscription: Subscription) -> None:  # noqa: N802
        """The state of one service, again whenever it changes. Takes no thread while nothing changes."""
        with self._lock:
            self._watches[subscription] = request.service
        subscription.on_end(partial(self._forget, subscription))
        subscription.send(partial(self._state, request.service))

    def drain(self) -> None:
        """From now on no service is serving."""
        with self._lock:
            self._states = dict.fromkeys(self._states, HealthCheckResponse.NOT_SERVING)
            watches = dict(self._watches)
        for subscription, service in watches.items():
            self.lane.pool.submit(subscription.send, partial(self._state, service))

    def close(self) -> None:
        """Ends all watches."""
        with self._lock:
            watches = list(self._watches)
        for subscription in watches:
            subscription.end(errors.Unavailable("the server is shutting down"))

    def _state(self, service: str) -> HealthCheckResponse:
        return HealthCheckResponse(status=self._states.get(service, HealthCheckResponse.SERVICE_UNKNOWN))

    def _forget(self, subscription: Subscription) -> None:
        with self._lock:
            self._watches.pop(subscription, None)
