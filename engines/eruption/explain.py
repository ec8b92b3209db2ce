"""Why an Eruption move is refused: the published rule ids (README section 9) in their stages."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Kind, Reason, Rule
from engines.core.reasons import reasons_of
from engines.eruption import moves
from engines.eruption.facts import (
    ACTION,
    AFTERSHOCK,
    AFTERSHOCK_CARD,
    BOMB,
    BOMB_CARD,
    BUILD,
    CARD_DRAW,
    CARDS,
    CHANCE_PHASES,
    CLANS,
    DAMAGE_ROLL,
    DEAL,
    DISCARD,
    ERUPTION_PLACE,
    EXTRA_TILE,
    FLOW_SITES,
    FOR_CARD,
    FOR_PAIR,
    FOR_QUAKE,
    HEXES,
    LAVA_FLOW_CARD,
    MATERIALS,
    NONE,
    PHASES,
    QUAKE_CARD,
    QUAKE_PLACE,
    RAIN_CARD,
    REINFORCE,
    RELOCATE,
    RELOCATE_CARD,
    REVEAL,
    SINKHOLE,
    SINKHOLE_CARD,
    STARTER,
    TILE_DRAW,
    TILE_PICK,
    TILE_PLACE,
    TILE_ROLL,
    VILLAGE_EDGES,
)
from engines.eruption.moves import FIELDS, EruptionMove
from engines.eruption.reading import Reading
from engines.eruption.rules import Eruption
from engines.eruption.snapshot import Snapshot

RULES = (
    Rule("eruption.over", Kind.GAME_OVER, "Nobody moves after the end of the game.", "7"),
    Rule("eruption.chance_due", Kind.NOT_THE_ACTOR, "No seat moves while a chance move is due.", "3"),
    Rule("eruption.seat_due", Kind.NOT_THE_ACTOR, "Chance does not move while a seat is to decide.", "3"),
    Rule("eruption.not_your_turn", Kind.NOT_THE_ACTOR, "Only the seat on turn decides.", "3"),
    Rule("eruption.phase", Kind.WRONG_PHASE, "Each decision point takes its own kinds of moves.", "5.3"),
    Rule("eruption.chance.outcome", Kind.RULE, "Chance gives only what is there to be given.", "6"),
    Rule("eruption.place.hex", Kind.RULE, "No tile lies on the volcano.", "2"),
    Rule("eruption.place.occupied", Kind.RULE, "A new tile is laid on an empty hex.", "5.1"),
    Rule("eruption.place.empty", Kind.RULE, "There must be a tile on the hex.", "5.3"),
    Rule("eruption.place.rot", Kind.OUT_OF_RANGE, "A rotation is below the period of the tile.", "2"),
    Rule("eruption.place.tile_edge", Kind.RULE, "Facing edges of tiles both have lava, or both have none.", "5.1"),
    Rule("eruption.place.bare_rock", Kind.RULE, "Lava never meets the volcano where it has no mouth.", "5.1"),
    Rule("eruption.place.mouth", Kind.RULE, "A mouth is met with lava.", "5.1"),
    Rule("eruption.place.unconnected", Kind.RULE, "A lava tile continues some flow.", "5.1"),
    Rule("eruption.place.held", Kind.RULE, "Walls that held bar their hex for the whole placement.", "6"),
    Rule("eruption.rotate.same", Kind.RULE, "Aftershock really turns a tile.", "5.3"),
    Rule("eruption.replace.cuts", Kind.RULE, "Quake leaves no tile without lava.", "5.1"),
    Rule("eruption.remove.cuts", Kind.RULE, "Sinkhole leaves no other tile without lava.", "5.1"),
    Rule("eruption.pick.empty", Kind.RULE, "A pile is picked while it has a tile.", "5.3"),
    Rule("eruption.pick.no_place", Kind.RULE, "The picked tile must have a place.", "5.3"),
    Rule("eruption.card.missing", Kind.RULE, "A card is used from the hand.", "5.3"),
    Rule("eruption.card.aftershock", Kind.RULE, "Aftershock needs a tile that can turn.", "5.3"),
    Rule("eruption.card.sinkhole", Kind.RULE, "Sinkhole needs a tile that can go.", "5.3"),
    Rule("eruption.card.quake", Kind.RULE, "Quake needs a tile to draw that can replace another.", "5.3"),
    Rule("eruption.card.rain", Kind.RULE, "Rain needs a village above 0 degrees.", "5.3"),
    Rule("eruption.card.bomb", Kind.RULE, "Volcanic Bomb needs a wall on the board.", "5.3"),
    Rule("eruption.card.lava_flow", Kind.RULE, "Lava Flow needs a tile to draw that has a place.", "5.3"),
    Rule("eruption.card.relocate", Kind.RULE, "Relocate needs a wall in the own village.", "5.3"),
    Rule("eruption.card.reinforce.piece", Kind.RULE, "Reinforce needs a wall piece.", "5.3"),
    Rule("eruption.card.reinforce.site", Kind.RULE, "Reinforce needs a place for a wall.", "5.3"),
    Rule("eruption.trade.stock", Kind.RULE, "The stock must have the piece, or a weaker one.", "5.3"),
    Rule("eruption.pair.tile", Kind.RULE, "A pair needs a tile to draw that has a place.", "5.3"),
    Rule("eruption.pair.order", Kind.RULE, "The cards of a pair are named in the order of the table of cards.", "5.3"),
    Rule("eruption.give.self", Kind.RULE, "Gifts go to another seat.", "5.3"),
    Rule("eruption.give.enemy", Kind.RULE, "Gifts go to a teammate.", "5.3"),
    Rule("eruption.give.piece", Kind.RULE, "The giver has such a piece.", "5.3"),
    Rule("eruption.bomb.no_wall", Kind.RULE, "Volcanic Bomb hits a wall.", "5.3"),
    Rule("eruption.relocate.piece", Kind.RULE, "Such a wall was lifted.", "5.3"),
    Rule("eruption.relocate.order", Kind.RULE, "Lifted walls are set from left to right.", "5.3"),
    Rule("eruption.relocate.room", Kind.RULE, "To the right there is room for the walls still lifted.", "5.3"),
    Rule("eruption.build.piece", Kind.RULE, "The seat has such a piece.", "5.3"),
    Rule("eruption.build.taken", Kind.RULE, "A flow or village edge holds one wall.", "5.1"),
    Rule("eruption.build.no_lava", Kind.RULE, "Outside the village a wall stands on lava.", "5.1"),
    Rule("eruption.build.village_border", Kind.RULE, "No wall stands on a flow into a village.", "5.1"),
    Rule("eruption.build.sea", Kind.RULE, "No wall stands on a flow into the sea.", "5.1"),
    Rule("eruption.build.no_room", Kind.RULE, "Beyond the wall lies an empty tile hex.", "5.1"),
    Rule("eruption.build.foreign", Kind.RULE, "A seat walls only its own village.", "5.1"),
)
_BY_ID = {rule.id: rule for rule in RULES}

_PHASES: dict[type, frozenset[int]] = {
    moves.PlaceEruption: frozenset((ERUPTION_PLACE,)),
    moves.PickPile: frozenset((TILE_PICK,)),
    moves.PlaceTile: frozenset((TILE_PLACE,)),
    moves.TakeExtraTile: frozenset((EXTRA_TILE,)),
    moves.SkipExtraTile: frozenset((EXTRA_TILE,)),
    moves.EndActions: frozenset((ACTION,)),
    moves.PlayCard: frozenset((ACTION,)),
    moves.TradeCard: frozenset((ACTION,)),
    moves.TradePair: frozenset((ACTION,)),
    moves.GiveWall: frozenset((ACTION,)),
    moves.GiveCard: frozenset((ACTION,)),
    moves.RotateTile: frozenset((AFTERSHOCK,)),
    moves.RemoveTile: frozenset((SINKHOLE,)),
    moves.ReplaceTile: frozenset((QUAKE_PLACE,)),
    moves.RemoveWall: frozenset((BOMB,)),
    moves.RelocateWall: frozenset((RELOCATE,)),
    moves.BuildWall: frozenset((BUILD, REINFORCE)),
    moves.EndBuild: frozenset((BUILD,)),
    moves.DiscardCard: frozenset((DISCARD,)),
    moves.DealCard: frozenset((DEAL,)),
    moves.RevealPile: frozenset((REVEAL,)),
    moves.DrawStarter: frozenset((STARTER,)),
    moves.RollDice: frozenset((DAMAGE_ROLL, TILE_ROLL)),
    moves.DrawTile: frozenset((TILE_DRAW,)),
    moves.DrawCard: frozenset((CARD_DRAW,)),
}
_CHANCE_MOVES = (
    moves.DealCard,
    moves.RevealPile,
    moves.DrawStarter,
    moves.RollDice,
    moves.DrawTile,
    moves.DrawCard,
)

Broken = tuple[str, str, str]
"""Rule id without the slug, field below the move's own message, sentence."""


