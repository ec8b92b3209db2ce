"""The data folder of `papamu up`: locked as long as it runs, with a file in it that says what runs where."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from typing import Self

from services.cli.output import Exit, Stop
from services.common.settings import Settings

TOLD = "up.json"


@dataclass(frozen=True)
class Running:
    """A `papamu up` that runs."""

    pid: int
    build: str
    addresses: dict[str, str]


class Home:
    """The folder and its lock.

    The lock is the kernel's, on the folder itself: it is gone with the process, however that went, and leaves nothing.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock: int | None = None

    def take(self, inherited: int | None = None) -> None:
        """Takes the lock, or the handle that has it. Raises Stop when another `papamu up` has the folder."""
        if inherited is not None:
            os.set_inheritable(inherited, False)
            self._lock = inherited
            return
        handle = os.open(self._settings.path("."), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
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
        self._lock = handle
        self._settings.path(TOLD).unlink(missing_ok=True)  # of one that was killed

    def hand_over(self) -> int:
        """The handle, for a process that inherits it and with it the lock; whoever closes it last gives that back."""
        assert self._lock is not None
        handle, self._lock = self._lock, None
        return handle

    def tell(self, running: Running) -> None:
        """Writes what runs, for `running` of other processes."""
        assert self._lock is not None
        new = self._settings.path(f"{TOLD}.new")
        new.write_text(json.dumps(asdict(running)))
        new.replace(self._settings.path(TOLD))

    def __enter__(self) -> Self:
        if self._lock is None:
            self.take()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Removes the file and lets go of the lock."""
        if self._lock is not None:
            self._settings.path(TOLD).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None

    def running(self) -> Running | None:
        """What runs here; None when nothing does, or when it is still starting."""
        folder = self._settings.data_dir
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared: others may look at the same time
        except BlockingIOError:
            return self._told()
        else:
            return None  # a file may be left over from one that was killed
        finally:
            os.close(handle)

    def _told(self) -> Running | None:
        try:
            text = self._settings.path(TOLD).read_text()
        except FileNotFoundError:
            return None
        return Running(**json.loads(text))
