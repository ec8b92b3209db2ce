"""A game that keeps its own position: the loop that every client writes, written once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.sdk import requests

if TYPE_CHECKING:
    from papamu.sdk.client import Client


class GameState:
    """What a game knows of itself between two calls."""

    def __init__(self, new: pb.NewGameResponse, seed: int | None) -> None:
        self.position: env.Position = new.position
        self.actor: pb.Actor = new.actor
        self.actions: list[env.Action] = [env.Action(move=move, chance=env.Chance()) for move in new.moves]
        """Every move made, with its sender."""
        self._seed = seed
        self._chance_index = len(new.moves)
        self._legal: pb.ListLegalMovesResponse | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.actor.WhichOneof("actor") == "terminal")

    @property
    def end_reason(self) -> str:
        """Why it ended; "" while it runs."""
        return self.actor.terminal.reason

    @property
    def seat(self) -> int | None:
        """The seat that is to decide; None for chance and after the end."""
        return self.actor.seat if self.actor.WhichOneof("actor") == "seat" else None

    def _chosen(self, choice: requests.Choice | str, legal: pb.ListLegalMovesResponse | None) -> requests.Choice:
        """The move of a token. Raises ValueError when no legal move has that token."""
        if not isinstance(choice, str):
            return choice
        assert legal is not None
        if choice not in legal.tokens:
            raise ValueError(f"{choice!r} is none of the legal moves {' '.join(legal.tokens)}")
        return legal.moves[list(legal.tokens).index(choice)]

    def _request(self, choice: requests.Choice) -> pb.ApplyMovesRequest:
        return requests.apply_moves(self.position, [choice], self._seed, self._chance_index)

    def _take(self, played: pb.ApplyMovesResponse) -> None:
        self.position, self.actor, self._chance_index = played.position, played.actor, played.chance_index
        self.actions.extend(played.actions)
        self._legal = None


class Game(GameState):
    """A game in play."""

    def __init__(self, client: Client, new: pb.NewGameResponse, seed: int | None) -> None:
        super().__init__(new, seed)
        self._client = client

    def legal(self) -> pb.ListLegalMovesResponse:
        """The legal moves; asked for once per position."""
        if self._legal is None:
            self._legal = self._client.legal_moves(self.position)
        return self._legal

    def tokens(self) -> list[str]:
        """The texts of the legal moves."""
        return list(self.legal().tokens)

    def move(self, choice: requests.Choice | str) -> None:
        """Makes a move, by token or message, and the chance moves that follow when the game has a seed.

        Raises MoveRefused with the reasons, or ValueError for a token of no legal move. The game is then unchanged.
        """
        chosen = self._chosen(choice, self.legal() if isinstance(choice, str) else None)
        self._take(self._client.call(self._request(chosen)))

    def score(self) -> pb.ScorePositionResponse:
        """Points and places as they stand."""
        return self._client.score(self.position)
