"""Papamu from Python: typed clients of the rules API, sync and async.

from papamu.sdk import Client

with Client("127.0.0.1:7451") as client:
    game = client.play("tiki", seed=7)
    print(game.tokens())
    game.move("@a1")
"""

from papamu.sdk.aio import AsyncClient, AsyncGame
from papamu.sdk.channel import connect, connect_async
from papamu.sdk.client import Client
from papamu.sdk.errors import (
    Busy,
    Closed,
    DeadlineExceeded,
    InvalidInput,
    MoveRefused,
    NotFound,
    PapamuError,
    Unauthenticated,
    Unavailable,
    UnknownEdition,
)
from papamu.sdk.game import Game

__all__ = [
    "AsyncClient",
    "AsyncGame",
    "Busy",
    "Client",
    "Closed",
    "DeadlineExceeded",
    "Game",
    "InvalidInput",
    "MoveRefused",
    "NotFound",
    "PapamuError",
    "Unauthenticated",
    "Unavailable",
    "UnknownEdition",
    "connect",
    "connect_async",
]
