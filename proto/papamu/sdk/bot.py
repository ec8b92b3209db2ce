"""Bots for Papamu in Python: write one function that chooses a move; this module does the rest.

    from papamu.sdk.bot import Turn, run

    def choose(turn: Turn) -> str:
        return turn.legal[0]

    run(choose)

As a program that a roster names by `command`, it speaks JSON lines; with an address as its argument
(`python first.py 127.0.0.1:50070`) it serves `papamu.bot.v1.BotService` there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO

import grpc
from google.protobuf import json_format

from papamu.bot.v1 import bot_pb2 as pb
from papamu.bot.v1 import bot_pb2_grpc
from papamu.rules.v1 import envelope_pb2

__all__ = ["Choose", "Turn", "run", "serve", "speak"]

PROTOCOL = "papamu.bot.v1"


@dataclass(frozen=True)
class Turn:
    """A decision to make."""

    request: pb.ChooseMoveRequest
    """All that is told, as the contract has it."""

    @property
    def game(self) -> str:
        """Names the game: the same for all its decisions."""
        return self.request.game

    @property
    def ply(self) -> int:
        """Moves made before, those of chance included."""
        return self.request.ply

    @property
    def seat(self) -> int:
        """Your seat."""
        return self.request.observation.viewer

    @property
    def observation(self) -> envelope_pb2.Observation:
        """What your seat sees."""
        return self.request.observation

    @cached_property
    def legal(self) -> list[str]:
        """The moves to choose from, in the game's notation."""
        return [move.token for move in self.request.legal_moves]

    @property
    def seconds(self) -> float:
        """Time for this decision."""
        return self.request.budget.move_ms / 1000


Choose = Callable[[Turn], str]
"""Chooses one of `turn.legal`."""


def run(choose: Choose) -> None:
    """Serves at the address that the first argument names, or else speaks JSON lines. Returns at the end."""
    if len(sys.argv) > 1:
        server, port = serve(choose, sys.argv[1])
        print(f"serving on port {port}", flush=True)
        server.wait_for_termination()
    else:
        speak(choose)


def serve(choose: Choose, address: str) -> tuple[grpc.Server, int]:
    """Starts the service, one decision at a time, and returns it with its port (`host:0` takes a free one).

    Raises RuntimeError when the address cannot be had.
    """
    server = grpc.server(ThreadPoolExecutor(max_workers=1), options=[("grpc.so_reuseport", 0)])
    bot_pb2_grpc.add_BotServiceServicer_to_server(_Servicer(choose), server)
    port = server.add_insecure_port(address)
    server.start()
    return server, port


class _Servicer(bot_pb2_grpc.BotServiceServicer):
    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def ChooseMove(  # noqa: N802 (named by the contract)
        self, request: pb.ChooseMoveRequest, context: grpc.ServicerContext
    ) -> pb.ChooseMoveResponse:
        return pb.ChooseMoveResponse(token=self._choose(Turn(request)))


def speak(choose: Choose, source: BinaryIO | None = None, sink: BinaryIO | None = None) -> None:
    """Answers JSON lines until they end. What the bot prints goes to standard error, so that it disturbs nothing."""
    source = source or sys.stdin.buffer
    if sink is None:
        sink = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
    _tell(sink, {"protocol": PROTOCOL})
    for line in source:
        request = json_format.Parse(line, pb.ChooseMoveRequest(), ignore_unknown_fields=True)
        _tell(sink, {"token": choose(Turn(request))})


def _tell(sink: BinaryIO, content: dict[str, str]) -> None:
    sink.write(json.dumps(content).encode() + b"\n")
    sink.flush()
