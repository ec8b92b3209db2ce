"""What every game extends: `Rules` (one game's setup), `State` (one position) and the `Moves` buffer between them."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import cython

from engines.core.constants import ABSENT, CHANCE, MOVES_CAPACITY, TERMINAL
from engines.core.rng import draw

if TYPE_CHECKING:
    from engines.core.game import BreakdownRow, Observation, Setup, Snapshot

if not cython.compiled:
    from engines.core.layout import array


class IllegalMove(ValueError):
    """A move code that is not legal here, or not the sender's to make. The game's `explain` says why."""


class Moves:
    """A list of move codes (and, for chance, their weights) that is filled again and again; it never grows."""

    def __init__(self) -> None:
        self.n = 0
        if not cython.compiled:
            self.code = array("int32_t", MOVES_CAPACITY)
            self.weight = array("int32_t", MOVES_CAPACITY)

    def __len__(self) -> int:
        return self.n

    def to_list(self) -> list[int]:
        """The codes, ascending."""
        return [self.code[i] for i in range(self.n)]

    def to_weights(self) -> list[int]:
        """The weight of each code; meaningful after `State.weights`."""
        return [self.weight[i] for i in range(self.n)]

    def has(self, code: int) -> bool:
        """Whether `code` is in the list (binary search: the list ascends)."""
        lo = 0
        hi = self.n
        while lo < hi:
            mid = (lo + hi) // 2
            if self.code[mid] < code:
                lo = mid + 1
            else:
                hi = mid
        return lo < self.n and self.code[lo] == code

    def c_uniform(self, key: int, index: int) -> int:
        return self.code[draw(key, index, self.n)]

    def c_weighted(self, key: int, index: int) -> int:
        total = 0
        for i in range(self.n):
            total += self.weight[i]
        left = cython.cast(cython.int, draw(key, index, total))
        for i in range(self.n):
            left -= self.weight[i]
            if left < 0:
                return self.code[i]
        return self.code[self.n - 1]


class Rules:
    """One game's setup, immutable; all states of the game point to it. A game adds its tables as C arrays."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.seats = setup.seats


class State:
    """One position of one game.

    A game overrides `blank`, the `c_` methods (no Python object, no exception, no GIL: everything is checked at the
    door) and the methods marked *game* below; it keeps its setup in an attribute `rules`.
    """

    def __init__(self, rules: Any) -> None:
        if not cython.compiled:
            self.rules = rules

    def c_actor(self) -> int:
        return TERMINAL

    def c_legal(self, out: Moves) -> None:
        out.n = 0

    def c_weights(self, out: Moves) -> None:
        for i in range(out.n):
            out.weight[i] = 1

    def c_apply(self, code: int) -> None:
        pass

    def c_copy_from(self, other: State) -> None:  # same class, same rules: callers see to it
        pass

    def c_seats(self) -> int:
        return 0

    def c_score(self, seat: int) -> int:
        return 0

    def c_place(self, seat: int) -> int:
        return 1

    def c_team(self, seat: int) -> int:
        return seat

    def blank(self) -> State:
        """A state of the same rules whose content does not matter yet. *game*"""
        raise NotImplementedError

    @property
    def actor(self) -> int:
        """Who moves next: a seat, CHANCE or TERMINAL."""
        return self.c_actor()

    def legal(self, moves: Moves) -> None:
        """Fills `moves` with the legal codes, ascending; empty when the game is over."""
        if moves is None:
            raise TypeError("moves is None")
        self.c_legal(moves)

    def weights(self, moves: Moves) -> None:
        """Fills `moves` with the chance outcomes and their positive integer weights.

        Raises ValueError when the actor is not CHANCE.
        """
        if moves is None:
            raise TypeError("moves is None")
        if self.c_actor() != CHANCE:
            raise ValueError("only chance moves have weights")
        self.c_legal(moves)
        self.c_weights(moves)

    def play(self, code: int, sender: int = ABSENT) -> None:
        """Makes a move: the only door for Python callers.

        Raises IllegalMove when `code` is not legal here or `sender` (a seat or CHANCE; absent = the actor) is not the
        actor. The state is then unchanged.
        """
        moves = Moves()
        if sender != ABSENT and sender != self.c_actor():
            raise IllegalMove(f"sender {sender} is not the actor {self.c_actor()}")
        self.c_legal(moves)
        if not moves.has(code):
            raise IllegalMove(f"code {code} is not legal here")
        self.c_apply(code)

    def clone(self) -> State:
        """An independent copy."""
        other = self.blank()
        other.c_copy_from(self)
        return other

    def copy_from(self, other: State) -> None:
        """Becomes a copy of `other`. Raises TypeError unless both are states of the same `Rules` object."""
        if type(other) is not type(self) or other.rules is not self.rules:
            raise TypeError("not a state of the same game")
        self.c_copy_from(other)

    def scores(self) -> list[int]:
        """Points by seat, as they stand; for people (in some games lower is better)."""
        return [self.c_score(s) for s in range(self.c_seats())]

    def placements(self) -> list[int]:
        """Place by seat, as things stand: 1 is best, equal places share. What players strive for."""
        return [self.c_place(s) for s in range(self.c_seats())]

    def teams(self) -> list[int]:
        """Team by seat; every seat its own where there are no teams."""
        return [self.c_team(s) for s in range(self.c_seats())]

    def end_reason(self) -> str:
        """Why the game ended (one of `Facts.end_reasons`), or "" while it runs. *game*"""
        raise NotImplementedError

    def breakdown(self) -> list[BreakdownRow]:
        """Where the points come from: rows (seat, source, points) that add up to `scores()`. *game*"""
        raise NotImplementedError

    def snapshot(self) -> Snapshot:
        """Every field of the state as plain, frozen data. *game*"""
        raise NotImplementedError

    def observe(self, seat: int) -> Observation[Any]:
        """What `seat` sees. *game*"""
        raise NotImplementedError

    def key(self) -> bytes:
        """16 bytes that name the whole state, its setup included."""
        return _digest(self.rules.setup.key, self.snapshot())

    def position_key(self) -> bytes:
        """16 bytes that name the position: without turn and ply counters and history."""
        return _digest(self.rules.setup.key, self.snapshot().timeless())


def _digest(setup_key: str, content: object) -> bytes:
    return blake2b(f"{setup_key}\n{content!r}".encode(), digest_size=16).digest()
