"""What everybody sees of a Hawaii game, on the wire: the message Table and the small ones it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from papamu.hawaii.v1 import hawaii_pb2 as pb

from engines.core.game import BadInput, Violation
from engines.hawaii.facts import BEACH, NONE, PASSED, PHASES, SAILING
from engines.hawaii.snapshot import NOTHING, Pending, Realm, Table
from engines.hawaii.tables import HawaiiRules

MOST = 40
"""Most entries of any repeated field that is read; one more is enough to be refused."""

UNKNOWN = -2
"""No number of anything, nor NONE."""


def bad(field: str, sentence: str, rule_id: str = "") -> BadInput:
    """The refusal of one field."""
    return BadInput([Violation(field, sentence, rule_id)])


def write_token(rules: HawaiiRules, token: int) -> pb.Token:
    """The face of a token type."""
    value, spear = rules.tokens[token]
    return pb.Token(value=value, spear=spear)


def write_fleet(fleet: Sequence[int]) -> pb.Fleet:
    """A set of boats: start boat, level I, level II."""
    return pb.Fleet(start=fleet[0], level_1=fleet[1], level_2=fleet[2])


def within(value: int, low: int, high: int, field: str) -> int:
    """The value, if it is in its range. Raises BadInput."""
    if not low <= value <= high:
        raise bad(field, f"must be {low} to {high}")
    return value


def index_of(names: Sequence[str], name: str, field: str) -> int:
    """The place of a name in the edition. Raises BadInput."""
    if name not in names:
        raise bad(field, f"the edition has no {name[:40]!r}")
    return names.index(name)


def read_token(rules: HawaiiRules, message: pb.Token, field: str) -> int:
    """The token type of a face. Raises BadInput."""
    face = (message.value, message.spear)
    if face not in rules.tokens:
        raise bad(field, "the edition has no such price token")
    return rules.tokens.index(face)


def _present(value: int) -> int | None:
    return None if value == NONE else value


def _name(names: Sequence[str], index: int) -> str:
    return "" if index == NONE else names[index]


def _token_counts(rules: HawaiiRules, counts: Sequence[int]) -> list[pb.TokenCount]:
    return [pb.TokenCount(token=write_token(rules, t), count=n) for t, n in enumerate(counts) if n]


def _kind_counts(rules: HawaiiRules, counts: Sequence[int]) -> list[pb.KindCount]:
    return [pb.KindCount(kind=rules.kinds[k], count=n) for k, n in enumerate(counts) if n]


def write_table(rules: HawaiiRules, t: Table) -> pb.Table:
    """The message of a table."""
    return pb.Table(
        phase=pb.Phase.Name(t.phase + 1),
        actor=_present(t.actor),
        round=t.round,
        places=[
            pb.Place(area=_name(rules.areas, area), tokens=[write_token(rules, token) for token in tokens])
            for area, tokens in zip(t.board, t.area_tokens, strict=True)
        ],
        bag=_token_counts(rules, t.bag),
        bay=_token_counts(rules, t.bay),
        cursor=t.cursor,
        order_draw=[write_token(rules, token) for token in t.order_draw],
        spots=[
            pb.Spot(token=None if token == NONE else write_token(rules, token), seat=_present(seat))
            for token, seat in zip(t.spot_tokens, t.spot_seats, strict=True)
        ],
        docks=[_name(rules.islands, island) for island in t.docks],
        islands_gone=[rules.islands[island] for island in t.islands_gone],
        stock=_kind_counts(rules, t.stock),
        lost=_kind_counts(rules, t.lost),
        order=t.order,
        collect_queue=t.collect_queue,
        pending=None if t.pending == NOTHING else _write_pending(rules, t.pending),
        realms=[_write_realm(rules, realm) for realm in t.realms],
    )


def _write_pending(rules: HawaiiRules, p: Pending) -> pb.Pending:
    return pb.Pending(
        amount=p.amount,
        walk_sub=p.walk_sub,
        kind=_name(rules.kinds, p.kind),
        level=p.level,
        trip=pb.Trip.Name(p.trip),
        take=p.take,
        dock=max(p.dock, 0),
        island=_name(rules.islands, p.island),
    )


def _write_realm(rules: HawaiiRules, realm: Realm) -> pb.Realm:
    message = pb.Realm(
        villages=[
            pb.Village(tiles=[pb.Tile(kind=rules.kinds[kind], level=level) for kind, level in village])
            for village in realm.villages
        ],
        kahunas=realm.kahunas,
        tikis=realm.tikis,
        boats_1=realm.boats[0],
        boats_2=realm.boats[1],
        used=write_fleet(realm.used),
        tokens=_token_counts(rules, realm.tokens),
        fish=_token_counts(rules, realm.fish),
    )
    if realm.at == BEACH:
        message.beach.SetInParent()
    elif realm.at == PASSED:
        message.passed.SetInParent()
    else:
        message.position = realm.at
    return message


@dataclass(frozen=True)
class Numbers:
    """The numbers of the edition's things by how they are named on the wire; of names, "" is that of nothing."""

    tokens: dict[tuple[int, bool], int]
    kinds: dict[str, int]
    sold: dict[str, int]
    """Kinds without the start hut."""
    areas: dict[str, int]
    islands: dict[str, int]


