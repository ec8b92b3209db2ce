"""Ties a process to the one that started it: when that is gone, however it went, the kernel ends this one too.

`python -m services.common.tether SIGNAL PARENT COMMAND ...` becomes COMMAND, tied to the process PARENT. It is a
program of its own because what must run between fork and exec cannot run safely in a process that has threads.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int, number: signal.Signals) -> None:
    """The kernel sends this process `number` when the thread that started it ends. Survives exec, not fork.

    Ends this process at once when `parent` (a process id) is already gone. Does nothing where there is no prctl: there,
    only an orderly stop ends children. Raises OSError when the kernel refuses.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    if os.getppid() != parent:  # it ended before the kernel knew what to do about it
        raise SystemExit(1)


def command(argv: Sequence[str], number: signal.Signals) -> list[str]:
    """The command line that runs `argv` tied to this process."""
    return [sys.executable, "-m", __name__, number.name, str(os.getpid()), *argv]


def main() -> None:
    """Becomes the command that the arguments name."""
    name, parent, *argv = sys.argv[1:]
    die_with_parent(int(parent), signal.Signals[name])
    os.execvp(argv[0], argv)  # noqa: S606  # no shell is what is wanted


if __name__ == "__main__":
    main()
