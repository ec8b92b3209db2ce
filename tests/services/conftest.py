"""Real servers on free ports of this machine, and channels to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from prometheus_client import CollectorRegistry

from services.common.metrics import CallMetrics, EngineCollector, new_registry
from services.common.server import Server
from services.common.settings import load
from tests.support.databases import Databases


@dataclass
class Running:
    """A started server with a channel to it."""

    server: Server
    channel: grpc.Channel
    registry: CollectorRegistry

    def value(self, name: str, **labels: str) -> float:
        """A metric's present value."""
        found = self.registry.get_sample_value(name, labels)
        assert found is not None, f"no {name} {labels}"
        return found


@pytest.fixture(scope="module")
def start() -> Iterator[Callable[..., Running]]:
    """Starts a server with what `add` puts on it; settings by name. Stops it at the end of the module."""
    with ExitStack() as stack:

        def begin(add: Callable[[Server], None], address: str = "127.0.0.1:0", **settings: Any) -> Running:
            registry = new_registry()
            registry.register(EngineCollector())
            server = Server(address, load(**settings), CallMetrics(registry))
            add(server)
            stack.enter_context(server)
            channel = stack.enter_context(grpc.insecure_channel(str(server.address)))
            return Running(server, channel, registry)

        yield begin


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    with ExitStack() as started:
        yield Databases(tmp_path_factory.mktemp("databases"), started)
