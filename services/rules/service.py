"""RulesService: what `papamu.rules.v1` promises, on top of `engines.envelope`. Keeps nothing between calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from papamu.rules.v1 import envelope_pb2 as pb_envelope
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceServicer

from engines import envelope
from engines.chance import chance_key, draw_chance
from engines.core.constants import ABSENT, CHANCE
from engines.core.game import BadInput, Reason, Violation
from engines.core.patience import EVERY, polled
from engines.core.state import Moves, State
from engines.measure import timed
from engines.record.forms import FORMS
from engines.record.record import verify
from services.common.calls import Call
from services.common.errors import Refused, clip
from services.rules import catalogue, session
from services.rules.analysis import analyze
from services.rules.answers import legal_moves, write_actor
from services.rules.positions import below, read_position, write_position
from services.rules.subject import read_scored, read_subject

MAX_ACTIONS = 4096
"""Moves that one ApplyMoves call plays."""
LEGAL = pb.ValidateMoveResponse(legal=True).SerializeToString()
MAX_FAULTS = 100
"""Faults of a position or record that an answer lists."""


def judge(state: State, move: Any, sender: int) -> tuple[int, list[Reason]]:
    """The code of a legal move and no reasons, or -1 and why it is refused."""
    game = envelope.game_of(state.rules)
    code = game.moves.encode(state.rules, move)
    if code is not None and sender in (ABSENT, state.actor):
        moves = Moves()
        with timed(game.facts.slug, "legal"):
            state.legal(moves)
        if moves.has(code):
            return code, []
    with timed(game.facts.slug, "explain"):
        return -1, envelope.explain(state, move, sender)


class RulesService(RulesServiceServicer):
    """The handlers; `call` tells how much time is left. See services/common/errors.py for what they raise."""

    def ListGames(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:  # noqa: N802
        """The games of the registry."""
        return catalogue.list_games()

    def GetGame(self, request: pb.GetGameRequest, call: Call) -> pb.GetGameResponse:  # noqa: N802
        """Facts, options, editions and rule ids of one game."""
        return catalogue.get_game(request.game)

    def NewGame(self, request: pb.NewGameRequest, call: Call) -> pb.NewGameResponse:  # noqa: N802
        """The first position, its chance moves drawn when a seed is given."""
        rules = below("setup", envelope.read_rules, request.setup)
        state = envelope.game_of(rules).rules.start(rules)
        play = _Play(state, pb.ChanceSource(seed=request.seed) if request.HasField("seed") else None, call)
        play.draw()
        return pb.NewGameResponse(
            position=write_position(state),
            actor=write_actor(state),
            moves=[action.move for action in play.actions()],
        )

    def ListLegalMoves(self, request: pb.ListLegalMovesRequest, call: Call) -> bytes:  # noqa: N802
        """The legal moves, joined from prepared bytes."""
        return legal_moves(read_subject(request))

    def ValidateMove(self, request: pb.ValidateMoveRequest, call: Call) -> pb.ValidateMoveResponse | bytes:  # noqa: N802
        """Whether the move is legal, or why not."""
        state = read_subject(request)
        move, sender = below("action", envelope.read_action, state.rules, request.action)
        _, reasons = judge(state, move, sender)
        if not reasons:
            return LEGAL
        return pb.ValidateMoveResponse(reasons=envelope.write_reasons(reasons))

    def ApplyMoves(self, request: pb.ApplyMovesRequest, call: Call) -> pb.ApplyMovesResponse:  # noqa: N802
        """Plays all the moves or none. Raises Refused for the first one that is not legal."""
        if len(request.actions) > MAX_ACTIONS:
            raise BadInput([Violation("actions", f"has {len(request.actions)} entries; at most {MAX_ACTIONS}")])
        state = read_position(request.position).clone()
        rules = state.rules
        given = [
            below(f"actions[{i}]", envelope.read_action, rules, action)
            for i, action in enumerate(polled(request.actions, call.check))
        ]
        play = _Play(state, request.chance if request.HasField("chance") else None, call)
        for i, (move, sender) in enumerate(given):
            play.give(move, sender, i)
        play.draw()
        return pb.ApplyMovesResponse(
            position=write_position(state), actions=play.actions(), actor=write_actor(state), chance_index=play.index
        )

    def ScorePosition(self, request: pb.ScorePositionRequest, call: Call) -> pb.ScorePositionResponse:  # noqa: N802
        """Points, places and where the points come from."""
        state = read_scored(request)
        return pb.ScorePositionResponse(
            scores=state.scores(),
            placements=state.placements(),
            teams=state.teams(),
            breakdown=[pb.ScoreRow(seat=r.seat, source=r.source, points=r.points) for r in state.breakdown()],
            end_reason=state.end_reason(),
        )

    def BatchValidate(self, request: pb.BatchValidateRequest, call: Call) -> pb.BatchValidateResponse:  # noqa: N802
        """Many ValidateMove in one call."""
        return session.batch_validate(request, call, self.ValidateMove)

    def ValidatePosition(  # noqa: N802
        self, request: pb.ValidatePositionRequest, call: Call
    ) -> pb.ValidatePositionResponse:
        """Whether the position is possible, or what is wrong with it. Raises UnknownEdition."""
        try:
            state = read_position(request.position)
        except BadInput as error:
            return pb.ValidatePositionResponse(faults=_faults(error.violations))
        return pb.ValidatePositionResponse(valid=True, position=envelope.write_position(state))

    def ObservePosition(self, request: pb.ObservePositionRequest, call: Call) -> pb.ObservePositionResponse:  # noqa: N802
        """What a seat sees of the position."""
        state = read_position(request.position)
        if request.viewer >= state.rules.seats:
            raise BadInput([Violation("viewer", f"must be 0 to {state.rules.seats - 1}")])
        observation = envelope.write_observation(state.observe(request.viewer))
        return pb.ObservePositionResponse(observation=observation, actor=write_actor(state))

    def ExplainRule(self, request: pb.ExplainRuleRequest, call: Call) -> pb.ExplainRuleResponse:  # noqa: N802
        """The rule of an id. Raises NotFound."""
        return catalogue.explain_rule(request.id)

    def AnalyzePosition(  # noqa: N802
        self, request: pb.AnalyzePositionRequest, call: Call
    ) -> Iterator[pb.AnalyzePositionResponse]:
        """Reports of a bot's thinking."""
        return analyze(request, call)

    def VerifyRecord(self, request: pb.VerifyRecordRequest, call: Call) -> pb.VerifyRecordResponse:  # noqa: N802
        """Whether the record proves itself, or what is wrong with it. Raises UnknownEdition."""
        form = request.WhichOneof("form")
        if form is None:
            raise BadInput([Violation("form", "no record is set")])
        data = getattr(request, form)
        try:
            record = FORMS["pb" if form == "protobuf" else form].read(
                data if isinstance(data, bytes) else data.encode(), call.check
            )
        except BadInput as error:
            return pb.VerifyRecordResponse(faults=_faults(error.violations))
        violations = verify(record, call.check)
        return pb.VerifyRecordResponse(valid=not violations, faults=_faults(violations), plies=len(record.actions))

    def Session(  # noqa: N802
        self, requests: Iterator[pb.SessionRequest], call: Call
    ) -> Iterator[pb.SessionResponse]:
        """Many calls on one stream."""
        return session.serve_session(requests, call, self._session_calls)

    @cached_property
    def _session_calls(self) -> dict[str, session.Handler]:
        return {
            "new_game": self.NewGame,
            "list_legal_moves": self.ListLegalMoves,
            "validate_move": self.ValidateMove,
            "apply_moves": self.ApplyMoves,
            "score_position": self.ScorePosition,
            "validate_position": self.ValidatePosition,
            "observe_position": self.ObservePosition,
        }


