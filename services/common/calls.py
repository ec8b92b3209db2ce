"""What every call passes on its way to a handler: limits, decoding, errors, metrics.

Handlers take a request (or an iterator of requests) and a `Call`; they return a message or its bytes, and raise what
`services.common.errors` knows.

Every method is registered with gRPC as one that reads a stream, which is the same on the wire: only so does the call
reach this code before its first message, and a client that opens calls and sends nothing is held to a limit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from engines.core.game import BadInput, Violation
from services.common import errors
from services.common.lanes import Lane, WaitWatch
from services.common.metrics import MethodMetrics
from services.common.settings import Settings

if TYPE_CHECKING:
    Handler = grpc.RpcMethodHandler[Any, Any]


class Call:
    """One call as its handler sees it."""

    __slots__ = ("context", "deadline")

    def __init__(self, context: grpc.ServicerContext, default: float, longest: float) -> None:
        left = context.time_remaining()
        named = left is not None and left < 1e9  # a call without deadline says a time far away
        self.context = context
        self.deadline = time.monotonic() + (min(left, longest) if named else default)

    def remaining(self) -> float:
        """Seconds that are left, at least 0."""
        return max(self.deadline - time.monotonic(), 0.0)

    def is_over(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return time.monotonic() >= self.deadline or not self.context.is_active()

    def check(self) -> None:
        """Raises Expired when nobody waits for the answer any more. Long work calls it every few milliseconds."""
        if time.monotonic() >= self.deadline:
            raise errors.Expired("the deadline of the call has passed")
        if not self.context.is_active():
            raise errors.Expired("the caller has gone")


@dataclass(frozen=True)
class Method:
    """A method, and what surrounds its handler."""

    path: str
    """As `/papamu.rules.v1.RulesService/ListGames`."""
    behavior: Callable[[Any, Any], Any]
    """The handler: takes a message or an iterator of messages and a `Call`, and returns a message (or its bytes) or an
    iterator of them."""
    decode: Callable[[bytes], Any]
    """Makes a message of bytes; raises DecodeError."""
    streams_in: bool
    streams_out: bool
    subscribes: bool
    """Whether the handler takes a `Subscription` instead of a `Call`, and returns at once."""
    lane: Lane
    metrics: MethodMetrics
    settings: Settings
    watch: WaitWatch

    def guarded(self) -> Handler:
        """The handler that gRPC gets: bytes in, bytes out. The door has taken a place in the lane for each call."""
        if self.subscribes:
            return on_lane(self.lane, self._subscribe, streams_out=True, non_blocking=True)
        return on_lane(self.lane, self._stream if self.streams_out else self._unary, streams_out=self.streams_out)

    def _unary(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        start = time.perf_counter()
        self.metrics.started.inc()
        code = grpc.StatusCode.OK
        try:
            call = Call(context, self.settings.default_deadline, self.settings.max_deadline)
            if call.remaining() == 0:  # it has waited for a thread too long: nobody waits for the answer
                raise errors.Expired("the deadline of the call has passed")
            return self.encode(self.behavior(self._input(requests, context), call))
        except grpc.RpcError:  # the client has cancelled while its message was awaited
            code = grpc.StatusCode.CANCELLED
            raise
        except Exception as error:
            status = errors.status_of(error)
            code = _CODES[status.code]
            abort(context, status)
        finally:
            self._finish(start, code)

    def _stream(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        start = time.perf_counter()
        self.metrics.started.inc()
        code = grpc.StatusCode.CANCELLED  # unless the end is reached: gRPC drops the iterator when the client goes
        try:
            call = Call(context, self.settings.max_stream, self.settings.max_stream)
            for answer in self.behavior(self._input(requests, context), call):
                data = self.encode(answer)
                self.watch.begin(context, self.settings.stream_idle, self.lane, idle=False)
                yield data  # comes back when gRPC has room for the next one: when the client takes them
                self.watch.end(context)
            code = grpc.StatusCode.OK
        except grpc.RpcError:
            raise
        except Exception as error:
            status = errors.status_of(error)
            code = _CODES[status.code]
            abort(context, status)
        finally:
            self.watch.end(context)
            self._finish(start, code)

    def _subscribe(
        self, requests: Iterator[bytes], context: grpc.ServicerContext, send: Callable[[bytes | None], None]
    ) -> None:
        start = time.perf_counter()
        self.metrics.started.inc()
        subscription = Subscription(self, context, send)
        try:
            self.behavior(self._only_message(requests, context), subscription)
        except grpc.RpcError:
            self._finish(start, grpc.StatusCode.CANCELLED)
            raise
        except Exception as error:
            status = errors.status_of(error)
            self._finish(start, _CODES[status.code])
            abort(context, status)
        subscription.on_end(lambda: self._finish(start, subscription.code))

    def _input(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Any:
        return self._messages(requests, context) if self.streams_in else self._only_message(requests, context)

    def _finish(self, start: float, code: grpc.StatusCode) -> None:
        self.metrics.seconds.observe(time.perf_counter() - start)
        self.metrics.handled[code].inc()
        self.lane.leave()

    def _only_message(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Any:
        data = self._next(requests, context, self.settings.message_wait)
        if data is None:
            if not context.is_active():  # gRPC itself has refused it, with the right status
                raise errors.TooLarge("the message is longer than this server takes")
            raise BadInput([Violation("", "the call has no message")])
        return self._decode(data)

    def _messages(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[Any]:
        while (data := self._next(requests, context, self.settings.stream_idle)) is not None:
            yield self._decode(data)

    def _next(self, requests: Iterator[bytes], context: grpc.ServicerContext, wait: float) -> bytes | None:
        self.watch.begin(context, wait, self.lane, idle=self.streams_in)
        try:
            return next(requests, None)
        finally:
            self.watch.end(context)

    def _decode(self, data: bytes) -> Any:
        self.metrics.received.inc()
        if len(data) > self.settings.max_message_bytes:
            raise errors.TooLarge(
                f"the message has {len(data)} bytes; at most {self.settings.max_message_bytes} are taken"
            )
        try:
            return self.decode(data)
        except DecodeError:
            self.metrics.malformed.inc()
            raise BadInput([Violation("", "the bytes are no message of this method")]) from None

    def encode(self, answer: Any) -> bytes:
        """The bytes of an answer, which is counted as sent."""
        data: bytes = answer if type(answer) is bytes else answer.SerializeToString()
        self.metrics.sent.inc()
        return data


class Subscription:
    """A call that takes no thread between its answers: whoever has news sends it."""

    SEND_WAIT = 1.0
    """Seconds that a client may take to make room for an answer; its call is cancelled then."""

    def __init__(self, method: Method, context: grpc.ServicerContext, send: Callable[[bytes | None], None]) -> None:
        self.code = grpc.StatusCode.CANCELLED
        """How it ended: unless by `end`, the client did it."""
        self._method = method
        self._context = context
        self._send = send
        self._sending = threading.Lock()

    def on_end(self, told: Callable[[], None]) -> None:
        """Calls `told` when the call has ended, at once when it has already."""
        if not self._context.add_callback(told):
            told()

    def send(self, answer: Callable[[], Any]) -> None:
        """Sends what `answer` makes. One at a time, so that the last one sent is the last one made."""
        with self._sending:
            watch = self._method.watch
            watch.begin(self._context, self.SEND_WAIT, self._method.lane, idle=False)
            try:
                self._send(self._method.encode(answer()))  # comes back when gRPC has sent it
            finally:
                watch.end(self._context)

    def end(self, error: errors.CallError) -> None:
        """Ends the call with an error, unless it is just sending."""
        if self._sending.acquire(blocking=False):
            status = rpc_status.to_status(errors.status_of(error))
            self.code = error.code
            self._context.set_code(status.code)
            self._context.set_details(status.details)
            self._context.set_trailing_metadata(status.trailing_metadata)
            self._send(None)  # and never another answer: the lock is kept


_CODES = {code.value[0]: code for code in grpc.StatusCode}


def abort(context: grpc.ServicerContext, status: Any) -> NoReturn:
    """Ends the call with a google.rpc.Status. gRPC does that by raising an exception of its own."""
    context.abort_with_status(rpc_status.to_status(status))
    raise AssertionError("abort returned")


def on_lane(
    lane: Lane, behavior: Callable[..., Any], *, streams_out: bool = False, non_blocking: bool = False
) -> Handler:
    """A handler of bytes that runs on the threads of `lane`; `non_blocking`: it gets a function that sends answers."""

    def run(*given: Any) -> Any:
        return behavior(*given)

    run.experimental_thread_pool = lane.pool  # type: ignore[attr-defined]  # gRPC's way to give a method its threads
    run.experimental_non_blocking = non_blocking  # type: ignore[attr-defined]
    make = grpc.stream_stream_rpc_method_handler if streams_out else grpc.stream_unary_rpc_method_handler
    handler: Handler = make(run)
    return handler


def refusing(error: errors.CallError, metrics: MethodMetrics, lane: Lane) -> Handler:
    """A handler that refuses a call at the door, on threads of its own and without reading anything of it."""

    def run(requests: Iterator[bytes], context: grpc.ServicerContext) -> NoReturn:
        metrics.started.inc()
        metrics.handled[error.code].inc()
        abort(context, errors.status_of(error))

    return on_lane(lane, run)
