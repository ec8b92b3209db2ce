"""What holds in every possible Hawaii state (README section 3): the door for states from outside.

The table, which all see, is checked by itself, so that an observation passes the same door as a state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from engines.core.game import Violation
from engines.hawaii.decisions import can_go_on, pending_faults
from engines.hawaii.facts import (
    ANY_PER_ROUND,
    BEACH,
    COLLECT,
    DOCKS,
    DRAW_AREAS,
    DRAW_ISLANDS,
    DRAW_LIMITS,
    DRAW_ORDER,
    DRAW_PRICES,
    GOD,
    HUT,
    NONE,
    OVER,
    PASSED,
    PHASES,
    POSITIONS,
    TURN,
)
from engines.hawaii.payments import standing
from engines.hawaii.shapes import Fault, purse_shapes, table_shapes
from engines.hawaii.snapshot import Purse, Snapshot, Table
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


def check(rules: HawaiiRules, snapshot: Snapshot) -> list[Violation]:
    """Every broken invariant; empty exactly for a state that the rest of the engine may trust.

    Shapes and ranges come first: when one of them is broken, the others are not looked at.
    """
    violations = check_table(rules, snapshot.table) + _violations(purse_shapes(rules, snapshot.purses))
    if violations:
        return violations
    return _violations(_stuck(rules, snapshot.table, snapshot.purses)) + _violations(_setup(rules, snapshot))


def check_table(rules: HawaiiRules, table: Table) -> list[Violation]:
    """Every broken invariant of what all see."""
    faults = list(table_shapes(rules, table))
    if not faults:
        for part in (_phase, _board, _tokens, _limits, _stock, _islands, _villages, _order, _boats, pending_faults):
            faults += part(rules, table)
    return _violations(faults)


def check_view(rules: HawaiiRules, table: Table, purses: Sequence[Purse]) -> list[Violation]:
    """Every broken invariant of an observation, whose hidden numbers are NONE."""
    shown = [
        Purse(tuple(max(p, 0) for p in purse.points), max(purse.shells, 0), max(purse.feet, 0), max(purse.fruit, 0))
        for purse in purses
    ]
    violations = check_table(rules, table) + _violations(purse_shapes(rules, shown))
    if not violations and table.actor != NONE and purses[table.actor].shells != NONE:
        violations = _violations(_stuck(rules, table, shown))
    return violations


def _violations(faults: Iterator[Fault] | list[Fault]) -> list[Violation]:
    return [Violation(field, sentence, f"hawaii.state.{name}") for name, field, sentence in faults]


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
    lying = Counter(chain(t.order_draw, t.spot_tokens, *t.area_tokens))
    held = [counts for realm in t.realms for counts in (realm.tokens, realm.fish)]
    for token, counts in enumerate(zip(t.bag, t.bay, *held, strict=True)):
        there = sum(counts) + lying[token]
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


# -- purses -----------------------------------------------------------------------------------------------------------


def _stuck(r: HawaiiRules, t: Table, purses: Sequence[Purse]) -> Iterator[Fault]:
    """Whoever has to pay can: in PAY_WALK so that something can be bought afterwards."""
    if t.actor != NONE and not can_go_on(r, t, purses[t.actor]):
        yield "stuck", f"purses[{t.actor}]", "cannot pay what is due"


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