def _faults(violations: Iterable[Violation]) -> list[pb.FieldFault]:
    """The first faults, their texts cut to what a person reads."""
    return [
        pb.FieldFault(field=clip(v.field), sentence=clip(v.sentence), id=v.id) for v in islice(violations, MAX_FAULTS)
    ]


class _Play:
    """Moves being made on a state: the given ones, and chance moves between them when there is a source for them."""

    def __init__(self, state: State, source: pb.ChanceSource | None, call: Call) -> None:
        self.index = source.index if source else 0
        self._state = state
        self._key = chance_key(source.seed) if source else None
        self._call = call
        self._made: list[tuple[int, int]] = []  # code and sender

    def give(self, move: Any, sender: int, place: int) -> None:
        """Makes a given move, the one at `place` of its call, after the chance moves that are due. Raises Refused."""
        self.draw()
        code, reasons = judge(self._state, move, sender)
        if reasons:
            raise Refused(reasons, place)
        self._make(code)

    def draw(self) -> None:
        """Makes the chance moves that are due, when there is a source."""
        while self._key is not None and self._state.actor == CHANCE:
            self._make(draw_chance(self._state, self._key, self.index))

    def actions(self) -> list[pb_envelope.Action]:
        """The moves made, with their senders."""
        rules = self._state.rules
        moves = envelope.lexicon(rules).moves
        return [envelope.write_action(rules, moves[code], sender) for code, sender in self._made]

    def _make(self, code: int) -> None:
        if len(self._made) % EVERY == 0:
            self._call.check()
        actor = self._state.actor
        self._state.play(code)
        self._made.append((code, actor))
        self.index = (self.index + (actor == CHANCE)) % 2**64
