"""The client of the rules API."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import grpc
import grpc.aio
from google.protobuf.message import Message

from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.sdk import requests
from papamu.sdk.channel import authorization, connect
from papamu.sdk.errors import Closed, PapamuError, from_fault, from_rpc_error
from papamu.sdk.game import Game
from papamu.sdk.requests import Choice, Subject
from papamu.sdk.setups import setup

SERVICE = "/papamu.rules.v1.RulesService/"


class Calls:
    """What both clients know of their calls."""

    _closed = False

    @contextmanager
    def _typed_errors(self) -> Iterator[None]:
        """Failed calls inside raise PapamuError, whatever gRPC raises; those of a closed client raise Closed."""
        if self._closed:
            raise self._end()
        try:
            yield
        except grpc.RpcError as error:
            ended = self._closed and error.code() is grpc.StatusCode.CANCELLED
            raise self._end() if ended else from_rpc_error(error) from error
        except (ValueError, grpc.aio.UsageError) as error:  # closed since we looked
            if self._closed:
                raise self._end() from error
            raise
        except asyncio.CancelledError as error:  # the call's, or the task's: that is its owner's business
            task = asyncio.current_task()
            if self._closed and not (task and task.cancelling()):
                raise self._end() from error
            raise

    def _end(self) -> Closed:
        return Closed(grpc.StatusCode.CANCELLED, "the client is closed", "CLOSED")


class Client(Calls):
    """Calls RulesService. Threads may share one. Every method raises PapamuError when its call fails.

    `timeout` is the deadline of each call in seconds; streams have none unless they are told.
    """

    def __init__(
        self,
        address: str,
        *,
        token: str = "",
        root_certificates: bytes | None = None,
        timeout: float = 10.0,
    ) -> None:
        self._channel = connect(address, root_certificates)
        self._timeout = timeout
        self._metadata = authorization(token)
        self._calls: dict[str, Any] = {}
        for name, (_, response, streams) in requests.METHODS.items():
            make = self._channel.unary_stream if streams else self._channel.unary_unary
            self._calls[name] = make(SERVICE + name, requests.write, response.FromString)
        self._session: Any = self._channel.stream_stream(
            SERVICE + "Session", requests.write, pb.SessionResponse.FromString
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection and what is under way on it; calls raise Closed from now on."""
        self._closed = True
        self._channel.close()

    def call(self, request: Message) -> Any:
        """Any unary call of the contract: the method is that of the request's type."""
        name = requests.unary(request)
        with self._typed_errors():
            return self._calls[name](request, timeout=self._timeout, metadata=self._metadata)

    # -- games ----------------------------------------------------------------------------------------------------

    def games(self) -> Sequence[pb.GameSummary]:
        """The games that the server knows."""
        response: pb.ListGamesResponse = self.call(pb.ListGamesRequest())
        return response.games

    def game(self, slug: str) -> pb.GetGameResponse:
        """Seats, options, editions and rules of a game."""
        response: pb.GetGameResponse = self.call(pb.GetGameRequest(game=slug))
        return response

    def rule(self, rule_id: str) -> pb.ExplainRuleResponse:
        """What a rule id means."""
        response: pb.ExplainRuleResponse = self.call(pb.ExplainRuleRequest(id=rule_id))
        return response

    def new_game(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        *,
        edition: str = "",
        seats: int = 0,
        seed: int | None = None,
    ) -> pb.NewGameResponse:
        """The first position; with a seed, after its chance moves. Options are named as `game` tells them."""
        made = setup(game, options, edition, seats)
        response: pb.NewGameResponse = self.call(pb.NewGameRequest(setup=made, seed=seed))
        return response

    def play(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        *,
        edition: str = "",
        seats: int = 0,
        seed: int | None = None,
    ) -> Game:
        """A new game that keeps its own position; with a seed, chance moves are made by themselves."""
        return Game(self, self.new_game(game, options, edition=edition, seats=seats, seed=seed), seed)

    # -- positions ------------------------------------------------------------------------------------------------

    def legal_moves(self, of: Subject) -> pb.ListLegalMovesResponse:
        """The legal moves with their tokens."""
        response: pb.ListLegalMovesResponse = self.call(pb.ListLegalMovesRequest(**requests.subject(of)))
        return response

    def validate(self, of: Subject, choice: Choice, seat: int | None = None) -> pb.ValidateMoveResponse:
        """Whether a move is legal, or every reason why not. `seat` is its sender; None = whoever is to decide."""
        request = pb.ValidateMoveRequest(action=requests.action(choice, seat), **requests.subject(of))
        response: pb.ValidateMoveResponse = self.call(request)
        return response

    def validate_many(self, questions: Iterable[tuple[Subject, Choice]]) -> list[pb.ValidateMoveResponse | PapamuError]:
        """As `validate` for at most 256 moves; what is wrong with one question does not touch the others."""
        response: pb.BatchValidateResponse = self.call(requests.validate_many(questions))
        return requests.batch_answers(response)

    def apply(
        self, position: env.Position, choices: Iterable[Choice], *, seed: int | None = None, chance_index: int = 0
    ) -> pb.ApplyMovesResponse:
        """Plays moves, all or none. Raises MoveRefused with the reasons. With a seed, chance moves are drawn."""
        response: pb.ApplyMovesResponse = self.call(requests.apply_moves(position, choices, seed, chance_index))
        return response

    def score(self, of: Subject) -> pb.ScorePositionResponse:
        """Points, places and where the points come from. An observation must show all of them."""
        response: pb.ScorePositionResponse = self.call(pb.ScorePositionRequest(**requests.subject(of)))
        return response

    def validate_position(self, position: env.Position) -> pb.ValidatePositionResponse:
        """Whether a position is possible, or what is wrong with it."""
        response: pb.ValidatePositionResponse = self.call(pb.ValidatePositionRequest(position=position))
        return response

    def observe(self, position: env.Position, viewer: int) -> env.Observation:
        """What a seat sees."""
        response: pb.ObservePositionResponse = self.call(pb.ObservePositionRequest(position=position, viewer=viewer))
        return response.observation

    def verify_record(self, record: bytes | str) -> pb.VerifyRecordResponse:
        """Whether a record proves itself: bytes are protobuf; text is JSON when it begins with a brace, else .pgr."""
        response: pb.VerifyRecordResponse = self.call(requests.verify_record(record))
        return response

    # -- streams --------------------------------------------------------------------------------------------------

    def analyze(
        self, request: pb.AnalyzePositionRequest, timeout: float | None = None
    ) -> Iterator[pb.AnalyzePositionResponse]:
        """Reports of an analysis, the last one final. Leaving the loop ends the analysis."""
        with self._typed_errors():
            stream = self._calls["AnalyzePosition"](request, timeout=timeout, metadata=self._metadata)
            try:
                yield from stream
            finally:
                stream.cancel()

    def session(self, asked: Iterable[Message], timeout: float | None = None) -> Iterator[Message | PapamuError]:
        """Answers of many small requests on one stream, in their order; a failed one is a PapamuError, not raised.

        What `asked` raises ends the session and is raised here, after the answers to what was asked before.
        """
        questions = requests.Asked()
        with self._typed_errors():
            stream = self._session(questions.wrapped(asked), timeout=timeout, metadata=self._metadata)
            try:
                for response in stream:
                    answer = requests.session_answer(response)
                    yield from_fault(answer) if isinstance(answer, pb.Fault) else answer
            finally:
                stream.cancel()
        questions.check()