def explain(state: Eruption, move: EruptionMove, sender: int) -> list[Reason]:
    """Every broken rule of the first stage that has any; empty exactly when the move is legal for `sender`."""
    broken = list(_turn(state, move, sender)) or list(_content(state, move))
    return reasons_of(_BY_ID, "eruption", FIELDS[type(move)], broken)


def _turn(state: Eruption, move: EruptionMove, sender: int) -> Iterator[Broken]:
    """The first of these alone."""
    phase, actor = state.phase(), state.actor
    if actor == TERMINAL:
        yield "over", "", "the game is over"
    elif phase in CHANCE_PHASES and sender != CHANCE:
        yield "chance_due", "sender", f"{PHASES[phase]} waits for chance"
    elif phase not in CHANCE_PHASES and (sender == CHANCE or isinstance(move, _CHANCE_MOVES)):
        yield "seat_due", "sender", f"{PHASES[phase]} waits for seat {actor}"
    elif sender not in (CHANCE, actor):
        yield "not_your_turn", "sender", f"seat {actor} is on turn"
    elif phase not in _PHASES[type(move)]:
        yield "phase", "", f"a {type(move).__name__} does not belong to {PHASES[phase]}"
    elif isinstance(move, (moves.GiveWall, moves.GiveCard)) and state.rules.mode != CLANS:
        yield "phase", "", "gifts belong to clans"


