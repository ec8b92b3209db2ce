"""Session and BatchValidate: many small requests in one call, each answered or told what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from papamu.rules.v1 import envelope_pb2
from papamu.rules.v1 import rules_pb2 as pb

from engines.core.game import BadInput, Violation
from services.common import errors
from services.common.calls import Call

MAX_BATCH = 256
"""Requests of one BatchValidate call."""

Handler = Callable[[Any, Call], Any]


def fault_of(error: Exception) -> pb.Fault:
    """What a call of its own would have as its status."""
    status = errors.status_of(error)
    fault = pb.Fault(code=status.code, message=status.message)
    for detail in status.details:
        fields, info = BadRequest(), ErrorInfo()
        if detail.Unpack(info):
            fault.reason = info.reason
            fault.metadata.update(info.metadata)
        elif detail.Unpack(fields):
            fault.fields.extend(
                pb.FieldFault(field=v.field, sentence=v.description, id=v.reason) for v in fields.field_violations
            )
        elif detail.Is(envelope_pb2.Refusal.DESCRIPTOR):
            detail.Unpack(fault.refusal)
    return fault


def serve_session(
    requests: Iterator[pb.SessionRequest], call: Call, handlers: Mapping[str, Handler]
) -> Iterator[pb.SessionResponse]:
    """Answers each request by the handler of its kind, in their order."""
    for request in requests:
        call.check()
        response = pb.SessionResponse(id=request.id)
        kind = request.WhichOneof("call")
        try:
            if kind is None:
                raise BadInput([Violation("call", "no call is set")])
            answer = handlers[kind](getattr(request, kind), call)
            if isinstance(answer, bytes):
                getattr(response, kind).ParseFromString(answer)
                getattr(response, kind).SetInParent()
            else:
                getattr(response, kind).CopyFrom(answer)
        except Exception as error:
            response.fault.CopyFrom(fault_of(error))
        yield response


def batch_validate(request: pb.BatchValidateRequest, call: Call, validate: Handler) -> pb.BatchValidateResponse:
    """Judges each move by `validate`. Raises BadInput for more than MAX_BATCH."""
    if len(request.requests) > MAX_BATCH:
        raise BadInput([Violation("requests", f"has {len(request.requests)} entries; at most {MAX_BATCH}")])
    response = pb.BatchValidateResponse()
    for one in request.requests:
        call.check()
        item = response.items.add()
        try:
            answer = validate(one, call)
            if isinstance(answer, bytes):
                item.response.ParseFromString(answer)
            else:
                item.response.CopyFrom(answer)
        except Exception as error:
            item.fault.CopyFrom(fault_of(error))
    return response
