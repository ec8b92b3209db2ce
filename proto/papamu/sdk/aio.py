"""The client of the rules API for asyncio: the same methods as `Client`, awaited."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from google.protobuf.message import Message

from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.sdk import requests
from papamu.sdk.channel import authorization, connect_async
from papamu.sdk.client import SERVICE, Calls
from papamu.sdk.errors import PapamuError, from_fault
from papamu.sdk.game import GameState
from papamu.sdk.requests import Choice, Subject
from papamu.sdk.setups import setup


class AsyncClient(Calls):
    """Calls RulesService from one event loop; make it inside the loop. See `Client` for what the methods do."""

    def __init__(
        self, address: str, *, token: str = "", root_certificates: bytes | None = None, timeout: float = 10.0
    ) -> None:
        self._channel = connect_async(address, root_certificates)
        self._timeout = timeout
        self._metadata = authorization(token)
        self._calls: dict[str, Any] = {}
        for name, (_, response, streams) in requests.METHODS.items():
            make = self._channel.unary_stream if streams else self._channel.unary_unary
            self._calls[name] = make(SERVICE + name, requests.write, response.FromString)
        self._session: Any = self._channel.stream_stream(
            SERVICE + "Session", requests.write, pb.SessionResponse.FromString
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection and what is under way on it; calls raise Closed from now on."""
        self._closed = True
        await self._channel.close()

    async def call(self, request: Message) -> Any:
        """Any unary call of the contract: the method is that of the request's type."""
        name = requests.unary(request)
        with self._typed_errors():
            return await self._calls[name](request, timeout=self._timeout, metadata=self._metadata)

    # -- games ----------------------------------------------------------------------------------------------------

    async def games(self) -> Sequence[pb.GameSummary]:
        """The games that the server knows."""
        response: pb.ListGamesResponse = await self.call(pb.ListGamesRequest())
        return response.games

    async def game(self, slug: str) -> pb.GetGameResponse:
        """Seats, options, editions and rules of a game."""
        response: pb.GetGameResponse = await self.call(pb.GetGameRequest(game=slug))
        return response

    async def rule(self, rule_id: str) -> pb.ExplainRuleResponse:
        """What a rule id means."""
        response: pb.ExplainRuleResponse = await self.call(pb.ExplainRuleRequest(id=rule_id))
        return response

    async def new_game(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        *,
        edition: str = "",
        seats: int = 0,
        seed: int | None = None,
    ) -> pb.NewGameResponse:
        """The first position; with a seed, after its chance moves."""
        made = setup(game, options, edition, seats)
        response: pb.NewGameResponse = await self.call(pb.NewGameRequest(setup=made, seed=seed))
        return response

    async def play(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        *,
        edition: str = "",
        seats: int = 0,
        seed: int | None = None,
    ) -> AsyncGame:
        """A new game that keeps its own position; with a seed, chance moves are made by themselves."""
        return AsyncGame(self, await self.new_game(game, options, edition=edition, seats=seats, seed=seed), seed)

    # -- positions ------------------------------------------------------------------------------------------------

    async def legal_moves(self, of: Subject) -> pb.ListLegalMovesResponse:
        """The legal moves with their tokens."""
        response: pb.ListLegalMovesResponse = await self.call(pb.ListLegalMovesRequest(**requests.subject(of)))
        return response

    async def validate(self, of: Subject, choice: Choice, seat: int | None = None) -> pb.ValidateMoveResponse:
        """Whether a move is legal, or every reason why not."""
        request = pb.ValidateMoveRequest(action=requests.action(choice, seat), **requests.subject(of))
        response: pb.ValidateMoveResponse = await self.call(request)
        return response

    async def validate_many(
        self, questions: Iterable[tuple[Subject, Choice]]
    ) -> list[pb.ValidateMoveResponse | PapamuError]:
        """As `validate` for at most 256 moves."""
        response: pb.BatchValidateResponse = await self.call(requests.validate_many(questions))
        return requests.batch_answers(response)

    async def apply(
        self, position: env.Position, choices: Iterable[Choice], *, seed: int | None = None, chance_index: int = 0
    ) -> pb.ApplyMovesResponse:
        """Plays moves, all or none. Raises MoveRefused with the reasons."""
        response: pb.ApplyMovesResponse = await self.call(requests.apply_moves(position, choices, seed, chance_index))
        return response

    async def score(self, of: Subject) -> pb.ScorePositionResponse:
        """Points, places and where the points come from."""
        response: pb.ScorePositionResponse = await self.call(pb.ScorePositionRequest(**requests.subject(of)))
        return response

    async def validate_position(self, position: env.Position) -> pb.ValidatePositionResponse:
        """Whether a position is possible, or what is wrong with it."""
        response: pb.ValidatePositionResponse = await self.call(pb.ValidatePositionRequest(position=position))
        return response

    async def observe(self, position: env.Position, viewer: int) -> env.Observation:
        """What a seat sees."""
        request = pb.ObservePositionRequest(position=position, viewer=viewer)
        response: pb.ObservePositionResponse = await self.call(request)
        return response.observation

    async def verify_record(self, record: bytes | str) -> pb.VerifyRecordResponse:
        """Whether a record proves itself."""
        response: pb.VerifyRecordResponse = await self.call(requests.verify_record(record))
        return response

    # -- streams --------------------------------------------------------------------------------------------------

    async def analyze(
        self, request: pb.AnalyzePositionRequest, timeout: float | None = None
    ) -> AsyncIterator[pb.AnalyzePositionResponse]:
        """Reports of an analysis, the last one final."""
        with self._typed_errors():
            stream = self._calls["AnalyzePosition"](request, timeout=timeout, metadata=self._metadata)
            try:
                async for report in stream:
                    yield report
            finally:
                stream.cancel()

    async def session(
        self, asked: Iterable[Message] | AsyncIterable[Message], timeout: float | None = None
    ) -> AsyncIterator[Message | PapamuError]:
        """Answers of many small requests on one stream, in their order; a failed one is a PapamuError, not raised.

        A question that waits for an earlier answer must come from an async iterator. What `asked` raises ends the
        session and is raised here, after the answers to what was asked before.
        """
        questions = requests.Asked()
        wrapped = questions.wrapped_async(asked) if isinstance(asked, AsyncIterable) else questions.wrapped(asked)
        with self._typed_errors():
            stream = self._session(wrapped, timeout=timeout, metadata=self._metadata)
            try:
                async for response in stream:
                    answer = requests.session_answer(response)
                    yield from_fault(answer) if isinstance(answer, pb.Fault) else answer
            finally:
                stream.cancel()
        questions.check()


class AsyncGame(GameState):
    """A game in play; see `Game`."""

    def __init__(self, client: AsyncClient, new: pb.NewGameResponse, seed: int | None) -> None:
        super().__init__(new, seed)
        self._client = client

    async def legal(self) -> pb.ListLegalMovesResponse:
        """The legal moves; asked for once per position."""
        if self._legal is None:
            self._legal = await self._client.legal_moves(self.position)
        return self._legal

    async def tokens(self) -> list[str]:
        """The texts of the legal moves."""
        return list((await self.legal()).tokens)

    async def move(self, choice: Choice | str) -> None:
        """Makes a move, by token or message. Raises MoveRefused, or ValueError for a token of no legal move."""
        chosen = self._chosen(choice, await self.legal() if isinstance(choice, str) else None)
        self._take(await self._client.call(self._request(chosen)))

    async def score(self) -> pb.ScorePositionResponse:
        """Points and places as they stand."""
        return await self._client.score(self.position)