def _content(state: Eruption, move: EruptionMove) -> Iterator[Broken]:
    s = state.snapshot()
    reading = Reading(state.rules, s.table)
    match move:
        case moves.PlaceEruption(h):
            return _place(reading, h, state.rules.source, 0)
        case moves.PlaceTile(h, rot):
            return _place(reading, h, s.table.tile, rot)
        case moves.RotateTile(h, rot):
            return _rotate(reading, h, rot)
        case moves.ReplaceTile(h, rot):
            return _replace(reading, h, rot)
        case moves.RemoveTile(h):
            return _remove(reading, h)
        case moves.PickPile(pile):
            return _pick(reading, pile)
        case moves.PlayCard(card):
            return _play(reading, s, card)
        case moves.TradeCard(card):
            return _trade(reading, s, card)
        case moves.TradePair(first, second):
            return _pair(reading, s, first, second)
        case moves.GiveWall() | moves.GiveCard():
            return _give(reading, s, move)
        case moves.RemoveWall(site):
            return _bomb(reading, site)
        case moves.RelocateWall(site, material):
            return _relocate(reading, site, material)
        case moves.BuildWall(site, material):
            return _build(reading, site, material)
        case moves.DiscardCard(card):
            return _missing(s, card, "card")
        case _:
            return _chance(reading, s, move)


# -- tiles --------------------------------------------------------------------------------------------------------


def _name(reading: Reading, h: int) -> str:
    return str(reading.geometry.hex_name(h))


