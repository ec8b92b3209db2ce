"""Why a Hawaii move is refused: the published rule ids (README section 9), in their order."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Kind, Reason, Rule
from engines.core.reasons import reasons_of
from engines.core.state import Moves
from engines.hawaii.facts import (
    BEACH,
    BUY,
    COLLECT,
    DRAW_AREAS,
    DRAW_ISLANDS,
    DRAW_LIMITS,
    DRAW_ORDER,
    DRAW_PRICES,
    FEET,
    FRUIT,
    GOD,
    HUT,
    NONE,
    OVER,
    PAY_PRICE,
    PAY_TRIP,
    PAY_WALK,
    PHASES,
    PLACE,
    RESOURCES,
    SHELLS,
    TAKE_FISH,
    TAKE_TILE,
    TURN,
)
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
    encode,
)
from engines.hawaii.rules import Hawaii
from engines.hawaii.spelling import token_text

RULES = (
    Rule("hawaii.move.over", Kind.GAME_OVER, "Nobody moves after the end of the game.", "7"),
    Rule("hawaii.move.actor", Kind.NOT_THE_ACTOR, "Only the actor moves: one seat, or chance with its draws.", "5.2"),
    Rule("hawaii.move.phase", Kind.WRONG_PHASE, "Each decision takes its own kinds of moves.", "5.2"),
    Rule("hawaii.walk.no_token", Kind.RULE, "A walk leads to an area with a price token.", "5.2"),
    Rule("hawaii.walk.no_tile", Kind.RULE, "A walk leads to an area that still sells something.", "5.2"),
    Rule("hawaii.walk.cost", Kind.RULE, "The walk must be payable.", "5.1"),
    Rule("hawaii.walk.stranded", Kind.RULE, "Something must be payable at the end of a walk.", "5.2"),
    Rule("hawaii.pay.total", Kind.RULE, "A payment is exactly what is due.", "5.1"),
    Rule("hawaii.pay.stock", Kind.RULE, "A seat pays with what it owns.", "5.1"),
    Rule("hawaii.pay.mix", Kind.RULE, "Only exchange huts let a payment mix resources.", "5.1"),
    Rule("hawaii.pay.stranded", Kind.RULE, "The payment of a walk leaves enough to buy something.", "5.2"),
    Rule("hawaii.buy.token", Kind.RULE, "The price token lies on the area.", "5.2"),
    Rule("hawaii.buy.kind", Kind.RULE, "An area sells its own kinds of tiles.", "5.2"),
    Rule("hawaii.buy.sold_out", Kind.RULE, "A tile is sold while there are any.", "5.2"),
    Rule("hawaii.buy.level", Kind.OUT_OF_RANGE, "A tile has the levels that the edition gives it.", "5.2"),
    Rule("hawaii.buy.price", Kind.RULE, "The price must be payable.", "5.1"),
    Rule("hawaii.place.first.not_hut", Kind.RULE, "A village begins with a hut.", "5.1"),
    Rule("hawaii.place.row.skipped", Kind.RULE, "Villages are begun from the top, without gaps.", "5.1"),
    Rule("hawaii.place.name.twice", Kind.RULE, "No kind is twice in a village.", "5.1"),
    Rule("hawaii.place.god.second", Kind.RULE, "A village takes one god.", "5.1"),
    Rule("hawaii.place.god.repeated", Kind.RULE, "No god is twice in a realm.", "5.1", met=False),
    Rule("hawaii.boat.none", Kind.RULE, "A trip needs a boat.", "5.1"),
    Rule("hawaii.boat.unavailable", Kind.RULE, "Boats are owned, and work once a round.", "5.1"),
    Rule("hawaii.boat.idle", Kind.RULE, "Every boat of a trip carries at least one paid foot.", "5.1"),
    Rule("hawaii.boat.capacity", Kind.RULE, "A boat carries no more feet than its capacity.", "5.1"),
    Rule("hawaii.trip.cost", Kind.RULE, "The trip must be payable.", "5.1"),
    Rule("hawaii.fish.bay_empty", Kind.RULE, "Fishing needs fish in the bay.", "5.2"),
    Rule("hawaii.fish.boats_excess", Kind.RULE, "No more boats go fishing than there are tokens in the bay.", "5.2"),
    Rule("hawaii.fish.feet_wasted", Kind.RULE, "No feet are paid that bring no token.", "5.2"),
    Rule("hawaii.fish.absent", Kind.RULE, "A token with that number of fish lies in the bay.", "5.2"),
    Rule("hawaii.sail.dock_empty", Kind.RULE, "A boat sails to a dock with an island.", "5.2"),
    Rule("hawaii.tile.not_offered", Kind.RULE, "The visited island offers the tile.", "5.2"),
    Rule("hawaii.tile.sold_out", Kind.RULE, "A tile is taken while there are any.", "5.2"),
    Rule("hawaii.collect.total", Kind.RULE, "Exactly the due number of goods is chosen.", "5.2"),
    Rule("hawaii.pass.closed", Kind.OUT_OF_RANGE, "There are as many order spots as seats.", "5.2"),
    Rule("hawaii.pass.taken", Kind.RULE, "One seat stands on an order spot.", "5.2"),
    Rule("hawaii.return.off", Kind.RULE, "Going back takes a turn only where the option says so.", "5.2"),
    Rule("hawaii.return.on_beach", Kind.RULE, "Only a seat that is away from the beach goes back.", "5.2"),
    Rule("hawaii.chance.phase", Kind.WRONG_PHASE, "Chance makes the draw that is due.", "6"),
    Rule("hawaii.chance.weight", Kind.RULE, "What is drawn is still there to be drawn.", "6"),
)
_BY_ID = {rule.id: rule for rule in RULES}

_PHASES_OF: dict[type[HawaiiMove], tuple[int, ...]] = {
    Walk: (TURN,),
    Fish: (TURN,),
    Sail: (TURN,),
    Pass: (TURN,),
    Return: (TURN,),
    Pay: (PAY_WALK, PAY_PRICE, PAY_TRIP),
    Buy: (BUY,),
    Place: (PLACE,),
    TakeFish: (TAKE_FISH,),
    TakeTile: (TAKE_TILE,),
    Collect: (COLLECT,),
    DrawArea: (DRAW_AREAS,),
    DrawIsland: (DRAW_ISLANDS,),
    DrawToken: (DRAW_PRICES, DRAW_LIMITS, DRAW_ORDER),
}
_FIELDS = {
    Walk: "walk",
    Fish: "fish",
    Sail: "sail",
    Pass: "pass",
    Return: "return",
    Pay: "pay",
    Buy: "buy",
    Place: "place",
    TakeFish: "take_fish",
    TakeTile: "take_tile",
    Collect: "collect",
    DrawArea: "draw_area",
    DrawIsland: "draw_island",
    DrawToken: "draw_token",
}

Broken = tuple[str, str, str]
"""Rule id without the slug, field below the move's own message, sentence."""


