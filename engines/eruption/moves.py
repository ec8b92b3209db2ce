"""The typed moves of Eruption and their codes (README section 5)."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.state import Rules
from engines.eruption.facts import (
    BUILD_CODE,
    CARDS,
    CODES,
    DEAL_CODE,
    DISCARD_CODE,
    DRAW_CARD_CODE,
    DRAW_TILE_CODE,
    END_ACTIONS_CODE,
    END_BUILD_CODE,
    FLOW_SITES,
    GIVE_CARD_CODE,
    GIVE_WALL_CODE,
    HEXES,
    KINDS,
    NONE,
    PAIR_CODE,
    PICK_CODE,
    PILES,
    PLACE_CODE,
    PLACE_ERUPTION_CODE,
    PLAY_CODE,
    RELOCATE_CODE,
    REMOVE_TILE_CODE,
    REMOVE_WALL_CODE,
    REPLACE_CODE,
    REVEAL_CODE,
    ROLL_CODE,
    ROTATE_CODE,
    SKIP_EXTRA_CODE,
    STARTER_CODE,
    TAKE_EXTRA_CODE,
    TRADE_CODE,
)
from engines.eruption.tables import EruptionRules

SEATS = 6
"""Seats that a move may name, whether the game has them or not."""
DICE = 6
MAX_DIE = 99
"""The highest number a well-formed roll may show; above 6 it is refused by rule."""


@dataclass(frozen=True, slots=True)
class PlaceEruption:
    """Lay the eruption tile."""

    hex: int


@dataclass(frozen=True, slots=True)
class PickPile:
    """Take the top of a pile 0..2 (forecast)."""

    pile: int


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """Lay the drawn tile, turned clockwise by `rot` steps."""

    hex: int
    rot: int


@dataclass(frozen=True, slots=True)
class TakeExtraTile:
    """Draw the additional tile of the last danger zone."""


@dataclass(frozen=True, slots=True)
class SkipExtraTile:
    """Do without it."""


@dataclass(frozen=True, slots=True)
class EndActions:
    """Play no further card."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Discard a card for its action."""

    card: int


@dataclass(frozen=True, slots=True)
class TradeCard:
    """Discard a card for its wall piece."""

    card: int


@dataclass(frozen=True, slots=True)
class TradePair:
    """Discard two cards for an additional tile; `first` comes before `second` in the table of cards."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class GiveWall:
    """Hand a wall piece to a teammate (clans)."""

    to: int
    material: int


@dataclass(frozen=True, slots=True)
class GiveCard:
    """Hand a card to a teammate, openly (clans)."""

    to: int
    card: int


@dataclass(frozen=True, slots=True)
class RotateTile:
    """Turn a tile on its hex (Aftershock)."""

    hex: int
    rot: int


@dataclass(frozen=True, slots=True)
class RemoveTile:
    """Take a tile off the board (Sinkhole)."""

    hex: int


@dataclass(frozen=True, slots=True)
class ReplaceTile:
    """Lay the drawn tile in place of another (Quake)."""

    hex: int
    rot: int


@dataclass(frozen=True, slots=True)
class RemoveWall:
    """Take a wall off the board (Volcanic Bomb); a site is a number of `facts.FLOW_SITES`."""

    site: int


@dataclass(frozen=True, slots=True)
class RelocateWall:
    """Set one of the lifted walls on a village edge, from left to right (Relocate)."""

    site: int
    material: int


@dataclass(frozen=True, slots=True)
class BuildWall:
    """Put a wall piece on a site."""

    site: int
    material: int


@dataclass(frozen=True, slots=True)
class EndBuild:
    """Build no further wall."""


@dataclass(frozen=True, slots=True)
class DiscardCard:
    """Throw a card away at the end of the turn."""

    card: int


@dataclass(frozen=True, slots=True)
class DealCard:
    """Chance: a card of the first hand; NONE where the viewer may not see it."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class RevealPile:
    """Chance: the lava kind on top of a pile 0..2 (forecast)."""

    pile: int
    kind: int


@dataclass(frozen=True, slots=True)
class DrawStarter:
    """Chance: the seat that begins."""

    seat: int


@dataclass(frozen=True, slots=True)
class RollDice:
    """Chance: the orange die of the lava and the white die of the wall."""

    lava: int
    wall: int


