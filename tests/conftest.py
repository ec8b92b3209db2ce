"""What all tests share: the slow ones run last, and a private Redis for those that need one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.cli import private_redis


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts what is marked slow behind all else, so that a mistake shows early."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


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
