"""A ladder whose services listen on all addresses of the machine: every call goes over TLS and shows the token."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.certificates import certificate
from tests.support.processes import cluster, wait_until

pytestmark = pytest.mark.slow


def test_workers_relay_and_command_trust_the_certificate(tmp_path: Path) -> None:
    """They have no key: that is the servers' alone."""
    cert, key = certificate(tmp_path)
    with cluster(tmp_path, tls_cert=cert, token="sesame", workers=1) as machines:
        here = {"tls_key": key, "records_address": "0.0.0.0:0", "ladder_address": "0.0.0.0:0"}
        records = machines.serve("records", **here).told["records"]
        ladder = machines.serve("ladder", **here | {"records_address": records}).told["ladder"]
        machines.work(ladder_address=ladder)

        def papamu(*arguments: str) -> Any:
            addresses = {"PAPAMU_LADDER_ADDRESS": ladder, "PAPAMU_RECORDS_ADDRESS": records}
            done = subprocess.run(
                [sys.executable, "-m", "services.cli", *arguments, "--json"],
                env={**os.environ, **addresses, "PAPAMU_TLS_CERT": str(cert), "PAPAMU_TOKEN": "sesame"},
                check=True, capture_output=True, text=True,
            )  # fmt: skip
            return json.loads(done.stdout)

        standings = papamu("ladder", "run", "tiki", "random", "greedy", "--blocks", "2")
        assert standings["games_counted"] == 4
        wait_until(lambda: len(papamu("records", "list")) == 4, "the records are delivered")
