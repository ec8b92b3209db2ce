"""A bot that is a gRPC service, `papamu.bot.v1.BotService`, at an address that the roster allows."""

from __future__ import annotations

from typing import Any

import grpc
from papamu.bot.v1 import bot_pb2_grpc

from engines.core.game import Observation
from engines.core.state import Moves
from engines.external.dialogue import Clock, Dialogue, read_answer
from engines.external.failures import crashed, too_late

MAX_ANSWER = 1 << 16
"""Longest answer that is read, in bytes."""


class ServiceBot:
    """Plays one seat of one game. The channel opens with the first decision: never before a fork."""

    def __init__(self, target: str, clock: Clock, *, tls: bool = False) -> None:
        self._target = target
        self._tls = tls
        self._dialogue = Dialogue(clock)
        self._channel: grpc.Channel | None = None

    def choose(self, observation: Observation[Any], moves: Moves, ply: int) -> int:
        """A code out of `moves`. Raises BotFailure."""
        if self._channel is None:
            self._channel = self._open()
        clock = self._dialogue.clock
        question = self._dialogue.question(observation, moves, ply)
        clock.start()
        try:
            answer = bot_pb2_grpc.BotServiceStub(self._channel).ChooseMove(question, timeout=clock.allowed)
        except grpc.RpcError as error:
            if error.code() == grpc.StatusCode.DEADLINE_EXCEEDED:
                raise too_late() from None
            raise crashed(error.code().name) from None
        clock.stop()
        return read_answer(observation.rules, moves, answer)

    def close(self) -> None:
        """Closes the channel."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    def _open(self) -> grpc.Channel:
        options = [("grpc.max_receive_message_length", MAX_ANSWER), ("grpc.enable_retries", 0)]
        if self._tls:
            return grpc.secure_channel(self._target, grpc.ssl_channel_credentials(), options)
        return grpc.insecure_channel(self._target, options)
