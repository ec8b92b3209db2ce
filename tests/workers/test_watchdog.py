"""The watchdog ends a deaf worker, and no other."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import redis

from workers.watchdog import EXIT_CODE, Watchdog

pytestmark = pytest.mark.slow

QUEUE = "test-watchdog"


@pytest.fixture
def broker(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url) as client:
        client.delete(QUEUE)
        yield client
        client.delete(QUEUE)


def watch(redis_url: str, busy: int, seconds: float) -> list[int]:
    """What the watchdog ended the process with, in that time."""
    ended: list[int] = []
    done = threading.Event()

    def end(code: int) -> None:
        ended.append(code)
        done.set()

    dog = Watchdog(redis_url, [QUEUE], lambda: busy, deaf_seconds=0.3, end=end)
    dog.start()
    done.wait(seconds)
    dog.stop()
    return ended


def test_an_idle_worker_beside_waiting_work_is_ended(redis_url: str, broker: redis.Redis) -> None:
    broker.rpush(QUEUE, "work")
    assert watch(redis_url, busy=0, seconds=20) == [EXIT_CODE]


def test_a_busy_worker_is_left_alone(redis_url: str, broker: redis.Redis) -> None:
    broker.rpush(QUEUE, "work")
    assert watch(redis_url, busy=1, seconds=0.8) == []


def test_nothing_to_do_is_no_reason(redis_url: str, broker: redis.Redis) -> None:
    assert watch(redis_url, busy=0, seconds=0.8) == []


def test_a_broker_that_is_away_is_no_reason() -> None:
    assert watch("unix:///nonexistent/redis.sock", busy=0, seconds=0.8) == []
