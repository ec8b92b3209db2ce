"""Settings: defaults, the environment, and everything that is wrong told at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.common.address import Address
from services.common.settings import SettingsError, load, unknown


def test_defaults_listen_on_this_machine_only() -> None:
    settings = load()
    for text in (settings.rules_address, settings.ladder_address, settings.records_address, settings.metrics_address):
        assert Address.parse(text).is_local


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPAMU_RULES_ADDRESS", "unix:///tmp/rules.sock")
    monkeypatch.setenv("PAPAMU_LOG_JSON", "1")
    settings = load()
    assert settings.rules_address == "unix:/tmp/rules.sock"
    assert settings.log_json


def test_every_fault_has_its_line() -> None:
    with pytest.raises(SettingsError) as caught:
        load(
            rules_address="here",
            metrics_address="unix:/tmp/m.sock",
            workers=0,
            log_level="LOUD",
            database_url="mysql:x",
        )
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "PAPAMU_DATABASE_URL",
        "PAPAMU_RULES_ADDRESS",
        "PAPAMU_METRICS_ADDRESS",
        "PAPAMU_WORKERS",
        "PAPAMU_LOG_LEVEL",
    ]


def test_an_open_address_needs_tls_and_token(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"PAPAMU_LADDER_ADDRESS: 0\.0\.0\.0:1 can be reached"):
        load(ladder_address="0.0.0.0:1")
    cert = tmp_path / "cert"
    cert.touch()
    with pytest.raises(SettingsError, match="TOKEN"):
        load(rules_address="[::]:1", tls_cert=cert, tls_key=cert)
    assert load(rules_address="[::]:1", tls_cert=cert, tls_key=cert, token="t").rules_address == "[::]:1"


def test_secrets_are_not_told() -> None:
    assert "hush" not in repr(load(token="hush"))
    with pytest.raises(SettingsError) as caught:
        load(redis_url="ftp://user:hush@host")
    assert "hush" not in str(caught.value)


def test_misspelt_names_are_found() -> None:
    assert unknown({"PAPAMU_RULES_ADRESS": "x", "PAPAMU_PURE": "1", "PAPAMU_TOKEN": "t", "HOME": "/"}) == [
        "PAPAMU_RULES_ADRESS"
    ]


@pytest.mark.parametrize(
    "text", ["", "host", "host:", ":1", "host:65536", "host:1x", "unix:", "unix:" + "x" * 200, "a b:1"]
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(ValueError, match="must"):
        Address.parse(text)


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("127.0.0.1:1", True),
        ("[::1]:1", True),
        ("localhost:0", True),
        ("unix:/x", True),
        ("10.0.0.1:1", False),
        ("h:1", False),
    ],
)
def test_which_addresses_stay_on_this_machine(text: str, local: bool) -> None:
    assert Address.parse(text).is_local is local
    assert str(Address.parse(text)) == text