def _edges(reading: Reading, h: int, kind: int, rot: int) -> Iterator[Broken]:
    """The edges of a tile against what they face, and whether any lava leads there."""
    wrong = reading.wrong_edges(h, kind, rot)
    for d in (d for d in range(6) if wrong >> d & 1):
        g = reading.geometry.beside[h][d]
        beyond = _name(reading, g)
        if g < HEXES:
            yield "place.tile_edge", "rot", f"the edges of {_name(reading, h)} and {beyond} do not match"
        elif reading.has_lava(g, (d + 3) % 6):
            yield "place.mouth", "rot", f"the mouth of {beyond} meets an edge without lava"
        else:
            yield "place.bare_rock", "rot", f"lava meets the bare rock of {beyond}"
    if kind != reading.rules.source and not reading.flows(h):
        yield "place.unconnected", "hex", f"no flow leads to {_name(reading, h)}"


def _once(broken: Iterator[Broken]) -> Iterator[Broken]:
    """Each id once."""
    seen = set()
    for found in broken:
        if found[0] not in seen:
            seen.add(found[0])
            yield found


def _place(reading: Reading, h: int, kind: int, rot: int) -> Iterator[Broken]:
    if h >= HEXES:
        yield "place.hex", "hex", f"{_name(reading, h)} is a hex of the volcano"
        return
    if h in reading.tiles:
        yield "place.occupied", "hex", f"a tile lies on {_name(reading, h)}"
    if rot >= reading.rules.turns(kind):
        yield "place.rot", "rot", f"tile {reading.rules.kinds[kind]} has {reading.rules.turns(kind)} rotations"
    else:
        yield from _fields_of(_once(_edges(reading, h, kind, rot)), kind == reading.rules.source)
    if h in reading.table.held:
        yield "place.held", "hex", f"the walls round {_name(reading, h)} have held"


def _fields_of(broken: Iterator[Broken], eruption: bool) -> Iterator[Broken]:
    """An eruption tile has no rotation to blame."""
    for rule, field, sentence in broken:
        yield rule, "hex" if eruption else field, sentence


def _no_tile(reading: Reading, h: int) -> Iterator[Broken]:
    if h >= HEXES:
        yield "place.hex", "hex", f"{_name(reading, h)} is a hex of the volcano"
    elif h not in reading.tiles:
        yield "place.empty", "hex", f"no tile lies on {_name(reading, h)}"


def _rotate(reading: Reading, h: int, rot: int) -> Iterator[Broken]:
    nothing = list(_no_tile(reading, h))
    yield from nothing
    if nothing:
        return
    kind, now = reading.tiles[h]
    period = reading.rules.turns(kind)
    if rot >= period:
        yield "place.rot", "rot", f"tile {reading.rules.kinds[kind]} has {period} rotations"
        return
    yield from _once(_edges(reading, h, kind, rot))
    if rot == now and period == 6:
        yield "rotate.same", "rot", f"the tile on {_name(reading, h)} lies so already"


def _replace(reading: Reading, h: int, rot: int) -> Iterator[Broken]:
    nothing = list(_no_tile(reading, h))
    yield from nothing
    if nothing:
        return
    kind = reading.table.tile
    if rot >= reading.rules.turns(kind):
        yield "place.rot", "rot", f"tile {reading.rules.kinds[kind]} has {reading.rules.turns(kind)} rotations"
        return
    yield from _once(_edges(reading, h, kind, rot))
    if not reading.connected({**reading.tiles, h: (kind, rot)}):
        yield "replace.cuts", "hex", f"without the tile on {_name(reading, h)} lava does not reach every tile"


def _remove(reading: Reading, h: int) -> Iterator[Broken]:
    nothing = list(_no_tile(reading, h))
    yield from nothing
    if not nothing and not reading.connected(reading.without(h)):
        yield "remove.cuts", "hex", f"without the tile on {_name(reading, h)} lava does not reach the others"


