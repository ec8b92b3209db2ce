"""Nothing that a caller sends crashes, hangs or grows the server, and no answer tells what is inside it.

PAPAMU_HOSTILE_SEED and PAPAMU_HOSTILE_COUNT make a longer run of other messages.
"""

from __future__ import annotations

import os
import re
import resource
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub

from services.common.server import Server
from services.common.settings import load
from tests.hostile.corpus import REFLECTION, honest, honest_streams, messages

SEED = int(os.environ.get("PAPAMU_HOSTILE_SEED", "1"))
COUNT = int(os.environ.get("PAPAMU_HOSTILE_COUNT", "100000"))
OVER_SOCKETS = 4000
LONGEST = 5.0
"""Seconds that any one message may take, on a machine that does other things too."""
GROWTH = 64 << 20
"""Bytes that the process may have grown by after all of them: caches, which are bounded, fill up."""
LEAK = re.compile(r"Traceback|\.py\b|/engines|/services|, line \d|Exception|object at 0x|[a-z]Error\b")
SERVICE = "/papamu.rules.v1.RulesService/"
ANSWERS = {
    grpc.StatusCode.OK,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}


class Aborted(Exception):
    """What gRPC raises inside an aborted call."""


class Context:
    """As much of a gRPC context as the server uses: calls without a network between."""

    code = grpc.StatusCode.OK
    details = ""

    def __init__(self, left: float | None = None) -> None:
        self.left = left

    def time_remaining(self) -> float | None:
        return self.left

    def is_active(self) -> bool:
        return True

    def abort_with_status(self, status: Any) -> None:
        self.code, self.details = status.code, status.details + repr(status.trailing_metadata)
        raise Aborted


@pytest.mark.slow
def test_a_hundred_thousand_messages(server: Server) -> None:
    for method, data in messages(SEED + 1, 3000):  # fill the caches first
        handle(server, method, data)
    before = peak()
    seen: Counter[tuple[str, str]] = Counter()
    longest = (0.0, "", b"")
    for method, data in messages(SEED, COUNT):
        began = time.perf_counter()
        code, text = handle(server, method, data)
        longest = max(longest, (time.perf_counter() - began, method, data))
        assert code in ANSWERS, (code, text, method, data)
        assert not LEAK.search(text), (text, method, data)
        seen[method, code.name] += 1
    grown = peak() - before
    print(f"\n{COUNT} messages, longest {longest[0] * 1000:.0f} ms ({longest[1]}), grown by {grown >> 10} KiB")
    for (method, name), count in sorted(seen.items()):
        print(f"  {method:18} {name:20} {count}")
    assert longest[0] < LONGEST, longest
    assert grown < GROWTH
    for method in ("ValidateMove", "ListLegalMoves", "ApplyMoves"):  # the corpus reaches past the door
        assert seen[method, "OK"] > 0


def peak() -> int:
    """Bytes that this process has had at most so far."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def handle(server: Server, method: str, data: bytes, left: float | None = None) -> tuple[grpc.StatusCode, str]:
    """Status and text of one call, handled as if it had come in with `left` seconds.

    The text of an answer is all its bytes: faults are told inside answers that are OK, too.
    """
    path = method if method.startswith("/") else SERVICE + method
    context = Context(left)
    told = b""
    try:
        handler = server.door.service(SimpleNamespace(method=path, invocation_metadata=()))
        if handler.response_streaming:
            told = b"".join(handler.stream_stream(iter([data]), context))
        else:
            told = handler.stream_unary(iter([data]), context)
    except Aborted:
        return context.code, context.details
    return context.code, readable(told)


def readable(answer: bytes) -> str:
    """The bytes of an answer as LEAK reads them: texts stand in messages as they are."""
    return answer.decode("utf-8", "replace")


@pytest.mark.slow
def test_calls_with_many_answers(server: Server) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for method, data in messages(SEED + 5, COUNT // 50, honest_streams()):
        code, text = handle(server, method, data, left=0.05)
        assert code in ANSWERS | {grpc.StatusCode.DEADLINE_EXCEEDED}, (code, text, method, data)
        assert not LEAK.search(text), (text, method, data)
        seen[method, code.name] += 1
    print(f"\n{dict(seen)}")
    assert seen["AnalyzePosition", "OK"] > 0
    assert seen[REFLECTION, "OK"] > 0


@pytest.mark.slow
def test_over_sockets_too_and_the_next_call_works(server: Server) -> None:
    seen: Counter[grpc.StatusCode] = Counter()
    with grpc.insecure_channel(str(server.address)) as channel:
        for method, data in messages(SEED + 2, OVER_SOCKETS):
            try:
                answer = channel.unary_unary(SERVICE + method)(data, timeout=LONGEST)
                assert not LEAK.search(readable(answer)), (answer, method, data)
                seen[grpc.StatusCode.OK] += 1
            except grpc.RpcError as error:
                assert error.code() in ANSWERS, (error.code(), error.details(), method, data)
                assert not LEAK.search(error.details() + repr(error.trailing_metadata()))
                seen[error.code()] += 1
        assert RulesServiceStub(channel).ListGames(pb.ListGamesRequest()).games
    assert set(seen) >= {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT}


SESSION_KINDS = {
    "NewGame": "new_game",
    "ListLegalMoves": "list_legal_moves",
    "ValidateMove": "validate_move",
    "ApplyMoves": "apply_moves",
    "ScorePosition": "score_position",
    "ValidatePosition": "validate_position",
    "ObservePosition": "observe_position",
}


@pytest.mark.slow
def test_a_session_outlives_every_fault(server: Server) -> None:
    asked = []
    for number, (method, data) in enumerate(messages(SEED + 3, OVER_SOCKETS)):
        if method in SESSION_KINDS:
            request = pb.SessionRequest(id=number)
            try:
                getattr(request, SESSION_KINDS[method]).ParseFromString(data)
            except DecodeError:
                continue
            getattr(request, SESSION_KINDS[method]).SetInParent()
            if request.ByteSize() <= load().max_message_bytes:
                asked.append(request)
    with grpc.insecure_channel(str(server.address)) as channel:
        answers = list(RulesServiceStub(channel).Session(iter(asked), timeout=60))
    assert [a.id for a in answers] == [r.id for r in asked]
    for answer in answers:
        assert not LEAK.search(readable(answer.SerializeToString())), answer
    codes = {a.fault.code for a in answers if a.WhichOneof("answer") == "fault"}
    assert codes <= {code.value[0] for code in ANSWERS}


def test_messages_far_too_long(server: Server) -> None:
    for size in ((1 << 20) + 1, 8 << 20):
        request = pb.VerifyRecordRequest(pgr="x" * size).SerializeToString()
        with grpc.insecure_channel(str(server.address)) as channel:
            with pytest.raises(grpc.RpcError) as caught:
                channel.unary_unary(SERVICE + "VerifyRecord")(request, timeout=LONGEST)
            assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert RulesServiceStub(channel).ListGames(pb.ListGamesRequest()).games


def test_hidden_fields_claimed_are_refused_or_make_no_difference(server: Server) -> None:
    """An observation is a message of its own: bytes of a whole position in its place are none."""
    for request in honest()["ListLegalMoves"]:
        assert isinstance(request, pb.ListLegalMovesRequest)
        if request.WhichOneof("subject") == "position":
            claimed = b"\x12" + request.SerializeToString()[1:]  # the tag of `observation`
            code, text = handle(server, "ListLegalMoves", claimed)
            assert code in ANSWERS
            assert not LEAK.search(text)
