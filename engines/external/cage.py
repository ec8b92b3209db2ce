"""Runs one program within limits and leaves nothing of it behind.

`python cage.py TETHER MEMORY_MB CPU_SECONDS COMMAND...` is a program of its own, since it must be small, and because
what is set between fork and exec cannot be set safely in a process that has threads. TETHER is a file descriptor that
reaches its end when whoever started the cage is gone, however it went. Then, or when the command ends, every process
that came of it is killed, also those that made themselves independent: on Linux the cage adopts them. It ends as its
command did, with 128 + signal when a signal ended that.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
OPEN_FILES = 256
NO_COMMAND = 127
"""Exit code when the command cannot be started, as shells have it."""
DEAF_TO = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What a terminal or a supervisor sends to all: the cage ends by its tether, and not before it is empty."""


def limit(kind: int, amount: int) -> None:
    """Sets a limit that the program cannot raise again, as far as the one that holds already."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        amount = min(amount, hard)
    resource.setrlimit(kind, (amount, amount))


def become(command: list[str], memory_mb: int, cpu_seconds: int) -> None:
    """Turns this process into the command, in a session of its own. Never returns."""
    try:
        for number in DEAF_TO:
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_NOFILE, OPEN_FILES)
        if cpu_seconds:
            limit(resource.RLIMIT_CPU, cpu_seconds)
        if memory_mb:
            # On Linux what a program may write to; what it only reserves, as JavaScript and Go do, counts elsewhere.
            limit(resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS, memory_mb << 20)
        os.execvp(command[0], command)  # noqa: S606 (the roster names it)
    except (OSError, ValueError) as error:
        print(f"{command[0]}: {error}", file=sys.stderr)
    finally:
        os._exit(NO_COMMAND)


def adopt() -> None:
    """Has processes whose parent is gone become children of this one, instead of init's."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "the kernel does not let this process adopt others")


def children() -> list[int]:
    """Process ids of the children that still run."""
    me = os.getpid()
    try:
        return [int(word) for word in Path(f"/proc/{me}/task/{me}/children").read_text().split()]
    except OSError:  # not Linux
        return []


def sweep() -> None:
    """Kills whatever is left; as its own children die, theirs become ours."""
    while True:
        for child in children():
            os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def wait(child: int, tether: int) -> int:
    """Waits for the end of the child or of the tether; returns how the child ended."""
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        ready, _, _ = select.select([wake, tether], [], [])
        if tether in ready:
            return -signal.SIGKILL
        os.read(wake, 4096)


def main() -> None:
    """Runs what the arguments name."""
    tether, memory_mb, cpu_seconds = map(int, sys.argv[1:4])
    adopt()
    os.set_inheritable(tether, False)
    for number in DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        become(sys.argv[4:], memory_mb, cpu_seconds)
    # The program alone holds its input and output, so that they end with it.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    code = wait(child, tether)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    sweep()
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
