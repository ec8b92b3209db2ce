"""What a failed call raises: one class for each thing that a caller would do something about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from papamu.rules.v1.envelope_pb2 import Reason, Refusal
from papamu.rules.v1.rules_pb2 import Fault

_DETAILS_KEY = "grpc-status-details-bin"
_CODES = {code.value[0]: code for code in grpc.StatusCode}


class FieldFault(NamedTuple):
    """One field at fault."""

    field: str
    """Path inside the request."""
    sentence: str
    id: str
    """Id of the broken rule or invariant, or ""."""


class PapamuError(Exception):
    """A call has failed; `str()` is the server's sentence."""

    def __init__(
        self, code: grpc.StatusCode, message: str, reason: str = "", metadata: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        """The gRPC status code."""
        self.reason = reason
        """The constant of the server's ErrorInfo, as "MOVE_REFUSED"; "" when it sent none."""
        self.metadata = metadata or {}
        """The facts of the ErrorInfo; for an internal error its `error_id`, which the server's log has too."""
        self.fields: list[FieldFault] = []
        """The fields at fault, where there are some."""


class InvalidInput(PapamuError):
    """The request is no proper move, position, setup or the like; see `fields`."""


class MoveRefused(PapamuError):
    """The rules refuse a move."""

    index = 0
    """Its place among the actions of the call."""
    reasons: Sequence[Reason] = ()
    """Every broken rule, with id, kind, sentence and field."""


class NotFound(PapamuError):
    """What the call names is not there."""


class UnknownEdition(NotFound):
    """The server lacks the edition."""

    @property
    def known(self) -> list[str]:
        """Those that it has, as "tiki-base@83aaf0e1d109abb0"."""
        return self.metadata.get("known", "").split(",")


class Busy(PapamuError):
    """The server has as much to do as it takes."""

    retry_after = 1.0
    """Seconds after which to try again."""


class Unavailable(PapamuError):
    """The server cannot be reached or is going away. The client has tried several times."""


class Closed(PapamuError):
    """The client was closed, before the call or while it was under way."""


class DeadlineExceeded(PapamuError):
    """The answer did not come in time."""


class Unauthenticated(PapamuError):
    """The call lacks the token of the server."""


_CLASSES: dict[grpc.StatusCode, type[PapamuError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidInput,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Busy,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
}
_TOO_LONG = "larger than max"
"""In gRPC's own words for a message that it does not take."""
_CLASSES_BY_REASON = {"MOVE_REFUSED": MoveRefused, "UNKNOWN_EDITION": UnknownEdition, "MESSAGE_TOO_LARGE": InvalidInput}


def from_rpc_error(error: grpc.RpcError) -> PapamuError:
    """The error of a failed call, its details unpacked."""
    status = Status()
    metadata: Any = error.trailing_metadata() or ()  # pairs; sync and async have types of their own for them
    for key, value in metadata:
        if key == _DETAILS_KEY:
            try:
                status = Status.FromString(value)
            except DecodeError:  # not from a Papamu server: code and message are still worth telling
                status = Status()
    return _from_status(error.code(), error.details() or "", status)


def _from_status(code: grpc.StatusCode, message: str, status: Status) -> PapamuError:
    info, bad, refusal, retry = ErrorInfo(), BadRequest(), Refusal(), RetryInfo()
    for detail in status.details:
        for kind in (info, bad, refusal, retry):
            detail.Unpack(kind)
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED and not info.reason and _TOO_LONG in message:
        info.reason = "MESSAGE_TOO_LARGE"  # refused by gRPC itself, which tells no details; waiting would not help
    fields = [FieldFault(v.field, v.description, v.reason) for v in bad.field_violations]
    error = _made(code, message, info, fields, refusal)
    if isinstance(error, Busy):
        error.retry_after = retry.retry_delay.ToMilliseconds() / 1000 or Busy.retry_after
    return error


def from_fault(fault: Fault) -> PapamuError:
    """The error of one request of a batch or session: the same that a call of its own would raise."""
    code = _CODES.get(fault.code, grpc.StatusCode.UNKNOWN)
    fields = [FieldFault(f.field, f.sentence, f.id) for f in fault.fields]
    return _made(code, fault.message, fault, fields, fault.refusal)


def bad_input(field: str, sentence: str) -> InvalidInput:
    """What a server would say of a field, said before it is asked."""
    error = InvalidInput(grpc.StatusCode.INVALID_ARGUMENT, f"{field}: {sentence}", "BAD_INPUT")
    error.fields = [FieldFault(field, sentence, "")]
    return error


def _made(
    code: grpc.StatusCode, message: str, info: ErrorInfo | Fault, fields: list[FieldFault], refusal: Refusal
) -> PapamuError:
    made = _CLASSES_BY_REASON.get(info.reason) or _CLASSES.get(code, PapamuError)
    error = made(code, message, info.reason, dict(info.metadata))
    error.fields = fields
    if isinstance(error, MoveRefused):
        error.index, error.reasons = refusal.index, list(refusal.reasons)
    return error
