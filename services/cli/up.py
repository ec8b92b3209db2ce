"""`papamu up`, `down`, `status`: the whole of Papamu on this machine, with nothing installed by hand."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from dataclasses import asdict
from typing import Annotated

import grpc
import redis
import typer
from grpc_health.v1 import health_pb2, health_pb2_grpc
from papamu.ladder.v1 import ladder_pb2
from rich.table import Table

from engines.measure import MODE
from engines.record.record import build
from services.cli.client import ladders
from services.cli.home import Home, Running
from services.cli.output import AsJson, Exit, Stop, emit, out, table
from services.cli.stack import SERVICES, Stack, as_environment
from services.cli.supervisor import READY_TIMEOUT, Supervisor
from services.common import ready
from services.common.channel import dial
from services.common.server import stop_signals, wait_for
from services.common.settings import Settings, load

PARTS = 4
"""Processes that `down` waits for, one after the other: workers, services, Redis, and `up` itself."""


def up(
    workers: Annotated[
        int, typer.Option(min=0, max=1024, help="Worker processes that play games; 0 = PAPAMU_WORKERS.")
    ] = 0,
    detach: Annotated[
        bool, typer.Option("--detach", "-d", help="Go on in the background; `papamu down` stops it.")
    ] = False,
    as_json: AsJson = False,
    ready_fd: Annotated[int | None, typer.Option(hidden=True)] = None,
    lock_fd: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Starts Redis, the services and the workers, and runs until Ctrl-C.

    Data, logs and sockets are in the data folder (PAPAMU_DATA_DIR); everything listens on this machine only. A part is
    replaced by one of your own through its setting, as PAPAMU_REDIS_URL: docs/settings.md lists them.

    Examples: papamu up, papamu up --workers 8 --detach, papamu up --detach --json
    """
    settings = load(**({"workers": workers} if workers else {}))
    if detach:
        running = _detach(settings)
        _show(running, settings, "`papamu down` stops it, `papamu status` looks after it.", as_json)
        return
    home = Home(settings)
    home.take(lock_fd)
    with home, stop_signals() as stop, Supervisor(settings.stop_timeout) as supervisor:
        addresses = Stack(settings, supervisor).start()
        running = Running(os.getpid(), build(), asdict(addresses))
        home.tell(running)
        ready.tell(ready_fd, {"pid": str(running.pid)})
        if ready_fd is None:
            _show(running, settings, "Ctrl-C stops it.", as_json)
        wait_for(stop)
        if ready_fd is None and not as_json:
            out.print("stopping")


def _detach(settings: Settings) -> Running:
    home = Home(settings)
    home.take()  # here, where it can be said that another has the folder, and never given back in between
    lock = home.hand_over()
    read, write = os.pipe()
    log = settings.path("up.log")
    with log.open("wb") as file:
        subprocess.Popen(  # noqa: S603  # this program itself
            [sys.executable, "-m", "services.cli", "up", "--ready-fd", str(write), "--lock-fd", str(lock)],
            env={**os.environ, **as_environment(settings)},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            pass_fds=[write, lock],
            start_new_session=True,
        )
    os.close(write)
    os.close(lock)
    with os.fdopen(read) as pipe:
        told = select.select([pipe], [], [], 3 * READY_TIMEOUT)[0] and pipe.readline()
    running = Home(settings).running()
    if not told or running is None:
        lines = log.read_text(errors="replace").splitlines()[-10:]
        raise Stop("it did not start:", below=lines)
    return running


def _show(running: Running, settings: Settings, what_next: str, as_json: bool) -> None:
    emit(as_json, asdict(running), lambda: out.print(_parts(running, settings), what_next, sep="\n"))


def _parts(running: Running, settings: Settings) -> Table:
    rows = table(f"Papamu {running.build} is up", "part", "listens on")
    for part, address in running.addresses.items():
        rows.add_row(part.replace("_", " "), address)
    rows.add_row("data and logs", str(settings.data_dir))
    return rows


def down(as_json: AsJson = False) -> None:
    """Stops what `papamu up` started and waits until it is gone; games in progress are given back first.

    Example: papamu down
    """
    settings = load()
    running = Home(settings).running()
    if running is None:
        raise Stop(f"papamu is not up in {settings.data_dir}", Exit.NO)
    gone = os.pidfd_open(running.pid)
    try:
        os.kill(running.pid, signal.SIGTERM)
        timeout = PARTS * settings.stop_timeout
        if not select.select([gone], [], [], timeout)[0]:
            raise Stop(f"process {running.pid} has not stopped after {timeout:.0f} s; see {settings.path('logs')}")
    finally:
        os.close(gone)
    emit(as_json, {"stopped": running.pid}, lambda: out.print("stopped"))


def status(as_json: AsJson = False) -> None:
    """Says whether everything runs and what waits; exits with 1 when a part does not answer.

    Examples: papamu status, papamu status --json
    """
    settings = load()
    running = Home(settings).running()
    if running is None:
        raise Stop(f"papamu is not up in {settings.data_dir}; `papamu up` starts it", Exit.NO)
    parts = {"redis": _ask_redis(running.addresses["redis_url"])}
    parts.update({name: _ask_health(running.addresses[name], settings) for name in SERVICES})
    waits: dict[str, int] = {}
    if parts["ladder"] == "SERVING":
        try:
            with ladders() as service:
                answer = service.call("GetStatus", ladder_pb2.GetStatusRequest())
            waits = {field.name: getattr(answer, field.name) for field in answer.DESCRIPTOR.fields}
        except Stop as stop:  # the rest is worth telling all the more
            parts["ladder"] = f"does not tell what waits: {stop}"
    well = all(state in ("SERVING", "answers") for state in parts.values())

    def show() -> None:
        out.print(_parts(running, settings))
        rows = table("State", "part", "")
        for part, state in parts.items():
            rows.add_row(part, state)
        for name, value in waits.items():
            rows.add_row(name.replace("_", " "), str(value))
        out.print(rows)

    emit(as_json, {**asdict(running), "mode": MODE, "parts": parts, "ladder": waits, "well": well}, show)
    if not well:
        raise typer.Exit(Exit.NO)


def _ask_redis(url: str) -> str:
    try:
        with redis.Redis.from_url(url, socket_timeout=2) as client:
            client.ping()
    except redis.RedisError as error:
        return f"does not answer: {error}"
    return "answers"


def _ask_health(address: str, settings: Settings) -> str:
    with dial(address, settings, retries=False) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=2)
        except grpc.RpcError as error:
            return f"does not answer: {error.code().name}"
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))
