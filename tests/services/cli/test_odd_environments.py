"""Whatever the person gives and the machine refuses: words and an exit code, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from services.cli import main
from tests.support.processes import Cluster, cluster

if TYPE_CHECKING:
    from tests.services.cli.conftest import Papamu

PATIENCE = 120.0
"""Seconds that a command may take on a busy machine."""
PAPAMU = [sys.executable, "-m", "services.cli"]
LONG = "x" * 300
"""Longer than a file's name may be."""


def run(*arguments: str | bytes, to: str | int = subprocess.PIPE, **settings: str) -> subprocess.CompletedProcess[str]:
    output = os.open(to, os.O_WRONLY) if isinstance(to, str) else to
    try:
        return subprocess.run(
            [*PAPAMU, *arguments],
            env={**os.environ, "COLUMNS": "200", **settings},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=PATIENCE,
        )
    finally:
        if isinstance(to, str):
            os.close(output)


def check(ran: subprocess.CompletedProcess[str], code: int) -> None:
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr
    assert ran.returncode == code, ran.stderr
    if code > 1:
        assert ran.stderr.startswith("papamu: ")
        assert len(ran.stderr.splitlines()) == 1


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder in which nothing runs, and addresses where nobody listens."""
    for name in ("RULES", "LADDER", "RECORDS"):
        monkeypatch.setenv(f"PAPAMU_{name}_ADDRESS", f"unix:{tmp_path}/{name}")
    monkeypatch.setenv("PAPAMU_DATA_DIR", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ("rules", "legal", "tiki", "-p", LONG),
        ("rules", "legal", "tiki", "-p", sys.executable),
        ("rules", "legal", "tiki", "-p", "\udcff"),
        ("rules", "apply", "tiki", "\udcff"),
        ("bots", "create", "q", "greedy", "-o", "blunder_percent=--3"),
        ("bots", "create", "q", "greedy", "-o", "blunder_percent=99999999999999999999"),
        ("bots", "create", "q", "greedy", "-o", f"blunder_percent={'9' * 5000}"),
        ("bots", "create", "q", "greedy", "-o", "blunder_percent=٣"),
        ("play", "tiki", "--bot", "mcts:simulations=--3"),
        ("play", "tiki", "--bot", f"mcts:simulations={'9' * 5000}"),
        ("play", "tiki", "-o", f"turn_limit={'9' * 5000}"),
        ("ladder", "create", "tiki", "random", "greedy", "-o", "turn_limit=99999999999999999999"),
        ("ladder", "create", "tiki", "random", "greedy", "--name", "\udcff"),
        ("ladder", "status", "\udcff\udcfe"),
        ("records", "show", "\udcff\udcfe"),
        ("conformance", ""),
        ("conformance", ".."),
        ("conformance", ".tiki"),
        ("conformance", "a b"),
    ],
    ids=lambda command: " ".join(command)[:60],
)
def test_what_cannot_be_meant_is_refused_in_words(papamu: Papamu, nothing: Path, command: tuple[str, ...]) -> None:
    ran = papamu(*command)
    assert ran.code == 2
    assert ran.err.startswith("papamu: ")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("command", [("status",), ("down",), ("doctor",), ("up",), ("up", "-d"), ("bots",)])
@pytest.mark.parametrize("below", ["", "/below"])
def test_a_data_folder_that_is_none_is_a_wrong_setting(
    papamu: Papamu, nothing: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], below: str
) -> None:
    Path("file").touch()
    monkeypatch.setenv("PAPAMU_DATA_DIR", f"file{below}")
    monkeypatch.delenv("PAPAMU_LADDER_ADDRESS")
    ran = papamu(*command)
    assert ran.code == 2
    assert "PAPAMU_DATA_DIR: " in ran.err


@pytest.mark.parametrize("url", ["redis://host:port", "redis://[::", "redis://host:99999", "http://host"])
def test_an_url_that_is_none_is_a_wrong_setting(papamu: Papamu, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("PAPAMU_REDIS_URL", url)
    assert "PAPAMU_REDIS_URL: " in papamu("status").err


@pytest.mark.slow
def test_the_machine_refuses_in_real_processes(nothing: Path) -> None:
    for command in ("games", "games --json", "--help", "perft tiki 2", "rules legal tiki", "play tiki --json"):
        check(run(*command.split(), to="/dev/full"), 4)
    check(run("games", PAPAMU_DATA_DIR=LONG), 0)
    check(run("up", PAPAMU_DATA_DIR=LONG), 4)
    check(run("status", PAPAMU_DATA_DIR="~nobody-here/x"), 2)
    check(run(b"ladder", b"status", b"\xff\xfe"), 2)
    check(run("bots", to="/dev/full"), 3)  # nobody answers, before anything is to be written
    check(run("rules", "legal", "gaul", PYTHONIOENCODING="ascii"), 0)
    check(run("games", "gaul", "--json", PYTHONIOENCODING="latin-1"), 0)
    if os.geteuid():  # root may write everywhere
        closed = nothing / "closed"
        closed.mkdir(mode=0o500)
        check(run("up", PAPAMU_DATA_DIR=str(closed / "home")), 4)


@pytest.mark.slow
def test_a_closed_pipe_is_silent(nothing: Path) -> None:
    for command in ("games", "rules explain gaul --json", "--help", "play tiki --json"):
        read, write = os.pipe()
        os.close(read)
        try:
            ran = run(*command.split(), to=write)
        finally:
            os.close(write)
        assert (ran.returncode, ran.stderr) == (1, "")


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cli")) as made:
        made.serve("ladder", "records")
        made.work(workers=1)
        yield made


@pytest.mark.slow
def test_what_services_answer_goes_wherever_it_can(services: Cluster, nothing: Path) -> None:
    there = {f"PAPAMU_{name.upper()}_ADDRESS": services.address(name) for name in ("ladder", "records")}
    check(run("ladder", "run", "tiki", "random", "greedy", "--blocks", "1", "--name", "[/x] [red]☺", **there), 0)
    listed = run("ladder", "list", **there)
    assert r"[/x] [red]☺" in listed.stdout
    ladder = listed.stdout.splitlines()[-1].split()[0]
    check(run("ladder", "standings", ladder, PYTHONIOENCODING="latin-1", **there), 0)
    check(run("ladder", "history", ladder, PYTHONIOENCODING="ascii", **there), 0)
    check(run("bots", to="/dev/full", **there), 4)
    check(run("bots", "--json", to="/dev/full", **there), 4)
    game = f"{ladder}-0"
    deadline = time.monotonic() + PATIENCE
    while run("records", "export", game, **there).returncode:  # the record is on its way
        assert time.monotonic() < deadline
    check(run("records", "export", game, "/tmp/none/x.pgr", **there), 4)
    check(run("records", "export", game, "/dev/full", "--form", "pgr", **there), 4)
    check(run("records", "export", game, to="/dev/full", **there), 4)
    check(run("records", "export", game, str(nothing), "--form", "pgr", **there), 4)


def test_a_failing_call_of_the_demo_is_told(papamu: Papamu, monkeypatch: pytest.MonkeyPatch) -> None:
    import grpc

    class Late(grpc.RpcError):
        def details(self) -> str:
            return "Deadline Exceeded"

    monkeypatch.setattr(main, "app", lambda: (_ for _ in ()).throw(Late()))
    ran = papamu("demo")
    assert (ran.code, ran.err) == (3, "papamu: a service failed: Deadline Exceeded\n")
