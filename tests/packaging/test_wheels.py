"""Both wheels hold what they should, and declare what the code in them runs with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECTS = {"papamu": ROOT, "papamu-sdk": ROOT / "proto"}
WRITTEN = {"grpcio": r"^GRPC_GENERATED_VERSION = '(.+)'", "protobuf": r"^# Protobuf Python Version: (.+)$"}
"""How generated code tells the least version that it runs with."""
IMPORTS = """
import sys
from papamu.sdk import Client
print([name for name in sys.modules if name.split(".")[0] in ("engines", "services")])
"""


def needed(sources: Iterable[str]) -> dict[str, Version]:
    """The least version of each library that generated code runs with."""
    found: dict[str, set[Version]] = {name: set() for name in WRITTEN}
    for text in sources:
        for name, pattern in WRITTEN.items():
            found[name] |= {Version(version) for version in re.findall(pattern, text, re.MULTILINE)}
    return {name: max(versions) for name, versions in found.items()}


def declared(requirements: Iterable[str]) -> dict[str, Version]:
    """The least version of each library that a project asks for."""
    wanted = {one.name: one.specifier for one in map(Requirement, requirements)}
    return {name: next(Version(s.version) for s in wanted[name] if s.operator == ">=") for name in WRITTEN}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheels of both projects, each built from a copy of its sources."""
    return {name: build(project, tmp_path_factory.mktemp(name)) for name, project in PROJECTS.items()}


def build(project: Path, folder: Path) -> Path:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=project, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        copy = folder / "source" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project / name, copy)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder]
    subprocess.run([*command, folder / "source"], check=True, env={**os.environ, "PAPAMU_BUILD": "pure"})
    return next(folder.glob("*.whl"))


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_declares_what_its_generated_code_runs_with(wheels: dict[str, Path], name: str) -> None:
    with ZipFile(wheels[name]) as files:
        metadata = next(path for path in files.namelist() if path.endswith(".dist-info/METADATA"))
        required = Parser().parsestr(files.read(metadata).decode()).get_all("Requires-Dist", [])
        generated = [files.read(path).decode() for path in files.namelist() if re.search(r"_pb2(_grpc)?\.py$", path)]
    assert declared(text for text in required if "extra ==" not in text) == needed(generated)


@pytest.mark.parametrize("name", PROJECTS)
def test_a_project_declares_what_its_generator_writes(name: str) -> None:
    project = tomllib.loads((PROJECTS[name] / "pyproject.toml").read_text())
    written = needed(path.read_text() for path in (ROOT / "proto").rglob("*_pb2*.py"))
    assert declared(project["project"]["dependencies"]) == written, "generated anew? then change all three together"


def test_one_generator_builds_both_wheels_and_the_pinned_environment() -> None:
    asked = [tomllib.loads((folder / "pyproject.toml").read_text()) for folder in PROJECTS.values()]
    wanted = [one for project in asked for one in project["build-system"]["requires"]]
    wanted += asked[0]["dependency-groups"]["build"]
    pins = {str(Requirement(one).specifier) for one in wanted if Requirement(one).name == "grpcio-tools"}
    assert len(pins) == 1
    assert pins.pop().startswith("==")


@pytest.mark.slow
def test_the_small_wheel_stands_alone(wheels: dict[str, Path], tmp_path: Path) -> None:
    """It holds the contract, its .proto files and the SDK, and nothing of the services."""
    wheel = wheels["papamu-sdk"]
    names = ZipFile(wheel).namelist()
    assert {
        "papamu/rules/v1/rules.proto",
        "papamu/rules/v1/rules_pb2.py",
        "papamu/sdk/client.py",
        "papamu/py.typed",
    } <= set(names)
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"papamu"}
    assert wheel.stat().st_size < 1_000_000
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS], env={"PYTHONPATH": str(wheel)}, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr
