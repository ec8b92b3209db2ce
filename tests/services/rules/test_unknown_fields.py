"""What a newer client means by a field or number that this server does not know is refused, not skipped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import Message
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub

from engines import envelope
from engines.core.constants import ABSENT
from engines.core.game import BadInput
from engines.registry import SLUGS
from engines.unknown import MOST_BYTES, MOST_PARTS, MOST_TOLD, refuse_unknown
from tests.support.walk import walk

Failure = Callable[..., Any]
NUMBER = 2047
PLANT = b"\xf8\x7f\x01"
"""Field 2047 with the value 1."""


def parts(message: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The message and every message in it, with its path and a dot; of a list only the last."""
    yield path, message
    for field, value in message.ListFields():
        if field.type == Field.TYPE_MESSAGE:
            one, name = (
                (value, field.name) if isinstance(value, Message) else (value[-1], f"{field.name}[{len(value) - 1}]")
            )
            yield from parts(one, f"{path}{name}.")


def shapes(slug: str) -> Iterator[tuple[str, Any, str]]:
    """Requests of a game by method, and the field in them that is to be known whole: new shapes of it only."""
    seen: set[str] = set()
    for request, field in requests(slug):
        found = {re.sub(r"\d+", "", path) for path, _ in parts(getattr(request, field), f"{field} ")}
        if not found <= seen:
            seen |= found
            yield type(request).DESCRIPTOR.name.removesuffix("Request"), request, field


def requests(slug: str) -> Iterator[tuple[Any, str]]:
    rules = envelope.read_rules(env.Setup(**{slug: {}}))
    yield pb.NewGameRequest(setup=envelope.setup_message(rules)), "setup"
    for state in walk(rules, 3):
        position = envelope.write_position(state)
        yield pb.ListLegalMovesRequest(position=position), "position"
        if state.actor >= 0:
            observation = envelope.write_observation(state.observe(state.actor))
            yield pb.ListLegalMovesRequest(observation=observation), "observation"
    for move in envelope.lexicon(rules).moves:
        if move is not None:
            for sender in (ABSENT, 0):
                action = envelope.write_action(rules, move, sender)
                yield pb.ValidateMoveRequest(position=position, action=action), "action"


def copy(request: Any) -> Any:
    return type(request).FromString(request.SerializeToString())


@pytest.mark.parametrize("slug", SLUGS)
def test_an_unknown_field_is_refused_at_every_depth(slug: str, stub: RulesServiceStub, failure: Failure) -> None:
    depths = set()
    for method, request, field in shapes(slug):
        for i, (path, _) in enumerate(parts(getattr(request, field), f"{field}.")):
            planted = copy(request)
            list(parts(getattr(planted, field)))[i][1].MergeFromString(PLANT)
            code, details = failure(lambda m=method, p=planted: getattr(stub, m)(p))
            assert code is grpc.StatusCode.INVALID_ARGUMENT, path
            assert details["fields"] == [f"{path}{NUMBER}"]
            depths.add((field, path.count(".")))
            if field == "position":
                checked = stub.ValidatePosition(pb.ValidatePositionRequest(position=planted.position))
                assert not checked.valid
                assert [f.field for f in checked.faults] == details["fields"]
    assert depths >= {(field, depth) for field in ("setup", "position", "observation", "action") for depth in (1, 2)}


@pytest.mark.parametrize("slug", SLUGS)
def test_an_unknown_number_of_an_enum_is_refused_everywhere(
    slug: str, stub: RulesServiceStub, failure: Failure
) -> None:
    for method, request, field in shapes(slug):
        for i, (path, part) in enumerate(parts(getattr(request, field), f"{field}.")):
            for leaf in part.DESCRIPTOR.fields:
                if leaf.type == Field.TYPE_ENUM:
                    planted = copy(request)
                    at = list(parts(getattr(planted, field)))[i][1]
                    if leaf.is_repeated:
                        getattr(at, leaf.name).append(99)
                    else:
                        setattr(at, leaf.name, 99)
                    code, details = failure(lambda m=method, p=planted: getattr(stub, m)(p))
                    assert code is grpc.StatusCode.INVALID_ARGUMENT, f"{path}{leaf.name}"
                    assert details["fields"]


def test_a_position_that_is_remembered_does_not_let_an_unknown_field_in(
    stub: RulesServiceStub, opening: env.Position, failure: Failure
) -> None:
    request = pb.ListLegalMovesRequest(position=opening)
    for _ in range(2):
        assert stub.ListLegalMoves(request).moves
        planted = copy(request)
        planted.position.MergeFromString(PLANT)
        for _ in range(2):
            assert failure(lambda p=planted: stub.ListLegalMoves(p))[0] is grpc.StatusCode.INVALID_ARGUMENT


def test_fields_of_requests_themselves_are_skipped_as_protobuf_does(stub: RulesServiceStub) -> None:
    assert stub.ListGames(pb.ListGamesRequest.FromString(PLANT)).games


def test_however_many_there_are_the_search_ends_soon(opening: env.Position) -> None:
    many = copy(opening)
    for key in range(1000 << 3, 1100 << 3, 1 << 3):
        many.MergeFromString(bytes([key & 127 | 128, key >> 7, 1]))
    with pytest.raises(BadInput) as told:
        refuse_unknown(many)
    assert [v.field for v in told.value.violations] == [str(1000 + i) for i in range(MOST_TOLD)]
    vast = copy(opening)
    for _ in range(MOST_PARTS):
        last = vast.tiki.stacks.add()
    last.MergeFromString(PLANT)
    flood = copy(opening)
    flood.MergeFromString(PLANT * MOST_BYTES)
    for hostile in (vast, flood):
        with pytest.raises(BadInput, match=r"^holds a field that is not known here"):
            refuse_unknown(hostile)
