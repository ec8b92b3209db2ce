"""The page of the API is what the contract says, and its examples work."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub
from papamu.sdk import Client

from tests.support.tools import program

ROOT = Path(__file__).parents[3]
EXAMPLES = tomllib.loads((ROOT / "docs/api/examples.toml").read_text("utf-8"))
METHODS = list(pb.DESCRIPTOR.services_by_name["RulesService"].methods)


def test_the_page_is_up_to_date() -> None:
    pytest.importorskip("grpc_tools")
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs/api/generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert (ROOT / "docs/api.md").read_text("utf-8") == generate.page(), "run python docs/api/generate.py"


def test_every_call_has_an_example() -> None:
    assert [m.name for m in METHODS] == sorted(EXAMPLES, key=[m.name for m in METHODS].index)


def test_the_python_examples_run_one_after_the_other(running: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with Client(str(running.server.address)) as client:
        names: dict[str, Any] = {"client": client}
        for example in EXAMPLES.values():
            exec(example["python"], names)
    said = capsys.readouterr().out
    assert "tiki.pass.not_stuck" in said
    assert "tiki.create.occupied" in said


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_the_json_examples_are_answered(stub: RulesServiceStub, method: Any) -> None:
    """What grpcurl would send is parsed as it would parse it."""
    position = stub.NewGame(pb.NewGameRequest(setup={"tiki": {}}, seed=7)).position
    text = EXAMPLES[method.name]["json"].replace("POSITION", json_format.MessageToJson(position))
    request = json_format.ParseDict(json.loads(text), getattr(pb, method.input_type.name)())
    call = getattr(stub, method.name)
    answer = call(iter([request])) if method.client_streaming else call(request)
    if method.server_streaming:
        answer = list(answer)[-1]
    assert isinstance(answer, getattr(pb, method.output_type.name))
    if isinstance(answer, pb.SessionResponse):
        assert answer.WhichOneof("answer") == "list_legal_moves"


@pytest.mark.slow
def test_the_node_example_plays_a_game(running: Any, tmp_path: Path) -> None:
    program("npm", "npm nodejs")
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    for name in ("package.json", "package-lock.json", "play.js"):
        (tmp_path / "clients/node").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "clients/node" / name, tmp_path / "clients/node" / name)
    folder = tmp_path / "clients/node"
    installed = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
    if installed.returncode != 0:
        pytest.skip(f"npm cannot fetch the packages: {installed.stderr[-200:]}")
    address = str(running.server.address)
    done = subprocess.run(["node", "play.js", address], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "games: tiki" in done.stdout
    assert "refused: tiki." in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_a_client_in_go_finds_the_schema_by_reflection(stub: RulesServiceStub, running: Any, method: Any) -> None:
    """`buf curl` does what grpcurl does, with the same words; the tests have it at hand."""
    position = stub.NewGame(pb.NewGameRequest(setup={"tiki": {}}, seed=7)).position
    text = EXAMPLES[method.name]["json"].replace("POSITION", json_format.MessageToJson(position))
    buf = Path(sys.executable).with_name("buf")
    url = f"http://{running.server.address}/{method.containing_service.full_name}/{method.name}"
    asked = [buf, "curl", "--protocol", "grpc", "--http2-prior-knowledge", "-d", text, url]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    answer, end = json.JSONDecoder().raw_decode(done.stdout)
    assert (
        json_format.ParseDict(answer, getattr(pb, method.output_type.name)()) != getattr(pb, method.output_type.name)()
    )
    assert method.server_streaming or not done.stdout[end:].strip()
