"""The schedule of a ladder and its seeds: pure functions of bots, seats, blocks and the ladder's secret.

Every combination of bots that fills the seats meets in `blocks` seat blocks: one chance seed, played once per rotation
of the seats. Rotations of a block are spread over a window of the schedule, in an order that only the secret tells, so
that nobody sees which games share a seed; windows follow each other, so that blocks become whole while the ladder runs.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

WINDOW = 64
"""Blocks whose games are mixed with each other."""


class Scheduled(NamedTuple):
    """A game before it is played."""

    number: int
    block: int
    rotation: int
    players: tuple[int, ...]
    """Position among the ladder's bots, by seat."""


def games(bots: int, seats: int, blocks: int) -> int:
    """Number of games of a schedule."""
    return comb(bots, seats) * blocks * seats


def schedule(bots: int, seats: int, blocks: int, secret: bytes) -> Iterator[Scheduled]:
    """All games in the order of play."""
    meetings = list(combinations(range(bots), seats))
    whole = len(meetings) * blocks
    number = 0
    for first in range(0, whole, WINDOW):
        window = [(block, rotation) for block in range(first, min(first + WINDOW, whole)) for rotation in range(seats)]
        window.sort(key=lambda game: _digest(secret, "order", *game))
        for block, rotation in window:
            # Meetings take turns, so that all bots have about as many games at any time.
            meeting = meetings[block % len(meetings)]
            yield Scheduled(number, block, rotation, meeting[rotation:] + meeting[:rotation])
            number += 1


def chance_seed(secret: bytes, block: int) -> int:
    """Seed of the chance moves of a block, 64 bits: the same for all its rotations."""
    return int.from_bytes(_digest(secret, "chance", block)[:8])


def bot_seed(secret: bytes, block: int, rotation: int) -> int:
    """Seed of the bots' own draws in a game, 64 bits; tells nothing about the chance seed."""
    return int.from_bytes(_digest(secret, "bots", block, rotation)[:8])


def _digest(secret: bytes, *words: str | int) -> bytes:
    return hmac.digest(secret, "/".join(map(str, words)).encode(), hashlib.sha256)
