"""The lock files pin what pyproject.toml asks for, and nothing of the machine that wrote them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / name).read_text()
    return {canonicalize_name(n): v for n, v in re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, re.MULTILINE)}


def group(name: str) -> list[str]:
    found: list[str] = []
    for entry in PROJECT["dependency-groups"][name]:
        found += group(entry["include-group"]) if isinstance(entry, dict) else [entry]
    return found


@pytest.mark.parametrize(("name", "extra"), [("run.txt", "build"), ("dev.txt", "dev")])
def test_every_declared_library_is_pinned_to_an_allowed_version(name: str, extra: str) -> None:
    pinned = pins(name)
    for text in PROJECT["project"]["dependencies"] + group(extra):
        wanted = Requirement(text)
        assert wanted.specifier.contains(pinned[canonicalize_name(wanted.name)]), f"{text}: run `make lock`"


def test_tests_run_with_the_versions_that_users_get() -> None:
    assert pins("run.txt").items() <= pins("dev.txt").items()


@pytest.mark.parametrize("name", ["run.txt", "dev.txt"])
def test_lock_names_no_place_and_hashes_everything(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text()
    assert not re.search(r"://|--index|--find-links|(^|\s)/", text)
    for entry in text.replace("\\\n", " ").splitlines():
        assert re.search(r"^\S+==\S+.*--hash=sha256:[0-9a-f]{64}", entry), entry


def test_build_requirements_agree_with_the_build_group() -> None:
    declared = {Requirement(r).name for r in PROJECT["build-system"]["requires"]}
    assert declared <= {Requirement(r).name for r in group("build") + PROJECT["project"]["dependencies"]}


def test_every_library_has_a_line_of_reason() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    for text in PROJECT["project"]["dependencies"] + group("dev"):
        wanted = Requirement(text)
        name = f"{wanted.name}[{','.join(wanted.extras)}]" if wanted.name == "celery" else wanted.name
        assert f"`{name}`" in page or (name.startswith("types-") and "`types-*`" in page), name
