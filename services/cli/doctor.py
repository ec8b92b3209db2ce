"""`papamu doctor`: what this installation is made of, and what is wrong with it."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata

import typer

from engines.measure import MODE
from services.cli import builds, private_redis
from services.cli.home import Home
from services.cli.output import AsJson, Exit, emit, out, table, words
from services.common.address import MAX_SOCKET_PATH, Address
from services.common.settings import Settings, load, unknown

LEAST_DISK = 200 << 20
"""Bytes that should be free in the data folder."""
LIBRARIES = ("grpcio", "protobuf", "celery", "redis", "sqlalchemy", "cython")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `advice` says what to do when it is not well."""

    what: str
    value: str
    well: bool = True
    advice: str = ""


def doctor(as_json: AsJson = False) -> None:
    """Looks at this installation: engines, Redis, ports, disk, versions, settings. Exits with 1 when one is wrong.

    Examples: papamu doctor, papamu doctor --json
    """
    settings = load()
    findings = [finding for look in LOOKS for finding in look(settings)]
    rows = table("Papamu", "", "", "", "what to do")
    for f in findings:
        rows.add_row(words(("ok", "green") if f.well else ("!!", "red")), f.what, f.value, f.advice)
    emit(as_json, [vars(f) for f in findings], lambda: out.print(rows))
    if not all(f.well for f in findings):
        raise typer.Exit(Exit.NO)


def _versions(_settings: Settings) -> Iterator[Finding]:
    yield Finding("python", f"{platform.python_version()} ({sys.executable})")
    yield Finding("libraries", ", ".join(f"{name} {metadata.version(name)}" for name in LIBRARIES))


def _engines(_settings: Settings) -> Iterator[Finding]:
    if faults := builds.faults():
        yield from (Finding("engines", fault, well=False, advice=builds.ADVICE) for fault in faults)
        return
    built = sum(path is not None for path in builds.compiled().values())
    if MODE == "interpreted":
        why = "PAPAMU_PURE=1 is set" if builds.pure() else "no compiled modules here"
        yield Finding("engines", f"interpreted, slow: {why}", advice="" if built else _compile_advice())
    else:
        yield Finding("engines", f"compiled, {built} modules")


def _compile_advice() -> str:
    return "make build" if shutil.which("cc") else "apt-get install gcc python3-dev, then make build"


def _redis(settings: Settings) -> Iterator[Finding]:
    if settings.redis_url:
        yield Finding("redis", "named by PAPAMU_REDIS_URL")
        return
    try:
        found = private_redis.find()
    except private_redis.NoRedis as error:
        yield Finding("redis", "none found", well=False, advice=str(error))
        return
    yield Finding("redis", f"{found.version()}, {'bundled' if found.bundled else 'of the system'} ({found.path})")
    path = str(settings.data_dir / "redis.sock")
    if len(path.encode()) > MAX_SOCKET_PATH:
        yield Finding(
            "redis", f"its socket's path is too long: {path}", well=False, advice="set a shorter PAPAMU_DATA_DIR"
        )


def _ports(settings: Settings) -> Iterator[Finding]:
    running = Home(settings).running()
    if running:
        yield Finding("up", f"process {running.pid}, build {running.build}")
        return
    for name in Settings.model_fields:
        if name.endswith("_address"):
            address = Address.parse(getattr(settings, name))
            if not address.is_unix and address.port and (fault := _taken(address)):
                setting = f"PAPAMU_{name.upper()}"
                yield Finding(
                    "port", f"{address}: {fault}", well=False, advice=f"end what listens there or set {setting}"
                )
    yield Finding("up", "not running")


def _taken(address: Address) -> str:
    host = address.host.strip("[]")
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, address.port))
        except OSError as error:
            return error.strerror or str(error)
    return ""


def _disk(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    yield Finding(
        "data folder",
        f"{settings.data_dir}, {free >> 20:,} MiB free",
        well=free >= LEAST_DISK and os.access(folder, os.W_OK),
        advice="" if os.access(folder, os.W_OK) else "not writable: set PAPAMU_DATA_DIR",
    )


def _environment(_settings: Settings) -> Iterator[Finding]:
    for name in unknown(os.environ):
        yield Finding("setting", f"nothing reads {name}", well=False, advice="see docs/settings.md for the names")


LOOKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (_versions, _engines, _redis, _ports, _disk, _environment)
