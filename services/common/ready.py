"""How a process tells the one that started it that it serves, and where: a line of JSON on an inherited pipe."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping


def tell(fd: int | None, facts: Mapping[str, str]) -> None:
    """Writes the facts to the pipe and closes it; does nothing when there is none."""
    if fd is not None:
        with os.fdopen(fd, "w") as pipe:
            pipe.write(json.dumps(dict(facts)) + "\n")