def explain(state: Hawaii, move: HawaiiMove, sender: int) -> list[Reason]:
    """Every broken rule of the first stage that has any; empty exactly when the move is legal for `sender`."""
    broken = list(_turn(state, move, sender)) or list(_content(state, move))
    return reasons_of(_BY_ID, "hawaii", _FIELDS[type(move)], broken)


def _turn(state: Hawaii, move: HawaiiMove, sender: int) -> Iterator[Broken]:
    """Over, actor, phase: each hides what comes after it."""
    phase = state.phase()
    actor = state.actor
    draw = isinstance(move, DrawArea | DrawIsland | DrawToken)
    if phase == OVER:
        yield "move.over", "", "the game is over"
    elif sender != actor:
        yield "move.actor", "sender", f"{_who(sender)} moves, but {_who(actor)} is to decide"
    elif actor == CHANCE and not draw:
        yield "move.actor", "sender", "chance draws; this is a move of a seat"
    elif phase not in _PHASES_OF[type(move)]:
        name = type(move).__name__
        yield "chance.phase" if draw else "move.phase", "", f"a {name} does not belong to {PHASES[phase]}"


def _who(actor: int) -> str:
    return {CHANCE: "chance", TERMINAL: "nobody"}.get(actor, f"seat {actor}")


def _content(state: Hawaii, move: HawaiiMove) -> Iterator[Broken]:
    match move:
        case Walk(area):
            yield from _walk(state, area)
        case Pay():
            yield from _pay(state, move)
        case Buy():
            yield from _buy(state, move)
        case Place(village):
            yield from misfits(state, state.actor, village, state.pending()[2])
        case Fish():
            yield from _fish(state, move)
        case Sail():
            yield from _sail(state, move)
        case TakeFish(fish):
            if not any(n and state.rules.token(token)[2] == fish for token, n in enumerate(state.bay())):
                yield "fish.absent", "fish", f"no token in the bay shows {fish} fish"
        case TakeTile(kind):
            if kind not in state.rules.island(state.pending()[7])[2]:
                yield "tile.not_offered", "kind", f"the island does not offer {_name(state, kind)}"
            elif state.stock(kind) == 0:
                yield "tile.sold_out", "kind", f"no {_name(state, kind)} is left"
        case Collect(shells, feet, fruit):
            due = state.collect_due()
            if shells + feet + fruit != due:
                yield "collect.total", "", f"{due} units are to be chosen, not {shells + feet + fruit}"
        case Pass(spot):
            if spot > state.rules.seats:
                yield "pass.closed", "spot", f"there are {state.rules.seats} order spots"
            elif state.spot_seat(spot) != NONE:
                yield "pass.taken", "spot", f"seat {state.spot_seat(spot)} stands there"
        case Return():
            if not state.rules.turn_return:
                yield "return.off", "", "in this game nobody spends a turn on going back"
            if state.at(state.actor) == BEACH:
                yield "return.on_beach", "", "the piece is on the beach"
        case _:
            yield from _draw(state, move)


