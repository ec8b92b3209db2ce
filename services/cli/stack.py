"""The processes that make a whole Papamu on one machine: Redis, services, workers."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import redis
from pydantic import SecretStr

from services.cli import builds, private_redis
from services.cli.supervisor import Program, StartError, Supervisor
from services.common.settings import PREFIX, Settings

REDIS_TIMEOUT = 30.0
"""Seconds that Redis may take until it answers: it reads its append-only file first."""
SERVICES = ("rules", "records", "ladder")
"""Served side by side in one process."""


@dataclass(frozen=True)
class Addresses:
    """Where the parts listen: what a client dials, what Prometheus scrapes."""

    redis_url: str
    rules: str
    records: str
    ladder: str
    services_metrics: str
    workers_metrics: str


class Stack:
    """Starts the parts in order; the supervisor stops them in reverse."""

    def __init__(self, settings: Settings, supervisor: Supervisor) -> None:
        self._settings = settings
        self._supervisor = supervisor
        self._logs = settings.path("logs")
        self._logs.mkdir(mode=0o700, exist_ok=True)

    def start(self) -> Addresses:
        """Starts everything and returns when it answers. Raises StartError or NoRedis.

        A mixed or old build of the engines is refused: parts of it would play by other rules than they say.
        """
        if faults := builds.faults():
            raise StartError(f"the engines are not of one build: {'; '.join(faults)}; `{builds.ADVICE}` makes them so")
        redis_url = self._settings.redis_url or self._start_redis()
        told = self._start("services", ["services.serve", *SERVICES], redis_url=redis_url)
        workers = self._start("workers", ["workers"], redis_url=redis_url, ladder_address=told["ladder"])
        return Addresses(redis_url, told["rules"], told["records"], told["ladder"], told["metrics"], workers["metrics"])

    def _start_redis(self) -> str:
        folder = self._settings.path("redis")
        folder.mkdir(mode=0o700, exist_ok=True)
        socket = self._settings.path("redis.sock")
        found = private_redis.find()
        argv = [str(found.path), *private_redis.arguments(socket, folder)]
        self._supervisor.start(Program("redis", argv, os.environ, self._logs / "redis.log"))
        _wait_for_redis(private_redis.url(socket), self._logs / "redis.log")
        return private_redis.url(socket)

    def _start(self, name: str, module: Sequence[str], **found: str) -> dict[str, str]:
        environment = {**os.environ, **as_environment(self._settings.model_copy(update=found))}
        argv = [sys.executable, "-m", *module]
        return self._supervisor.start(Program(name, argv, environment, self._logs / f"{name}.log", tells_ready=True))


def as_environment(settings: Settings) -> dict[str, str]:
    """The variables from which another process reads the same settings."""
    values = {}
    for name in settings.model_fields_set:
        value = getattr(settings, name)
        if value is not None:
            plain = value.get_secret_value() if isinstance(value, SecretStr) else value
            values[PREFIX + name.upper()] = str(plain)
    return values


def _wait_for_redis(url: str, log: Path) -> None:
    deadline = time.monotonic() + REDIS_TIMEOUT
    with redis.Redis.from_url(url) as client:
        while True:
            try:
                client.ping()
            except (redis.ConnectionError, redis.BusyLoadingError) as error:  # it has no way to say that it is ready
                if time.monotonic() > deadline:
                    raise StartError(f"Redis does not answer: {error}; see {log}") from error
                threading.Event().wait(0.02)
            else:
                return
