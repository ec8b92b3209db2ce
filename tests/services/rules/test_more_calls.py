"""The calls beyond the plain game loop: views, batches, sessions, rules, analysis, records."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub

from engines import envelope, registry
from engines.record import record, results
from engines.record.forms import FORMS
from engines.search.mcts import Search
from engines.search.thinker import Thinker

Failure = Callable[..., Any]


def game_of(stub: RulesServiceStub, slug: str, seed: int, plies: int) -> Iterator[pb.ApplyMovesResponse]:
    """Positions of a game in which the middle legal move is always made; chance moves from the seed."""
    new = stub.NewGame(pb.NewGameRequest(setup={slug: {}}, seed=seed))
    position, index = new.position, len(new.moves)
    for _ in range(plies):
        moves = stub.ListLegalMoves(pb.ListLegalMovesRequest(position=position)).moves
        if not moves:
            return
        played = stub.ApplyMoves(
            pb.ApplyMovesRequest(
                position=position,
                actions=[{"move": moves[len(moves) // 2]}],
                chance={"seed": seed, "index": index},
            )
        )
        position, index = played.position, played.chance_index
        yield played


@pytest.mark.slow
@pytest.mark.parametrize("slug", registry.SLUGS)
def test_an_observation_of_the_decider_gets_the_same_answers(stub: RulesServiceStub, slug: str) -> None:
    looked = 0
    for played in game_of(stub, slug, 3, 40):
        if played.actor.WhichOneof("actor") != "seat":
            continue
        position, seat = played.position, played.actor.seat
        seen = stub.ObservePosition(pb.ObservePositionRequest(position=position, viewer=seat))
        assert seen.actor == played.actor
        by_position = stub.ListLegalMoves(pb.ListLegalMovesRequest(position=position))
        by_view = stub.ListLegalMoves(pb.ListLegalMovesRequest(observation=seen.observation))
        assert by_view == by_position
        for sender in ({}, {"seat": 1 - seat}):
            action = {"move": by_position.moves[0], **sender}
            one = stub.ValidateMove(pb.ValidateMoveRequest(position=position, action=action))
            two = stub.ValidateMove(pb.ValidateMoveRequest(observation=seen.observation, action=action))
            assert one == two
            assert one.legal is not bool(sender)
        looked += 1
    assert looked > 5


def test_an_observation_of_another_seat_is_no_subject(
    stub: RulesServiceStub, opening: env.Position, failure: Failure
) -> None:
    seen = stub.ObservePosition(pb.ObservePositionRequest(position=opening, viewer=1)).observation
    code, details = failure(lambda: stub.ListLegalMoves(pb.ListLegalMovesRequest(observation=seen)))
    assert (code, details["fields"]) == (grpc.StatusCode.INVALID_ARGUMENT, ["observation.viewer"])
    code, details = failure(lambda: stub.ObservePosition(pb.ObservePositionRequest(position=opening, viewer=2)))
    assert (code, details["fields"]) == (grpc.StatusCode.INVALID_ARGUMENT, ["viewer"])


def test_a_position_is_validated_with_every_fault(stub: RulesServiceStub, opening: env.Position) -> None:
    right = stub.ValidatePosition(pb.ValidatePositionRequest(position=opening))
    assert right.valid
    assert right.position == opening
    wrong = env.Position()
    wrong.CopyFrom(opening)
    wrong.tiki.hands[0] -= 1
    wrong.tiki.reserve -= 1
    answer = stub.ValidatePosition(pb.ValidatePositionRequest(position=wrong))
    assert not answer.valid
    assert not answer.HasField("position")
    assert [(f.field, f.id) for f in answer.faults] == [
        ("position.tiki.hands[0]", "tiki.state.tikis"),
        ("position.tiki.reserve", "tiki.state.fruits"),
    ]


def create(village: int) -> dict[str, Any]:
    return {"move": {"tiki": {"create": {"village": village}}}}


def test_a_batch_answers_each_request(stub: RulesServiceStub, opening: env.Position, failure: Failure) -> None:
    asked = [
        {"position": opening, "action": create(0)},
        {"position": opening, "action": {"seat": 1, **create(0)}},
        {"position": opening, "action": create(99)},
    ]
    items = stub.BatchValidate(pb.BatchValidateRequest(requests=asked)).items
    assert items[0].response.legal
    assert [r.id for r in items[1].response.reasons] == ["tiki.actor.wrong_seat"]
    assert items[2].fault.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert [f.field for f in items[2].fault.fields] == ["action.move.tiki.create.village"]
    code, details = failure(lambda: stub.BatchValidate(pb.BatchValidateRequest(requests=[{}] * 257)))
    assert (code, details["fields"]) == (grpc.StatusCode.INVALID_ARGUMENT, ["requests"])


def test_a_session_answers_in_order_and_survives_faults(stub: RulesServiceStub, opening: env.Position) -> None:
    asked = [
        pb.SessionRequest(id=1, new_game={"setup": {"tiki": {}}, "seed": 1}),
        pb.SessionRequest(id=2, list_legal_moves={"position": opening}),
        pb.SessionRequest(id=3, validate_move={"position": opening, "action": create(0)}),
        pb.SessionRequest(id=4, apply_moves={"position": opening, "actions": [create(0), create(0)]}),
        pb.SessionRequest(id=5, score_position={"position": opening}),
        pb.SessionRequest(id=6, validate_position={"position": opening}),
        pb.SessionRequest(id=7, observe_position={"position": opening, "viewer": 1}),
        pb.SessionRequest(id=8),
        pb.SessionRequest(id=9, apply_moves={"position": opening, "actions": [create(0)]}),
    ]
    answers = list(stub.Session(iter(asked), timeout=60))
    assert [a.id for a in answers] == list(range(1, 10))
    kinds = [a.WhichOneof("answer") for a in answers]
    assert kinds == [
        "new_game",
        "list_legal_moves",
        "validate_move",
        "fault",
        "score_position",
        "validate_position",
        "observe_position",
        "fault",
        "apply_moves",
    ]
    assert answers[1].list_legal_moves == stub.ListLegalMoves(pb.ListLegalMovesRequest(position=opening))
    assert answers[2].validate_move.legal
    assert answers[3].fault.code == grpc.StatusCode.FAILED_PRECONDITION.value[0]
    assert answers[3].fault.refusal.index == 1
    assert answers[3].fault.refusal.reasons[0].id == "tiki.create.occupied"


def test_every_published_rule_is_explained(stub: RulesServiceStub, failure: Failure) -> None:
    for game in registry.games():
        for rule in game.explain.RULES:
            answer = stub.ExplainRule(pb.ExplainRuleRequest(id=rule.id))
            assert (answer.game, answer.rule.id, answer.rule.text) == (game.facts.slug, rule.id, rule.text)
    code, details = failure(lambda: stub.ExplainRule(pb.ExplainRuleRequest(id="tiki.nothing\x00" * 100)))
    assert code is grpc.StatusCode.NOT_FOUND
    assert len(details["message"]) < 200


@pytest.mark.parametrize("method", ["greedy", "random"])
def test_simple_bots_answer_with_one_legal_line(stub: RulesServiceStub, opening: env.Position, method: str) -> None:
    reports = list(stub.AnalyzePosition(pb.AnalyzePositionRequest(position=opening, method=method, seed=4)))
    assert [r.final for r in reports] == [True]
    legal = stub.ListLegalMoves(pb.ListLegalMovesRequest(position=opening))
    assert reports[0].lines[0].move in legal.moves
    assert reports[0].lines[0].token in legal.tokens


@pytest.mark.parametrize("slug", registry.SLUGS)
def test_the_search_sees_what_the_seat_sees(stub: RulesServiceStub, slug: str) -> None:
    """Position and observation get the same lines: nothing hidden is used."""
    played = next(p for p in game_of(stub, slug, 5, 20) if p.actor.WhichOneof("actor") == "seat")
    seen = stub.ObservePosition(pb.ObservePositionRequest(position=played.position, viewer=played.actor.seat))
    ask = {"simulations": 200, "seed": 9, "lines": 3}
    by_position, by_view = (
        list(stub.AnalyzePosition(pb.AnalyzePositionRequest(**subject, **ask)))[-1]
        for subject in ({"position": played.position}, {"observation": seen.observation})
    )
    assert by_position.lines == by_view.lines
    assert by_position.final
    assert by_position.simulations == 200
    assert 0 < len(by_position.lines) <= 3
    assert by_position.lines[0].variation[0] == by_position.lines[0].token


def test_reports_come_while_the_search_goes_on(stub: RulesServiceStub, opening: env.Position) -> None:
    ask = pb.AnalyzePositionRequest(position=opening, milliseconds=1000, report_every=50, lines=1)
    reports = list(stub.AnalyzePosition(ask))
    assert len(reports) >= 2
    assert [r.final for r in reports] == [False] * (len(reports) - 1) + [True]
    assert [r.simulations for r in reports] == sorted(r.simulations for r in reports)


def test_a_cancelled_analysis_stops(running: Any, stub: RulesServiceStub, opening: env.Position) -> None:
    ask = pb.AnalyzePositionRequest(position=opening, milliseconds=60_000, report_every=50)
    stream = stub.AnalyzePosition(ask)
    next(stream)
    stream.cancel()
    assert running.server.wait_idle("stream", 5)


def test_analyses_leave_nothing_behind(running: Any, stub: RulesServiceStub, opening: env.Position) -> None:
    """However they end: by their budget, by the caller, by the caller's deadline, as refused."""
    endless = pb.AnalyzePositionRequest(position=opening, milliseconds=60_000, report_every=50)
    for _ in range(5):
        list(stub.AnalyzePosition(pb.AnalyzePositionRequest(position=opening, simulations=300)))
        cancelled = stub.AnalyzePosition(endless)
        next(cancelled)
        cancelled.cancel()
        late = stub.AnalyzePosition(endless, timeout=0.1)
        with pytest.raises(grpc.RpcError):
            list(late)
        with pytest.raises(grpc.RpcError):
            list(stub.AnalyzePosition(pb.AnalyzePositionRequest(position=opening, method="psychic")))
    assert running.server.wait_idle("stream", 5)
    gc.collect()
    assert [kept for kept in gc.get_objects() if isinstance(kept, (Search, Thinker))] == []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"method": "psychic"}, "method"),
        ({"simulations": 2_000_000}, "simulations"),
        ({"milliseconds": 60_001}, "milliseconds"),
        ({"report_every": 1}, "report_every"),
    ],
)
def test_an_analysis_has_bounds(
    stub: RulesServiceStub, opening: env.Position, failure: Failure, fields: dict[str, Any], expected: str
) -> None:
    code, details = failure(lambda: list(stub.AnalyzePosition(pb.AnalyzePositionRequest(position=opening, **fields))))
    assert (code, details["fields"]) == (grpc.StatusCode.INVALID_ARGUMENT, [expected])


