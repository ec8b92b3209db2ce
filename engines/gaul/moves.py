"""The typed moves of Village of Gaul and their codes (README section 5)."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.state import Rules
from engines.gaul.board import GaulRules
from engines.gaul.facts import EXHAUSTED, Ref


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card from the hand."""

    kind: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Two played cards in front of different seats change places; None stands for an exhausted card."""

    seat_a: int
    a: Ref
    seat_b: int
    b: Ref


@dataclass(frozen=True, slots=True)
class Remove:
    """A menhir of a district goes back to the box for good."""

    district: int


@dataclass(frozen=True, slots=True)
class Step:
    """A menhir moves to an adjacent district."""

    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Split:
    """Two menhirs of one district move to two different others."""

    origin: int
    target_a: int
    target_b: int


@dataclass(frozen=True, slots=True)
class Cross:
    """A menhir moves from a first district to a second and one from a third to a fourth."""

    origin_a: int
    target_a: int
    origin_b: int
    target_b: int


@dataclass(frozen=True, slots=True)
class Aisling:
    """Aisling goes to a district."""

    district: int


@dataclass(frozen=True, slots=True)
class Decline:
    """Leave the action of the card undone."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: the next card dealt."""

    kind: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: the card drawn by the seat on turn."""

    kind: int


GaulMove = Play | Swap | Remove | Step | Split | Cross | Aisling | Decline | Deal | Draw


def vocabulary(rules: Rules) -> list[GaulMove]:
    """The move of each code: seat moves, then chance moves, parameters ascending, EXHAUSTED after every face."""
    assert isinstance(rules, GaulRules)
    refs: list[Ref] = [*rules.faces, EXHAUSTED]
    kinds, districts = range(rules.n_kinds), range(rules.n_districts)
    return [
        *(Play(kind) for kind in kinds),
        *(Swap(s, a, t, b) for s, t in rules.pairs for a in refs for b in refs),
        *(Remove(d) for d in districts),
        *(Step(*way) for way in rules.steps),
        *(Split(*way) for way in rules.splits),
        *(Cross(*way) for way in rules.crosses),
        *(Aisling(d) for d in districts),
        Decline(),
        *(Deal(kind) for kind in kinds),
        *(Draw(kind) for kind in kinds),
    ]


def encode(rules: Rules, move: GaulMove) -> int | None:
    """The code of a well-formed move; None when it names what does not exist or no board could allow."""
    assert isinstance(rules, GaulRules)
    match move:
        case Play(kind):
            return _at(0, kind, rules.n_kinds)
        case Deal(kind):
            return _at(rules.deal_code, kind, rules.n_kinds)
        case Draw(kind):
            return _at(rules.draw_code, kind, rules.n_kinds)
        case Remove(district):
            return _at(rules.remove_code, district, rules.n_districts)
        case Aisling(district):
            return _at(rules.aisling_code, district, rules.n_districts)
        case Decline():
            return rules.decline_code
        case Swap():
            return _swap_code(rules, move)
        case Step(origin, target):
            return _way(rules.step_code, rules.steps, (origin, target))
        case Split(origin, target_a, target_b):
            return _way(rules.split_code, rules.splits, (origin, target_a, target_b))
        case Cross(origin_a, target_a, origin_b, target_b):
            return _way(rules.cross_code, rules.crosses, (origin_a, target_a, origin_b, target_b))


def _at(base: int, i: int, n: int) -> int | None:
    return base + i if 0 <= i < n else None


def _way(base: int, ways: tuple[tuple[int, ...], ...], way: tuple[int, ...]) -> int | None:
    return base + ways.index(way) if way in ways else None


def _swap_code(rules: GaulRules, move: Swap) -> int | None:
    pair = (move.seat_a, move.seat_b)
    if pair not in rules.pairs:
        return None
    code = rules.pairs.index(pair)
    for ref in (move.a, move.b):
        place = rules.n_faces if ref is EXHAUSTED else rules.face_of.get(ref)
        if place is None:
            return None
        code = code * (rules.n_faces + 1) + place
    return rules.swap_code + code