def _name(state: Hawaii, kind: int) -> str:
    return str(state.rules.kind_names[kind])


def _walk(state: Hawaii, area: int) -> Iterator[Broken]:
    seat, name = state.actor, state.rules.areas[area]
    cost = state.walk_cost(seat, area)
    broken = []
    if not state.area_tokens(area):
        broken.append(("walk.no_token", "area", f"{name} has no price token"))
    if not any(state.stock(kind) for kind in state.rules.area(area)[2]):
        broken.append(("walk.no_tile", "area", f"{name} has nothing left to sell"))
    if not state.feet_payable(seat, cost):
        broken.append(("walk.cost", "area", f"the way to {name} costs {cost}, more than the seat can pay"))
    if not broken and not state.can_walk(seat, area):
        broken.append(("walk.stranded", "area", f"whatever pays the way to {name}, nothing there can be bought then"))
    yield from broken


def _pay(state: Hawaii, move: Pay) -> Iterator[Broken]:
    phase, due, stock = state.phase(), state.pending()[0], state.goods(state.actor)
    paid = (move.shells, move.feet, move.fruit)
    natural = SHELLS if phase == PAY_PRICE else FEET
    cap = state.capacity()
    broken = []
    if sum(paid) != due:
        broken.append(("pay.total", "", f"{due} units are due, not {sum(paid)}"))
    short = [name for name, gives, has in zip(RESOURCES, paid, stock, strict=True) if gives > has]
    if short:
        broken.append(("pay.stock", short[0], f"the seat has not so many {' and '.join(short)}"))
    mixed = due - max(paid[natural], paid[FRUIT])
    if mixed > cap:
        broken.append(("pay.mix", "", f"{mixed} units would be exchanged, {cap} can be"))
    if phase == PAY_WALK and not broken and not state.can_buy_after(*paid):
        broken.append(("pay.stranded", "", "nothing could be bought with what is left"))
    yield from broken


