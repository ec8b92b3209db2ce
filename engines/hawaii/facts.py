"""What Hawaii declares about itself, and the words and capacities its modules share."""

from __future__ import annotations

from engines.core.game import Facts

FACTS = Facts(
    slug="hawaii",
    name="Hawaii",
    rules_version=1,
    seats=(2, 3, 4, 5),
    default_edition="base-1",
    # TURN is the longest list: 10 walks, 5 passes, a return, and at most 49 sets of boats (eight gained ones and the
    # start boat: 2 * 5 * 5 - 1), each with at most 10 numbers of feet to fish with and 4 docks to sail to.
    max_legal=10 + 49 * 10 + 49 * 4 + 5 + 1,
    # A round serves at most 21 tokens in at most 5 decisions each, 4 islands in 4, a pass and a collection a seat:
    # 131 decisions with five seats. Chance: 10 areas, 10 islands, and 25 tokens a round.
    max_plies=5 * (21 * 5 + 4 * 4 + 2 * 5) + 10 + 10 + 5 * 25,
    end_reasons=("LAST_ROUND",),
    hidden=True,
    chance_after_setup=True,
)

PHASES = (
    "DRAW_AREAS",
    "DRAW_ISLANDS",
    "DRAW_PRICES",
    "DRAW_LIMITS",
    "DRAW_ORDER",
    "TURN",
    "PAY_WALK",
    "BUY",
    "PAY_PRICE",
    "PLACE",
    "PAY_TRIP",
    "TAKE_FISH",
    "TAKE_TILE",
    "COLLECT",
    "OVER",
)
DRAW_AREAS, DRAW_ISLANDS, DRAW_PRICES, DRAW_LIMITS, DRAW_ORDER = range(5)
TURN, PAY_WALK, BUY, PAY_PRICE, PLACE, PAY_TRIP, TAKE_FISH, TAKE_TILE, COLLECT, OVER = range(5, 15)

NONE = -1
"""No seat, area, token, island, kind or dock."""
BEACH = 10
PASSED = 11
"""Where a piece stands that is on no position 0 to 9."""

NO_TRIP, FISHING, SAILING = range(3)
"""What the feet of PAY_TRIP are paid for."""

SHELLS, FEET, FRUIT = range(3)
RESOURCES = ("shells", "feet", "fruit")
RESOURCE_LETTERS = "sfu"

SOURCES = ("goals", "goal_bonus", "spears", "islands", "first_spot")
"""Where the points come from that a seat gains before the end of the game."""
GOALS, GOAL_BONUS, SPEARS, ISLANDS, FIRST_SPOT = range(5)

CLASSES = ("hut", "fruit", "surfer", "god", "other", "boat", "kahuna", "tiki")
"""Classes of tile kinds; those from "boat" on never enter a village."""
HUT, FRUIT_TILE, SURFER, GOD, OTHER, BOAT, KAHUNA, TIKI = range(8)

EFFECTS = (
    "income_shells",
    "income_feet",
    "income_fruit",
    "any_per_round",
    "exchange",
    "goal_reduction",
    "goal_bonus_vp",
    "spear_vp",
    "walk_discount",
    "boat_capacity",
    "boat_prepaid",
    "end_vp",
    "end_vp_tile_village",
    "end_vp_fruit_village",
    "end_vp_fruit_realm",
    "end_vp_surfer",
    "end_vp_boat",
    "end_vp_village",
)
"""What a side of a tile can do: all that the rules know of it."""
(
    INCOME_SHELLS,
    INCOME_FEET,
    INCOME_FRUIT,
    ANY_PER_ROUND,
    EXCHANGE,
    GOAL_REDUCTION,
    GOAL_BONUS_VP,
    SPEAR_VP,
    WALK_DISCOUNT,
    BOAT_CAPACITY,
    BOAT_PREPAID,
    END_VP,
    END_VP_TILE_VILLAGE,
    END_VP_FRUIT_VILLAGE,
    END_VP_FRUIT_REALM,
    END_VP_SURFER,
    END_VP_BOAT,
    END_VP_VILLAGE,
) = range(18)
STANDING = 9
"""The effects below this number work in every village, valid or not, and are kept added up for each seat."""

START_HUT = "start_hut"
"""Id and code `st` of the hut that every realm begins with; it is never for sale."""
START_CODE = "st"

# Capacities of the native tables; an edition that needs more is refused by name (edition.py).
SEATS = 5
POSITIONS = 10
"""Positions and areas of the main island."""
SLOTS = 4
"""Price tokens of one area."""
KINDS = 31
"""Tile kinds on sale. The start hut follows the last one, so that every kind fits a 32-bit mask."""
TYPES = 16
"""Types of price tokens."""
ISLAND_TILES = 16
DOCKS = 4
VILLAGES = 5
TILES = 20
"""Tiles of one village."""
BOATS = 8
"""Boats of one kind that a seat could own: the whole stock."""
AMOUNT = 15
"""Most units of one payment or collection."""
HUT_CAPACITY = 31
"""Most units that all exchange huts of a realm can replace."""

# First code of each kind of move. Amounts are three base-16 digits (shells, feet, fruit); a set of boats is
# (start * 9 + level I) * 9 + level II, below 162; a purchase is (kind * 2 + level) * 16 + token type.
WALK_CODE = 0
FISH_CODE = WALK_CODE + POSITIONS
SAIL_CODE = FISH_CODE + 162 * POSITIONS
PASS_CODE = SAIL_CODE + DOCKS * 162
RETURN_CODE = PASS_CODE + SEATS
PAY_CODE = RETURN_CODE + 1
BUY_CODE = PAY_CODE + 4096
PLACE_CODE = BUY_CODE + KINDS * 2 * TYPES
TAKE_FISH_CODE = PLACE_CODE + VILLAGES
TAKE_TILE_CODE = TAKE_FISH_CODE + 10
COLLECT_CODE = TAKE_TILE_CODE + KINDS
DRAW_AREA_CODE = COLLECT_CODE + 4096
DRAW_ISLAND_CODE = DRAW_AREA_CODE + POSITIONS
DRAW_TOKEN_CODE = DRAW_ISLAND_CODE + ISLAND_TILES
CODES = DRAW_TOKEN_CODE + TYPES
