"""One ladder that tests disturb in many ways: in the end it must be as if nobody had."""

from __future__ import annotations

from collections.abc import Callable

from papamu.ladder.v1 import ladder_pb2 as pb

from tests.support.ladders import Ladders, check_books

BOTS = ["careless", "greedy", "random"]
BLOCKS = 12
GAMES = 3 * 2 * BLOCKS
Outcome = tuple[bytes, dict[str, bytes]]
"""Standings, and records by game."""
Expect = Callable[[pb.Ladder], None]
"""Waits for the end of a ladder and compares it with the undisturbed run."""


def create(client: Ladders) -> pb.Ladder:
    """Starts it."""
    client.name_bot("careless", "greedy", blunder_percent=25)
    return client.create(BOTS, BLOCKS)


def outcome(client: Ladders, ladder: pb.Ladder, records_address: str) -> Outcome:
    """What came out, once it has ended and its books are seen to be in order."""
    books = check_books(client, client.wait(ladder.id), records_address)
    return client.standings(ladder.id).SerializeToString(deterministic=True), books
