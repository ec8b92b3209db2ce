"""Kilauea over a real socket: a turn is a dozen small decisions, and every one of them can be asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub

from engines import envelope, registry
from engines.conformance.scenario import parse_position, parse_setup

KILAUEA = registry.game("kilauea")
BEFORE = (
    "ADVANCE 0 0/0 1f:...PRY.P/2f:..P...../3f:...P..../4f:...P..../5f:....P... 0,0,0,0 1,2,4,5,6 7,3,8,9,10 0,0,0,0,0 "
    "0,0,0,0/0,0,0,0/0,1,0,0/0,0,0,0/0,0,0,0 - 2 9 -/-/-/- 0,5,5,0 -/-/-/-/-;-/-/-/-/-;-/-/-/-/-;-/-/-/-/- 0,0,0,0 "
    "14,13,15,9 open - - -"
)
"""Felling clears a tile row here, so that two tiles are on offer."""
TURN = ["+1", "Xd", "Xe", "U7", "f0f", "U6", "v2Y", ">v0"]


def _actions(position: env.Position, tokens: list[str]) -> list[env.Action]:
    rules = envelope.read_position(position).rules
    moves = [KILAUEA.notation.parse(rules, token) for token in tokens]
    return [envelope.write_action(rules, move, 0) for move in moves]


def _before() -> env.Position:
    return envelope.write_position(parse_position(KILAUEA, parse_setup(KILAUEA, "seats=4"), BEFORE))


def test_every_step_inside_a_turn_lists_and_judges_its_moves(stub: RulesServiceStub) -> None:
    position = _before()
    for action in _actions(position, TURN):
        listed = stub.ListLegalMoves(pb.ListLegalMovesRequest(position=position))
        assert listed.actor.seat == 0
        assert action.move in listed.moves
        assert stub.ValidateMove(pb.ValidateMoveRequest(position=position, action=action)).legal
        position = stub.ApplyMoves(pb.ApplyMovesRequest(position=position, actions=[action])).position
    assert stub.ListLegalMoves(pb.ListLegalMovesRequest(position=position)).actor.seat == 1


def test_a_choice_that_leads_nowhere_is_refused_with_its_reason(stub: RulesServiceStub) -> None:
    before = _before()
    *begun, put = _actions(before, [*TURN[:-1], ">v1"])
    inside = stub.ApplyMoves(pb.ApplyMovesRequest(position=before, actions=begun)).position
    answer = stub.ValidateMove(pb.ValidateMoveRequest(position=inside, action=put))
    assert not answer.legal
    assert [(r.id, r.field) for r in answer.reasons] == [
        ("kilauea.put.volcano.relation", "move.kilauea.put_volcano.section")
    ]


def test_a_whole_turn_is_one_call_that_says_where_it_broke(
    stub: RulesServiceStub, failure: Callable[..., tuple[grpc.StatusCode, dict[str, Any]]]
) -> None:
    before = _before()
    whole = stub.ApplyMoves(pb.ApplyMovesRequest(position=before, actions=_actions(before, TURN)))
    assert whole.actor.seat == 1
    wrong = _actions(before, [*TURN[:4], "f0h", *TURN[5:]])
    wrong[6] = _actions(before, ["v2R"])[0]
    code, details = failure(lambda: stub.ApplyMoves(pb.ApplyMovesRequest(position=before, actions=wrong)))
    assert code is grpc.StatusCode.FAILED_PRECONDITION
    assert details["Refusal"].index == 6
    assert details["ErrorInfo"].metadata["rules"] == "kilauea.take.volcano.empty"
    assert details["fields"] == ["actions[6].move.kilauea.take_volcano.colour"]