def _pick(reading: Reading, pile: int) -> Iterator[Broken]:
    t = reading.table
    top = t.pile_tops[pile]
    if t.pile_sizes[pile] == 0:
        yield "pick.empty", "pile", f"pile {pile + 1} is empty"
    elif top not in reading.candidates(t.purpose, t.held):
        yield "pick.no_place", "pile", f"tile {reading.rules.kinds[top]} has no place"


# -- cards --------------------------------------------------------------------------------------------------------


def _missing(s: Snapshot, card: int, field: str, copies: int = 1) -> Iterator[Broken]:
    seat = s.table.turn_seat
    if s.hands[seat][card] < copies:
        yield "card.missing", field, f"seat {seat} does not hold {copies} {CARDS[card]}"


def _play(reading: Reading, s: Snapshot, card: int) -> Iterator[Broken]:
    yield from _missing(s, card, "card")
    t, seat = reading.table, reading.table.turn_seat
    if card == AFTERSHOCK_CARD and not any(True for _ in reading.rotations()):
        yield "card.aftershock", "card", "no tile can turn"
    if card == SINKHOLE_CARD and not any(reading.connected(reading.without(h)) for h in reading.tiles):
        yield "card.sinkhole", "card", "no tile can go"
    if card == QUAKE_CARD and not reading.candidates(FOR_QUAKE):
        yield "card.quake", "card", "no tile that is left could replace another"
    if card == RAIN_CARD and t.temps[seat] == 0:
        yield "card.rain", "card", "the village is at 0 degrees"
    if card == BOMB_CARD and not reading.walls:
        yield "card.bomb", "card", "no wall is on the board"
    if card == LAVA_FLOW_CARD and not reading.candidates(FOR_CARD):
        yield "card.lava_flow", "card", "no tile that is left has a place"
    if card == RELOCATE_CARD:
        village = reading.village(seat)
        if not any(reading.edge_site(village, e) in reading.walls for e in range(1, VILLAGE_EDGES + 1)):
            yield "card.relocate", "card", "no wall is in the village"
    if CARDS[card] == "RF":
        if not any(t.pieces[seat]):
            yield "card.reinforce.piece", "card", f"seat {seat} has no wall piece"
        if not reading.sites(seat):
            yield "card.reinforce.site", "card", "no wall can be built anywhere"


def _trade(reading: Reading, s: Snapshot, card: int) -> Iterator[Broken]:
    yield from _missing(s, card, "card")
    material = reading.rules.card(card)[1]
    if not reading.obtainable(material):
        yield "trade.stock", "card", f"the stock has no {MATERIALS[material]} and nothing weaker"


def _pair(reading: Reading, s: Snapshot, first: int, second: int) -> Iterator[Broken]:
    if first == second:
        yield from _missing(s, first, "second", copies=2)
    else:
        yield from _once(
            broken for card, field in ((first, "first"), (second, "second")) for broken in _missing(s, card, field)
        )
    if not reading.candidates(FOR_PAIR):
        yield "pair.tile", "", "no tile that is left has a place"
    if first > second:
        yield "pair.order", "first", f"{CARDS[second]} is named before {CARDS[first]}"


def _give(reading: Reading, s: Snapshot, move: moves.GiveWall | moves.GiveCard) -> Iterator[Broken]:
    seat = s.table.turn_seat
    teams = reading.rules.teams_of_seats()
    if move.to == seat:
        yield "give.self", "to", "that is the giver"
    elif move.to >= len(teams):
        yield "give.enemy", "to", f"there is no seat {move.to}"
    elif teams[move.to] != teams[seat]:
        yield "give.enemy", "to", f"seat {move.to} is of another team"
    if isinstance(move, moves.GiveCard):
        yield from _missing(s, move.card, "card")
    elif s.table.pieces[seat][move.material] == 0:
        yield "give.piece", "material", f"seat {seat} has no {MATERIALS[move.material]}"


# -- walls --------------------------------------------------------------------------------------------------------


def _bomb(reading: Reading, site: int) -> Iterator[Broken]:
    if site not in reading.walls:
        yield "bomb.no_wall", "site", f"no wall stands on {reading.geometry.site_name(site)}"


