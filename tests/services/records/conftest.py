"""A record service for the tests of one module."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
from papamu.records.v1.service_pb2_grpc import RecordServiceStub

from services.common.metrics import CallMetrics, new_registry
from services.common.server import Server
from services.common.settings import load
from services.records.app import RecordsApp


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordServiceStub]:
    folder = tmp_path_factory.mktemp("records")
    settings = load(data_dir=folder, records_address=f"unix:{folder}/records.sock")
    app = RecordsApp(settings)
    server = Server(settings.records_address, settings, CallMetrics(new_registry()))
    app.add_to(server.add)
    with server, grpc.insecure_channel(settings.records_address) as channel:
        yield RecordServiceStub(channel)
    app.close()
