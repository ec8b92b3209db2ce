"""The command as users run it, in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from services.cli import main


@dataclass
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its standard output as JSON."""
        return json.loads(self.out)


class Papamu:
    """Runs `papamu ...`."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str) -> Ran:
        """The exit code and both outputs."""
        self._monkeypatch.setattr("sys.argv", ["papamu", *arguments])
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main.main()
        told = self._capsys.readouterr()
        return Ran(int(ended.value.code or 0), told.out, told.err)


@pytest.fixture
def papamu(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Papamu:
    """The command, with a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return Papamu(capsys, monkeypatch)
