"""docker-compose.yml and the Dockerfile, as data: settings, ports, paths and commands are those of the code."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.common.address import Address
from services.common.settings import PREFIX, Settings, load, unknown
from tests.support.certificates import certificate

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE = yaml.safe_load(TEXT)
DOCKERFILE = (ROOT / "deploy/docker/Dockerfile").read_text()
OURS = ("services", "workers")


def filled(text: str, given: Mapping[str, str]) -> str:
    """The text as Compose fills in what is given, and defaults for the rest."""
    return re.sub(r"\$\{(\w+):-(.*?)\}", lambda found: given.get(found[1], found[2]), text)


def settings_of(part: str, **given: str) -> dict[str, str]:
    """Its settings."""
    return {name: filled(value, given) for name, value in COMPOSE["services"][part]["environment"].items()}


def ports(part: dict[str, Any]) -> set[int]:
    return {int(text.rsplit(":", 1)[1]) for text in part.get("ports", [])}


def loaded(part: str, monkeypatch: pytest.MonkeyPatch, **given: str) -> Settings:
    """What a process of the part makes of its environment."""
    for name in Settings.model_fields:
        monkeypatch.delenv(PREFIX + name.upper(), raising=False)
    for name, value in settings_of(part, **given).items():
        monkeypatch.setenv(name, value)
    assert unknown(os.environ) == []
    return load()


@pytest.mark.parametrize("part", OURS)
def test_settings_exist_and_are_valid_together(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(part, monkeypatch).tls_cert is None


@pytest.mark.parametrize("part", OURS)
def test_services_are_reached_from_outside_as_the_file_says(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate(tmp_path)
    command = re.search(r"^# +(PAPAMU_CERTIFICATES=.*?docker compose up)$", TEXT, re.MULTILINE | re.DOTALL)
    assert command is not None
    given = dict(word.split("=", 1) for word in re.findall(r"PAPAMU_\w+=\S+", command[1]))
    folder = given.pop("PAPAMU_CERTIFICATES")
    assert f"{folder}:/certificates:ro" in {
        filled(volume, {"PAPAMU_CERTIFICATES": folder}) for volume in COMPOSE["services"][part]["volumes"]
    }
    given = {name: value.replace("/certificates", str(tmp_path)) for name, value in given.items()}
    settings = loaded(part, monkeypatch, **given)
    assert settings.tls_cert == tmp_path / "cert.pem"
    assert settings.token.get_secret_value() == given["PAPAMU_TOKEN"]
    assert (settings.tls_key is not None) == (part == "services")  # the others only trust it
    served = {getattr(settings, f"{name}_address") for name in ("rules", "ladder", "records")}
    assert served == {"0.0.0.0:7451", "0.0.0.0:7452", "0.0.0.0:7453"}


@pytest.mark.parametrize("part", OURS)
def test_commands_run_modules_that_are_there(part: str) -> None:
    python, flag, module, *names = COMPOSE["services"][part]["command"]
    assert (python, flag) == ("python", "-m")
    assert importlib.util.find_spec(module) is not None
    if module == "services.serve":
        assert set(names) == set(importlib.import_module(module).PARTS)


def test_published_ports_are_those_of_the_services_and_of_prometheus() -> None:
    environment = settings_of("services")
    served = {Address.parse(environment[f"PAPAMU_{name}_ADDRESS"]).port for name in ("RULES", "LADDER", "RECORDS")}
    assert ports(COMPOSE["services"]["services"]) == served | {9090}
    for part in COMPOSE["services"].values():
        assert all(text.startswith("127.0.0.1:") for text in part.get("ports", []))


def test_mounted_files_are_there() -> None:
    for part in COMPOSE["services"].values():
        for volume in part.get("volumes", []):
            source = filled(volume, {}).split(":")[0]
            assert (ROOT / source).exists() if source.startswith("./") else source in COMPOSE["volumes"], volume


def test_what_talks_over_loopback_shares_the_network_of_the_services() -> None:
    for name in ("workers", "redis", "prometheus", "alertmanager"):
        assert COMPOSE["services"][name]["network_mode"] == "service:services"
    assert Address.parse(settings_of("services")["PAPAMU_RULES_ADDRESS"]).is_local


def test_observability_is_a_profile_of_its_own() -> None:
    profiles = {name: part.get("profiles", []) for name, part in COMPOSE["services"].items()}
    assert {name for name, found in profiles.items() if not found} == {"services", "workers", "redis"}


def test_grafana_reads_the_dashboard_and_finds_prometheus() -> None:
    folder = ROOT / "deploy/grafana"
    provider = yaml.safe_load((folder / "provisioning/dashboards/papamu.yml").read_text())["providers"][0]
    mounts = COMPOSE["services"]["grafana"]["volumes"]
    assert f"./deploy/grafana/dashboards:{provider['options']['path']}:ro" in mounts
    source = yaml.safe_load((folder / "provisioning/datasources/prometheus.yml").read_text())["datasources"][0]
    assert (source["uid"], source["url"]) == ("prometheus", "http://services:9090")


def test_the_image_is_built_from_what_is_there_and_runs_what_compose_runs() -> None:
    build = COMPOSE["services"]["services"]["build"]
    assert (ROOT / build["dockerfile"]).is_file()
    for source in re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, re.MULTILINE):
        assert (ROOT / source).exists()
    default = re.search(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert default is not None
    assert yaml.safe_load(default[1]) == COMPOSE["services"]["services"]["command"]
    assert re.search(r"^USER papamu$", DOCKERFILE, re.MULTILINE)
