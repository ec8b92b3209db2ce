"""Answers that are asked for all the time, put together from prepared bytes."""

from __future__ import annotations

from functools import cache, lru_cache

from papamu.rules.v1 import rules_pb2 as pb

from engines import envelope, measure
from engines.core.constants import CHANCE, TERMINAL
from engines.core.latency import ENCODE, LEGAL, now_ns
from engines.core.state import Moves, Rules, State


def write_actor(state: State) -> pb.Actor:
    """Who moves next."""
    actor = state.actor
    if actor == TERMINAL:
        return pb.Actor(terminal=pb.Terminal(reason=state.end_reason()))
    return pb.Actor(chance={}) if actor == CHANCE else pb.Actor(seat=actor)


class Pieces(dict[int, tuple[bytes, bytes]]):
    """By move code: the bytes of its entries in `moves` and `tokens` of a ListLegalMovesResponse, made when needed."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._game = envelope.game_of(rules)
        self._moves = envelope.lexicon(rules).moves

    def __missing__(self, code: int) -> tuple[bytes, bytes]:
        move = self._moves[code]
        entry = pb.ListLegalMovesResponse(moves=[envelope.write_move(self._rules, move)])
        token = pb.ListLegalMovesResponse(tokens=[self._game.notation.token(self._rules, move)])
        self[code] = entry.SerializeToString(deterministic=True), token.SerializeToString()
        return self[code]


@lru_cache(maxsize=64)
def pieces(rules: Rules) -> Pieces:
    """The prepared pieces of a setup."""
    return Pieces(rules)


@cache
def _seat_tail(seat: int) -> bytes:
    return pb.ListLegalMovesResponse(actor=pb.Actor(seat=seat)).SerializeToString()


def _other_tail(state: State, moves: Moves) -> bytes:
    tail = pb.ListLegalMovesResponse(actor=write_actor(state))
    if state.actor == CHANCE:
        state.weights(moves)
        tail.weights.extend(moves.to_weights())
    return tail.SerializeToString()


def legal_moves(state: State) -> bytes:
    """The bytes of the ListLegalMovesResponse of a position.

    A message on the wire is its fields one after the other, so the answer is the prepared entries of the legal codes
    and the few bytes of actor and weights. Building the message from objects and serializing it takes ten times as
    long; a test holds both to the same bytes.
    """
    game = state.rules.setup.game
    totals = measure.totals()
    moves = Moves()
    start = now_ns()
    state.legal(moves)
    listed = now_ns()
    totals.time(game, LEGAL, listed - start)
    actor = state.actor
    tail = _seat_tail(actor) if actor >= 0 else _other_tail(state, moves)
    prepared = pieces(state.rules)
    entries = [prepared[code] for code in moves.to_list()]
    answer = b"".join([e[0] for e in entries] + [e[1] for e in entries]) + tail
    totals.time(game, ENCODE, now_ns() - listed)
    return answer
