"""A PostgreSQL of the tests' own, on a unix socket; skips the test on a machine without one."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from services.common import tether
from tests.support.processes import wait_until
from tests.support.tools import missing


def _programs() -> Path | None:
    """Debian keeps them out of the PATH."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    return Path(found).parent if found else None


@dataclass
class Server:
    """A PostgreSQL that listens in a folder."""

    folder: Path
    run: Callable[[], subprocess.Popen[bytes]]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it on what is there, and waits until it answers."""
        self.process = self.run()
        wait_until(lambda: _answers(self.folder), "PostgreSQL answers")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends it; by SIGQUIT as in a crash."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(30)

    def dsn(self, database: str) -> str:
        """As psycopg wants it."""
        return f"host={self.folder} user=papamu dbname={database}"

    def url(self, database: str) -> str:
        """As SQLAlchemy wants it."""
        return f"postgresql+psycopg://papamu@/{database}?host={self.folder}"


@contextmanager
def postgresql(folder: Path) -> Iterator[Server]:
    """A server that is gone at the end of the block."""
    programs = _programs()
    if programs is None:
        missing("PostgreSQL", "postgresql")
    # It refuses to run as root.
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    home = folder / "postgresql"
    home.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(home, user.pw_uid, user.pw_gid)
        for parent in home.parents:  # pytest's folders are for their owner only
            if parent.stat().st_uid == 0 and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
                parent.chmod(parent.stat().st_mode | 0o011)

    data = home / "data"
    as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    quick = ["-c", "fsync=off", "-c", "listen_addresses=", "-c", f"unix_socket_directories={home}"]
    with (folder / "postgresql.log").open("ab") as log:
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", "papamu", "-A", "trust", "-E", "UTF8", "--no-sync"],
            check=True, stdout=log, stderr=log, cwd=home, **as_user,
        )  # fmt: skip
        command = _tied([str(programs / "postgres"), "-D", str(data), *quick], user)
        server = Server(home, lambda: subprocess.Popen(command, stdout=log, stderr=log))
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _tied(argv: list[str], user: pwd.struct_passwd) -> list[str]:
    """Ends with the test process. (The kernel forgets that when a process changes its user, so setpriv does both.)"""
    if os.geteuid() != 0:
        return tether.command(argv, signal.SIGQUIT)
    return [
        "setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--pdeathsig=QUIT", *argv
    ]  # fmt: skip


def _answers(home: Path) -> bool:
    try:
        psycopg.connect(host=str(home), user="papamu", dbname="postgres").close()
    except psycopg.OperationalError:
        return False
    return True
