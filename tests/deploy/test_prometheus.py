"""Prometheus itself accepts our configuration and alert rules, and the rules fire when they should."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from services.common.settings import Settings
from tests.support.tools import program

FOLDER = Path(__file__).parents[2] / "deploy/prometheus"


@pytest.mark.parametrize(
    "arguments",
    [("check", "config", "prometheus.yml"), ("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")],
)
def test_promtool_is_content(arguments: tuple[str, ...]) -> None:
    done = subprocess.run([program("promtool", "prometheus"), *arguments], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_test() -> None:
    alerts = {
        rule["alert"]
        for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
        for rule in group["rules"]
    }
    tested = yaml.safe_load((FOLDER / "alerts_test.yml").read_text())["tests"]
    fired = {case["alertname"] for test in tested for case in test["alert_rule_test"] if case.get("exp_alerts")}
    assert alerts == fired


def test_scrape_targets_are_where_metrics_are_served() -> None:
    config = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    targets = {job["job_name"]: job["static_configs"][0]["targets"] for job in config["scrape_configs"]}
    fields = Settings.model_fields
    assert targets == {
        "papamu-services": [fields["metrics_address"].default],
        "papamu-workers": [fields["workers_metrics_address"].default],
    }
