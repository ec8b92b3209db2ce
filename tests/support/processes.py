"""Real processes for tests: a Redis, services and workers that end with the test, and can be killed before."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import psutil
import redis

from services.cli import private_redis
from services.common import tether

PATIENCE = 300.0
"""Seconds after which a test stops waiting: the machine may be busy."""


class Process:
    """A program tied to the test process. `told` is what it said when it was ready."""

    def __init__(self, name: str, argv: list[str], folder: Path, environment: dict[str, str], *, ready: bool) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        read_end, write_end = os.pipe()
        more = ["--ready-fd", str(write_end)] if ready else []
        with self.log.open("ab") as log:
            self.popen = subprocess.Popen(
                tether.command([*argv, *more], signal.SIGKILL),
                env={**os.environ, **environment},
                stdout=log,
                stderr=log,
                pass_fds=[write_end] if ready else [],
            )
        os.close(write_end)
        with os.fdopen(read_end) as told:
            line = told.readline() if ready else "{}"
        if not line:
            self.popen.wait()
            raise RuntimeError(f"{name} did not start:\n{self.text()}")
        self.told: dict[str, Any] = json.loads(line)

    def text(self) -> str:
        """The end of its log."""
        return self.log.read_text(errors="replace")[-4000:]

    def children(self) -> list[psutil.Process]:
        """The processes it has forked."""
        return psutil.Process(self.popen.pid).children()

    def kill(self) -> None:
        """SIGKILL, and waits for the end."""
        self.popen.kill()
        self.popen.wait()

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        self.popen.terminate()
        return self.popen.wait(PATIENCE)


class Redis(Process):
    """A Redis on a unix socket that can be stopped and started again on the same data."""

    def __init__(self, folder: Path) -> None:
        data = folder / "redis"
        data.mkdir(exist_ok=True)
        socket = folder / "redis.sock"
        argv = [str(private_redis.find().path), *private_redis.arguments(socket, data)]
        super().__init__("redis", argv, folder, {}, ready=False)
        self.url = private_redis.url(socket)
        with redis.Redis.from_url(self.url) as client:
            wait_until(lambda: _answers(client), "Redis answers")


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def wait_until(holds: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """The first true answer of `holds`. Fails the test when there is none in time."""
    deadline = monotonic() + patience
    while not (answer := holds()):
        if monotonic() > deadline:
            raise AssertionError(f"not in {patience:.0f} s: {what}")
        signal.sigtimedwait([], 0.02)
    return answer


def metric_lines(process: Process, line_start: str) -> list[str]:
    """The lines of a process's metrics that begin like this."""
    with urllib.request.urlopen(f"http://{process.told['metrics']}/metrics", timeout=10) as answer:
        return [line for line in answer.read().decode().splitlines() if line.startswith(line_start)]


def metric(process: Process, line_start: str) -> float:
    """Their sum."""
    return sum(float(line.rsplit(" ", 1)[1]) for line in metric_lines(process, line_start))


class Cluster:
    """Redis, services and workers in one folder, started one by one."""

    def __init__(self, folder: Path, slow: bool = False, **settings: Any) -> None:
        self.folder = folder
        self._bots = "tests.support.odd_bots slow" if slow else ""
        self.redis = Redis(folder)
        self.processes: dict[str, Process] = {"redis": self.redis}
        self._environment = {
            "PAPAMU_DATA_DIR": str(folder / "data"),
            "PAPAMU_REDIS_URL": self.redis.url,
            "PAPAMU_METRICS_ADDRESS": "127.0.0.1:0",
            "PAPAMU_WORKERS_METRICS_ADDRESS": "127.0.0.1:0",
            **{f"PAPAMU_{name.upper()}_ADDRESS": self.address(name) for name in ("rules", "ladder", "records")},
            **{f"PAPAMU_{name.upper()}": str(value) for name, value in settings.items()},
        }

    def address(self, service: str) -> str:
        """Where a service listens."""
        return f"unix:{self.folder}/{service}.sock"

    def serve(self, *services: str, wrapper: str = "", **settings: Any) -> Process:
        """A process with these services; `wrapper` is a module that runs the one named after it."""
        return self._start("-".join(services), [*wrapper.split(), "services.serve", *services], **settings)

    def work(self, name: str = "workers", wrapper: str = "", **settings: Any) -> Process:
        """A worker process; in a slow cluster its bots take their time."""
        return self._start(name, [*(wrapper or self._bots).split(), "workers"], **settings)

    def restart_redis(self) -> None:
        """Starts Redis again after it was killed."""
        self.redis = Redis(self.folder)
        self.processes["redis"] = self.redis

    def _start(self, name: str, module: list[str], **settings: Any) -> Process:
        environment = self._environment | {f"PAPAMU_{key.upper()}": str(value) for key, value in settings.items()}
        process = Process(name, [sys.executable, "-m", *module], self.folder, environment, ready=True)
        self.processes[name] = process
        return process

    def close(self) -> None:
        """Kills everything."""
        for process in reversed(self.processes.values()):
            process.kill()

    def logs(self) -> str:
        """The ends of all logs, for a failing test."""
        return "\n".join(f"--- {name}\n{process.text()}" for name, process in self.processes.items())


@contextmanager
def cluster(folder: Path, slow: bool = False, **settings: Any) -> Iterator[Cluster]:
    """A cluster that is gone at the end of the block."""
    made = Cluster(folder, slow, **settings)
    try:
        yield made
    except BaseException:
        print(made.logs())
        raise
    finally:
        made.close()
