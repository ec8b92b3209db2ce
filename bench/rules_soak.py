"""Every call of the rules API at full load for a while, and the server's memory meanwhile.

    python -m bench.rules_soak [--seconds 600] [--clients 4]

Sound and unsound questions about positions of random games of all rule sets, half of them new to the server. It is warm
when it remembers as many positions as it ever does; from then on its memory must stay flat.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from subprocess import Popen

import grpc
from google.protobuf.message import Message
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb

from bench.rules_api import RULES, running
from engines import envelope, registry
from engines.bench.engine import start
from engines.conformance.walk import visits
from engines.core.state import State
from engines.record import record as records
from engines.record.pgr import write
from engines.referee import Referee
from engines.registry import SLUGS
from engines.search.bots import make_bot
from services.rules.positions import REMEMBERED

GROWTH = 1.05
"""How much larger a warm server may be at the end."""
WARM = 4 * REMEMBERED
"""Calls after which a server is warm: every other one brings a position, or gets one back."""
LOOKS = 10
"""Times that its memory is looked at."""
SIMULATIONS = 20
"""Of an analysis: enough to build a tree."""
PLIES = 100
"""Of a game that are asked about."""
SEEDS = count(2)
"""Of games that nobody has played yet; callers share it."""


def record_of(slug: str) -> str:
    """A record of a random game."""
    rules = envelope.read_rules(env.Setup(**{slug: {}}))
    seats = range(rules.seats)
    referee = Referee(rules, [make_bot(envelope.game_of(rules), "random", {}, 1, seat) for seat in seats], 1)
    result = referee.run()
    players = [records.player(f"random {seat}", "random") for seat in seats]
    return write(records.new_record("soak", rules, players, referee.moves, result))


def decisions(slug: str, seed: int) -> Iterator[tuple[State, int]]:
    """The first decisions of a random game, each with a move that may be chosen there."""
    rng = random.Random(seed)
    for visit in visits(start(slug), rng, PLIES):
        if visit.state.actor >= 0:
            yield visit.state, rng.choice(visit.codes)


def about(state: State, code: int, other: int) -> Iterator[Message]:
    """Questions about a decision: with the move that is chosen, and with one of another position."""
    position, seat = envelope.write_position(state), state.actor
    yield pb.ListLegalMovesRequest(position=position)
    yield pb.ObservePositionRequest(position=position, viewer=seat)
    yield pb.ScorePositionRequest(position=position)
    yield pb.ValidatePositionRequest(position=position)
    yield pb.AnalyzePositionRequest(position=position, simulations=SIMULATIONS)
    messages = envelope.lexicon(state.rules).messages
    for choice in (messages[code], messages[other]):
        yield pb.ValidateMoveRequest(position=position, action={"move": choice, "seat": seat})
        yield pb.ApplyMovesRequest(position=position, actions=[{"move": choice}], chance={"seed": 1})
    view = envelope.write_observation(state.observe(seat))
    judge = pb.ValidateMoveRequest(observation=view, action={"move": messages[code]})
    yield from (judge, pb.ListLegalMovesRequest(observation=view), pb.BatchValidateRequest(requests=[judge] * 8))


def questions(slug: str) -> list[Message]:
    """Requests of every kind about a random game."""
    asked: list[Message] = [
        pb.ListGamesRequest(),
        pb.GetGameRequest(game=slug),
        pb.GetGameRequest(game="chess"),
        pb.NewGameRequest(setup={slug: {}}, seed=1),
        pb.ExplainRuleRequest(id=registry.game(slug).explain.RULES[0].id),
        pb.VerifyRecordRequest(pgr=record_of(slug)),
    ]
    other = 0
    for state, code in decisions(slug, seed=1):
        asked += about(state, code, other)
        other = code
    random.Random(1).shuffle(asked)
    return asked


def fresh() -> Iterator[Message]:
    """Questions without end, each about a position that no server has seen: games of new seeds are played here."""
    for seed in SEEDS:
        rng, other = random.Random(seed), 0
        for state, code in decisions(rng.choice(SLUGS), seed):
            yield rng.choice(list(about(state, code, other)))
            other = code


class Caller:
    """Calls the server in turns, on a channel of its own."""

    def __init__(self, address: str, asked: Sequence[Message]) -> None:
        self._asked = asked
        self.made = 0
        self.codes: Counter[str] = Counter()
        self._channel = grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self._stop = threading.Event()

    def stop(self) -> None:
        """Makes `run` come back."""
        self._stop.set()

    def run(self) -> None:
        """Calls until `stop`: every other request is a fresh one; now and then there is a session."""
        new = fresh()
        with self._channel:
            for turn in count():
                for i, request in enumerate(self._asked):
                    if self._stop.is_set():
                        return
                    self._call(next(new) if (turn + i) % 2 else request)
                self._session(self._asked)

    def _call(self, request: Message) -> None:
        method = type(request).DESCRIPTOR.name.removesuffix("Request")
        try:
            if isinstance(request, pb.AnalyzePositionRequest):
                list(self._channel.unary_stream(RULES + method)(request.SerializeToString()))
            else:
                self._channel.unary_unary(RULES + method)(request.SerializeToString())
            self._count(f"{method} OK")
        except grpc.RpcError as error:
            self._count(f"{method} {error.code().name}")

    def _session(self, asked: Iterable[Message]) -> None:
        lists = (r for r in asked if isinstance(r, pb.ListLegalMovesRequest))
        wrapped = (pb.SessionRequest(list_legal_moves=request).SerializeToString() for request in lists)
        for _ in self._channel.stream_stream(RULES + "Session")(wrapped):
            self._count("Session answer")

    def _count(self, name: str) -> None:
        self.made += 1
        self.codes[name] += 1


def resident(process: Popen[bytes]) -> int:
    """Bytes of memory that the process has now."""
    return 4096 * int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])


def soak(seconds: float, clients: int) -> int:
    """Prints the memory as time goes; 1 when a warm server has grown."""
    with running() as (address, process), ThreadPoolExecutor(clients) as pool:
        asked = [request for slug in SLUGS for request in questions(slug)]
        callers = [Caller(address, asked[i:] + asked[:i]) for i in range(0, len(asked), -(-len(asked) // clients))]
        ends = [pool.submit(caller.run) for caller in callers]

        def made() -> int:
            return sum(caller.made for caller in callers)

        wait = threading.Event().wait
        while made() < WARM:
            wait(0.1)
        begin, first, made_before = time.monotonic(), resident(process), made()
        print(f"{made_before} calls  {first / 2**20:7.1f} MiB: warm", flush=True)
        for look in range(1, LOOKS + 1):
            wait(max(begin + look * seconds / LOOKS - time.monotonic(), 0))
            last = resident(process)
            print(f"{time.monotonic() - begin:6.0f} s  {last / 2**20:7.1f} MiB  {made()} calls", flush=True)
        rate = (made() - made_before) / seconds
        for caller in callers:
            caller.stop()
        for end in ends:
            end.result()
    for name, times in sorted(sum((caller.codes for caller in callers), Counter()).items()):
        print(f"  {name:40} {times}")
    print(f"{rate:.0f} calls a second; memory at the end / when warm: {last / first:.3f}, wanted below {GROWTH}")
    return int(last / first > GROWTH)


def main() -> int:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=4)
    given = parser.parse_args()
    return soak(given.seconds, given.clients)


if __name__ == "__main__":
    sys.exit(main())
