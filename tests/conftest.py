"""What all tests share: the slow ones run last, and a private Redis for those that need one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.cli import private_redis
from tests.support.tools import MARK

# gRPC would start its threads again in every process that a test forks to run a program in a terminal. There they meet
# closed files, and now and then the program dies of it before it has begun.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts what is marked slow behind all else, so that a mistake shows early."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Lists what did not run for want of a program, with the command that provides it."""
    reasons = {str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", [])}
    for reason in sorted(reason.removeprefix("Skipped: ") for reason in reasons if MARK in reason):
        terminalreporter.write_line(reason, yellow=True)


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis of this test run, on a unix socket. Use keys of your own: all tests share it."""
    folder = tmp_path_factory.mktemp("redis")
    socket = Path(folder, "redis.sock")
    command = [private_redis.find().path, *private_redis.arguments(socket, folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    with process.stdout:
        told = []
        for line in process.stdout:
            told.append(line)
            if "eady to accept connections" in line:
                break
        else:
            raise RuntimeError("Redis did not start:\n" + "".join(told))
        yield private_redis.url(socket)
        process.terminate()
        process.stdout.read()
    assert process.wait() == 0
