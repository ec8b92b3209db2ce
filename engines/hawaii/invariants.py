"""What holds in every possible Hawaii state (README section 3): the door for states from outside.

The table, which all see, is checked by itself, so that an observation passes the same door as a state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.core.game import Violation
from engines.hawaii.facts import (
    ANY_PER_ROUND,
    BEACH,
    BUY,
    COLLECT,
    DOCKS,
    DRAW_AREAS,
    DRAW_ISLANDS,
    DRAW_LIMITS,
    DRAW_ORDER,
    DRAW_PRICES,
    EXCHANGE,
    FEET,
    FISHING,
    GOD,
    HUT,
    NO_TRIP,
    NONE,
    OTHER,
    OVER,
    PASSED,
    PAY_PRICE,
    PAY_TRIP,
    PAY_WALK,
    PHASES,
    PLACE,
    POSITIONS,
    SAILING,
    SHELLS,
    SOURCES,
    TAKE_FISH,
    TAKE_TILE,
    TILES,
    TURN,
)
from engines.hawaii.payments import exchanged, left, payments, standing
from engines.hawaii.snapshot import Pending, Purse, Realm, Snapshot, Table
from engines.hawaii.tables import HawaiiRules

NAMES = (
    "phase",
    "board",
    "tokens",
    "limits",
    "stock",
    "islands",
    "villages",
    "order",
    "boats",
    "pending",
    "goods",
    "stuck",
    "setup",
)
IDS = tuple(f"hawaii.state.{name}" for name in NAMES)
MOST_GOODS = 9999
"""Most of one resource, or points from one source, that a state from outside may hold."""

Fault = tuple[str, str, str]
"""Name of the invariant, field path, sentence."""


def check(rules: HawaiiRules, snapshot: Snapshot) -> list[Violation]:
    """Every broken invariant; empty exactly for a state that the rest of the engine may trust.

    Shapes and ranges come first: when one of them is broken, the others are not looked at.
    """
    violations = check_table(rules, snapshot.table) + _violations(_purse_shapes(rules, snapshot.purses))
    if violations:
        return violations
    return _violations(_stuck(rules, snapshot.table, snapshot.purses)) + _violations(_setup(rules, snapshot))


def check_table(rules: HawaiiRules, table: Table) -> list[Violation]:
    """Every broken invariant of what all see."""
    faults = list(_shapes(rules, table))
    if not faults:
        for part in (_phase, _board, _tokens, _limits, _stock, _islands, _villages, _order, _boats, _pending):
            faults += part(rules, table)
    return _violations(faults)


def check_view(rules: HawaiiRules, table: Table, purses: Sequence[Purse]) -> list[Violation]:
    """Every broken invariant of an observation, whose hidden numbers are NONE."""
    shown = [
        Purse(tuple(max(p, 0) for p in purse.points), max(purse.shells, 0), max(purse.feet, 0), max(purse.fruit, 0))
        for purse in purses
    ]
    violations = check_table(rules, table) + _violations(_purse_shapes(rules, shown))
    if not violations and table.actor != NONE and purses[table.actor].shells != NONE:
        violations = _violations(_stuck(rules, table, shown))
    return violations


def _violations(faults: Iterator[Fault] | list[Fault]) -> list[Violation]:
    return [Violation(field, sentence, f"hawaii.state.{name}") for name, field, sentence in faults]


# -- shapes and ranges: the C struct could not even hold what breaks these --------------------------------------------


def _each(name: str, field: str, values: Sequence[int], low: int, high: int, length: int) -> Iterator[Fault]:
    if len(values) != length:
        yield name, field, f"must have {length} entries"
    for i, value in enumerate(values[:length]):
        if not low <= value <= high:
            yield name, f"{field}[{i}]", f"must be {low} to {high}"


def _shapes(r: HawaiiRules, t: Table) -> Iterator[Fault]:
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
    if len(tokens) > most or any(not 0 <= token < r.n_types for token in tokens):
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
            if not 0 <= kind <= r.n_kinds or not 1 <= level <= r.kind(kind)[3] or r.kind(kind)[0] > OTHER:
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


def _purse_shapes(r: HawaiiRules, purses: Sequence[Purse]) -> Iterator[Fault]:
    if len(purses) != r.seats:
        yield "goods", "purses", f"must have {r.seats} entries"
    for seat, purse in enumerate(purses):
        yield from _each("goods", f"purses[{seat}].points", purse.points, 0, MOST_GOODS, len(SOURCES))
        for field, value in (("shells", purse.shells), ("feet", purse.feet), ("fruit", purse.fruit)):
            if not 0 <= value <= MOST_GOODS:
                yield "goods", f"purses[{seat}].{field}", f"must be 0 to {MOST_GOODS}"


# -- the table --------------------------------------------------------------------------------------------------------


def _phase(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    seat_decides = TURN <= t.phase < OVER
    if seat_decides != (t.actor != NONE):
        yield "phase", "actor", f"must be {'a seat' if seat_decides else 'absent'} in {PHASES[t.phase]}"
    if t.phase == DRAW_AREAS and t.round != 1:
        yield "phase", "round", "areas are dealt in round 1"
    if t.phase == OVER and t.round != r.n_rounds:
        yield "phase", "round", "the game ends with the last round"
    drawn = sum(len(tokens) for tokens in t.area_tokens)
    expected = t.cursor if t.phase == DRAW_LIMITS else drawn if t.phase == DRAW_PRICES else 0
    if t.cursor != expected or (t.phase == DRAW_LIMITS and t.cursor >= POSITIONS):
        yield "phase", "cursor", f"cannot be {t.cursor} here"
    queue: tuple[int, ...] = ()
    if t.phase == COLLECT:
        if not standing(r, t.realms[t.actor], ANY_PER_ROUND):
            yield "phase", "actor", "has nothing to collect"
        after = t.order[t.order.index(t.actor) + 1 :] if t.actor in t.order else ()
        queue = tuple(seat for seat in after if standing(r, t.realms[seat], ANY_PER_ROUND))
    if t.collect_queue != queue:
        yield "phase", "collect_queue", "must be the seats that still collect, in order"


def _board(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    dealt = [area for area in t.board if area != NONE]
    if len(set(dealt)) != len(dealt):
        yield "board", "board", "has an area twice"
    if t.phase == DRAW_AREAS:
        if len(dealt) == POSITIONS or any(area != NONE for area in t.board[len(dealt) :]):
            yield "board", "board", "areas are dealt in order, and the last one ends this phase"
    elif len(dealt) < POSITIONS:
        yield "board", "board", "must be complete"


def _tokens(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    for token in range(r.n_types):
        there = t.bag[token] + t.bay[token] + t.order_draw.count(token) + t.spot_tokens.count(token)
        there += sum(tokens.count(token) for tokens in t.area_tokens)
        there += sum(realm.tokens[token] + realm.fish[token] for realm in t.realms)
        if there != r.token(token)[3]:
            yield "tokens", f"bag[{token}]", f"all tokens of this type add up to {there}, not {r.token(token)[3]}"
    if t.phase < TURN:
        for seat, realm in enumerate(t.realms):
            if any(realm.tokens) or any(realm.fish):
                yield "tokens", f"realms[{seat}]", "holds tokens before the round has begun"
    else:
        all_tokens = sum(r.token(token)[3] for token in range(r.n_types))
        in_bag = all_tokens - sum(r.area(area)[0] for area in range(POSITIONS)) - (r.seats - 1)
        if sum(t.bag) != in_bag:
            yield "tokens", "bag", f"must hold {in_bag} tokens"
    if t.order_draw and (t.phase != DRAW_ORDER or len(t.order_draw) >= r.seats - 1):
        yield "tokens", "order_draw", "belongs to DRAW_ORDER before the last draw"


def _limits(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    """How many tokens lie on each area, and that their sum keeps its limit."""
    turned = 0
    before = True  # in DRAW_PRICES: the positions before the one that is served are full
    for p, tokens in enumerate(t.area_tokens):
        if t.board[p] == NONE or t.phase <= DRAW_ISLANDS:
            if tokens:
                yield "limits", f"area_tokens[{p}]", "has no tokens yet"
            continue
        slots, limit, _ = r.area(t.board[p])
        size = len(tokens)
        if t.phase == DRAW_PRICES:
            fits = size < slots if before else size == 0
            before = before and size == slots - 1
        elif t.phase == DRAW_LIMITS:
            fits = size in ((slots - 1, slots) if p < t.cursor else (slots - 1,))
            turned += p < t.cursor and size < slots
        elif t.phase == DRAW_ORDER:
            fits = size in (slots - 1, slots)
            turned += size < slots
        else:
            fits = size <= slots
        if not fits:
            yield "limits", f"area_tokens[{p}]", f"cannot hold {size} tokens here"
        total = sum(r.token(token)[0] for token in tokens)
        if total > limit or (total == limit and size == slots and not r.equal_stays):
            yield "limits", f"area_tokens[{p}]", f"sum {total} does not keep the limit {limit}"
    if t.phase < TURN and sum(t.bay) != turned:
        yield "limits", "bay", f"must hold {turned} tokens"
    if sum(t.bay) + sum(sum(realm.fish) for realm in t.realms) > POSITIONS:
        yield "limits", "bay", f"at most one token an area, {POSITIONS} in all, turns to fish in a round"
    if t.phase == DRAW_PRICES and before:
        yield "limits", "area_tokens", "every slot without a limit is served, which ends this phase"


def _stock(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    owned = [0] * r.n_kinds
    for realm in t.realms:
        for village in realm.villages:
            for kind, _ in village:
                if kind < r.n_kinds:
                    owned[kind] += 1
        owned[r.boat_kind] += sum(realm.boats)
        owned[r.kahuna_kind] += realm.kahunas
        owned[r.tiki_kind] += realm.tikis
    if t.pending.kind != NONE:
        owned[t.pending.kind] += 1
    for kind in range(r.n_kinds):
        there = t.stock[kind] + t.lost[kind] + owned[kind]
        if there != r.kind(kind)[1]:
            yield "stock", f"stock[{kind}]", f"all {r.kinds[kind]} add up to {there}, not {r.kind(kind)[1]}"
    if t.lost[r.boat_kind]:
        yield "stock", f"lost[{r.boat_kind}]", "a boat is never lost"


def _islands(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    here = [island for island in t.docks if island != NONE]
    if len(set(here)) != len(here) or set(here) & set(t.islands_gone):
        yield "islands", "docks", "has an island twice, or one that is gone"
    left_over = r.n_islands - len(here) - len(t.islands_gone)
    empty = DOCKS - len(here)
    if t.phase == DRAW_AREAS and here:
        yield "islands", "docks", "must be empty before the islands are dealt"
    if t.phase < TURN and here != list(t.docks[: len(here)]):
        yield "islands", "docks", "fill up from the left"
    if t.phase == DRAW_ISLANDS and (empty == 0 or left_over == 0):
        yield "islands", "docks", "no island is to be dealt"
    if DRAW_ISLANDS < t.phase < TURN and empty > 0 and left_over > 0:
        yield "islands", "docks", "an island is still to be dealt"
    if t.phase >= TURN and empty > len(t.islands_gone) + max(0, DOCKS - r.n_islands):
        yield "islands", "islands_gone", "more docks are empty than islands were visited"


def _villages(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    for seat, realm in enumerate(t.realms):
        gods = [k for village in realm.villages for k, _ in village if r.kind(k)[0] == GOD]
        if len(set(gods)) != len(gods):
            yield "villages", f"realms[{seat}].villages", "has a god twice"
        empty_above = False
        for v, village in enumerate(realm.villages):
            path = f"realms[{seat}].villages[{v}]"
            kinds = [kind for kind, _ in village]
            if len(set(kinds)) != len(kinds):
                yield "villages", path, "has a kind twice"
            if sum(r.kind(kind)[0] == GOD for kind in kinds) > 1:
                yield "villages", path, "has two gods"
            if kinds and r.kind(kinds[0])[0] != HUT:
                yield "villages", path, "does not begin with a hut"
            if kinds.count(r.start_hut) != (1 if v == 0 else 0) or (v == 0 and kinds[0] != r.start_hut):
                yield "villages", path, "the start hut begins village 1 and is nowhere else"
            if kinds and empty_above and not r.row_skip:
                yield "villages", path, "an empty village lies above"
            empty_above = empty_above or not kinds


def _order(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    if sorted(t.order) != list(range(r.seats)):
        yield "order", "order", "must name every seat once"
    standing_there = [seat for seat in t.spot_seats if seat != NONE]
    if len(set(standing_there)) != len(standing_there):
        yield "order", "spot_seats", "has a seat twice"
    for seat, realm in enumerate(t.realms):
        if (realm.at == PASSED) != (seat in standing_there):
            yield "order", f"realms[{seat}].at", "a seat has passed when it stands on an order spot, and only then"
        if t.phase < TURN and realm.at != BEACH:
            yield "order", f"realms[{seat}].at", "a round begins on the beach"
    if t.phase in (COLLECT, OVER):
        if t.order != t.spot_seats:
            yield "order", "order", "must be that of the order spots"
    elif t.actor in standing_there:
        yield "order", "actor", "has passed"
    for i, token in enumerate(t.spot_tokens):
        expected = t.phase >= TURN and i > 0 and t.spot_seats[i] == NONE
        if (token != NONE) != expected:
            yield "order", f"spot_tokens[{i}]", f"must {'hold' if expected else 'not hold'} a token"


def _boats(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    for seat, realm in enumerate(t.realms):
        owned = (1, *realm.boats)
        for i in range(3):
            if realm.used[i] > owned[i]:
                yield "boats", f"realms[{seat}].used[{i}]", f"uses {realm.used[i]} of {owned[i]} boats"
        if t.phase < TURN and any(realm.used):
            yield "boats", f"realms[{seat}].used", "boats are unused before the round has begun"
        if realm.boats[1] and r.kind(r.boat_kind)[3] < 2:
            yield "boats", f"realms[{seat}].boats[1]", "boats have no second level"


_PENDING_OF = {
    PAY_WALK: ("amount",),
    BUY: ("walk_sub",),
    PAY_PRICE: ("amount", "walk_sub", "kind", "level"),
    PLACE: ("kind", "level"),
    PAY_TRIP: ("amount", "trip", "take", "dock"),
    TAKE_FISH: ("take",),
    TAKE_TILE: ("island",),
}
_NOTHING = Pending(0, 0, NONE, 0, NO_TRIP, 0, NONE, NONE)


def _pending(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    p = t.pending
    for field in Pending.__slots__:
        if field not in _PENDING_OF.get(t.phase, ()) and getattr(p, field) != getattr(_NOTHING, field):
            yield "pending", f"pending.{field}", f"does not belong to {PHASES[t.phase]}"
    if not TURN < t.phase < COLLECT or t.actor == NONE:
        return
    realm = t.realms[t.actor]
    at = f"realms[{t.actor}].at"
    if t.phase in (PAY_WALK, BUY, PAY_PRICE):
        if realm.at >= POSITIONS:
            yield "pending", at, "must be a position"
            return
        if p.walk_sub > sum(standing(r, realm, EXCHANGE)):
            yield "pending", "pending.walk_sub", "is more than the exchange huts can replace"
            return
        yield from _purchase(r, t, realm)
    elif t.phase == PLACE:
        if p.kind == NONE or not 1 <= p.level <= r.kind(p.kind)[3] or not _fits_somewhere(r, realm, p.kind):
            yield "pending", "pending.kind", "must be a tile that some village takes"
    else:
        if realm.at != BEACH:
            yield "pending", at, "a trip begins on the beach"
        yield from _trip(r, t, realm)


def _purchase(r: HawaiiRules, t: Table, realm: Realm) -> Iterator[Fault]:
    p = t.pending
    sold = r.area(t.board[realm.at])[2]
    if t.phase == PAY_PRICE:
        prices = [r.price(token, p.level) for token in range(r.n_types) if realm.tokens[token] and p.level > 0]
        if p.kind not in sold or not 1 <= p.level <= r.kind(p.kind)[3]:
            yield "pending", "pending.kind", "is not sold where the piece stands"
        elif p.amount not in prices:
            yield "pending", "pending.amount", "is the price of no token of the seat"
        return
    if t.phase == PAY_WALK and not 1 <= p.amount <= r.farthest:
        yield "pending", "pending.amount", f"must be 1 to {r.farthest}"
    if not t.area_tokens[realm.at] or not any(t.stock[kind] for kind in sold):
        yield "pending", f"realms[{t.actor}].at", "nothing can be bought there"


def _fits_somewhere(r: HawaiiRules, realm: Realm, kind: int) -> bool:
    class_ = r.kind(kind)[0]
    if class_ > OTHER:
        return False
    villages = [{k for k, _ in village} for village in realm.villages]
    gods = [{k for k in village if r.kind(k)[0] == GOD} for village in villages]
    if class_ == GOD and any(kind in village for village in villages):
        return False
    for village, god in zip(villages, gods, strict=True):
        if not village:
            if class_ == HUT:
                return True
        elif kind not in village and not (class_ == GOD and god):
            return True
    return False


def _trip(r: HawaiiRules, t: Table, realm: Realm) -> Iterator[Fault]:
    p = t.pending
    if t.phase == TAKE_TILE:
        kinds = r.island(p.island)[2] if p.island in t.islands_gone else ()
        if sum(t.stock[kind] > 0 for kind in kinds) < 2:
            yield "pending", "pending.island", "must be a visited island with several tiles in stock"
        return
    if not any(realm.used):
        yield "pending", f"realms[{t.actor}].used", "a trip uses a boat"
    if t.phase == TAKE_FISH:
        kinds_of_fish = {r.token(token)[2] for token in range(r.n_types) if t.bay[token]}
        if not 1 <= p.take < sum(t.bay) or len(kinds_of_fish) < 2:
            yield "pending", "pending.take", "must leave a choice"
    elif p.trip == FISHING:
        if not 1 <= p.amount <= p.take <= sum(t.bay):
            yield "pending", "pending.take", "must be at least the feet and at most the tokens in the bay"
        if p.dock != NONE:
            yield "pending", "pending.dock", "does not belong to fishing"
    elif p.trip == SAILING:
        if p.dock == NONE or t.docks[p.dock - 1] == NONE or p.take:
            yield "pending", "pending.dock", "must be a dock with an island"
        elif not 1 <= p.amount <= r.dock(p.dock)[0]:
            yield "pending", "pending.amount", "must be 1 to the cost of the dock"
    else:
        yield "pending", "pending.trip", "must be fishing or sailing"


# -- purses -----------------------------------------------------------------------------------------------------------


def _stuck(r: HawaiiRules, t: Table, purses: Sequence[Purse]) -> Iterator[Fault]:
    """Whoever has to pay can: in PAY_WALK so that something can be bought afterwards."""
    if t.actor != NONE and not can_go_on(r, t, purses[t.actor]):
        yield "stuck", f"purses[{t.actor}]", "cannot pay what is due"


def can_go_on(rules: HawaiiRules, table: Table, purse: Purse) -> bool:
    """Whether the actor can pay out of this purse what is due; true where nothing is."""
    if table.phase not in (PAY_WALK, BUY, PAY_PRICE, PAY_TRIP):
        return True
    p, realm = table.pending, table.realms[table.actor]
    stock = (purse.shells, purse.feet, purse.fruit)

    def pays(n: int, natural: int, stock: Sequence[int], used: int) -> bool:
        return any(True for _ in payments(n, natural, stock, left(rules, realm, used)))

    if table.phase == PAY_PRICE:
        return pays(p.amount, SHELLS, stock, p.walk_sub)
    if table.phase == PAY_TRIP:
        return pays(p.amount, FEET, stock, 0)
    price = rules.price(table.area_tokens[realm.at][0], 1)
    if table.phase == BUY:
        return pays(price, SHELLS, stock, p.walk_sub)
    for paid in payments(p.amount, FEET, stock, left(rules, realm, 0)):
        rest = [have - gone for have, gone in zip(stock, paid, strict=True)]
        if pays(price, SHELLS, rest, exchanged(paid, FEET)):
            return True
    return False


def _setup(r: HawaiiRules, s: Snapshot) -> Iterator[Fault]:
    """Before the first turn everything is at its start."""
    t = s.table
    if t.phase >= TURN or t.round != 1:
        return
    for seat, (realm, purse) in enumerate(zip(t.realms, s.purses, strict=True)):
        if (
            realm.kahunas
            or realm.tikis
            or any(realm.boats)
            or [len(v) for v in realm.villages] != [1] + [0] * (r.n_villages - 1)
        ):
            yield "setup", f"realms[{seat}]", "is not at its start"
        if any(purse.points) or (purse.shells, purse.feet, purse.fruit) != r.start(seat):
            yield "setup", f"purses[{seat}]", "is not at its start"
    if any(t.lost):
        yield "setup", "lost", "is not at its start"
    if t.islands_gone:
        yield "setup", "islands_gone", "is not at its start"