def _buy(state: Hawaii, move: Buy) -> Iterator[Broken]:
    rules, area = state.rules, state.area_of(state.actor)
    face = token_text(rules, move.token)
    if move.token not in state.area_tokens(area):
        yield "buy.token", "token", f"no token {face} lies on {rules.areas[area]}"
    if move.kind not in rules.area(area)[2]:
        yield "buy.kind", "kind", f"{rules.areas[area]} does not sell {_name(state, move.kind)}"
    elif state.stock(move.kind) == 0:
        yield "buy.sold_out", "kind", f"no {_name(state, move.kind)} is left"
    if not 1 <= move.level <= rules.kind(move.kind)[3]:
        yield "buy.level", "level", f"{_name(state, move.kind)} has no level {move.level}"
    elif not state.price_payable(rules.price(move.token, move.level)):
        price = rules.price(move.token, move.level)
        yield "buy.price", "token", f"the price is {price} shells, more than the seat can pay"


def misfits(state: Hawaii, seat: int, village: int, kind: int) -> Iterator[Broken]:
    """Every reason why a tile of `kind` may not be laid in village 1, 2, ... of a seat."""
    rules, masks = state.rules, state.village_kinds(seat)
    mask, bit = masks[village - 1], 1 << kind
    name, class_ = _name(state, kind), rules.kind(kind)[0]
    if not mask:
        if class_ != HUT:
            yield "place.first.not_hut", "village", f"a village cannot begin with {name}"
        if not rules.row_skip and 0 in masks[: village - 1]:
            yield "place.row.skipped", "village", f"village {1 + masks.index(0)} is still empty"
    if mask & bit:
        yield "place.name.twice", "village", f"{name} is already there"
    if class_ == GOD:
        if any(mask >> k & 1 and rules.kind(k)[0] == GOD for k in range(rules.n_kinds)):
            yield "place.god.second", "village", "a god is already there"
        if any(other & bit for other in masks):
            yield "place.god.repeated", "village", f"{name} is already in the realm"


def _fleet(state: Hawaii, fleet: tuple[int, int, int], real: int) -> Iterator[Broken]:
    """The boat rows of the table and what the trip costs; `real` are the feet to be paid."""
    boats = sum(fleet)
    free = state.boats_left(state.actor)
    if boats == 0:
        yield "boat.none", "boats", "no boat is chosen"
    for chosen, there, field in zip(fleet, free, ("start", "level_1", "level_2"), strict=True):
        if chosen > there:
            yield "boat.unavailable", f"boats.{field}", f"{chosen} are chosen, {there} are free"
            break
    capacity = sum(n * (state.rules.boat(i)[0] - state.rules.boat(i)[1]) for i, n in enumerate(fleet))
    if boats and real < boats:
        yield "boat.idle", "boats", f"{real} paid feet cannot move {boats} boats"
    if boats and real > capacity:
        yield "boat.capacity", "boats", f"the boats carry {capacity} paid feet, not {real}"
    if real >= 1 and not state.feet_payable(state.actor, real):
        yield "trip.cost", "", f"the seat cannot pay {real} feet"


def _prepaid(state: Hawaii, fleet: tuple[int, int, int]) -> int:
    return sum(n * state.rules.boat(i)[1] for i, n in enumerate(fleet))


def _fish(state: Hawaii, move: Fish) -> Iterator[Broken]:
    fleet = (move.start, move.level1, move.level2)
    bay, boats = sum(state.bay()), sum(fleet)
    yield from _fleet(state, fleet, move.feet)
    if bay == 0:
        yield "fish.bay_empty", "", "the bay is empty"
    if boats > bay:
        yield "fish.boats_excess", "boats", f"{boats} boats go for {bay} tokens"
    if move.feet > boats and move.feet + _prepaid(state, fleet) > bay:
        yield "fish.feet_wasted", "feet", f"there are only {bay} tokens in the bay"


def _sail(state: Hawaii, move: Sail) -> Iterator[Broken]:
    fleet = (move.start, move.level1, move.level2)
    yield from _fleet(state, fleet, state.rules.dock(move.dock)[0] - _prepaid(state, fleet))
    if state.dock_island(move.dock) == NONE:
        yield "sail.dock_empty", "dock", f"no island is at dock {move.dock}"


def _draw(state: Hawaii, move: HawaiiMove) -> Iterator[Broken]:
    moves = Moves()
    state.legal(moves)
    code = encode(state.rules, move)
    if code is None or not moves.has(code):
        yield "chance.weight", "", "this cannot be drawn any more"