@lru_cache(maxsize=64)
def _numbers(rules: HawaiiRules) -> Numbers:
    def of(things: Sequence[Any]) -> dict[Any, int]:
        return {thing: number for number, thing in enumerate(things)}

    return Numbers(
        tokens=of(rules.tokens),
        kinds=of(rules.kinds),
        sold=of(rules.kinds[: rules.n_kinds]),
        areas=of(rules.areas) | {"": NONE},
        islands=of(rules.islands) | {"": NONE},
    )


def _names(numbers: Mapping[str, int], names: Sequence[str], field: str, last: str = "") -> tuple[int, ...]:
    """The numbers of names, each at `field[i]last`. Raises BadInput for the first that is unknown."""
    found = [numbers.get(name, UNKNOWN) for name in names]
    if UNKNOWN in found:
        i = found.index(UNKNOWN)
        raise bad(f"{field}[{i}]{last}", f"the edition has no {names[i][:40]!r}")
    return tuple(found)


def _tokens(rules: HawaiiRules, tokens: Sequence[pb.Token], field: str, last: str = "") -> tuple[int, ...]:
    """The token types of faces, each at `field[i]last`. Raises BadInput for the first that is unknown."""
    numbers = _numbers(rules).tokens
    found = [numbers.get((token.value, token.spear), UNKNOWN) for token in tokens]
    if UNKNOWN in found:
        raise bad(f"{field}[{found.index(UNKNOWN)}]{last}", "the edition has no such price token")
    return tuple(found)


def _counts(things: Sequence[int], entries: Sequence[Any], size: int, field: str, invariant: str) -> tuple[int, ...]:
    """Counts by index out of (thing, count) messages, each thing at most once."""
    counts = [0] * size
    for i, (thing, entry) in enumerate(zip(things, entries, strict=True)):
        count = entry.count
        if counts[thing] or not 1 <= count <= 99:
            raise bad(f"{field}[{i}].count", "must be 1 to 99, and each thing once", f"hawaii.state.{invariant}")
        counts[thing] = count
    return tuple(counts)


def _read_token_counts(rules: HawaiiRules, entries: Sequence[pb.TokenCount], field: str) -> tuple[int, ...]:
    entries = entries[:MOST]
    types = _tokens(rules, [entry.token for entry in entries], field, ".token")
    return _counts(types, entries, rules.n_types, field, "tokens")


def _read_kind_counts(rules: HawaiiRules, entries: Sequence[pb.KindCount], field: str) -> tuple[int, ...]:
    entries = entries[:MOST]
    kinds = _names(_numbers(rules).sold, [entry.kind for entry in entries], field, ".kind")
    return _counts(kinds, entries, rules.n_kinds, field, "stock")


