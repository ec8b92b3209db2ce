"""The message queues between the ladder service and the workers: names, and how both sides talk to Redis.

A message names a batch and nothing else. Losing one costs a wake-up, a second one finds nothing to claim.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlsplit

from celery import Celery
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


def broker_url(redis_url: str) -> str:
    """The URL of a Redis as Celery spells it: `unix:///path` is `redis+socket:///path` there."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    password = f":{quote(parts.password)}@" if parts.password else ""
    return f"redis+socket://{password}{parts.path}" + (f"?{parts.query}" if parts.query else "")


def make_app(redis_url: str, **more: Any) -> Celery:
    """The Celery application of a process; `more` overrides settings. Connects to nothing yet."""
    app = Celery("papamu", broker=broker_url(redis_url), set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=False,  # the lease guards the games, not the message
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
