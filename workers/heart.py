"""The signs of life of one batch: a thread that sends the moves made since and learns whether to go on."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

import grpc
from papamu.ladder.v1 import ladder_pb2 as pb

from engines.core.state import Rules
from engines.record.record import lexis
from engines.referee import Referee
from services.common import logs
from workers.ladder_client import LadderClient

BEATS = 4
"""Signs of life per lease time: a few may get lost."""

log = logs.logger(__name__)


class Heart:
    """Beats from `with` to its end. `command` is the service's last word."""

    def __init__(self, client: LadderClient, batch_id: str, token: str, lease_seconds: float) -> None:
        self.command: pb.Command = pb.COMMAND_CONTINUE
        self._client = client
        self._batch_id = batch_id
        self._token = token
        self._interval = lease_seconds / BEATS
        self._game: tuple[str, Rules, Referee] | None = None
        self._stored = 0
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: tuple[type[BaseException], BaseException, TracebackType]) -> None:
        self._done.set()
        self._thread.join()

    def watch(self, game_id: str, rules: Rules, referee: Referee) -> None:
        """The game that is played from now on; the moves it has now are stored already."""
        with self._lock:
            self._game = game_id, rules, referee
            self._stored = len(referee.moves)

    def progress(self) -> pb.Progress | None:
        """The moves of the game that were not stored yet."""
        with self._lock:
            if self._game is None:
                return None
            game_id, rules, referee = self._game
            action = lexis(rules).action
            made = referee.moves[self._stored :]
            return pb.Progress(
                game_id=game_id, from_ply=self._stored, actions=[action(code, sender) for code, sender in made]
            )

    def _run(self) -> None:
        while not self._done.wait(self._interval):
            self._beat()

    def _beat(self) -> None:
        progress = self.progress()
        request = pb.HeartbeatRequest(batch_id=self._batch_id, token=self._token, progress=progress)
        try:
            # One try: the next beat is the next try, and the lease outlasts several.
            answer = self._client.call(self._client.stub.Heartbeat, request, give_up=lambda _: True)
        except grpc.RpcError as error:
            log.warning("a heartbeat failed", code=error.code().name)
            return
        self.command = answer.command
        with self._lock:
            if progress is not None and self._game is not None and self._game[0] == progress.game_id:
                self._stored = answer.stored_plies
