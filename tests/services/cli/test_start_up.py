"""What the command loads before it knows what is asked: nothing that only the services need."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("alembic", "celery", "sqlalchemy")


def test_the_command_loads_no_library_of_the_services() -> None:
    look = f"import sys, services.cli.main; print([name for name in {HEAVY} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
