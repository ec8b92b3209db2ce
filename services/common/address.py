"""Addresses that services listen on and clients dial: `host:port` or `unix:/path`."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

_HOST_PORT = re.compile(r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(?P<port>\d{1,5})")
MAX_SOCKET_PATH = 100
"""Longest path of a unix socket, in bytes: the system's own limit is 108 with its end mark."""


@dataclass(frozen=True)
class Address:
    """Where a service listens. Exactly one of (`host`, `port`) and `path` is used; port 0 means any free one."""

    host: str = ""
    port: int = 0
    path: str = ""

    @classmethod
    def parse(cls, text: str) -> Address:
        """The address of a text. Raises ValueError that says in words what it should look like."""
        if text.startswith("unix:"):
            path = text.removeprefix("unix:")
            path = path.removeprefix("//") if path.startswith("///") else path
            if not path or len(path.encode()) > MAX_SOCKET_PATH:
                raise ValueError(
                    f"must name a socket file of at most {MAX_SOCKET_PATH} bytes, as unix:/run/papamu.sock"
                )
            return cls(path=path)
        found = _HOST_PORT.fullmatch(text)
        if found is None or int(found["port"]) > 65535:
            raise ValueError("must be host:port with a port of 0 to 65535, or unix:/path")
        return cls(host=found["host"], port=int(found["port"]))

    @property
    def is_unix(self) -> bool:
        """Whether it is a unix socket."""
        return bool(self.path)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it: a unix socket, or a loopback address."""
        if self.path or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:  # a host name: it may resolve to anything
            return False

    def __str__(self) -> str:
        return f"unix:{self.path}" if self.path else f"{self.host}:{self.port}"
