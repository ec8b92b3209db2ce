"""The Grafana dashboard is what its code makes, and a real Prometheus answers each of its queries with data."""

from __future__ import annotations

import importlib.util
import json
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import grpc
import pytest
from papamu.ladder.v1 import ladder_pb2_grpc

from services.cli.demo import play
from services.cli.stack import Stack
from services.cli.supervisor import Supervisor
from services.common.settings import load
from tests.support.tools import program

ROOT = Path(__file__).parents[2]
SCRAPE = 1
"""Seconds between scrapes."""


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


DASHBOARD = _load(ROOT / "deploy/grafana/dashboard.py")
QUERIES = [(panel.title, expr) for panel in DASHBOARD.PANELS for expr, _ in panel.queries]


def test_the_file_is_what_the_code_makes() -> None:
    assert DASHBOARD.FILE.read_text() == DASHBOARD.text(), "run python deploy/grafana/dashboard.py"


def test_every_panel_has_a_unit_and_the_chosen_datasource() -> None:
    made = json.loads(DASHBOARD.text())
    assert made["templating"]["list"][0]["current"]["value"] == "prometheus"
    for panel in made["panels"]:
        assert panel["fieldConfig"]["defaults"]["unit"], panel["title"]
        assert panel["description"], panel["title"]
        assert {target["datasource"]["uid"] for target in panel["targets"]} == {"${datasource}"}


def test_every_metric_and_label_of_the_dashboard_is_documented() -> None:
    page = (ROOT / "docs/metrics.md").read_text()
    for _, expr in QUERIES:
        for name in re.findall(r"\b(?:papamu|grpc)_[a-z_]+", expr):
            if not name.startswith("grpc_method") and not name.startswith("grpc_code"):
                assert f"`{name.removesuffix('_bucket')}`" in page, name


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _ask(port: int, expr: str) -> list[Any]:
    for name, value in (("$game", ".+"), ("$op", ".+"), ("$__rate_interval", "30s")):
        expr = expr.replace(name, value)
    url = f"http://127.0.0.1:{port}/api/v1/query?{urllib.parse.urlencode({'query': expr})}"
    with urllib.request.urlopen(url, timeout=60) as answer:
        result: list[Any] = json.load(answer)["data"]["result"]
    return result


@pytest.mark.slow
def test_a_real_prometheus_has_data_for_every_panel(tmp_path: Path) -> None:
    prometheus = program("prometheus")
    settings = load(
        data_dir=tmp_path / "d",
        redis_url="",
        database_url="",
        rules_address="127.0.0.1:0",
        ladder_address="127.0.0.1:0",
        records_address=f"127.0.0.1:{_free_port()}",
        metrics_address="127.0.0.1:0",
        workers_metrics_address="127.0.0.1:0",
        workers=1,
    )
    with Supervisor() as supervisor:
        addresses = Stack(settings, supervisor).start()
        config = {
            "global": {"scrape_interval": f"{SCRAPE}s"},
            "rule_files": [str(ROOT / "deploy/prometheus/alerts.yml")],
            "scrape_configs": [
                {"job_name": name, "static_configs": [{"targets": [target]}]}
                for name, target in (
                    ("papamu-services", addresses.services_metrics),
                    ("papamu-workers", addresses.workers_metrics),
                )
            ],
        }
        (tmp_path / "prometheus.yml").write_text(json.dumps(config))  # JSON is YAML
        port = _free_port()
        command = [
            prometheus,
            f"--config.file={tmp_path}/prometheus.yml",
            f"--storage.tsdb.path={tmp_path}/tsdb",
            f"--web.listen-address=127.0.0.1:{port}",
        ]
        with (tmp_path / "prometheus.log").open("w") as log, subprocess.Popen(command, stderr=log) as process:
            try:
                with grpc.insecure_channel(addresses.ladder) as channel:
                    play(ladder_pb2_grpc.LadderServiceStub(channel), 60)
                _wait_for_data(port)
            finally:
                process.terminate()


def _wait_for_data(port: int, patience: float = 60) -> None:
    lacking = QUERIES
    end = time.monotonic() + patience
    while lacking and time.monotonic() < end:
        time.sleep(SCRAPE)
        try:
            lacking = [(title, expr) for title, expr in lacking if not _ask(port, expr)]
        except OSError:
            continue  # it has not opened its port yet
    assert lacking == []
