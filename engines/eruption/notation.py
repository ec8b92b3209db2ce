"""Text of Eruption moves and positions (README section 8)."""

from __future__ import annotations

import re

from engines.core.game import BadInput, Violation
from engines.core.state import Rules
from engines.eruption import moves
from engines.eruption.facts import CARDS, FLOW_SITES, MATERIAL_LETTERS, NONE
from engines.eruption.moves import EruptionMove
from engines.eruption.position_text import read_position, write_position
from engines.eruption.tables import EruptionRules

__all__ = ["parse", "read_position", "token", "write_position"]

_HEX = "[a-k](?:[1-9]|1[01])"
_SITE = rf"{_HEX}\.(?:NE|NW|SE|SW|N|S)|[A-Z][1-7]"
_CARD = "|".join(CARDS)
_SHOWN = rf"{_CARD}|\?\?"
_FORMS: tuple[tuple[type, str], ...] = (
    (moves.PlaceTile, rf"\+(?P<hex>{_HEX})/(?P<rot>[0-5])"),
    (moves.PlaceEruption, rf"\*(?P<hex>{_HEX})"),
    (moves.RotateTile, rf"@(?P<hex>{_HEX})/(?P<rot>[0-5])"),
    (moves.ReplaceTile, rf"=(?P<hex>{_HEX})/(?P<rot>[0-5])"),
    (moves.RemoveTile, rf"-(?P<hex>{_HEX})"),
    (moves.RemoveWall, rf"-(?P<site>{_SITE})"),
    (moves.PickPile, "p(?P<pile>[1-3])"),
    (moves.TakeExtraTile, r"x\+"),
    (moves.SkipExtraTile, "x-"),
    (moves.PlayCard, f"(?P<card>{_CARD})"),
    (moves.TradeCard, rf"(?P<card>{_CARD})\$"),
    (moves.DiscardCard, f"(?P<card>{_CARD})!"),
    (moves.TradePair, f"(?P<first>{_CARD})&(?P<second>{_CARD})"),
    (moves.GiveCard, f"(?P<card>{_CARD})>(?P<to>[0-5])"),
    (moves.GiveWall, "(?P<material>[swt])>(?P<to>[0-5])"),
    (moves.BuildWall, f"(?P<material>[swt]):(?P<site>{_SITE})"),
    (moves.RelocateWall, "(?P<material>[swt])~(?P<site>[A-Z][1-7])"),
    (moves.EndActions, "/a"),
    (moves.EndBuild, "/b"),
    (moves.DealCard, rf"\[D(?P<seat>[0-5]):(?P<card>{_SHOWN})\]"),
    (moves.DrawCard, rf"\[C(?P<seat>[0-5]):(?P<card>{_SHOWN})\]"),
    (moves.RevealPile, r"\[P(?P<pile>[1-3]):(?P<kind>[0-5]{1,6})\]"),
    (moves.DrawStarter, r"\[S(?P<seat>[0-5])\]"),
    (moves.DrawTile, r"\[T:(?P<kind>[0-5]{1,6})\]"),
    (moves.RollDice, r"\[R:(?P<lava>0|[1-9]\d?)-(?P<wall>0|[1-9]\d?)\]"),
)
_PATTERNS = tuple((cls, re.compile(pattern, re.ASCII)) for cls, pattern in _FORMS)


def token(rules: Rules, move: EruptionMove) -> str:
    """The text of a well-formed move."""
    assert isinstance(rules, EruptionRules)
    geometry = rules.geometry
    match move:
        case moves.PlaceTile(h, rot):
            return f"+{geometry.hex_name(h)}/{rot}"
        case moves.PlaceEruption(h):
            return f"*{geometry.hex_name(h)}"
        case moves.RotateTile(h, rot):
            return f"@{geometry.hex_name(h)}/{rot}"
        case moves.ReplaceTile(h, rot):
            return f"={geometry.hex_name(h)}/{rot}"
        case moves.RemoveTile(h):
            return f"-{geometry.hex_name(h)}"
        case moves.RemoveWall(site):
            return f"-{geometry.site_name(site)}"
        case moves.PickPile(pile):
            return f"p{pile + 1}"
        case moves.TakeExtraTile():
            return "x+"
        case moves.SkipExtraTile():
            return "x-"
        case moves.PlayCard(card):
            return CARDS[card]
        case moves.TradeCard(card):
            return f"{CARDS[card]}$"
        case moves.DiscardCard(card):
            return f"{CARDS[card]}!"
        case moves.TradePair(first, second):
            return f"{CARDS[first]}&{CARDS[second]}"
        case moves.GiveCard(to, card):
            return f"{CARDS[card]}>{to}"
        case moves.GiveWall(to, material):
            return f"{MATERIAL_LETTERS[material]}>{to}"
        case moves.BuildWall(site, material):
            return f"{MATERIAL_LETTERS[material]}:{geometry.site_name(site)}"
        case moves.RelocateWall(site, material):
            return f"{MATERIAL_LETTERS[material]}~{geometry.site_name(site)}"
        case moves.EndActions():
            return "/a"
        case moves.EndBuild():
            return "/b"
        case _:
            return f"[{_chance_text(rules, move)}]"


def _chance_text(rules: EruptionRules, move: EruptionMove) -> str:
    match move:
        case moves.DealCard(seat, card):
            return f"D{seat}:{_card_text(card)}"
        case moves.DrawCard(seat, card):
            return f"C{seat}:{_card_text(card)}"
        case moves.RevealPile(pile, kind):
            return f"P{pile + 1}:{rules.kinds[kind]}"
        case moves.DrawStarter(seat):
            return f"S{seat}"
        case moves.DrawTile(kind):
            return f"T:{rules.kinds[kind]}"
        case moves.RollDice(lava, wall):
            return f"R:{lava}-{wall}"
        case _:
            raise AssertionError(f"no move of Eruption: {move!r}")


def _card_text(card: int) -> str:
    return "??" if card == NONE else CARDS[card]


def parse(rules: Rules, token: str) -> EruptionMove:
    """The move of a token. Raises BadInput (`eruption.parse`) when it is none."""
    assert isinstance(rules, EruptionRules)
    for cls, pattern in _PATTERNS:
        found = pattern.fullmatch(token)
        if found:
            values = {name: _value(rules, name, text) for name, text in found.groupdict().items()}
            if None in values.values() or (cls is moves.RelocateWall and (values["site"] or 0) < FLOW_SITES):
                break
            move: EruptionMove = cls(**values)
            return move
    raise BadInput([Violation("token", f"{token[:40]!r} is no Eruption move", "eruption.parse")])


def _value(rules: EruptionRules, name: str, text: str) -> int | None:
    """The number of a parameter; None when the edition has nothing of that name."""
    match name:
        case "hex":
            return rules.geometry.number.get(text)
        case "site":
            return rules.geometry.site.get(text)
        case "kind":
            return rules.kinds.index(text) if text in rules.kinds else None
        case "card" | "first" | "second":
            return NONE if text == "??" else CARDS.index(text)
        case "material":
            return MATERIAL_LETTERS.index(text)
        case "pile":
            return int(text) - 1
        case _:
            return int(text)
