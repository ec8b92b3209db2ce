"""Payments in plain Python (README section 5.1): for checks of states from outside, away from the hot path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.hawaii.facts import EXCHANGE, FEET, FRUIT, SHELLS
from engines.hawaii.snapshot import Realm
from engines.hawaii.tables import HawaiiRules


def standing(rules: HawaiiRules, realm: Realm, effect: int) -> list[int]:
    """The values of one standing effect over all tiles of a realm that have it."""
    values = [rules.effects(kind, level)[effect] for village in realm.villages for kind, level in village]
    return [value for value in values if value > 0]


def left(rules: HawaiiRules, realm: Realm, used: int) -> int:
    """Exchange capacity after a payment of the same turn that exchanged `used` units, at most the whole capacity."""
    huts = standing(rules, realm, EXCHANGE)
    if rules.every_payment:
        return sum(huts)
    sums = {0}
    for capacity in huts:
        sums |= {capacity + other for other in sums}
    return sum(huts) - min(c for c in sums if c >= used)


def payments(n: int, natural: int, stock: Sequence[int], cap: int) -> Iterator[tuple[int, int, int]]:
    """All payments (shells, feet, fruit) of `n` units out of a stock; `natural` is what is asked for."""
    for shells in range(min(n, stock[SHELLS]) + 1):
        for feet in range(min(n - shells, stock[FEET]) + 1):
            paid = (shells, feet, n - shells - feet)
            if paid[FRUIT] <= stock[FRUIT] and exchanged(paid, natural) <= cap:
                yield paid


def exchanged(paid: Sequence[int], natural: int) -> int:
    """Units of a payment that exchange huts have replaced."""
    return sum(paid) - max(paid[natural], paid[FRUIT])