@dataclass(frozen=True, slots=True)
class DrawTile:
    """Chance: the lava kind drawn from the stack."""

    kind: int


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Chance: a card drawn by a seat; NONE where the viewer may not see it."""

    seat: int
    card: int


EruptionMove = (
    PlaceEruption
    | PickPile
    | PlaceTile
    | TakeExtraTile
    | SkipExtraTile
    | EndActions
    | PlayCard
    | TradeCard
    | TradePair
    | GiveWall
    | GiveCard
    | RotateTile
    | RemoveTile
    | ReplaceTile
    | RemoveWall
    | RelocateWall
    | BuildWall
    | EndBuild
    | DiscardCard
    | DealCard
    | RevealPile
    | DrawStarter
    | RollDice
    | DrawTile
    | DrawCard
)

FIELDS: dict[type, str] = {
    PlaceEruption: "place_eruption",
    PickPile: "pick_pile",
    PlaceTile: "place_tile",
    TakeExtraTile: "take_extra_tile",
    SkipExtraTile: "skip_extra_tile",
    EndActions: "end_actions",
    PlayCard: "play_card",
    TradeCard: "trade_card",
    TradePair: "trade_pair",
    GiveWall: "give_wall",
    GiveCard: "give_card",
    RotateTile: "rotate_tile",
    RemoveTile: "remove_tile",
    ReplaceTile: "replace_tile",
    RemoveWall: "remove_wall",
    RelocateWall: "relocate_wall",
    BuildWall: "build_wall",
    EndBuild: "end_build",
    DiscardCard: "discard_card",
    DealCard: "deal_card",
    RevealPile: "reveal_pile",
    DrawStarter: "draw_starter",
    RollDice: "roll_dice",
    DrawTile: "draw_tile",
    DrawCard: "draw_card",
}
"""Name of each kind of move, as in the messages of the contract."""


def vocabulary(rules: Rules) -> list[EruptionMove | None]:
    """The move of each code; None where the edition has fewer hexes, kinds or villages than the codes have room for."""
    assert isinstance(rules, EruptionRules)
    moves: list[EruptionMove | None] = [None] * CODES
    for move in _possible(rules):
        code = encode(rules, move)
        assert code is not None
        moves[code] = move
    return moves


def _possible(rules: EruptionRules) -> list[EruptionMove]:
    """Every move that is legal in some position of some game of the edition."""
    geometry = rules.geometry
    hexes, cards, seats, materials = range(len(geometry.hexes)), range(len(CARDS)), range(SEATS), range(3)
    turned = [(h, rot) for h in hexes for rot in range(6)]
    return [
        *(PlaceEruption(h) for h in hexes),
        *(PickPile(p) for p in range(PILES)),
        *(PlaceTile(h, rot) for h, rot in turned),
        TakeExtraTile(),
        SkipExtraTile(),
        EndActions(),
        *(PlayCard(c) for c in cards),
        *(TradeCard(c) for c in cards),
        *(TradePair(first, second) for first in cards for second in cards if first <= second),
        *(GiveWall(s, m) for s in seats for m in materials),
        *(GiveCard(s, c) for s in seats for c in cards),
        *(RotateTile(h, rot) for h, rot in turned),
        *(RemoveTile(h) for h in hexes),
        *(ReplaceTile(h, rot) for h, rot in turned),
        *(RemoveWall(site) for site in geometry.wall_sites),
        *(RelocateWall(site, m) for site in geometry.wall_sites if site >= FLOW_SITES for m in materials),
        *(BuildWall(site, m) for site in geometry.wall_sites for m in materials),
        EndBuild(),
        *(DiscardCard(c) for c in cards),
        *(DealCard(s, c) for s in seats for c in cards),
        *(RevealPile(p, k) for p in range(PILES) for k in range(rules.source)),
        *(DrawStarter(s) for s in seats),
        *(RollDice(lava, wall) for lava in range(1, DICE + 1) for wall in range(1, DICE + 1)),
        *(DrawTile(k) for k in range(rules.source)),
        *(DrawCard(s, c) for s in seats for c in cards),
    ]


def encode(rules: Rules, move: EruptionMove) -> int | None:
    """The code of a well-formed move.

    None for what no position allows: a tile on the volcano, a wall that faces no tile hex, a pair in the wrong order, a
    die of more than six eyes, a card that is not shown.
    """
    assert isinstance(rules, EruptionRules)
    if isinstance(move, (PlaceEruption, PlaceTile, RotateTile, RemoveTile, ReplaceTile)) and move.hex >= HEXES:
        return None
    if isinstance(move, (RemoveWall, BuildWall)) and move.site not in rules.geometry.wall_site_set:
        return None
    return _seat_code(move)


def _seat_code(move: EruptionMove) -> int | None:
    match move:
        case PlaceEruption(h):
            return PLACE_ERUPTION_CODE + h
        case PickPile(pile):
            return PICK_CODE + pile
        case PlaceTile(h, rot):
            return PLACE_CODE + 6 * h + rot
        case TakeExtraTile():
            return TAKE_EXTRA_CODE
        case SkipExtraTile():
            return SKIP_EXTRA_CODE
        case EndActions():
            return END_ACTIONS_CODE
        case PlayCard(card):
            return PLAY_CODE + card
        case TradeCard(card):
            return TRADE_CODE + card
        case TradePair(first, second):
            return PAIR_CODE + 8 * first + second if first <= second else None
        case GiveWall(to, material):
            return GIVE_WALL_CODE + 3 * to + material
        case GiveCard(to, card):
            return GIVE_CARD_CODE + 8 * to + card
        case RotateTile(h, rot):
            return ROTATE_CODE + 6 * h + rot
        case RemoveTile(h):
            return REMOVE_TILE_CODE + h
        case ReplaceTile(h, rot):
            return REPLACE_CODE + 6 * h + rot
        case RemoveWall(site):
            return REMOVE_WALL_CODE + site
        case RelocateWall(site, material):
            return RELOCATE_CODE + 3 * (site - FLOW_SITES) + material
        case BuildWall(site, material):
            return BUILD_CODE + 3 * site + material
        case EndBuild():
            return END_BUILD_CODE
        case DiscardCard(card):
            return DISCARD_CODE + card
        case _:
            return _chance_code(move)


def _chance_code(move: EruptionMove) -> int | None:
    match move:
        case DealCard(seat, card):
            return None if card == NONE else DEAL_CODE + 8 * seat + card
        case RevealPile(pile, kind):
            return REVEAL_CODE + KINDS * pile + kind
        case DrawStarter(seat):
            return STARTER_CODE + seat
        case RollDice(lava, wall):
            inside = 1 <= lava <= DICE and 1 <= wall <= DICE
            return ROLL_CODE + DICE * (lava - 1) + wall - 1 if inside else None
        case DrawTile(kind):
            return DRAW_TILE_CODE + kind
        case DrawCard(seat, card):
            return None if card == NONE else DRAW_CARD_CODE + 8 * seat + card
        case _:
            raise AssertionError(f"no move of Eruption: {move!r}")
