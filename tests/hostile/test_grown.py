"""Twice the input is twice the work and no more, and work that nobody waits for any more ends soon.

Work is the processor time of this thread, the least of some runs; what takes next to none is not compared.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from engines.core.game import BadInput
from engines.record.forms import FORMS
from engines.record.record import verify
from services.common.server import Server
from tests.hostile import grown
from tests.hostile.test_corpus import SERVICE, Aborted, Context, handle

WHOLE = 1_000_000
"""Bytes of the longest text that a call brings, nearly."""
MOST_RATIO = 3.2
"""Of work on twice the input. What grows with the square has 4."""
RUNS = 6
NOTHING = 0.02
"""Seconds of work on the whole of the longest input that are too few to compare."""
METHODS = ("ValidatePosition", "ApplyMoves")
"""Between them they read every message that a call brings."""
TEXTS = list(grown.texts())


def ratio(run: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> float:
    """Least work on `size` against least work on half of it; runs are added while it looks like more than linear."""
    whole, half = make(size), make(size // 2)
    long = work(run, whole)
    if long < NOTHING:
        return 1.0
    short = work(run, half)
    for _ in range(RUNS):
        if long / short < MOST_RATIO:
            break
        long, short = min(long, work(run, whole)), min(short, work(run, half))
    return long / short


def work(run: Callable[[bytes], object], data: bytes) -> float:
    gc.disable()  # a collection that falls into one of two runs is not their difference
    began = time.thread_time()
    run(data)
    ended = time.thread_time()
    gc.enable()
    return ended - began


def read(form: str, data: bytes) -> None:
    with suppress(BadInput):
        verify(FORMS[form].read(data))


@pytest.mark.parametrize(("form", "name", "make"), TEXTS, ids=[f"{form} {name}" for form, name, _ in TEXTS])
def test_reading_is_linear(form: str, name: str, make: Callable[[int], bytes]) -> None:
    # From small to whole, so that what is worse than linear shows before it takes minutes.
    for size in (WHOLE // 16, WHOLE // 4, WHOLE):
        assert ratio(partial(read, form), make, size) < MOST_RATIO


@pytest.mark.slow
def test_requests_are_linear(server: Server) -> None:
    for method, place, make in grown.requests(METHODS):
        found = ratio(partial(handle, server, method), make, WHOLE // 2)
        assert found < MOST_RATIO, (method, place, found)


class Gone(Context):
    """A caller who goes away once the server has looked for it so often."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks = looks

    def is_active(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


LONG = ("moves", "empty actions", "actions", "players")
"""Texts of which so much is read that a caller may go meanwhile."""


@pytest.mark.parametrize(
    ("form", "make"),
    [(form, make) for form, name, make in TEXTS if form == "json" and name.split(": ")[1] in LONG]
    + [(form, make) for form, name, make in TEXTS if name == "eruption: moves"],
)
def test_reading_ends_when_the_caller_has_gone(server: Server, form: str, make: Callable[[int], bytes]) -> None:
    data = grown.verify_request(form, make(WHOLE // 4))
    details: Any = SimpleNamespace(method=SERVICE + "VerifyRecord", invocation_metadata=())
    for looks in (0, 1, 5, 20):
        context = Gone(looks)
        with pytest.raises(Aborted):
            server.door.service(details).stream_unary(iter([data]), context)
        assert context.code is grpc.StatusCode.DEADLINE_EXCEEDED
        assert context.looks == -1  # it did not go on after it knew
