"""Where `papamu` begins: a build of the engines that cannot even be imported is told in words."""

from __future__ import annotations

import sys

from services.cli import builds


def main() -> None:
    """Runs the command."""
    try:
        _run()
    except KeyboardInterrupt:  # before the command has begun, or after it has ended
        sys.exit(130)  # Exit.INTERRUPTED


def _run() -> None:
    try:
        from services.cli.main import main as command
    except Exception:
        faults = builds.faults()
        if not faults:
            raise
        print("\n".join(f"papamu: engines {fault}" for fault in faults), file=sys.stderr)
        print(f"papamu: {builds.ADVICE} makes them one build", file=sys.stderr)
        sys.exit(4)  # Exit.FAILED, which lies behind the imports that failed
    command()
