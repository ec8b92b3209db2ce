"""ListLegalMoves on three kinds of server: ours, gRPC's threads as they come, and gRPC's asyncio, in turns.

    python -m bench.rules_aio [--rounds 8]

Ours counts, limits, times and reads each call as a stream; the other two only answer. Rounds go through the three one
after the other, so that whatever else the machine does hits all; printed are medians. `health` is how long a health
check waits while four calls compute: asyncio runs them on threads too, since one would otherwise stop the whole server.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from papamu.rules.v1 import rules_pb2 as pb
from papamu.sdk import Client

from bench.rules_api import RULES, compute, cpu, questions, running, serve_both
from engines.registry import SLUGS
from services.common.server import SWITCH_INTERVAL
from services.rules.answers import legal_moves
from services.rules.subject import read_subject

CLIENTS = (1, 8)
COMPUTE = "/papamu.bench.v1.Echo/Compute"
MILLISECONDS = 3000
"""Of each computing call."""


def answer(data: bytes) -> bytes:
    """What RulesService does for ListLegalMoves."""
    return legal_moves(read_subject(pb.ListLegalMovesRequest.FromString(data)))


def handlers(list_moves: Any, work: Any) -> list[grpc.GenericRpcHandler]:
    """Both methods for a server of gRPC's own."""
    make = grpc.unary_unary_rpc_method_handler
    return [
        grpc.method_handlers_generic_handler("papamu.rules.v1.RulesService", {"ListLegalMoves": make(list_moves)}),
        grpc.method_handlers_generic_handler("papamu.bench.v1.Echo", {"Compute": make(work)}),
    ]


def serve_threads(address: str) -> None:
    """gRPC's threads."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    server = grpc.server(ThreadPoolExecutor(5))  # one more than compute, for health
    server.add_generic_rpc_handlers(handlers(lambda data, _: answer(data), compute))
    health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
    server.add_insecure_port(address)
    server.start()
    server.wait_for_termination()


async def serve_aio(address: str) -> None:
    """gRPC's asyncio; moves are listed on the loop."""

    async def list_moves(data: bytes, _: Any) -> bytes:
        return answer(data)

    async def work(data: bytes, context: Any) -> bytes:
        return await asyncio.to_thread(compute, data, context)

    sys.setswitchinterval(SWITCH_INTERVAL)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers(handlers(list_moves, work))
    health_pb2_grpc.add_HealthServicer_to_server(health.aio.HealthServicer(), server)
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


SERVERS = {"ours": serve_both, "threads": serve_threads, "asyncio": lambda address: asyncio.run(serve_aio(address))}


def block(address: str, process: subprocess.Popen[bytes], asked: Sequence[bytes], clients: int) -> tuple[float, float]:
    """Calls a second, and microseconds of the server's processor time for each."""

    def send(part: Sequence[bytes]) -> None:
        with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            call = channel.unary_unary(RULES + "ListLegalMoves")
            for data in part:
                call(data)

    before, begin = cpu(process), time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(send, [asked[i::clients] for i in range(clients)]))
    seconds = time.perf_counter() - begin
    return len(asked) / seconds, 1e6 * (cpu(process) - before) / len(asked)


def health_waits(address: str) -> list[float]:
    """Milliseconds of health checks while four calls compute."""
    waits = []
    with grpc.insecure_channel(address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        busy = [channel.unary_unary(COMPUTE).future(MILLISECONDS.to_bytes(2, "little")) for _ in range(4)]
        while not any(call.done() for call in busy):
            begin = time.perf_counter()
            check(health_pb2.HealthCheckRequest())
            waits.append(1000 * (time.perf_counter() - begin))
    return waits


def bench(rounds: int) -> None:
    """Prints the comparison."""
    with ExitStack() as stack:
        servers = {
            kind: stack.enter_context(running("bench.rules_aio", "--serve", kind, "--address")) for kind in SERVERS
        }
        with Client(servers["ours"][0]) as client:
            asked = [data for slug in SLUGS for data, _ in questions(client, slug, range(4))["ListLegalMoves"]]
        for address, process in servers.values():
            block(address, process, asked, 1)  # so that all have seen all positions
        for clients in CLIENTS:
            found: dict[str, list[tuple[float, float]]] = {kind: [] for kind in SERVERS}
            for _ in range(rounds):
                for kind, (address, process) in servers.items():
                    found[kind].append(block(address, process, asked, clients))
            for kind, numbers in found.items():
                rates, spent = zip(*numbers, strict=True)
                told = (
                    f"{statistics.median(rates):7,.0f} calls a second  {statistics.median(spent):5.0f} us of processor"
                )
                print(f"{clients} clients  {kind:8} {told}", flush=True)
        for kind, (address, _) in servers.items():
            waits = health_waits(address)
            print(
                f"health     {kind:8} median {statistics.median(waits):5.1f} ms  longest {max(waits):5.1f} ms",
                flush=True,
            )


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--serve", choices=SERVERS, help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        SERVERS[given.serve](given.address)
    else:
        bench(given.rounds)


if __name__ == "__main__":
    main()
