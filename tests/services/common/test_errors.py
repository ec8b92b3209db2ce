"""The error table: codes, details, and texts that any client can take."""

from __future__ import annotations

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo

from engines.core.game import BadInput, Kind, Reason, Violation
from services.common import errors


@pytest.mark.parametrize(
    ("text", "clipped"),
    [("short", "short"), ("a\ud800b", "a?b"), ("x" * 2000, "x" * 1021 + "..."), ("é" * 1000, "é" * 510 + "...")],
)
def test_texts_are_cut_and_encodable(text: str, clipped: str) -> None:
    assert errors.clip(text) == clipped
    assert len(errors.clip(text).encode()) <= errors.MAX_TEXT


def test_details_stay_below_what_clients_take() -> None:
    many = [Violation(f"field[{i}]" * 20, "is wrong " * 200, "rule.id") for i in range(10_000)]
    status = errors.status_of(BadInput(many))
    assert status.ByteSize() <= errors.MAX_DETAILS
    assert status.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    shown = BadRequest()
    assert any(detail.Unpack(shown) for detail in status.details)
    assert shown.field_violations[0].reason == "rule.id"


def test_a_refusal_with_lone_surrogates_still_reaches_the_caller() -> None:
    reason = Reason("tiki.create.occupied", Kind.RULE, "a \ud800 stone", "move.tiki")
    status = errors.status_of(errors.Refused([reason], 3))
    assert status.code == grpc.StatusCode.FAILED_PRECONDITION.value[0]
    assert "a ? stone" in status.message


def test_every_failure_has_its_own_code_or_reason() -> None:
    failures = [
        errors.NotFound("x"),
        errors.AlreadyExists("x"),
        errors.Precondition("x"),
        errors.Conflict("x"),
        errors.Expired("x"),
        errors.Unauthenticated("x"),
        errors.Exhausted("x"),
        errors.Unavailable("x"),
        errors.TooLarge("x"),
    ]
    seen = set()
    for failure in failures:
        status = errors.status_of(failure)
        info = ErrorInfo()
        assert status.details[0].Unpack(info)
        assert (info.domain, status.message) == ("papamu", "x")
        seen.add(info.reason)
    assert len(seen) == len(failures)
