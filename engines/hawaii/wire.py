"""Hawaii messages of the contract (`papamu.hawaii.v1`) to and from the engine's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from papamu.hawaii.v1 import hawaii_pb2 as pb

from engines.core.game import BadInput, OptionValue, Setup, Violation
from engines.core.state import Rules
from engines.hawaii import invariants
from engines.hawaii.facts import BEACH, DOCKS, NONE, PASSED, PHASES, SAILING, SOURCES
from engines.hawaii.moves import (
    Buy,
    Collect,
    DrawArea,
    DrawIsland,
    DrawToken,
    Fish,
    HawaiiMove,
    Pass,
    Pay,
    Place,
    Return,
    Sail,
    TakeFish,
    TakeTile,
    Walk,
)
from engines.hawaii.notation import MOST_AMOUNT, MOST_BOATS
from engines.hawaii.observe import HawaiiObservation, visible
from engines.hawaii.rules import Hawaii, load
from engines.hawaii.snapshot import Pending, Purse, Realm, Snapshot, Table
from engines.hawaii.tables import HawaiiRules

_ENUMS: dict[str, dict[int, str]] = {
    "beach_return": {pb.BEACH_RETURN_PATH: "path", pb.BEACH_RETURN_TURN: "turn", pb.BEACH_RETURN_OFF: "off"},
    "exchange_scope": {pb.EXCHANGE_SCOPE_TURN: "turn", pb.EXCHANGE_SCOPE_PAYMENT: "payment"},
    "laka_scope": {pb.LAKA_SCOPE_VALID: "valid", pb.LAKA_SCOPE_ALL: "all"},
    "tie_break": {pb.TIE_BREAK_RESOURCES: "resources", pb.TIE_BREAK_NONE: "none"},
}
_FLAGS = ("row_skip", "limit_equal_stays", "open_hands", "open_scores")
_MOST = 40
"""Most entries of any repeated field that is read; one more is enough to be refused."""

T = TypeVar("T")


def _bad(field: str, sentence: str, rule_id: str = "") -> BadInput:
    return BadInput([Violation(field, sentence, rule_id)])


# -- options ----------------------------------------------------------------------------------------------------------


def write_options(setup: Setup) -> pb.Options:
    """All options of a setup."""
    message = pb.Options()
    for name in _FLAGS:
        setattr(message, name, bool(setup.options[name]))
    for name, names in _ENUMS.items():
        setattr(message, name, next(number for number, word in names.items() if word == setup.options[name]))
    return message


def read_options(message: pb.Options) -> dict[str, OptionValue]:
    """The options that are set. Raises BadInput on an unknown enum number."""
    given: dict[str, OptionValue] = {name: getattr(message, name) for name in _FLAGS if message.HasField(name)}
    for name, names in _ENUMS.items():
        number = getattr(message, name)
        if number != 0:
            if number not in names:
                raise _bad(name, f"unknown number {number}", "hawaii.option.range")
            given[name] = names[number]
    return given


# -- moves ------------------------------------------------------------------------------------------------------------


def _write_token(rules: HawaiiRules, token: int) -> pb.Token:
    value, spear = rules.tokens[token]
    return pb.Token(value=value, spear=spear)


def _write_fleet(fleet: Sequence[int]) -> pb.Fleet:
    return pb.Fleet(start=fleet[0], level_1=fleet[1], level_2=fleet[2])


def write_move(rules: Rules, move: HawaiiMove) -> pb.Move:
    """The message of a well-formed move."""
    assert isinstance(rules, HawaiiRules)
    message = pb.Move()
    match move:
        case Walk(area):
            message.walk.area = rules.areas[area]
        case Fish(start, level1, level2, feet):
            message.fish.CopyFrom(pb.Fish(boats=_write_fleet((start, level1, level2)), feet=feet))
        case Sail(dock, start, level1, level2):
            message.sail.CopyFrom(pb.Sail(dock=dock, boats=_write_fleet((start, level1, level2))))
        case Pass(spot):
            getattr(message, "pass").spot = spot  # a Python keyword
        case Return():
            getattr(message, "return").SetInParent()
        case Pay(shells, feet, fruit):
            message.pay.CopyFrom(pb.Amounts(shells=shells, feet=feet, fruit=fruit))
        case Buy(kind, level, token):
            message.buy.CopyFrom(pb.Buy(kind=rules.kinds[kind], level=level, token=_write_token(rules, token)))
        case Place(village):
            message.place.village = village
        case TakeFish(fish):
            message.take_fish.CopyFrom(pb.TakeFish(fish=fish))
        case TakeTile(kind):
            message.take_tile.kind = rules.kinds[kind]
        case Collect(shells, feet, fruit):
            message.collect.CopyFrom(pb.Amounts(shells=shells, feet=feet, fruit=fruit))
        case DrawArea(area):
            message.draw_area.area = rules.areas[area]
        case DrawIsland(island):
            message.draw_island.island = rules.islands[island]
        case DrawToken(token):
            message.draw_token.token.CopyFrom(_write_token(rules, token))
    return message


def _within(value: int, low: int, high: int, field: str) -> int:
    if not low <= value <= high:
        raise _bad(field, f"must be {low} to {high}")
    return value


def _index(names: Sequence[str], name: str, field: str) -> int:
    if name not in names:
        raise _bad(field, f"the edition has no {name[:40]!r}")
    return names.index(name)


def _read_token(rules: HawaiiRules, message: pb.Token, field: str) -> int:
    face = (message.value, message.spear)
    if face not in rules.tokens:
        raise _bad(field, "the edition has no such price token")
    return rules.tokens.index(face)


def _read_amounts(message: pb.Amounts, field: str) -> tuple[int, int, int]:
    return (
        _within(message.shells, 0, MOST_AMOUNT, f"{field}.shells"),
        _within(message.feet, 0, MOST_AMOUNT, f"{field}.feet"),
        _within(message.fruit, 0, MOST_AMOUNT, f"{field}.fruit"),
    )


def _read_boats(message: pb.Fleet, field: str) -> tuple[int, int, int]:
    return (
        _within(message.start, 0, 1, f"{field}.start"),
        _within(message.level_1, 0, MOST_BOATS, f"{field}.level_1"),
        _within(message.level_2, 0, MOST_BOATS, f"{field}.level_2"),
    )


def read_move(rules: Rules, message: pb.Move) -> HawaiiMove:
    """The typed move. Raises BadInput for what is malformed: nothing set, or a number or name of nothing there is."""
    assert isinstance(rules, HawaiiRules)
    kind = message.WhichOneof("kind")
    if kind is None:
        raise _bad("", "no move is set")
    part = getattr(message, kind)
    sold = rules.kinds[: rules.n_kinds]
    match kind:
        case "walk":
            return Walk(_index(rules.areas, part.area, "walk.area"))
        case "fish":
            return Fish(*_read_boats(part.boats, "fish.boats"), _within(part.feet, 0, MOST_AMOUNT, "fish.feet"))
        case "sail":
            return Sail(_within(part.dock, 1, DOCKS, "sail.dock"), *_read_boats(part.boats, "sail.boats"))
        case "pass":
            return Pass(_within(part.spot, 1, MOST_AMOUNT, "pass.spot"))
        case "return":
            return Return()
        case "pay":
            return Pay(*_read_amounts(part, "pay"))
        case "buy":
            level = _within(part.level, 0, MOST_AMOUNT, "buy.level")
            return Buy(_index(sold, part.kind, "buy.kind"), level, _read_token(rules, part.token, "buy.token"))
        case "place":
            return Place(_within(part.village, 1, rules.n_villages, "place.village"))
        case "take_fish":
            return TakeFish(_within(part.fish, 0, MOST_AMOUNT, "take_fish.fish"))
        case "take_tile":
            return TakeTile(_index(sold, part.kind, "take_tile.kind"))
        case "collect":
            return Collect(*_read_amounts(part, "collect"))
        case "draw_area":
            return DrawArea(_index(rules.areas, part.area, "draw_area.area"))
        case "draw_island":
            return DrawIsland(_index(rules.islands, part.island, "draw_island.island"))
        case _:
            return DrawToken(_read_token(rules, part.token, "draw_token.token"))


# -- what everybody sees, written -------------------------------------------------------------------------------------


def _present(value: int) -> int | None:
    return None if value == NONE else value


def _name(names: Sequence[str], index: int) -> str:
    return "" if index == NONE else names[index]


def _token_counts(rules: HawaiiRules, counts: Sequence[int]) -> list[pb.TokenCount]:
    return [pb.TokenCount(token=_write_token(rules, t), count=n) for t, n in enumerate(counts) if n]


def _kind_counts(rules: HawaiiRules, counts: Sequence[int]) -> list[pb.KindCount]:
    return [pb.KindCount(kind=rules.kinds[k], count=n) for k, n in enumerate(counts) if n]


def _write_table(rules: HawaiiRules, t: Table) -> pb.Table:
    return pb.Table(
        phase=pb.Phase.Name(t.phase + 1),
        actor=_present(t.actor),
        round=t.round,
        places=[
            pb.Place(area=_name(rules.areas, area), tokens=[_write_token(rules, token) for token in tokens])
            for area, tokens in zip(t.board, t.area_tokens, strict=True)
        ],
        bag=_token_counts(rules, t.bag),
        bay=_token_counts(rules, t.bay),
        cursor=t.cursor,
        order_draw=[_write_token(rules, token) for token in t.order_draw],
        spots=[
            pb.Spot(token=None if token == NONE else _write_token(rules, token), seat=_present(seat))
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


NOTHING = Pending(0, 0, NONE, 0, 0, 0, NONE, NONE)


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
        used=_write_fleet(realm.used),
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


def _write_points(points: Sequence[int]) -> pb.Points:
    return pb.Points(**dict(zip(SOURCES, points, strict=True)))


def _write_goods(purse: Purse) -> pb.Amounts:
    return pb.Amounts(shells=purse.shells, feet=purse.feet, fruit=purse.fruit)


# -- what everybody sees, read ----------------------------------------------------------------------------------------


def _counts(
    names: Sequence[T], entries: Sequence[Any], read: Callable[[Any, str], int], field: str, invariant: str
) -> tuple[int, ...]:
    """Counts by index out of (thing, count) messages, each thing at most once."""
    counts = [0] * len(names)
    for i, entry in enumerate(entries[:_MOST]):
        index = read(entry, f"{field}[{i}]")
        if counts[index] or not 1 <= entry.count <= 99:
            raise _bad(f"{field}[{i}].count", "must be 1 to 99, and each thing once", f"hawaii.state.{invariant}")
        counts[index] = entry.count
    return tuple(counts)


def _read_token_counts(rules: HawaiiRules, entries: Sequence[pb.TokenCount], field: str) -> tuple[int, ...]:
    def read(entry: pb.TokenCount, path: str) -> int:
        return _read_token(rules, entry.token, f"{path}.token")

    return _counts(rules.tokens, entries, read, field, "tokens")


def _read_kind_counts(rules: HawaiiRules, entries: Sequence[pb.KindCount], field: str) -> tuple[int, ...]:
    sold = rules.kinds[: rules.n_kinds]

    def read(entry: pb.KindCount, path: str) -> int:
        return _index(sold, entry.kind, f"{path}.kind")

    return _counts(sold, entries, read, field, "stock")


def _optional(names: Sequence[str], name: str, field: str) -> int:
    return _index(names, name, field) if name else NONE


def _read_table(rules: HawaiiRules, m: pb.Table) -> Table:
    if not 1 <= m.phase <= len(PHASES):
        raise _bad("table.phase", f"unknown number {m.phase}")
    spots = m.spots[:_MOST]
    places = m.places[:_MOST]
    return Table(
        phase=m.phase - 1,
        actor=m.actor if m.HasField("actor") else NONE,
        round=m.round,
        board=tuple(_optional(rules.areas, p.area, f"table.places[{i}].area") for i, p in enumerate(places)),
        area_tokens=tuple(
            _read_tokens(rules, place.tokens, f"table.places[{i}].tokens") for i, place in enumerate(places)
        ),
        bag=_read_token_counts(rules, m.bag, "table.bag"),
        bay=_read_token_counts(rules, m.bay, "table.bay"),
        cursor=m.cursor,
        order_draw=_read_tokens(rules, m.order_draw, "table.order_draw"),
        spot_tokens=tuple(
            _read_token(rules, spot.token, f"table.spots[{i}].token") if spot.HasField("token") else NONE
            for i, spot in enumerate(spots)
        ),
        spot_seats=tuple(spot.seat if spot.HasField("seat") else NONE for spot in spots),
        docks=tuple(_optional(rules.islands, name, f"table.docks[{i}]") for i, name in enumerate(m.docks[:_MOST])),
        islands_gone=tuple(
            _index(rules.islands, name, f"table.islands_gone[{i}]") for i, name in enumerate(m.islands_gone[:_MOST])
        ),
        stock=_read_kind_counts(rules, m.stock, "table.stock"),
        lost=_read_kind_counts(rules, m.lost, "table.lost"),
        order=tuple(m.order[:_MOST]),
        collect_queue=tuple(m.collect_queue[:_MOST]),
        pending=_read_pending(rules, m.pending),
        realms=tuple(_read_realm(rules, realm, f"table.realms[{i}]") for i, realm in enumerate(m.realms[:_MOST])),
    )


def _read_tokens(rules: HawaiiRules, tokens: Sequence[pb.Token], field: str) -> tuple[int, ...]:
    return tuple(_read_token(rules, token, f"{field}[{i}]") for i, token in enumerate(tokens[:_MOST]))


def _read_pending(rules: HawaiiRules, m: pb.Pending) -> Pending:
    if not 0 <= m.trip <= SAILING:
        raise _bad("table.pending.trip", f"unknown number {m.trip}")
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
        raise _bad(f"{field}.at", "is missing", "hawaii.state.order")
    if at == "position":
        _within(m.position, 0, BEACH - 1, f"{field}.position")
    return Realm(
        villages=tuple(
            tuple(
                (_index(rules.kinds, tile.kind, f"{field}.villages[{v}].tiles[{i}].kind"), tile.level)
                for i, tile in enumerate(village.tiles[:_MOST])
            )
            for v, village in enumerate(m.villages[:_MOST])
        ),
        kahunas=m.kahunas,
        tikis=m.tikis,
        boats=(m.boats_1, m.boats_2),
        used=(m.used.start, m.used.level_1, m.used.level_2),
        at=m.position if at == "position" else BEACH if at == "beach" else PASSED,
        tokens=_read_token_counts(rules, m.tokens, f"{field}.tokens"),
        fish=_read_token_counts(rules, m.fish, f"{field}.fish"),
    )


def _read_points(m: pb.Points) -> tuple[int, ...]:
    return tuple(getattr(m, source) for source in SOURCES)


# -- states and views -------------------------------------------------------------------------------------------------


def write_state(state: Hawaii) -> pb.State:
    """The message of a state."""
    s = state.snapshot()
    return pb.State(
        table=_write_table(state.rules, s.table),
        purses=[pb.Purse(points=_write_points(purse.points), goods=_write_goods(purse)) for purse in s.purses],
    )


def read_state(rules: Rules, message: pb.State) -> Hawaii:
    """The state. Raises BadInput: malformed fields, or every broken invariant."""
    assert isinstance(rules, HawaiiRules)
    purses = tuple(
        Purse(_read_points(m.points), m.goods.shells, m.goods.feet, m.goods.fruit) for m in message.purses[:_MOST]
    )
    table = _read_table(rules, message.table)
    try:
        return load(rules, Snapshot(table, purses))
    except BadInput as error:
        raise _on_the_wire(error) from error


def write_view(observation: HawaiiObservation) -> pb.View:
    """The message of an observation."""
    rules, t = observation.rules, observation.table
    purses = []
    for seat, purse in enumerate(observation.purses):
        points, goods = visible(rules, t, observation.viewer, seat)
        purses.append(
            pb.ViewedPurse(
                points=_write_points(purse.points) if points else None, goods=_write_goods(purse) if goods else None
            )
        )
    return pb.View(table=_write_table(rules, t), purses=purses)


def read_view(rules: Rules, viewer: int, message: pb.View) -> HawaiiObservation:
    """The observation. Raises BadInput, also where something is shown that the viewer does not see, or the reverse."""
    assert isinstance(rules, HawaiiRules)
    _within(viewer, 0, rules.seats - 1, "viewer")
    table = _read_table(rules, message.table)
    purses = []
    for seat, m in enumerate(message.purses[: rules.seats + 1]):
        sees = dict(zip(("points", "goods"), visible(rules, table, viewer, seat), strict=True))
        for field, shown in sees.items():
            if m.HasField(field) != shown:
                raise _bad(f"purses[{seat}].{field}", f"seat {viewer} {'sees' if shown else 'does not see'} this")
        points = _read_points(m.points) if sees["points"] else (NONE,) * len(SOURCES)
        goods = (m.goods.shells, m.goods.feet, m.goods.fruit) if sees["goods"] else (NONE, NONE, NONE)
        purses.append(Purse(points, *goods))
    violations = invariants.check_view(rules, table, purses)
    if violations:
        raise _on_the_wire(BadInput(violations))
    return HawaiiObservation(rules, viewer, table, tuple(purses))


_PATHS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^(?!purses)", "table."),
        (r"^table\.(bag|bay|stock|lost)\[\d+\]", r"table.\1"),  # the messages list only what is there
        (r"^table\.board(\[\d+\])", r"table.places\1.area"),
        (r"^table\.board", "table.places"),
        (r"^table\.area_tokens(\[\d+\])", r"table.places\1.tokens"),
        (r"^table\.area_tokens", "table.places"),
        (r"^table\.spot_(token|seat)s(\[\d+\])", r"table.spots\2.\1"),
        (r"^table\.spot_(token|seat)s", "table.spots"),
        (r"\.used\[0\]", ".used.start"),
        (r"\.used\[(\d)\]", r".used.level_\1"),
        (r"\.boats\[0\]", ".boats_1"),
        (r"\.boats\[1\]", ".boats_2"),
        (r"(purses\[\d+\])\.(shells|feet|fruit)", r"\1.goods.\2"),
    )
)
"""From fields of the snapshot to those of the messages, applied in turn."""


def _on_the_wire(error: BadInput) -> BadInput:
    """The same violations with the field paths of the messages."""
    return BadInput([Violation(_path(v.field), v.sentence, v.id) for v in error.violations])


def _path(field: str) -> str:
    for pattern, replacement in _PATHS:
        field = pattern.sub(replacement, field)
    return re.sub(r"(purses\[\d+\]\.points)\[(\d)\]", lambda m: f"{m[1]}.{SOURCES[int(m[2])]}", field)
