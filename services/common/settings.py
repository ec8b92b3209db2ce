"""Settings of all processes, from the environment: `PAPAMU_` and the field's name in capitals.

They are read and checked once at start. Everything that is wrong is told at once, in words.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, FilePath, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.common.address import Address

PREFIX = "PAPAMU_"


class SettingsError(ValueError):
    """The environment holds settings that cannot be used; the text has a line for each."""


def _address(text: str) -> str:
    return str(Address.parse(text))


def _tcp(text: str) -> str:
    if Address.parse(text).is_unix:
        raise ValueError("must be host:port, since metrics are scraped over HTTP")
    return text


def _redis_url(text: str) -> str:
    parts = urlsplit(text)
    if text and parts.scheme not in ("redis", "rediss", "unix"):
        raise ValueError("must be redis://host:port/db, rediss://... or unix:///path; empty = a private Redis")
    if parts.port == 0:  # asking raises as well, when it is no number
        raise ValueError("port must be 1 to 65535")
    return text


def _database_url(text: str) -> str:
    if text and not text.startswith(("postgresql", "sqlite")):
        raise ValueError("must be postgresql+psycopg://... or sqlite:///path; empty = SQLite in the data folder")
    return text


def _data_dir(path: Path) -> Path:
    try:
        folder = path.expanduser().absolute()
        there = next(part for part in (folder, *folder.parents) if os.path.lexists(part))
    except RuntimeError as error:  # ~nobody
        raise ValueError(f"{path}: {error}") from error
    if not os.path.isdir(there):  # noqa: PTH112  # it never raises
        raise ValueError(f"{there} is no folder")
    return folder


def _default_data_dir() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "papamu"


AddressText = Annotated[str, AfterValidator(_address)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class Settings(BaseSettings):
    """Every setting with its default. Times are in seconds, sizes in bytes; an empty variable is not set."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )

    # Where things are kept.
    data_dir: Annotated[Path, AfterValidator(_data_dir)] = Field(
        default_factory=_default_data_dir, validate_default=True
    )
    """Folder of databases, logs and sockets, for its owner only; made when it is not there."""
    redis_url: Annotated[str, AfterValidator(_redis_url)] = ""
    """"" = a private Redis on a unix socket in the data folder."""
    database_url: Annotated[str, AfterValidator(_database_url)] = ""
    """"" = SQLite in the data folder, a file for each service. Services may share a database; a file of SQLite only
    those of one process, as `papamu up` starts them."""

    # Where services listen. Port 0 = any free port.
    rules_address: AddressText = "127.0.0.1:7451"
    """Of the rules service: host:port, or unix:/path. Port 0 = any free one."""
    ladder_address: AddressText = "127.0.0.1:7452"
    """Of the ladder service."""
    records_address: AddressText = "127.0.0.1:7453"
    """Of the record service."""
    metrics_address: Annotated[AddressText, AfterValidator(_tcp)] = "127.0.0.1:7459"
    """Of the services' /metrics."""
    workers_metrics_address: Annotated[AddressText, AfterValidator(_tcp)] = "127.0.0.1:7460"
    """Of the workers' /metrics."""

    # Who may call. Needed as soon as an address is reachable from other machines.
    tls_cert: FilePath | None = None
    """Certificate chain of the servers (PEM). Alone, it is what clients and workers trust."""
    tls_key: FilePath | None = None
    """Its private key (PEM), for servers only."""
    token: SecretStr = SecretStr("")
    """Callers show it as `authorization: Bearer <token>`; "" = everybody on this machine may call."""

    # What a call may cost.
    max_message_bytes: Annotated[int, Field(ge=1024, le=64 << 20)] = 1 << 20
    """Longest message that a server takes."""
    default_deadline: Seconds = 10
    """For calls that name none."""
    max_deadline: Seconds = 60
    """For calls that name a longer one."""
    max_stream: Seconds = 3600
    """A stream is ended after this time."""
    message_wait: Seconds = 10
    """How long a unary call may take to send its message; a second, while others wait for its thread."""
    stream_idle: Seconds = 300
    """How long a stream may wait for its client's next message."""
    unary_threads: Annotated[int, Field(ge=1, le=256)] = 4
    """Threads of each server for calls that are no streams. Few: they take turns in one interpreter, and each more
    makes health checks wait longer."""
    unary_queue: Annotated[int, Field(ge=0, le=4096)] = 128
    """Calls that may wait for a thread; more are refused."""
    stream_threads: Annotated[int, Field(ge=1, le=256)] = 16
    """Streams at a time; more are refused."""

    # How a process ends.
    drain_wait: Annotated[float, Field(ge=0, le=600)] = 0
    """Between saying NOT_SERVING and refusing new calls: what a load balancer needs to notice."""
    drain_grace: Annotated[float, Field(ge=0, le=600)] = 10
    """For calls under way when the process is told to stop."""

    # Processes and what they say.
    lease_seconds: Annotated[float, Field(ge=1, le=3600)] = 15
    """How long a worker may be silent before its games go to another."""
    workers: Annotated[int, Field(ge=1, le=1024)] = Field(default_factory=lambda: os.cpu_count() or 1)
    """Worker processes that play games."""
    bots: FilePath | None = None
    """Roster of bots from outside (docs/bots.md), for the ladder service, the workers and `papamu play`."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """Least level that is written, to standard error."""
    log_json: bool = False
    """Lines of JSON instead of text for people."""

    @model_validator(mode="after")
    def _together(self) -> Settings:
        faults = []
        if self.tls_key is not None and self.tls_cert is None:
            faults.append("TLS_KEY: is of no use without TLS_CERT")
        guarded = self.tls_cert is not None and bool(self.token.get_secret_value())
        for name in ("rules_address", "ladder_address", "records_address"):
            address = getattr(self, name)
            if not Address.parse(address).is_local and not guarded:
                faults.append(
                    f"{name.upper()}: {address} can be reached from other machines, which needs TLS_CERT and TOKEN "
                    "(and TLS_KEY where it is served); 127.0.0.1 or a unix socket does not"
                )
        if self.default_deadline > self.max_deadline:
            faults.append("DEFAULT_DEADLINE: must not be longer than MAX_DEADLINE")
        if faults:
            raise ValueError("\n".join(faults))
        return self

    @property
    def stop_timeout(self) -> float:
        """Seconds after SIGTERM at which a process that has not ended is killed."""
        return self.drain_wait + self.drain_grace + 10

    def path(self, name: str) -> Path:
        """A file in the data folder, which is made (for its owner only) when it is not there yet."""
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.data_dir / name


def load(**given: Any) -> Settings:
    """Settings from the environment, `given` ones first. Raises SettingsError with a line per fault."""
    try:
        return Settings(**given)
    except ValidationError as error:
        raise SettingsError("\n".join(_lines(error))) from None  # the cause quotes values, secrets too


def _lines(error: ValidationError) -> list[str]:
    lines = []
    for fault in error.errors(include_url=False, include_context=False):
        text = fault["msg"].removeprefix("Value error, ")
        if fault["type"] == "path_not_file":
            text = f"{fault['input']} is no file"  # no other value is told: it may be a secret
        if fault["loc"]:
            lines.append(f"{PREFIX}{str(fault['loc'][0]).upper()}: {text}")
        else:  # faults between fields name their fields themselves
            lines += [PREFIX + line for line in text.splitlines()]
    return lines


def unknown(environment: Mapping[str, str]) -> list[str]:
    """Names of `PAPAMU_` variables that nothing reads: most likely misspelt."""
    read_elsewhere = {"BUILD", "PURE", "EDITIONS"}
    known = {name.upper() for name in Settings.model_fields} | read_elsewhere
    return sorted(name for name in environment if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known)
