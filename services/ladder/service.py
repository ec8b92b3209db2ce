"""LadderService: what people and other services ask for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.ladder.v1 import ladder_pb2_grpc
from papamu.records.v1 import records_pb2
from sqlalchemy import Row

from engines.core.game import BadInput, Violation
from services.common.calls import Call
from services.common.database import MAX_ID
from services.ladder import check, rebuild
from services.ladder.dispatch import Dispatcher
from services.ladder.standings import history, standings
from services.ladder.store import BotSpec, Store


class LadderService(ladder_pb2_grpc.LadderServiceServicer):
    """The handlers. `dispatcher` is woken when there is something to hand out."""

    def __init__(self, store: Store, dispatcher: Dispatcher) -> None:
        self._store = store
        self._dispatcher = dispatcher

    def CreateBot(self, request: pb.CreateBotRequest, call: Call) -> pb.CreateBotResponse:  # noqa: N802
        """Names a bot."""
        spec = check.bot(request.bot)
        self._store.create_bot(spec)
        return pb.CreateBotResponse(bot=_bot(spec))

    def ListBots(self, request: pb.ListBotsRequest, call: Call) -> pb.ListBotsResponse:  # noqa: N802
        """The bots by name."""
        return pb.ListBotsResponse(bots=map(_bot, self._store.bots()))

    def CreateLadder(self, request: pb.CreateLadderRequest, call: Call) -> pb.CreateLadderResponse:  # noqa: N802
        """Schedules a ladder and starts it."""
        ladder_id = self._store.create_ladder(check.plan(request))
        self._dispatcher.wake()
        return pb.CreateLadderResponse(ladder=self._ladder(self._store.ladder(ladder_id)))

    def GetLadder(self, request: pb.GetLadderRequest, call: Call) -> pb.GetLadderResponse:  # noqa: N802
        """How far a ladder is."""
        return pb.GetLadderResponse(ladder=self._ladder(self._store.ladder(request.ladder_id)))

    def ListLadders(self, request: pb.ListLaddersRequest, call: Call) -> pb.ListLaddersResponse:  # noqa: N802
        """A page of ladders, newest first."""
        size = check.page_size(request.page_size)
        before = None
        if request.page_token:
            at, ladder_id = _read_token(request.page_token, float, str)
            before = (at, ladder_id)
        rows = self._store.ladders(size + 1, before)
        more = len(rows) > size
        last = json.dumps([rows[size - 1].created_at, rows[size - 1].id]) if more else ""
        return pb.ListLaddersResponse(ladders=map(self._ladder, rows[:size]), next_page_token=last)

    def PauseLadder(self, request: pb.PauseLadderRequest, call: Call) -> pb.PauseLadderResponse:  # noqa: N802
        """Stops handing out games."""
        return pb.PauseLadderResponse(ladder=self._set_state(request.ladder_id, pb.LADDER_STATE_PAUSED))

    def ResumeLadder(self, request: pb.ResumeLadderRequest, call: Call) -> pb.ResumeLadderResponse:  # noqa: N802
        """Hands out games again."""
        return pb.ResumeLadderResponse(ladder=self._set_state(request.ladder_id, pb.LADDER_STATE_RUNNING))

    def CancelLadder(self, request: pb.CancelLadderRequest, call: Call) -> pb.CancelLadderResponse:  # noqa: N802
        """Ends a ladder for good."""
        return pb.CancelLadderResponse(ladder=self._set_state(request.ladder_id, pb.LADDER_STATE_CANCELLED))

    def GetStandings(self, request: pb.GetStandingsRequest, call: Call) -> pb.GetStandingsResponse:  # noqa: N802
        """The ratings from whole seat blocks."""
        ladder = self._store.ladder(request.ladder_id)
        return standings(_names(ladder), ladder.seats, self._results(ladder))

    def GetRatingHistory(self, request: pb.GetRatingHistoryRequest, call: Call) -> pb.GetRatingHistoryResponse:  # noqa: N802
        """The ratings after ever more seat blocks."""
        points = check.points(request.points)
        ladder = self._store.ladder(request.ladder_id)
        return history(_names(ladder), ladder.seats, self._results(ladder), points, call.check)

    def RebuildStandings(self, request: pb.RebuildStandingsRequest, call: Call) -> pb.RebuildStandingsResponse:  # noqa: N802
        """The ratings from the records alone, and what does not agree with them."""
        ladder = self._store.ladder(request.ladder_id)
        books = rebuild.rebuild(self._store.books(ladder.id), _names(ladder), call.check)
        made = standings(_names(ladder), ladder.seats, books.rows)
        return pb.RebuildStandingsResponse(
            standings=made.standings,
            games_counted=made.games_counted,
            connected=made.connected,
            records=books.replayed,
            discrepancies=books.discrepancies,
        )

    def ListGames(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:  # noqa: N802
        """A page of the schedule."""
        size = check.page_size(request.page_size)
        if request.state not in pb.GameState.values():
            raise BadInput([Violation("state", "unknown state")])
        start = _read_token(request.page_token, int)[0] if request.page_token else 0
        rows = self._store.games(request.ladder_id, size + 1, start, request.state)
        following = json.dumps([rows[size].number]) if len(rows) > size else ""
        return pb.ListGamesResponse(games=self._games(request.ladder_id, rows[:size]), next_page_token=following)

    def GetGame(self, request: pb.GetGameRequest, call: Call) -> pb.GetGameResponse:  # noqa: N802
        """One game."""
        row = self._store.game(request.game_id)
        return pb.GetGameResponse(game=self._games(row.ladder_id, [row])[0])

    def GetGameRecord(self, request: pb.GetGameRecordRequest, call: Call) -> pb.GetGameRecordResponse:  # noqa: N802
        """The record of a game whose block has ended."""
        data = self._store.record(request.game_id)
        return pb.GetGameRecordResponse(record=records_pb2.Record.FromString(data))

    def GetStatus(self, request: pb.GetStatusRequest, call: Call) -> pb.GetStatusResponse:  # noqa: N802
        """What waits inside."""
        return self._store.status()

    def _results(self, ladder: Row[Any]) -> list[tuple[int, Sequence[int], records_pb2.Result]]:
        rows = self._store.results(ladder.id)
        return [(block, players, records_pb2.Result.FromString(result)) for block, players, result in rows]

    def _set_state(self, ladder_id: str, state: pb.LadderState) -> pb.Ladder:
        self._store.set_state(ladder_id, state)
        self._dispatcher.wake()
        return self._ladder(self._store.ladder(ladder_id))

    def _ladder(self, row: Row[Any]) -> pb.Ladder:
        counts = self._store.progress(row.id)
        message = pb.Ladder(
            id=row.id,
            name=row.name,
            bots=[_bot(BotSpec(**bot)) for bot in json.loads(row.bots)],
            blocks=row.blocks,
            priority=row.priority,
            state=row.state,
            games_total=row.games,
            games_done=counts.get(pb.GAME_STATE_DONE, 0),
            games_void=counts[-1],
            games_leased=counts.get(pb.GAME_STATE_LEASED, 0),
            create_time=_timestamp(row.created_at),
            end_time=_timestamp(row.ended_at),
        )
        message.setup.ParseFromString(row.setup)
        return message

    def _games(self, ladder_id: str, rows: Sequence[Row[Any]]) -> list[pb.Game]:
        names = _names(self._store.ladder(ladder_id))
        ended = self._store.ended_blocks(ladder_id, {row.block for row in rows})
        return [_game(row, names, row.block in ended) for row in rows]


def _names(ladder: Row[Any]) -> list[str]:
    return [bot["name"] for bot in json.loads(ladder.bots)]


def _game(row: Row[Any], names: Sequence[str], block_ended: bool) -> pb.Game:
    return pb.Game(
        id=row.id,
        ladder_id=row.ladder_id,
        number=row.number,
        seats=[names[i] for i in json.loads(row.players)],
        state=row.state,
        attempts=row.attempts,
        plies=row.plies,
        result=None if row.result is None else records_pb2.Result.FromString(row.result),
        end_time=_timestamp(row.ended_at),
        block=row.block if block_ended else None,
    )


def _bot(spec: BotSpec) -> pb.Bot:
    options: Iterable[tuple[str, int]] = sorted(spec.options.items())
    return pb.Bot(name=spec.name, kind=spec.kind, options=[records_pb2.BotOption(name=n, value=v) for n, v in options])


def _timestamp(seconds: float | None) -> Timestamp | None:
    if seconds is None:
        return None
    stamp = Timestamp()
    stamp.FromMicroseconds(int(seconds * 1e6))
    return stamp


def _read_token(token: str, *shape: type) -> list[Any]:
    """The values in a page token. Raises BadInput when it is none of ours."""
    try:
        values = json.loads(token)
    except (ValueError, RecursionError):
        values = None
    ours = isinstance(values, list) and [type(value) for value in values] == list(shape)
    if not ours or not all(value.isprintable() if type(value) is str else 0 <= value <= MAX_ID for value in values):
        raise BadInput([Violation("page_token", "is none that this service gave")])
    return list(values)
