"""The rules service, to be sent what nobody should send."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.common.metrics import CallMetrics, new_registry
from services.common.server import Server
from services.common.settings import load
from services.rules.server import add_rules


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server("127.0.0.1:0", load(), CallMetrics(new_registry()))
    add_rules(made)
    with made:
        yield made