def _is_foreign(reading: Reading, site: int) -> bool:
    village = (site - FLOW_SITES) // VILLAGE_EDGES
    return bool(village != reading.village(reading.table.turn_seat))


def _relocate(reading: Reading, site: int, material: int) -> Iterator[Broken]:
    t = reading.table
    edge = (site - FLOW_SITES) % VILLAGE_EDGES + 1
    if t.tray[material] == 0:
        yield "relocate.piece", "material", f"no {MATERIALS[material]} was lifted"
    if edge <= t.tray_edge:
        yield "relocate.order", "site", f"edge {t.tray_edge} was set already"
    if VILLAGE_EDGES - edge < sum(t.tray) - 1:
        yield "relocate.room", "site", f"{sum(t.tray) - 1} walls would not find room to the right"
    if _is_foreign(reading, site):
        yield "build.foreign", "site", "that is another village"


def _build(reading: Reading, site: int, material: int) -> Iterator[Broken]:
    t = reading.table
    if t.pieces[t.turn_seat][material] == 0:
        yield "build.piece", "material", f"seat {t.turn_seat} has no {MATERIALS[material]}"
    if site in reading.walls:
        yield "build.taken", "site", f"a wall stands on {reading.geometry.site_name(site)}"
    if site >= FLOW_SITES:
        if _is_foreign(reading, site):
            yield "build.foreign", "site", "that is another village"
        return
    h, d = divmod(site, 6)
    g = reading.geometry.beside[h][d]
    if not reading.has_lava(h, d):
        yield "build.no_lava", "site", f"no lava flows over {reading.geometry.site_name(site)}"
    if site in reading.geometry.village_edge:
        yield "build.village_border", "site", "a village lies beyond"
    elif g == NONE:
        yield "build.sea", "site", "the sea lies beyond"
    elif g >= HEXES or g in reading.tiles:
        yield "build.no_room", "site", f"{_name(reading, g)} beyond is no empty tile hex"


# -- chance -------------------------------------------------------------------------------------------------------


def _chance(reading: Reading, s: Snapshot, move: EruptionMove) -> Iterator[Broken]:
    t = s.table
    match move:
        case moves.DealCard(seat, card):
            due = next(i for i, hand in enumerate(s.hands) if sum(hand) < reading.rules.hand_start)
            if seat != due:
                yield "chance.outcome", "seat", f"seat {due} is dealt the next card"
            elif card == NONE or s.deck[card] == 0:
                yield "chance.outcome", "card", "the deck has no such card"
        case moves.DrawCard(seat, card):
            if seat != t.turn_seat:
                yield "chance.outcome", "seat", f"seat {t.turn_seat} draws"
            elif card == NONE or s.deck[card] == 0:
                yield "chance.outcome", "card", "the deck has no such card"
        case moves.RevealPile(pile, kind):
            due = next(p for p in range(3) if t.pile_sizes[p] > 0 and t.pile_tops[p] == NONE)
            if pile != due:
                yield "chance.outcome", "pile", f"pile {due + 1} is turned up next"
            elif t.stack[kind] == 0 or (t.reveal_restricted and kind not in reading.candidates(t.purpose, t.held)):
                yield "chance.outcome", "kind", f"tile {reading.rules.kinds[kind]} cannot come up"
        case moves.DrawStarter(seat):
            if seat >= reading.rules.seats:
                yield "chance.outcome", "seat", f"there is no seat {seat}"
        case moves.RollDice(lava, wall):
            for field, die in (("lava", lava), ("wall", wall)):
                if not 1 <= die <= moves.DICE:
                    yield "chance.outcome", field, f"no die shows {die}"
                    return
        case moves.DrawTile(kind):
            if t.stack[kind] == 0 or kind not in reading.candidates(t.purpose, t.held):
                yield "chance.outcome", "kind", f"tile {reading.rules.kinds[kind]} is not left, or has no place"
