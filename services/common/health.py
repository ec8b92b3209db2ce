"""The health service: grpc.health.v1 with List, on threads of its own so that it answers while all others compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse, HealthListRequest, HealthListResponse

from services.common import errors

SERVING = HealthCheckResponse.SERVING
MAX_WATCHES = 1000
"""Watch calls at a time; each keeps a few kilobytes."""


class Health(health.HealthServicer):  # type: ignore[misc]  # untyped base
    """States of the services of a server; "" stands for all of it."""

    def __init__(self) -> None:
        super().__init__(experimental_non_blocking=True)

    def Check(self, request: HealthCheckRequest, call: Any) -> HealthCheckResponse:  # noqa: N802
        """The state of one service. Raises NotFound for one that is not here."""
        status = self._server_status.get(request.service)
        if status is None:
            raise errors.NotFound("there is no such service here")
        return HealthCheckResponse(status=status)

    def List(self, request: HealthListRequest, call: Any) -> HealthListResponse:  # noqa: N802
        """The states of all services."""
        with self._lock:
            states = dict(self._server_status)
        return HealthListResponse(statuses={name: HealthCheckResponse(status=s) for name, s in states.items()})

    def Watch(  # noqa: N802
        self, request: HealthCheckRequest, context: Any, send_response_callback: Callable[[Any], None] | None = None
    ) -> Any:
        """The state of one service, again whenever it changes. Takes no thread while nothing changes."""
        with self._lock:
            watches = sum(len(callbacks) for callbacks in self._send_response_callbacks.values())
        if watches >= MAX_WATCHES:
            context.abort(errors.Exhausted.code, f"the server already has {MAX_WATCHES} watches")
        return super().Watch(request, context, send_response_callback)
