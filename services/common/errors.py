"""The one table from what goes wrong to what the caller is told: a google.rpc.Status with details.

Texts are cut and made safe for UTF-8. What is not in the table is our fault: the caller gets INTERNAL with an error
id and nothing else, the log gets the traceback under the same id.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from papamu.rules.v1.envelope_pb2 import Refusal

from engines import envelope
from engines.core.game import BadInput, Reason, Violation
from engines.registry import UnknownEdition
from services.common import logs

DOMAIN = "papamu"
"""Domain of every ErrorInfo."""
MAX_TEXT = 1024
"""Bytes of a status message."""
MAX_DETAILS = 7 * 1024
"""Bytes of all details together: clients refuse more than 8 KiB of trailing metadata."""

log = logs.logger(__name__)


class CallError(Exception):
    """A failure that the caller is told about; `reason` is the constant of its ErrorInfo."""

    code = grpc.StatusCode.INTERNAL
    reason = "INTERNAL"

    def details(self) -> list[Message]:
        """What goes beside the message."""
        return [ErrorInfo(reason=self.reason, domain=DOMAIN)]


class Refused(CallError):
    """A move that the rules refuse; `index` is its place among the actions of the call."""

    code = grpc.StatusCode.FAILED_PRECONDITION
    reason = "MOVE_REFUSED"

    def __init__(self, reasons: Sequence[Reason], index: int) -> None:
        super().__init__(f"actions[{index}] is refused: " + "; ".join(r.sentence for r in reasons))
        self.reasons = [replace(r, sentence=clip(r.sentence), field=clip(r.field)) for r in reasons]
        self.index = index

    def details(self) -> list[Message]:
        """The reasons three ways: one constant, field by field, and as ValidateMove tells them."""
        facts = {"index": str(self.index), "rules": ",".join(r.id for r in self.reasons)}
        place = f"actions[{self.index}]"
        fields = [Violation(f"{place}.{r.field}" if r.field else place, r.sentence, r.id) for r in self.reasons]
        return [
            ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=facts),
            _bad_request(fields),
            Refusal(index=self.index, reasons=envelope.write_reasons(self.reasons)),
        ]


class NotFound(CallError):
    """What the call names is not here."""

    code = grpc.StatusCode.NOT_FOUND
    reason = "NOT_FOUND"


class AlreadyExists(CallError):
    """What the call would make is there already, and different."""

    code = grpc.StatusCode.ALREADY_EXISTS
    reason = "ALREADY_EXISTS"


class Precondition(CallError):
    """What the call names is not in a state that allows it."""

    code = grpc.StatusCode.FAILED_PRECONDITION
    reason = "PRECONDITION"


class Conflict(CallError):
    """Somebody else changed it meanwhile: read again and retry."""

    code = grpc.StatusCode.ABORTED
    reason = "CONFLICT"


class Expired(CallError):
    """The deadline of the call has passed, or the caller has gone."""

    code = grpc.StatusCode.DEADLINE_EXCEEDED
    reason = "DEADLINE"


class Unauthenticated(CallError):
    """The call lacks the token of this server."""

    code = grpc.StatusCode.UNAUTHENTICATED
    reason = "TOKEN"


class Unimplemented(CallError):
    """There is no such method."""

    code = grpc.StatusCode.UNIMPLEMENTED
    reason = "NO_SUCH_METHOD"


class Retryable(CallError):
    """A failure that passes; `retry_after` is in seconds."""

    def __init__(self, text: str, retry_after: float = 1.0) -> None:
        super().__init__(text)
        self.retry_after = retry_after

    def details(self) -> list[Message]:
        """ErrorInfo, and when to try again."""
        delay = Duration()
        delay.FromMilliseconds(int(self.retry_after * 1000))
        return [*super().details(), RetryInfo(retry_delay=delay)]


class Exhausted(Retryable):
    """The server has as much to do as it takes."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    reason = "BUSY"


class Unavailable(Retryable):
    """The server is going away or lacks something it needs."""

    code = grpc.StatusCode.UNAVAILABLE
    reason = "UNAVAILABLE"


class TooLarge(CallError):
    """A message is longer than the server takes."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    reason = "MESSAGE_TOO_LARGE"


def _bad_request(violations: Sequence[Violation]) -> BadRequest:
    """As many of the violations as fit: their number may grow with what the caller sent."""
    detail = BadRequest()
    left = MAX_DETAILS // 2
    for v in violations:
        shown = BadRequest.FieldViolation(field=clip(v.field, 256), description=clip(v.sentence), reason=v.id)
        left -= shown.ByteSize() + 4
        if left < 0:
            break
        detail.field_violations.append(shown)
    return detail


def _bad_input(error: BadInput) -> Status:
    info = ErrorInfo(reason="BAD_INPUT", domain=DOMAIN)
    return _status(grpc.StatusCode.INVALID_ARGUMENT, str(error), [info, _bad_request(error.violations)])


def _unknown_edition(error: UnknownEdition) -> Status:
    info = ErrorInfo(reason="UNKNOWN_EDITION", domain=DOMAIN, metadata={"known": ",".join(error.known)})
    return _status(grpc.StatusCode.NOT_FOUND, str(error), [info])


def _call_error(error: CallError) -> Status:
    return _status(error.code, str(error), error.details())


TABLE: dict[type[Exception], Callable[..., Status]] = {
    BadInput: _bad_input,
    UnknownEdition: _unknown_edition,
    CallError: _call_error,
}
"""By class; the nearest base class of an exception decides. Errors of a library are added where the library is used, so
that nobody loads it for them: see services/common/database.py."""


def status_of(error: Exception) -> Status:
    """What the caller is told of `error`."""
    for kind in type(error).__mro__:
        if kind in TABLE:
            return TABLE[kind](error)
    error_id = secrets.token_hex(6)
    log.error("internal error", error_id=error_id, exc_info=error)
    info = ErrorInfo(reason="INTERNAL", domain=DOMAIN, metadata={"error_id": error_id})
    return _status(grpc.StatusCode.INTERNAL, f"internal error {error_id}", [info])


def clip(text: str, limit: int = MAX_TEXT) -> str:
    """The text in at most `limit` bytes of UTF-8; what cannot be encoded becomes "?"."""
    data = text[:limit].encode("utf-8", "replace")
    if len(data) > limit or len(text) > limit:
        return data[: limit - 3].decode("utf-8", "ignore") + "..."
    return data.decode("utf-8")


def _status(code: grpc.StatusCode, text: str, details: Sequence[Message]) -> Status:
    status = Status(code=code.value[0], message=clip(text))
    for detail in details:
        if status.ByteSize() + detail.ByteSize() <= MAX_DETAILS:
            packed = AnyMessage()
            packed.Pack(detail)
            status.details.append(packed)
    return status
