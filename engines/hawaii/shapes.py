"""Shapes and ranges of a Hawaii state: the C struct could not even hold what breaks these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.hawaii.facts import (
    DOCKS,
    NO_TRIP,
    NONE,
    OTHER,
    PASSED,
    PHASES,
    POSITIONS,
    SAILING,
    SOURCES,
    TILES,
)
from engines.hawaii.snapshot import Pending, Purse, Realm, Table
from engines.hawaii.tables import HawaiiRules

MOST_GOODS = 9999
"""Most of one resource, or points from one source, that a state from outside may hold."""

Fault = tuple[str, str, str]
"""Name of the invariant, field path, sentence."""


def _each(name: str, field: str, values: Sequence[int], low: int, high: int, length: int) -> Iterator[Fault]:
    if len(values) != length:
        yield name, field, f"must have {length} entries"
    if values and not low <= min(values) <= max(values) <= high:
        for i, value in enumerate(values[:length]):
            if not low <= value <= high:
                yield name, f"{field}[{i}]", f"must be {low} to {high}"


def table_shapes(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    """Lengths and ranges of what all see."""
    seats, types, kinds = r.seats, r.n_types, r.n_kinds
    for name, field, value, low, high in (
        ("phase", "phase", t.phase, 0, len(PHASES) - 1),
        ("phase", "actor", t.actor, NONE, seats - 1),
        ("phase", "round", t.round, 1, r.n_rounds),
        ("phase", "cursor", t.cursor, 0, 30),
    ):
        if not low <= value <= high:
            yield name, field, f"must be {low} to {high}"
    yield from _each("board", "board", t.board, NONE, POSITIONS - 1, POSITIONS)
    yield from _each("tokens", "bag", t.bag, 0, 99, types)
    yield from _each("tokens", "bay", t.bay, 0, 99, types)
    if len(t.area_tokens) != POSITIONS:
        yield "tokens", "area_tokens", f"must have {POSITIONS} entries"
    for p, tokens in enumerate(t.area_tokens):
        yield from _types(r, f"area_tokens[{p}]", tokens, 4)
    yield from _types(r, "order_draw", t.order_draw, seats)
    yield from _each("tokens", "spot_tokens", t.spot_tokens, NONE, types - 1, seats)
    yield from _each("order", "spot_seats", t.spot_seats, NONE, seats - 1, seats)
    yield from _each("islands", "docks", t.docks, NONE, r.n_islands - 1, DOCKS)
    gone = t.islands_gone
    if list(gone) != sorted(set(gone)) or any(not 0 <= island < r.n_islands for island in gone):
        yield "islands", "islands_gone", "must be islands of the edition, ascending"
    yield from _each("stock", "stock", t.stock, 0, 99, kinds)
    yield from _each("stock", "lost", t.lost, 0, 99, kinds)
    yield from _each("order", "order", t.order, 0, seats - 1, seats)
    yield from _each("phase", "collect_queue", t.collect_queue, 0, seats - 1, min(len(t.collect_queue), seats))
    yield from _pending_shape(r, t.pending)
    if len(t.realms) != seats:
        yield "villages", "realms", f"must have {seats} entries"
    for seat, realm in enumerate(t.realms):
        yield from _realm_shape(r, f"realms[{seat}]", realm)


def _types(r: HawaiiRules, field: str, tokens: Sequence[int], most: int) -> Iterator[Fault]:
    if len(tokens) > most or (tokens and not 0 <= min(tokens) <= max(tokens) < r.n_types):
        yield "tokens", field, f"must be at most {most} token types of the edition"
    elif list(tokens) != sorted(tokens):
        yield "tokens", field, "must ascend"


def _pending_shape(r: HawaiiRules, p: Pending) -> Iterator[Fault]:
    for field, value, low, high in (
        ("amount", p.amount, 0, r.most_paid),
        ("walk_sub", p.walk_sub, 0, r.most_paid),
        ("kind", p.kind, NONE, r.n_kinds - 1),
        ("level", p.level, 0, 2),
        ("trip", p.trip, NO_TRIP, SAILING),
        ("take", p.take, 0, POSITIONS),
        ("dock", p.dock, NONE, DOCKS),
        ("island", p.island, NONE, r.n_islands - 1),
    ):
        if not low <= value <= high or (field == "dock" and value == 0):
            yield "pending", f"pending.{field}", f"must be {low} to {high}"


def _realm_shape(r: HawaiiRules, path: str, realm: Realm) -> Iterator[Fault]:
    if len(realm.villages) != r.n_villages:
        yield "villages", f"{path}.villages", f"must have {r.n_villages} entries"
    for v, village in enumerate(realm.villages):
        if len(village) > TILES:
            yield "villages", f"{path}.villages[{v}]", f"has more than {TILES} tiles"
        for i, (kind, level) in enumerate(village):
            class_, _, _, levels = r.kind(kind) if 0 <= kind <= r.n_kinds else (OTHER, 0, 0, 0)
            if class_ > OTHER or not 1 <= level <= levels:
                yield "villages", f"{path}.villages[{v}].tiles[{i}]", "is no tile of a village"
    if not 0 <= realm.kahunas <= r.n_villages:
        yield "villages", f"{path}.kahunas", f"must be 0 to {r.n_villages}"
    if not 0 <= realm.tikis <= r.n_tikis:
        yield "villages", f"{path}.tikis", f"must be 0 to {r.n_tikis}"
    yield from _each("boats", f"{path}.boats", realm.boats, 0, r.kind(r.boat_kind)[1], 2)
    yield from _each("boats", f"{path}.used", realm.used, 0, r.kind(r.boat_kind)[1], 3)
    if not 0 <= realm.at <= PASSED:
        yield "order", f"{path}.at", "is no place of a piece"
    yield from _each("tokens", f"{path}.tokens", realm.tokens, 0, 99, r.n_types)
    yield from _each("tokens", f"{path}.fish", realm.fish, 0, 99, r.n_types)


def purse_shapes(r: HawaiiRules, purses: Sequence[Purse]) -> Iterator[Fault]:
    """Lengths and ranges of the purses."""
    if len(purses) != r.seats:
        yield "goods", "purses", f"must have {r.seats} entries"
    for seat, purse in enumerate(purses):
        yield from _each("goods", f"purses[{seat}].points", purse.points, 0, MOST_GOODS, len(SOURCES))
        for field, value in (("shells", purse.shells), ("feet", purse.feet), ("fruit", purse.fruit)):
            if not 0 <= value <= MOST_GOODS:
                yield "goods", f"purses[{seat}].{field}", f"must be 0 to {MOST_GOODS}"
