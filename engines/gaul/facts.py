"""What Village of Gaul declares about itself, and the words its modules share: phases, actions, faces, capacities."""

from __future__ import annotations

from typing import NamedTuple

from engines.core.game import Facts

FACTS = Facts(
    slug="gaul",
    name="Village of Gaul",
    rules_version=1,
    seats=(2, 3, 4),
    default_edition="base",
    max_legal=84,  # kinds dealt or drawn; a seat never has more than 74 moves (README section 11)
    max_plies=31 * 4,  # for each seat ten cards dealt and seven turns of at most three moves
    end_reasons=("LAST_ROUND",),
    hidden=True,
    chance_after_setup=True,
)

PHASES = ("DEAL", "PLAY", "ACTION", "DRAW", "AISLING", "OVER")
DEAL, PLAY, ACTION, DRAW, AISLING, OVER = range(6)

ACTIONS = "xrmscad"
"""Letters of the card actions; they are fixed, unlike those of districts and tools."""
ACT_SWAP, ACT_REMOVE, ACT_STEP, ACT_SPLIT, ACT_CROSS, ACT_AISLING, ACT_DRAW = range(7)
ACTION_NAMES = ("swap", "remove", "step", "split", "cross", "aisling", "draw")

NONE = -1
"""Aisling outside the wall; no card in play; a face that no card of the edition has."""

MAX_SEATS = 4
MAX_DISTRICTS = 8
MAX_TOOLS = 8
MAX_KINDS = 128
MAX_FACES = 63
MAX_HAND = 20
"""Capacities of the native arrays. An edition that exceeds one is refused by name."""

DECLINE_NEVER, DECLINE_WORDED, DECLINE_ANY = range(3)
DECLINE_RULES = ("never", "worded", "any")
SWAP_SCOPES = ("any_played", "charged_only")


class Face(NamedTuple):
    """What still matters of a card once its action is done. Faces sort by colour, tool, symbols."""

    colour: int
    tool: int
    symbols: int


EXHAUSTED = None
"""In a swap: any exhausted card of the seat, since nothing tells them apart."""
Ref = Face | None
"""A card on the table as a swap names it."""