def _optional(names: Sequence[str], name: str, field: str) -> int:
    return index_of(names, name, field) if name else NONE


def read_table(rules: HawaiiRules, m: pb.Table) -> Table:
    """The table. Raises BadInput for names and numbers of nothing there is; invariants are not looked at."""
    if not 1 <= m.phase <= len(PHASES):
        raise bad("table.phase", f"unknown number {m.phase}")
    numbers = _numbers(rules)
    spots = m.spots[:MOST]
    places = m.places[:MOST]
    return Table(
        phase=m.phase - 1,
        actor=m.actor if m.HasField("actor") else NONE,
        round=m.round,
        board=_names(numbers.areas, [place.area for place in places], "table.places", ".area"),
        area_tokens=tuple(
            [_tokens(rules, place.tokens[:MOST], f"table.places[{i}].tokens") for i, place in enumerate(places)]
        ),
        bag=_read_token_counts(rules, m.bag, "table.bag"),
        bay=_read_token_counts(rules, m.bay, "table.bay"),
        cursor=m.cursor,
        order_draw=_tokens(rules, m.order_draw[:MOST], "table.order_draw"),
        spot_tokens=tuple(
            read_token(rules, spot.token, f"table.spots[{i}].token") if spot.HasField("token") else NONE
            for i, spot in enumerate(spots)
        ),
        spot_seats=tuple(spot.seat if spot.HasField("seat") else NONE for spot in spots),
        docks=_names(numbers.islands, m.docks[:MOST], "table.docks"),
        islands_gone=_names(numbers.islands, m.islands_gone[:MOST], "table.islands_gone"),
        stock=_read_kind_counts(rules, m.stock, "table.stock"),
        lost=_read_kind_counts(rules, m.lost, "table.lost"),
        order=tuple(m.order[:MOST]),
        collect_queue=tuple(m.collect_queue[:MOST]),
        pending=_read_pending(rules, m.pending),
        realms=tuple(_read_realm(rules, realm, f"table.realms[{i}]") for i, realm in enumerate(m.realms[:MOST])),
    )


def _read_pending(rules: HawaiiRules, m: pb.Pending) -> Pending:
    if not 0 <= m.trip <= SAILING:
        raise bad("table.pending.trip", f"unknown number {m.trip}")
    return Pending(
        amount=m.amount,
        walk_sub=m.walk_sub,
        kind=_optional(rules.kinds[: rules.n_kinds], m.kind, "table.pending.kind"),
        level=m.level,
        trip=m.trip,
        take=m.take,
        dock=m.dock or NONE,
        island=_optional(rules.islands, m.island, "table.pending.island"),
    )


def _read_realm(rules: HawaiiRules, m: pb.Realm, field: str) -> Realm:
    at = m.WhichOneof("at")
    if at is None:
        raise bad(f"{field}.at", "is missing", "hawaii.state.order")
    if at == "position":
        within(m.position, 0, BEACH - 1, f"{field}.position")
    return Realm(
        villages=tuple(
            [
                _read_village(rules, village.tiles[:MOST], f"{field}.villages[{v}].tiles")
                for v, village in enumerate(m.villages[:MOST])
            ]
        ),
        kahunas=m.kahunas,
        tikis=m.tikis,
        boats=(m.boats_1, m.boats_2),
        used=(m.used.start, m.used.level_1, m.used.level_2),
        at=m.position if at == "position" else BEACH if at == "beach" else PASSED,
        tokens=_read_token_counts(rules, m.tokens, f"{field}.tokens"),
        fish=_read_token_counts(rules, m.fish, f"{field}.fish"),
    )


def _read_village(rules: HawaiiRules, tiles: Sequence[pb.Tile], field: str) -> tuple[tuple[int, int], ...]:
    kinds = _names(_numbers(rules).kinds, [tile.kind for tile in tiles], field, ".kind")
    return tuple(zip(kinds, [tile.level for tile in tiles], strict=True))
