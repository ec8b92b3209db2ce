"""What the command says of services that fail, take long or are not there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.ladder.v1 import ladder_pb2_grpc

from services.cli import client, home, ladder, up
from services.common import errors
from services.common.calls import Call

if TYPE_CHECKING:
    from tests.services.cli.conftest import Papamu
    from tests.services.conftest import Running

CREATE = ("ladder", "create", "tiki", "random", "greedy", "--name", "mine")


class Troubled(ladder_pb2_grpc.LadderServiceServicer):
    """A ladder service that does as it is told."""

    def __init__(self) -> None:
        self.trouble: Exception = errors.Unavailable("the database does not answer")
        self.go_on = threading.Event()

    def GetStatus(self, _request: pb.GetStatusRequest, _call: Call) -> pb.GetStatusResponse:  # noqa: N802
        raise self.trouble

    def CreateLadder(self, _request: pb.CreateLadderRequest, _call: Call) -> pb.CreateLadderResponse:  # noqa: N802
        self.go_on.wait(60)
        return pb.CreateLadderResponse(ladder=pb.Ladder(id="l1", games_total=8))


@pytest.fixture(scope="module")
def troubled(start: Callable[..., Running]) -> tuple[Troubled, str]:
    service = Troubled()
    running = start(lambda server: server.add(ladder_pb2_grpc.add_LadderServiceServicer_to_server, service))
    return service, str(running.server.address)


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (errors.Unavailable("the database does not answer"), "the database does not answer"),
        (errors.Expired("too late"), "did not answer in time"),
        (errors.Conflict("a fault"), "a fault"),
        (None, "no ladder service answers"),
    ],
)
def test_status_tells_of_all_parts_whatever_the_ladder_service_says(
    papamu: Papamu,
    troubled: tuple[Troubled, str],
    monkeypatch: pytest.MonkeyPatch,
    trouble: Exception | None,
    words: str,
) -> None:
    service, address = troubled
    if trouble is None:
        address = "127.0.0.1:1"
    else:
        service.trouble = trouble
    monkeypatch.delenv("PAPAMU_LADDER_ADDRESS", raising=False)  # it would come first
    parts = dict.fromkeys(("redis_url", "rules", "records", "ladder"), address)
    monkeypatch.setattr(home.Home, "running", lambda _: home.Running(1, "b", parts))
    monkeypatch.setattr(up, "_ask_redis", lambda *_: "answers")
    monkeypatch.setattr(up, "_ask_health", lambda *_: "SERVING")
    ran = papamu("status")
    assert ran.code == 1
    assert ran.out.count(" SERVING") == 2
    assert words in ran.out
    told = papamu("status", "--json")
    assert told.code == 1
    assert told.json["well"] is False
    assert told.json["parts"]["rules"] == "SERVING"
    assert words in told.json["parts"]["ladder"]
    assert told.json["ladder"] == {}


def test_a_ladder_that_takes_long_to_make_is_waited_for_and_told_of(
    papamu: Papamu, troubled: tuple[Troubled, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAMU_LADDER_ADDRESS", troubled[1])
    monkeypatch.setattr(ladder, "CREATE", 0.5)
    late = papamu(*CREATE)
    assert late.code == 3
    assert "`papamu ladder list` shows 'mine'" in late.err


def test_its_time_is_longer_than_that_of_other_calls(
    papamu: Papamu, troubled: tuple[Troubled, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    service, address = troubled
    monkeypatch.setenv("PAPAMU_LADDER_ADDRESS", address)
    monkeypatch.setattr(client, "CALL", 0.1)
    threading.Timer(1.0, service.go_on.set).start()
    assert papamu(*CREATE).out == "l1   8 games\n"
    assert ladder.CREATE > 300
