"""The bots from outside that may be played: a TOML file that whoever runs the workers writes.

    [bots.first]
    about = "takes the first move"
    command = ["python3", "first.py"]      # in the folder of this file
    memory_mb = 512
    cpu_seconds = 600

    [bots.far]
    endpoint = "grpcs://bots.example.org:443"

Nothing else is ever started or called: a ladder names bots by their kind, `first`, never commands or addresses.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from engines.core.game import BadInput, Game, Violation
from engines.external.dialogue import Clock
from engines.external.program import Program, ProgramBot
from engines.external.service import ServiceBot
from engines.search.bots import KINDS, Bot, BotKind, BotOption

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
OPTIONS = (
    BotOption("game_milliseconds", "time for a whole game, 0 = no limit of this sort", 0, 86_400_000, 0),
    BotOption("milliseconds", "time per move, 0 = no limit of this sort", 0, 600_000, 1000),
)
_PROGRAM = {"command": list, "about": str, "memory_mb": int, "cpu_seconds": int, "errors": bool}
_SERVICE = {"endpoint": str, "about": str}
_BUILT_IN = frozenset(KINDS)
MOST = 2**31 - 1
"""Of any limit."""


def install(path: Path) -> list[str]:
    """Adds the bots of a roster to the kinds of this process and returns their names.

    Raises BadInput with a field path per fault, and OSError when the file cannot be read.
    """
    kinds = read(path)
    KINDS.update(kinds)
    return list(kinds)


def read(path: Path) -> dict[str, BotKind]:
    """The kinds of a roster. Raises as `install`."""
    try:
        data = tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput([Violation(str(path), f"is no TOML: {error}")]) from error
    faults: list[Violation] = []
    kinds = {}
    bots = data.get("bots", {})
    if set(data) - {"bots"} or not isinstance(bots, dict):
        raise BadInput([Violation("bots", "must be the one table of a roster")])
    for name, entry in bots.items():
        found = _check(name, entry)
        faults += found
        if not found:
            about = entry.get("about", "a bot from outside")
            kinds[name] = BotKind(partial(_make, path.parent, entry), about, OPTIONS, memory="game_milliseconds")
    if faults:
        raise BadInput(faults)
    return kinds


def _check(name: str, entry: object) -> list[Violation]:
    field = f"bots.{name}"
    if NAME.fullmatch(name) is None or name in _BUILT_IN:
        return [Violation(field, "must be a name of a-z, 0-9 and - that no built-in kind has")]
    if not isinstance(entry, Mapping) or ("command" in entry) == ("endpoint" in entry):
        return [Violation(field, "must have either a command or an endpoint")]
    known = _PROGRAM if "command" in entry else _SERVICE
    faults = [Violation(f"{field}.{key}", "unknown key") for key in entry if key not in known]
    for key, kind in known.items():
        value = entry.get(key)
        if value is not None and type(value) is not kind:
            faults.append(Violation(f"{field}.{key}", f"must be of type {kind.__name__}"))
        elif isinstance(value, int) and not 0 <= value <= MOST:
            faults.append(Violation(f"{field}.{key}", f"must be 0 to {MOST}"))
    if faults:
        return faults
    if "command" in entry:
        words = entry["command"]
        if not words or not all(isinstance(word, str) and word and "\0" not in word for word in words):
            faults.append(Violation(f"{field}.command", "must be a list of texts, the program first"))
    elif _address(entry["endpoint"]) is None:
        faults.append(Violation(f"{field}.endpoint", "must be grpcs://host:port, or grpc://host:port of this machine"))
    return faults


def _address(endpoint: str) -> tuple[str, bool] | None:
    """Target and whether TLS is used; None for an endpoint that is not allowed."""
    parts = urlsplit(endpoint)
    try:
        port = parts.port
    except ValueError:
        return None
    strange = endpoint.count("/") != 2 or not endpoint.isprintable() or set("@?#\\ ") & set(endpoint)
    if parts.scheme not in ("grpc", "grpcs") or not parts.hostname or not port or strange:
        return None
    tls = parts.scheme == "grpcs"
    if not tls and not _is_here(parts.hostname):
        return None
    return parts.netloc, tls


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _make(
    folder: Path, entry: Mapping[str, Any], game: Game, seed: int, seat: int, milliseconds: int, game_milliseconds: int
) -> Bot:
    """A bot for one seat of one game. Seed and seat are not told: what it draws is its own affair."""
    if not milliseconds and not game_milliseconds:
        raise BadInput([Violation("options.milliseconds", "a bot from outside needs some limit")])
    clock = Clock(milliseconds / 1000, game_milliseconds / 1000)
    if "command" in entry:
        limits = {key: entry[key] for key in ("memory_mb", "cpu_seconds", "errors") if key in entry}
        return ProgramBot(Program(entry["command"], folder, **limits), clock)
    address = _address(entry["endpoint"])
    assert address is not None
    return ServiceBot(address[0], clock, tls=address[1])
