"""Calls to the ladder service that outlast its restarts."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import grpc
from papamu.ladder.v1 import ladder_pb2_grpc
from papamu.sdk.channel import authorization

from services.common import logs
from services.common.channel import dial
from services.common.settings import Settings

CALL_SECONDS = 10.0
"""Longest wait for one answer."""
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
"""Seconds between two tries: doubled from the first to the longest, each with a random part."""
PASSING = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.INTERNAL,
    }
)
"""Failures after which the same call may succeed."""

T = TypeVar("T")
log = logs.logger(__name__)


class LadderClient:
    """A channel to the ladder service. Make it in the process that uses it: channels do not survive a fork."""

    def __init__(self, settings: Settings) -> None:
        # What is retried is decided here, call by call.
        self._channel = dial(settings.ladder_address, settings, retries=False)
        self._metadata = authorization(settings.token.get_secret_value())
        self.stub = ladder_pb2_grpc.WorkerServiceStub(self._channel)

    def call(self, method: Callable[..., T], request: Any, give_up: Callable[[float], bool]) -> T:
        """The answer of `method`, tried again while failures are passing ones.

        `give_up(seconds)` is asked after each failure with the time since the first try. Raises grpc.RpcError when the
        failure is no passing one or it is given up.
        """
        start = time.monotonic()
        wait = FIRST_WAIT
        while True:
            try:
                return method(request, timeout=CALL_SECONDS, metadata=self._metadata)
            except grpc.RpcError as error:
                if error.code() not in PASSING or give_up(time.monotonic() - start):
                    raise
                log.warning("the ladder service does not answer; trying again", code=error.code().name)
            threading.Event().wait(wait * random.uniform(0.5, 1.0))  # spreads workers, hides nothing
            wait = min(2 * wait, LONGEST_WAIT)

    def close(self) -> None:
        """Closes the channel."""
        self._channel.close()