def test_chance_is_nothing_to_think_about(stub: RulesServiceStub, failure: Failure) -> None:
    chance = stub.NewGame(pb.NewGameRequest(setup={"tiki": {}})).position
    code, details = failure(lambda: list(stub.AnalyzePosition(pb.AnalyzePositionRequest(position=chance))))
    assert (code, details["fields"]) == (grpc.StatusCode.INVALID_ARGUMENT, ["position"])


def test_a_record_proves_itself_in_each_form_until_it_is_changed(stub: RulesServiceStub) -> None:
    rules = envelope.read_rules(env.Setup(tiki={"turn_limit": 4}))
    state = registry.game("tiki").rules.start(rules)
    moves = []
    from engines.core.state import Moves

    legal = Moves()
    while True:
        state.legal(legal)
        if not len(legal):
            break
        moves.append((legal.to_list()[0], state.actor))
        state.play(moves[-1][0])
    players = [record.player("a", "random"), record.player("b", "random")]
    made = record.new_record("game-1", rules, players, moves, results.normal(state))
    for form, key in (("protobuf", "pb"), ("pgr", "pgr"), ("json", "json")):
        data: Any = FORMS[key].write(made)
        answer = stub.VerifyRecord(pb.VerifyRecordRequest(**{form: data if key == "pb" else data.decode()}))
        assert answer.valid, answer
        assert answer.plies == len(moves)
    made.result.scores[0] += 1
    answer = stub.VerifyRecord(pb.VerifyRecordRequest(protobuf=made.SerializeToString()))
    assert not answer.valid
    assert [f.field for f in answer.faults] == ["result.scores"]
    answer = stub.VerifyRecord(pb.VerifyRecordRequest(json="[" * 10_000))
    assert not answer.valid


def test_a_request_without_a_record(stub: RulesServiceStub, failure: Failure) -> None:
    code, details = failure(lambda: stub.VerifyRecord(pb.VerifyRecordRequest()))
    assert (code, details["fields"]) == (grpc.StatusCode.INVALID_ARGUMENT, ["form"])
