"""The server's memory stays flat under load. `python -m bench.rules_soak` does the same for ten minutes."""

from __future__ import annotations

import pytest

from bench.rules_soak import soak


@pytest.mark.slow
def test_a_warm_server_does_not_grow(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak(seconds=5, clients=4) == 0, capsys.readouterr().out
