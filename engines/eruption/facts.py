"""What Eruption declares about itself, and the words its modules share: phases, cards, geometry, the table of codes."""

from __future__ import annotations

from engines.core.game import Facts

FACTS = Facts(
    slug="eruption",
    name="Eruption",
    rules_version=1,
    seats=(2, 3, 4, 5, 6),
    default_edition="eruption-stratus-2011",
    # A flow that takes a wall lies between a tile and an empty hex: at most one for each of the 138 pairs of
    # neighbouring tile hexes. With 6 mouths and 7 own edges that is 151 sites for 3 materials, and EndBuild.
    max_legal=3 * (138 + 6 + 7) + 1,
    max_plies=5000,  # the default of the option ply_limit
    end_reasons=("BURNT", "STACK", "LAST_STANDING", "STALEMATE", "PLY_LIMIT"),
    hidden=True,
    chance_after_setup=True,
    lower_score_is_better=True,
)

PHASES = (
    "DEAL",
    "STARTER",
    "REVEAL",
    "DAMAGE_ROLL",
    "ERUPTION_PLACE",
    "TILE_DRAW",
    "TILE_PICK",
    "TILE_PLACE",
    "TILE_ROLL",
    "EXTRA_TILE",
    "CARD_DRAW",
    "ACTION",
    "AFTERSHOCK",
    "SINKHOLE",
    "BOMB",
    "RELOCATE",
    "REINFORCE",
    "QUAKE_PLACE",
    "BUILD",
    "DISCARD",
    "OVER",
)
(
    DEAL,
    STARTER,
    REVEAL,
    DAMAGE_ROLL,
    ERUPTION_PLACE,
    TILE_DRAW,
    TILE_PICK,
    TILE_PLACE,
    TILE_ROLL,
    EXTRA_TILE,
    CARD_DRAW,
    ACTION,
    AFTERSHOCK,
    SINKHOLE,
    BOMB,
    RELOCATE,
    REINFORCE,
    QUAKE_PLACE,
    BUILD,
    DISCARD,
    OVER,
) = range(21)
CHANCE_PHASES = frozenset((DEAL, STARTER, REVEAL, DAMAGE_ROLL, TILE_DRAW, TILE_ROLL, CARD_DRAW))

BURNT, STACK, LAST_STANDING, STALEMATE, PLY_LIMIT = range(1, 6)
"""Reasons of the end as a state stores them: position in `Facts.end_reasons`, from 1."""

NONE = -1
"""No kind, no pile, no place, no team."""
ROW, USED = -1, -2
"""An eruption tile that nobody has claimed yet, and one that is spent; else the seat that holds it."""

PURPOSES = ("", "NORMAL", "ZONE", "LAVA_FLOW", "PAIR", "QUAKE")
NO_PURPOSE, FOR_TURN, FOR_ZONE, FOR_CARD, FOR_PAIR, FOR_QUAKE = range(6)
"""What the tile being drawn is for."""
RESUMES = ("", "TILES", "AFTER", "ACTIONS")
NO_RESUME, TO_TILES, TO_AFTER, TO_ACTIONS = range(4)
"""Where the turn goes on after the last card is drawn."""
REVEALS = ("", "SETUP", "PICK", "PLACE")
NO_REVEAL, TO_SETUP, TO_PICK, TO_PLACE = range(4)
"""Where the game goes on when every pile shows its top."""

MODES = ("base", "clans", "annihilation")
BASE, CLANS, ANNIHILATION = range(3)

MATERIALS = ("straw", "wood", "stone")
MATERIAL_LETTERS = "swt"
CARDS = ("AS", "QK", "SH", "RN", "VB", "LF", "RL", "RF")
AFTERSHOCK_CARD, QUAKE_CARD, SINKHOLE_CARD, RAIN_CARD, BOMB_CARD, LAVA_FLOW_CARD, RELOCATE_CARD, REINFORCE_CARD = range(
    8
)

# Capacities of the native layout; an edition that exceeds one is refused.
HEXES = 60
"""Tile hexes are numbered from 0 in the order of the edition."""
VOLCANO_HEXES = 7
"""Volcano hexes are numbered from HEXES on."""
KINDS = 16
"""Kinds of tiles; the lava kinds come first, the eruption tile is the last one."""
VILLAGES = 6
VILLAGE_EDGES = 7
ERUPTION_TILES = 3
PILES = 3
FLOW_SITES = 6 * (HEXES + VOLCANO_HEXES)
"""Site 6 * hex + direction is the flow that leaves the hex there; edge e of village v is FLOW_SITES + 7 * v + e - 1."""
ONE = 1
"""Shifted where a set of hexes is meant: hot modules declare it with 64 bits."""
SITES = FLOW_SITES + VILLAGES * VILLAGE_EDGES

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Axial (q, r) steps of the directions, clockwise; the opposite of d is (d + 3) % 6."""
COLUMNS = "abcdefghijk"
AT = {f"{column}{row}": (q, row - 6) for q, column in enumerate(COLUMNS, -5) for row in range(1, 12)}
"""Axial (q, r) of every hex name; the centre `f6` is (0, 0)."""
NAME_AT = {place: name for name, place in AT.items()}


_SIZES = (
    ("PLACE_ERUPTION_CODE", HEXES),
    ("PICK_CODE", PILES),
    ("PLACE_CODE", 6 * HEXES),
    ("TAKE_EXTRA_CODE", 1),
    ("SKIP_EXTRA_CODE", 1),
    ("END_ACTIONS_CODE", 1),
    ("PLAY_CODE", 8),
    ("TRADE_CODE", 8),
    ("PAIR_CODE", 64),
    ("GIVE_WALL_CODE", 18),
    ("GIVE_CARD_CODE", 48),
    ("ROTATE_CODE", 6 * HEXES),
    ("REMOVE_TILE_CODE", HEXES),
    ("REPLACE_CODE", 6 * HEXES),
    ("REMOVE_WALL_CODE", SITES),
    ("RELOCATE_CODE", 3 * VILLAGES * VILLAGE_EDGES),
    ("BUILD_CODE", 3 * SITES),
    ("END_BUILD_CODE", 1),
    ("DISCARD_CODE", 8),
    ("DEAL_CODE", 48),
    ("REVEAL_CODE", PILES * KINDS),
    ("STARTER_CODE", 6),
    ("ROLL_CODE", 36),
    ("DRAW_TILE_CODE", KINDS),
    ("DRAW_CARD_CODE", 48),
)
(
    PLACE_ERUPTION_CODE,
    PICK_CODE,
    PLACE_CODE,
    TAKE_EXTRA_CODE,
    SKIP_EXTRA_CODE,
    END_ACTIONS_CODE,
    PLAY_CODE,
    TRADE_CODE,
    PAIR_CODE,
    GIVE_WALL_CODE,
    GIVE_CARD_CODE,
    ROTATE_CODE,
    REMOVE_TILE_CODE,
    REPLACE_CODE,
    REMOVE_WALL_CODE,
    RELOCATE_CODE,
    BUILD_CODE,
    END_BUILD_CODE,
    DISCARD_CODE,
    DEAL_CODE,
    REVEAL_CODE,
    STARTER_CODE,
    ROLL_CODE,
    DRAW_TILE_CODE,
    DRAW_CARD_CODE,
    CODES,
) = (sum(size for _, size in _SIZES[:i]) for i in range(len(_SIZES) + 1))
"""First code of each kind of move, and the number of all codes; parameters ascend within a kind."""
