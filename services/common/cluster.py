"""Several processes of one service on one port: the only place where a port is shared (SO_REUSEPORT).

The parent serves nothing. It starts the processes, each with a server of its own, passes SIGTERM on to them, and ends
when they have; when it is killed, the kernel tells them. When one of them ends by itself, so do all: whoever supervises
the parent starts it again.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from services.common import logs, tether
from services.common.address import Address
from services.common.server import ListenError, stop_signals, wait_for
from services.common.settings import PREFIX, Settings

log = logs.logger(__name__)


@contextmanager
def shared_port(address: Address) -> Iterator[Address]:
    """Keeps the port for processes that share it. Raises ListenError when anybody else has it."""
    if address.is_unix:
        raise ListenError(f"several processes cannot share {address}: it must be host:port")
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    host = address.host.strip("[]")
    with socket.socket(family) as probe, socket.socket(family) as keeper:
        try:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, address.port))
            port = probe.getsockname()[1]
            probe.close()
            keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            keeper.bind((host, port))
        except OSError as error:
            raise ListenError(f"cannot listen on {address}: taken by another process, or not ours") from error
        yield Address(address.host, port)


def run(argv: Sequence[str], address_setting: str, settings: Settings, processes: int) -> int:
    """Runs a command that shares its port so many times until SIGTERM or SIGINT; returns the exit status."""
    with shared_port(Address.parse(getattr(settings, address_setting))) as shared, stop_signals() as stop:
        environment = {**os.environ, PREFIX + address_setting.upper(): str(shared)}
        members: list[subprocess.Popen[bytes]] = []
        for i in range(processes):
            if i == 1:  # each tells its own numbers; those of the first are where the settings say
                environment[PREFIX + "METRICS_ADDRESS"] = "127.0.0.1:0"
            # In a group of its own: a terminal's Ctrl-C is for the parent, which passes it on. Twice would be no drain.
            command = tether.command(argv, signal.SIGTERM)
            members.append(subprocess.Popen(command, env=environment, process_group=0))  # noqa: S603  # our own program
        log.info("processes share a port", address=str(shared), processes=processes)
        ended = [threading.Thread(target=_tell_end, args=(member, stop), daemon=True) for member in members]
        for thread in ended:
            thread.start()
        wait_for(stop)
        failed = [member.pid for member in members if member.poll() is not None]
        if failed:
            log.error("a process has ended by itself", pids=failed)
        _stop(members, settings.stop_timeout)
    return 1 if failed else 0


def _tell_end(member: subprocess.Popen[bytes], stop: threading.Event) -> None:
    member.wait()
    stop.set()


def _stop(members: list[subprocess.Popen[bytes]], timeout: float) -> None:
    for member in members:
        member.terminate()
    deadline = time.monotonic() + timeout
    for member in members:
        try:
            member.wait(max(deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            log.warning("killed", pid=member.pid)
            member.kill()
            member.wait()
