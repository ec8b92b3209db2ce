"""`papamu up` and what goes with it, as real processes in a folder of their own."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PATIENCE = 300.0
"""Seconds that anything may take on a busy machine."""
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def papamu(home: Path) -> Iterator[Run]:
    names = ("RULES", "LADDER", "RECORDS", "METRICS", "WORKERS_METRICS")
    ports = free_ports(len(names))
    addresses = {f"PAPAMU_{name}_ADDRESS": f"127.0.0.1:{port}" for name, port in zip(names, ports, strict=True)}
    environment = {**os.environ, **addresses, "PAPAMU_DATA_DIR": str(home), "PAPAMU_WORKERS": "1", "COLUMNS": "150"}
    environment.pop("PAPAMU_REDIS_URL", None)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "services.cli", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)

    yield run
    run("down")


def processes_of(home: Path) -> list[psutil.Process]:
    """All processes that have the folder in their environment or command line, this one left out."""
    found = []
    for process in psutil.process_iter():
        try:
            text = " ".join([*process.cmdline(), process.environ().get("PAPAMU_DATA_DIR", "")])
        except psutil.Error:
            continue
        if str(home) in text and process.pid != os.getpid():
            found.append(process)
    return found


def leftovers(home: Path) -> list[str]:
    """Sockets and lock files in the folder, and the folder itself while it is locked."""
    found = [path.name for path in home.rglob("*") if path.is_socket() or "lock" in path.name]
    handle = os.open(home, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        found.append(home.name)
    finally:
        os.close(handle)
    return found


def told(run: Run) -> dict[str, object]:
    answer: dict[str, object] = json.loads(run("status", "--json").stdout)
    return answer


@pytest.mark.slow
def test_up_a_ladder_and_down_leave_nothing_running(papamu: Run, home: Path) -> None:
    up = papamu("up", "--detach", "--json")
    assert up.returncode == 0, up.stderr
    running = told(papamu)
    assert running["well"] is True
    assert json.loads(up.stdout).items() <= running.items()
    assert papamu("up", "--detach").returncode == 1  # one a folder

    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert example is not None
    addresses = told(papamu)["addresses"]
    assert isinstance(addresses, dict)
    code = example[1].replace("127.0.0.1:7451", addresses["rules"])
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert "tiki.create.occupied" in ran.stdout, ran.stderr

    bots = json.loads(papamu("bots", "--json").stdout)
    assert {"random", "greedy"} <= {bot["name"] for bot in bots}
    standings = json.loads(papamu("ladder", "run", "tiki", "random", "greedy", "--blocks", "2", "--json").stdout)
    assert [row["bot"] for row in standings["standings"]] == ["greedy", "random"]
    ladder = json.loads(papamu("ladder", "list", "--json").stdout)[0]
    assert (ladder["state"], ladder["games_done"]) == ("LADDER_STATE_FINISHED", 4)
    history = json.loads(papamu("ladder", "history", ladder["id"], "--json").stdout)
    assert history["bots"] == ["random", "greedy"]
    assert [point["games_counted"] for point in history["points"]] == [2, 4]
    assert history["points"][-1]["elos"][1] == pytest.approx(standings["standings"][0]["elo"], abs=1e-5)
    assert "bb random" in papamu("ladder", "history", ladder["id"]).stdout
    assert papamu("ladder", "pause", "nosuchladder").returncode == 2

    game = json.loads(papamu("ladder", "games", ladder["id"], "--json").stdout)[0]["id"]
    file = home.parent / "game.pgr"
    for _ in range(50):  # the record is on its way
        exported = papamu("records", "export", game, str(file))
        if exported.returncode == 0:
            break
    assert exported.returncode == 0, exported.stderr
    assert papamu("records", "verify", str(file)).returncode == 0
    file.write_text(re.sub(r'\[Scores "(\d) ', r'[Scores "9 ', file.read_text()))
    assert papamu("records", "verify", str(file)).returncode == 1

    down = papamu("down", "--json")
    assert down.returncode == 0, down.stderr
    assert json.loads(down.stdout) == {"stopped": running["pid"]}
    assert processes_of(home) == []
    assert leftovers(home) == []
    assert papamu("status").returncode == 1
    assert papamu("ladder", "list").returncode == 3


@pytest.mark.slow
def test_of_several_at_once_one_starts_and_the_others_are_told(papamu: Run, home: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        ends = list(pool.map(lambda _: papamu("up", "--detach"), range(4)))
    assert sorted(end.returncode for end in ends) == [0, 1, 1, 1], [end.stderr for end in ends]
    assert all("papamu is up already" in end.stderr for end in ends if end.returncode)
    assert told(papamu)["well"] is True
    assert papamu("down").returncode == 0
    assert leftovers(home) == []  # nobody has kept the lock


@pytest.mark.slow
def test_kill_9_of_up_takes_everything_with_it_and_the_next_up_starts(papamu: Run, home: Path) -> None:
    assert papamu("up", "--detach").returncode == 0
    pid = told(papamu)["pid"]
    assert isinstance(pid, int)
    children = processes_of(home)
    assert len(children) >= 4  # itself, Redis, services, the worker and its child
    os.kill(pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert alive == []
    assert leftovers(home) == []
    assert papamu("status").returncode == 1
    assert papamu("up", "--detach").returncode == 0


@pytest.mark.slow
def test_ctrl_c_stops_it_in_order(papamu: Run, home: Path) -> None:
    assert papamu("up", "--detach").returncode == 0
    pid = told(papamu)["pid"]
    assert isinstance(pid, int)
    up = psutil.Process(pid)
    up.send_signal(signal.SIGINT)
    psutil.wait_procs([up], timeout=PATIENCE)
    assert processes_of(home) == []
    assert leftovers(home) == []


@pytest.mark.slow
def test_two_demos_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "services.cli", "demo", "--games", "12", "--workers", "1"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    demos = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(2)
    ]
    for demo in demos:
        output, _ = demo.communicate(timeout=3 * PATIENCE)
        assert demo.returncode == 0, output
        assert "Standings after 12 games" in output
        assert "tiki.create.occupied" in output
    assert list(tmp_path.iterdir()) == []


def test_doctor_finds_a_taken_port_and_a_misspelt_setting(papamu: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert papamu("doctor").returncode == 0
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        environment = {**os.environ, "PAPAMU_RULES_ADDRESS": address, "PAPAMU_WORKRES": "3"}
        command = [sys.executable, "-m", "services.cli", "doctor", "--json"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    bad = [finding for finding in json.loads(done.stdout) if not finding["well"]]
    assert done.returncode == 1
    assert any(address in finding["value"] for finding in bad)
    assert any("PAPAMU_WORKRES" in finding["value"] for finding in bad)


def test_settings_that_are_wrong_are_told_all_at_once(papamu: Run) -> None:
    environment = {**os.environ, "PAPAMU_WORKERS": "0", "PAPAMU_RULES_ADDRESS": "nowhere"}
    command = [sys.executable, "-m", "services.cli", "status"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert "PAPAMU_WORKERS" in done.stderr
    assert "PAPAMU_RULES_ADDRESS" in done.stderr
