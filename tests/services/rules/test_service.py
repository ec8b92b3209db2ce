"""RulesService over a real socket: every call, every reason of Tiki, and what is no input at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub

from engines import envelope, registry
from engines.measure import MODE

Failure = Callable[..., Any]


def create(village: int) -> dict[str, Any]:
    return {"move": {"tiki": {"create": {"village": village}}}}


def test_games_are_listed_in_the_order_of_the_envelope(stub: RulesServiceStub) -> None:
    games = stub.ListGames(pb.ListGamesRequest()).games
    assert [g.slug for g in games] == list(registry.SLUGS)


def test_a_game_tells_its_editions_options_and_rules(stub: RulesServiceStub) -> None:
    answer = stub.GetGame(pb.GetGameRequest(game="tiki"))
    game = registry.game("tiki")
    assert answer.editions[0].id == "tiki-base"
    assert answer.editions[0].defaults["shaman"] == "true"
    assert [o.name for o in answer.options] == [o.name for o in game.edition.OPTIONS]
    assert [r.id for r in answer.rules] == [r.id for r in game.explain.RULES]
    assert not answer.hidden_information


def test_an_unknown_game_is_named(stub: RulesServiceStub, failure: Failure) -> None:
    code, details = failure(lambda: stub.GetGame(pb.GetGameRequest(game="chess")))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert "chess" in details["message"]


def test_a_seed_draws_the_chance_moves_the_same_way_each_time(stub: RulesServiceStub) -> None:
    one, two, other = (stub.NewGame(pb.NewGameRequest(setup={"tiki": {}}, seed=seed)) for seed in (7, 7, 8))
    assert one == two != other
    assert len(one.moves) == 10
    assert one.actor.WhichOneof("actor") == "seat"
    bare = stub.NewGame(pb.NewGameRequest(setup={"tiki": {}}))
    assert bare.actor.WhichOneof("actor") == "chance"
    played = stub.ApplyMoves(pb.ApplyMovesRequest(position=bare.position, actions=[{"move": m} for m in one.moves]))
    assert played.position == one.position
    assert played.chance_index == 10


def test_an_edition_that_is_not_here_tells_which_are(stub: RulesServiceStub, failure: Failure) -> None:
    code, details = failure(
        lambda: stub.NewGame(pb.NewGameRequest(setup={"edition": "tiki-base", "edition_hash": "00", "tiki": {}}))
    )
    assert code is grpc.StatusCode.NOT_FOUND
    assert "tiki-base@" in details["ErrorInfo"].metadata["known"]


def test_legal_moves_have_tokens_and_chance_moves_weights(stub: RulesServiceStub, opening: env.Position) -> None:
    answer = stub.ListLegalMoves(pb.ListLegalMovesRequest(position=opening))
    assert answer.tokens[:2] == ["@a1", "@b1"]
    assert len(answer.moves) == len(answer.tokens) == 9
    assert not answer.weights
    assert answer.actor.seat == 0
    chance = stub.NewGame(pb.NewGameRequest(setup={"tiki": {}})).position
    answer = stub.ListLegalMoves(pb.ListLegalMovesRequest(position=chance))
    assert len(answer.weights) == len(answer.moves) > 1


def test_prepared_answers_are_what_protobuf_would_write(stub: RulesServiceStub, opening: env.Position) -> None:
    answer = stub.ListLegalMoves(pb.ListLegalMovesRequest(position=opening))
    state = envelope.read_position(opening)
    words = envelope.lexicon(state.rules)
    expected = pb.ListLegalMovesResponse(moves=words.messages[:9], tokens=words.tokens[:9], actor={"seat": 0})
    assert answer == expected


def test_a_legal_move_is_legal_for_its_actor_only(stub: RulesServiceStub, opening: env.Position) -> None:
    judge = lambda **sender: stub.ValidateMove(  # noqa: E731
        pb.ValidateMoveRequest(position=opening, action={**create(0), **sender})
    )
    assert judge().legal
    assert judge(seat=0).legal
    for sender in ({"seat": 1}, {"chance": {}}):
        answer = judge(**sender)
        assert not answer.legal
        assert [(r.id, r.kind, r.field) for r in answer.reasons] == [
            ("tiki.actor.wrong_seat", env.RULE_KIND_NOT_THE_ACTOR, "sender")
        ]


def test_the_first_refused_move_stops_them_all(stub: RulesServiceStub, opening: env.Position, failure: Failure) -> None:
    actions = [create(0), create(0)]
    code, details = failure(lambda: stub.ApplyMoves(pb.ApplyMovesRequest(position=opening, actions=actions)))
    assert code is grpc.StatusCode.FAILED_PRECONDITION
    assert details["ErrorInfo"].reason == "MOVE_REFUSED"
    assert details["ErrorInfo"].metadata["rules"] == "tiki.create.occupied"
    assert details["fields"] == ["actions[1].move.tiki.create.village"]
    after = stub.ApplyMoves(pb.ApplyMovesRequest(position=opening, actions=actions[:1])).position
    same = stub.ValidateMove(pb.ValidateMoveRequest(position=after, action=create(0)))
    assert list(details["Refusal"].reasons) == list(same.reasons)
    assert details["Refusal"].index == 1


def test_a_game_played_to_its_end_is_scored(stub: RulesServiceStub) -> None:
    game = stub.NewGame(pb.NewGameRequest(setup={"tiki": {"turn_limit": 6}}, seed=1))
    position, actor = game.position, game.actor
    while actor.WhichOneof("actor") != "terminal":
        moves = stub.ListLegalMoves(pb.ListLegalMovesRequest(position=position)).moves
        played = stub.ApplyMoves(pb.ApplyMovesRequest(position=position, actions=[{"move": moves[0]}]))
        position, actor = played.position, played.actor
    score = stub.ScorePosition(pb.ScorePositionRequest(position=position))
    assert score.end_reason == actor.terminal.reason == "TURN_LIMIT"
    assert len(score.scores) == len(score.placements) == 2
    for seat in (0, 1):
        assert sum(row.points for row in score.breakdown if row.seat == seat) == score.scores[seat]
    over = stub.ValidateMove(pb.ValidateMoveRequest(position=position, action=create(0)))
    assert [r.id for r in over.reasons] == ["tiki.game.over"]


BAD: list[tuple[str, Any, list[str]]] = [
    ("ListLegalMoves", pb.ListLegalMovesRequest(), ["position"]),
    ("ListLegalMoves", pb.ListLegalMovesRequest(position={"tiki": {}}), ["position.setup"]),
    ("NewGame", pb.NewGameRequest(), ["setup.options"]),
    ("NewGame", pb.NewGameRequest(setup={"tiki": {"starter": 99}}), ["setup.tiki.starter"]),
    ("NewGame", pb.NewGameRequest(setup={"seats": 5, "tiki": {}}), ["setup.seats"]),
    ("ValidateMove", {}, ["action.move"]),
    ("ValidateMove", {"move": {"tiki": {}}}, ["action.move.tiki"]),
    ("ValidateMove", {"seat": 7, **create(0)}, ["action.seat"]),
]


@pytest.mark.parametrize(("method", "request_", "expected"), BAD)
def test_what_is_no_input_names_its_fields(
    stub: RulesServiceStub, opening: env.Position, method: str, request_: Any, expected: list[str], failure: Failure
) -> None:
    if isinstance(request_, dict):
        request_ = pb.ValidateMoveRequest(position=opening, action=request_)
    code, details = failure(lambda: getattr(stub, method)(request_))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert details["fields"] == expected


def test_an_impossible_position_tells_what_is_broken(
    stub: RulesServiceStub, opening: env.Position, failure: Failure
) -> None:
    wrong = env.Position()
    wrong.CopyFrom(opening)
    wrong.tiki.phase = 99
    code, details = failure(lambda: stub.ListLegalMoves(pb.ListLegalMovesRequest(position=wrong)))
    assert (code, details["fields"]) == (grpc.StatusCode.INVALID_ARGUMENT, ["position.tiki.phase"])
    wrong.CopyFrom(opening)
    wrong.tiki.hands[0] -= 1
    wrong.tiki.reserve -= 1
    code, details = failure(lambda: stub.ScorePosition(pb.ScorePositionRequest(position=wrong)))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert details["fields"] == ["position.tiki.hands[0]", "position.tiki.reserve"]
    assert [v.reason for v in details["BadRequest"].field_violations] == ["tiki.state.tikis", "tiki.state.fruits"]


def test_more_moves_than_a_call_takes(stub: RulesServiceStub, opening: env.Position, failure: Failure) -> None:
    request = pb.ApplyMovesRequest(position=opening, actions=[env.Action()] * 4097)
    code, details = failure(lambda: stub.ApplyMoves(request))
    assert (code, details["fields"]) == (grpc.StatusCode.INVALID_ARGUMENT, ["actions"])


def test_engine_operations_are_counted(running: Any, stub: RulesServiceStub, opening: env.Position) -> None:
    brought = env.Position()
    brought.CopyFrom(opening)
    brought.setup.edition_hash = ""  # as no server writes it, so that this one has to decode it
    stub.ListLegalMoves(pb.ListLegalMovesRequest(position=brought))
    for op in ("decode", "legal", "encode"):
        assert running.value("papamu_engine_ops_total", game="tiki", op=op, mode=MODE) >= 1


def test_what_a_viewer_does_not_see_is_not_scored(stub: RulesServiceStub, failure: Failure) -> None:
    opening = stub.NewGame(pb.NewGameRequest(setup={"seats": 3, "hawaii": {}}, seed=5)).position
    seen = stub.ObservePosition(pb.ObservePositionRequest(position=opening, viewer=1)).observation
    code, details = failure(lambda: stub.ScorePosition(pb.ScorePositionRequest(observation=seen)))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert details["fields"] == ["observation"]
    opening.setup.hawaii.open_scores = opening.setup.hawaii.open_hands = True
    seen = stub.ObservePosition(pb.ObservePositionRequest(position=opening, viewer=1)).observation
    open_score = stub.ScorePosition(pb.ScorePositionRequest(observation=seen))
    assert open_score == stub.ScorePosition(pb.ScorePositionRequest(position=opening))
