"""Requests made of what a caller has at hand; the sync and the async client share them."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from itertools import count
from typing import Any

import grpc
from google.protobuf.message import Message

from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.sdk.errors import PapamuError, from_fault

Subject = env.Position | env.Observation
"""What a question is about: a position, or an observation of the seat that is to decide."""
Choice = env.Move | env.Action
"""A move of the actor, or an action with its sender."""

METHODS: dict[str, tuple[type[Message], type[Message], bool]] = {
    method.name: (
        getattr(pb, method.input_type.name),
        getattr(pb, method.output_type.name),
        method.server_streaming,
    )
    for method in pb.DESCRIPTOR.services_by_name["RulesService"].methods
    if not method.client_streaming
}
"""Request type, response type and whether responses stream, by method."""


def unary(request: Message) -> str:
    """The method that takes a request. Raises TypeError where there is none, or one whose answers stream."""
    name = type(request).DESCRIPTOR.name
    method = METHODS.get(name.removesuffix("Request"))
    if method is None or method[0] is not type(request) or method[2]:
        raise TypeError(f"no unary call takes a {name}")
    return name.removesuffix("Request")


def write(message: Message) -> bytes:
    """The bytes of a request."""
    return message.SerializeToString()


def subject(of: Subject) -> dict[str, Any]:
    """The field that holds a subject."""
    return {"observation" if isinstance(of, env.Observation) else "position": of}


def action(choice: Choice, seat: int | None = None) -> env.Action:
    """The action of a choice; `seat` names the sender of a bare move."""
    if isinstance(choice, env.Action):
        return choice
    return env.Action(move=choice) if seat is None else env.Action(move=choice, seat=seat)


def apply_moves(
    position: env.Position, choices: Iterable[Choice], seed: int | None, index: int
) -> pb.ApplyMovesRequest:
    """Moves to be played, chance moves drawn when there is a seed."""
    source = None if seed is None else pb.ChanceSource(seed=seed, index=index)
    return pb.ApplyMovesRequest(position=position, actions=[action(c) for c in choices], chance=source)


_SESSION_FIELDS: dict[str, str] = {
    "".join(word.capitalize() for word in field.name.split("_")) + "Request": field.name
    for field in pb.SessionRequest.DESCRIPTOR.oneofs_by_name["call"].fields
}


def session_request(number: int, request: Message) -> pb.SessionRequest:
    """A request wrapped for a session. Raises TypeError for one that sessions do not take."""
    name = _SESSION_FIELDS.get(type(request).DESCRIPTOR.name)
    if name is None:
        raise TypeError(f"a session takes no {type(request).DESCRIPTOR.name}")
    fields: dict[str, Any] = {name: request}
    return pb.SessionRequest(id=number, **fields)


class Asked:
    """What a caller asks in a session, wrapped.

    gRPC runs the caller's iterator elsewhere and would swallow what it raises. So that ends the questions, as if there
    were no more, and is kept in `error` for the caller.
    """

    def __init__(self) -> None:
        self.error: Exception | None = None

    def wrapped(self, asked: Iterable[Message]) -> Iterator[pb.SessionRequest]:
        """What gRPC is to send."""
        try:
            for number, request in enumerate(asked):
                yield session_request(number, request)
        except Exception as error:
            self.error = error

    async def wrapped_async(self, asked: AsyncIterable[Message]) -> AsyncIterator[pb.SessionRequest]:
        """The same for asyncio."""
        number = count()
        try:
            async for request in asked:
                yield session_request(next(number), request)
        except Exception as error:
            self.error = error

    def check(self) -> None:
        """Raises what the caller's iterator has raised."""
        if self.error is not None:
            raise self.error


def session_answer(response: pb.SessionResponse) -> Message:
    """The answer inside; the Fault itself when the request failed."""
    name = response.WhichOneof("answer")
    if name is None:
        raise PapamuError(grpc.StatusCode.UNKNOWN, "the server's answer is of a kind that this client does not know")
    answer: Message = getattr(response, name)
    return answer


def verify_record(record: bytes | str) -> pb.VerifyRecordRequest:
    """A record to be verified, in whichever form it is."""
    if isinstance(record, bytes):
        return pb.VerifyRecordRequest(protobuf=record)
    if record.lstrip().startswith("{"):
        return pb.VerifyRecordRequest(json=record)
    return pb.VerifyRecordRequest(pgr=record)


def validate_many(questions: Iterable[tuple[Subject, Choice]]) -> pb.BatchValidateRequest:
    """Many moves to be judged."""
    return pb.BatchValidateRequest(
        requests=[pb.ValidateMoveRequest(action=action(choice), **subject(of)) for of, choice in questions]
    )


def batch_answers(response: pb.BatchValidateResponse) -> list[pb.ValidateMoveResponse | PapamuError]:
    """The answers of a batch, in order; a failed request's is its error."""
    return [from_fault(item.fault) if item.HasField("fault") else item.response for item in response.items]
