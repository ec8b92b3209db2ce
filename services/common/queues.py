"""The message queues between the ladder service and the workers: names, and how both sides talk to Redis.

A message names a batch and nothing else. Losing one costs a wake-up, a second one finds nothing to claim.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlsplit

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES, redis, virtual
from papamu.ladder.v1 import ladder_pb2 as pb

PLAY = "papamu.play"
"""Name of the task; its one argument is the number of a batch."""
QUEUES: dict[int, str] = {
    pb.PRIORITY_HIGH: "papamu.high",
    pb.PRIORITY_NORMAL: "papamu.normal",
    pb.PRIORITY_LOW: "papamu.low",
}
"""By ladder priority, in the order in which workers empty them."""
SOCKET_SECONDS = 5.0
"""Longest wait for Redis to answer."""


class Credit(redis.QoS):
    """How many messages a worker may still take, and nothing more.

    A message that was taken is gone: Redis keeps no list of what is not acknowledged, since the lease guards the games.
    So there is nothing to redeliver after some timeout, and no acknowledgement that can fail when Redis is away: a
    failed one would cost its credit for ever, and after a few a worker would sit there deaf.
    """

    def append(self, message: Any, delivery_tag: str) -> None:
        """Takes a credit."""
        virtual.QoS.append(self, message, delivery_tag)  # type: ignore[no-untyped-call]

    def ack(self, delivery_tag: str) -> None:
        """Gives the credit back."""
        virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Gives the credit back; a message that nobody wants any more is told again by the ladder service."""
        virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]

    def restore_unacked(self, client: Any = None) -> None:
        """Forgets what was taken."""
        self._delivered.clear()

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Forgets what was taken."""
        self._delivered.clear()

    def restore_visible(self, *_: Any, **__: Any) -> None:
        """Nothing is hidden."""


class Channel(redis.Channel):
    """A Redis channel with `Credit`."""

    QoS = Credit


class Transport(redis.Transport):
    """Celery's Redis transport with `Credit`."""

    Channel = Channel


TRANSPORT_ALIASES["papamu"] = f"{__name__}:Transport"


def broker_url(redis_url: str) -> str:
    """The URL of a Redis for `Transport`; `unix:///path` is `papamu+socket:///path`."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return parts._replace(scheme="papamu").geturl()
    password = f":{quote(parts.password)}@" if parts.password else ""
    return f"papamu+socket://{password}{parts.path}" + (f"?{parts.query}" if parts.query else "")


def make_app(redis_url: str, **more: Any) -> Celery:
    """The Celery application of a process; `more` overrides settings. Connects to nothing yet."""
    app = Celery("papamu", broker=broker_url(redis_url), set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        broker_use_ssl={"ssl_cert_reqs": "required"} if redis_url.startswith("rediss:") else None,
        task_acks_late=False,  # a batch is taken off the queue before it is played
        task_create_missing_queues=True,
        worker_prefetch_multiplier=1,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # reconnect for ever
        broker_transport_options={
            "queue_order_strategy": "priority",
            "socket_timeout": SOCKET_SECONDS,
            "socket_connect_timeout": SOCKET_SECONDS,
            "retry_on_timeout": True,
        },
        **more,
    )
    return app
