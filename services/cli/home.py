"""The data folder of `papamu up`: one lock, held as long as it runs, in a file that says what runs where."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from typing import Self

from services.cli.output import Exit, Stop
from services.common.settings import Settings

LOCK = "up.lock"


@dataclass(frozen=True)
class Running:
    """A `papamu up` that runs."""

    pid: int
    build: str
    addresses: dict[str, str]


class Home:
    """The folder and its lock. The lock is the kernel's: it is gone with the process, however that went."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock: int | None = None

    def take(self) -> None:
        """Takes the lock. Raises Stop when another `papamu up` has the folder."""
        handle = os.open(self._settings.path(LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            found = self.running()
            process = f" (process {found.pid})" if found else ""
            raise Stop(
                f"papamu is up already in {self._settings.data_dir}{process}; `papamu down` stops it, "
                "PAPAMU_DATA_DIR names another folder",
                Exit.NO,
            ) from None
        os.ftruncate(handle, 0)
        self._lock = handle

    def tell(self, running: Running) -> None:
        """Writes what runs, for `running` of other processes."""
        assert self._lock is not None
        os.pwrite(self._lock, json.dumps(asdict(running)).encode(), 0)

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Removes the file and with it the lock."""
        if self._lock is not None:
            self._settings.path(LOCK).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None

    def running(self) -> Running | None:
        """What runs here; None when nothing does, or when it is still starting."""
        path = self._settings.data_dir / LOCK
        try:
            handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            told = os.pread(handle, 65536, 0)
            return Running(**json.loads(told)) if told else None
        else:
            return None  # left over from one that was killed
        finally:
            os.close(handle)
