"""ListLegalMoves and ValidateMove against a bare echo of as many bytes on the same server, in pairs.

    python -m bench.rules_api [--games 12] [--rounds 12]

Blocks of real and echo calls alternate (real, echo, echo, real), so that whatever else the machine does hits both. The
number to watch is the median of the pairs' ratios of calls per second. `seen` asks about positions that the server has
written before, as a client in a game does; `never seen` about those of games played on another server, which it has to
read and check first.
"""

from __future__ import annotations

import argparse
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc
from papamu.rules.v1 import rules_pb2 as pb
from papamu.sdk import Client

from engines.registry import SLUGS
from services.common import tether
from services.common.calls import Call
from services.common.metrics import CallMetrics, new_registry
from services.common.server import Server, serve, stop_signals
from services.common.settings import load
from services.rules.server import add_rules

ROOT = Path(__file__).parents[1]
RULES = "/papamu.rules.v1.RulesService/"
ECHO = "/papamu.bench.v1.Echo/Echo"
Question = tuple[bytes, int]
"""Bytes of a request and the number of bytes of its answer."""


def echo(data: bytes, call: Call) -> bytes:
    """As many bytes as the first four say."""
    return bytes(int.from_bytes(data[:4], "little"))


def compute(data: bytes, call: Call) -> bytes:
    """Keeps a thread busy for as many milliseconds."""
    until = time.monotonic() + int.from_bytes(data, "little") / 1000
    while time.monotonic() < until:
        sum(range(1000))
    return b""


def serve_both(address: str) -> None:
    """The server under test: the rules and the echo side by side."""
    server = Server(address, load(), CallMetrics(new_registry()))
    add_rules(server)
    handlers = {name: grpc.unary_unary_rpc_method_handler(of) for name, of in (("Echo", echo), ("Compute", compute))}
    server.add(lambda _, target: target.add_registered_method_handlers("papamu.bench.v1.Echo", handlers), None)
    with stop_signals() as stop:
        serve([server], stop)


@contextmanager
def running(*serving: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server in a process of its own: a module and its arguments, to which the address is added."""
    serving = serving or ("bench.rules_api", "--serve")
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/bench.sock"
        command = tether.command([sys.executable, "-m", *serving, address], signal.SIGKILL)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)  # noqa: S603  # ourselves
        try:
            with grpc.insecure_channel(address) as channel:
                grpc.channel_ready_future(channel).result(60)
            yield address, process
        finally:
            process.kill()
            process.wait()


def questions(client: Client, slug: str, seeds: Iterable[int]) -> dict[str, list[Question]]:
    """Requests about the positions of random games, by method."""
    rng = random.Random(1)
    asked: dict[str, list[Question]] = {"ListLegalMoves": [], "ValidateMove": []}
    for seed in seeds:
        game = client.play(slug, seed=seed)
        while not game.over and len(game.actions) < 120:
            legal = game.legal()
            move = rng.choice(legal.moves)
            ask = pb.ListLegalMovesRequest(position=game.position).SerializeToString()
            asked["ListLegalMoves"].append((ask, legal.ByteSize()))
            judge = pb.ValidateMoveRequest(position=game.position, action={"move": move})
            asked["ValidateMove"].append((judge.SerializeToString(), 2))
            game.move(move)
    return asked


def as_echo(asked: Sequence[Question]) -> list[bytes]:
    """Echo requests of the same sizes."""
    return [size.to_bytes(4, "little") + bytes(max(len(data) - 4, 0)) for data, size in asked]


def timed(call: Callable[[bytes], Any], requests: Sequence[bytes], waits: list[float]) -> float:
    """Calls per second of one client; adds each call's seconds to `waits`."""
    begin = time.perf_counter()
    for request in requests:
        start = time.perf_counter()
        call(request)
        waits.append(time.perf_counter() - start)
    return len(requests) / (time.perf_counter() - begin)


def cpu(process: subprocess.Popen[bytes]) -> float:
    """Seconds of processor time that the process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def compare(
    channel: grpc.Channel, process: subprocess.Popen[bytes], path: str, blocks: Sequence[list[Question]]
) -> dict[str, float]:
    """Medians over pairs of blocks."""
    real, bare = channel.unary_unary(path), channel.unary_unary(ECHO)
    waits: tuple[list[float], list[float]] = [], []
    spent = [0.0, 0.0]
    ratios, rates = [], []
    for i, asked in enumerate(blocks):
        both = ((real, [data for data, _ in asked]), (bare, as_echo(asked)))
        speed = [0.0, 0.0]
        for side in (0, 1) if i % 2 == 0 else (1, 0):
            before = cpu(process)
            speed[side] = timed(*both[side], waits[side])
            spent[side] += cpu(process) - before
        ratios.append(speed[0] / speed[1])
        rates.append(speed[0])
    calls = sum(len(asked) for asked in blocks)
    return {
        "ratio": statistics.median(ratios),
        "per second": statistics.median(rates),
        "p50 us": 1e6 * statistics.median(waits[0]),
        "p99 us": 1e6 * statistics.quantiles(waits[0], n=100)[98],
        "echo p99 us": 1e6 * statistics.quantiles(waits[1], n=100)[98],
        "server CPU us": 1e6 * spent[0] / calls,
        "echo CPU us": 1e6 * spent[1] / calls,
    }


def bench(games: int, rounds: int) -> int:
    """Prints the comparison; 1 when a ratio of positions seen before is below 0.75."""
    worst = {"seen": 9.0, "never seen": 9.0}
    with ExitStack() as stack:
        address, process = stack.enter_context(running())
        client, elsewhere = (stack.enter_context(Client(of)) for of in (address, stack.enter_context(running())[0]))
        channel = stack.enter_context(grpc.insecure_channel(address))
        for slug in SLUGS:
            for i, (method, asked) in enumerate(questions(client, slug, range(games)).items(), 1):
                new = questions(elsewhere, slug, range(i * games, (i + 1) * games))[method]
                kinds = {
                    kind: [of[r::rounds] for r in range(rounds)] for kind, of in (("seen", asked), ("never seen", new))
                }
                timed(channel.unary_unary(ECHO), as_echo(asked[::rounds]), [])
                for kind, blocks in kinds.items():
                    numbers = compare(channel, process, RULES + method, blocks)
                    told = "  ".join(f"{name} {value:,.2f}" for name, value in numbers.items())
                    print(f"{slug:9} {method:15} {kind:10} {told}", flush=True)
                    worst[kind] = min(worst[kind], numbers["ratio"])
    print(f"worst ratio: seen {worst['seen']:.2f}, wanted 0.75; never seen {worst['never seen']:.2f}")
    return int(worst["seen"] < 0.75)


def main() -> int:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=12, help="games per rule set")
    parser.add_argument("--rounds", type=int, default=12, help="pairs of blocks")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve_both(given.serve)
        return 0
    return bench(given.games, given.rounds)


if __name__ == "__main__":
    sys.exit(main())
