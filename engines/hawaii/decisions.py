"""What the present decision of a Hawaii state is about, checked: `pending`, and whether whoever has to pay can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.hawaii.facts import (
    BEACH,
    BUY,
    COLLECT,
    EXCHANGE,
    FEET,
    FISHING,
    GOD,
    HUT,
    NONE,
    OTHER,
    PAY_PRICE,
    PAY_TRIP,
    PAY_WALK,
    PHASES,
    PLACE,
    POSITIONS,
    SAILING,
    SHELLS,
    TAKE_FISH,
    TAKE_TILE,
    TURN,
)
from engines.hawaii.payments import exchanged, left, payments, standing
from engines.hawaii.shapes import Fault
from engines.hawaii.snapshot import NOTHING, Pending, Purse, Realm, Table
from engines.hawaii.tables import HawaiiRules

_PENDING_OF = {
    PAY_WALK: ("amount",),
    BUY: ("walk_sub",),
    PAY_PRICE: ("amount", "walk_sub", "kind", "level"),
    PLACE: ("kind", "level"),
    PAY_TRIP: ("amount", "trip", "take", "dock"),
    TAKE_FISH: ("take",),
    TAKE_TILE: ("island",),
}


def pending_faults(r: HawaiiRules, t: Table) -> Iterator[Fault]:
    """What the decision is about fits it, and leaves something to decide."""
    p = t.pending
    for field in Pending.__slots__:
        if field not in _PENDING_OF.get(t.phase, ()) and getattr(p, field) != getattr(NOTHING, field):
            yield "pending", f"pending.{field}", f"does not belong to {PHASES[t.phase]}"
    if not TURN < t.phase < COLLECT or t.actor == NONE:
        return
    realm = t.realms[t.actor]
    at = f"realms[{t.actor}].at"
    if t.phase in (PAY_WALK, BUY, PAY_PRICE):
        if realm.at >= POSITIONS or t.board[realm.at] == NONE:
            yield "pending", at, "must be a position with an area"
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
