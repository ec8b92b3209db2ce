"""What Kilauea declares about itself, and the words its modules share: stages, steps of effects, codes, capacities."""

from __future__ import annotations

from engines.core.game import Facts

FACTS = Facts(
    slug="kilauea",
    name="Kilauea",
    rules_version=1,
    seats=(2, 3, 4),
    default_edition="kilauea-assumed-1",
    max_legal=78,  # MAIN at the capacities below: 12 accessible spaces, 6 colours x 10 numbers of stones, 6 colours
    # 56 draws and 8 drafts. A turn: Advance, two Fell, for its tile Use, Copy and three choices, EndTurn. Each of the
    # five tiles that are unlocked once in a game adds Use, Copy and three choices.
    max_plies=56 + 8 + 200 * 9 + 5 * 5,
    end_reasons=("FORESTS", "LIMIT"),
    hidden=False,
    chance_after_setup=False,
)

NONE = -1
"""No seat, no board, no colour in a space or in hand."""

# -- capacities: an edition that exceeds one is refused by name -----------------------------------------------------

SECTIONS = 5
TILES = 10
FACES = 10
"""Faces of forest boards: 2 x (board - 1), plus 1 for the back."""
MAX_COLOURS = 6
MAX_SPACES = 12
"""Spaces of a forest face."""
MAX_TRACK = 20
"""Canoe spaces."""
MAX_DISTANCE = 19
"""1 + canoe_tikis + canoe_stones, both at most 9."""
MAX_DIGIT = 9
"""Greatest limit of a canoe, a pillar and the stones after building: each is one digit of a text."""
MAX_STEPS = 6
"""Steps of an effect."""
MAX_SEALS = 4
MAX_PLAYERS = 4

# -- stages ---------------------------------------------------------------------------------------------------------

STAGES = (
    "FOREST",
    "TIKI",
    "REEF",
    "HEART",
    "STARTER",
    "DRAFT",
    "ADVANCE",
    "MAIN",
    "FELL2",
    "SUB",
    "STEP",
    "OVER",
)
FOREST, TIKI, REEF, HEART, STARTER, DRAFT, ADVANCE, MAIN, FELL2, SUB, STEP, OVER = range(12)

FORESTS, LIMIT = 1, 2
"""Reasons of the end as a state stores them: position in `Facts.end_reasons`, from 1."""

EXTRAS = ("none", "a", "b", "c", "d", "e")
FACE_LETTERS = "fb"

# -- where a tile lies ----------------------------------------------------------------------------------------------

NOWHERE, IN_REEF, IN_HEART, ON_FLANK = range(4)

# -- where the first tiki of an effect came from --------------------------------------------------------------------

HOME_NONE, HOME_FOREST, HOME_VOLCANO, HOME_ISLAND = range(4)

# -- steps of effects (README section 5.7): the choosing ones first -------------------------------------------------

STEPS = (
    "take.forest",
    "take.volcano",
    "take.volcano.back",
    "take.island",
    "take.canoe",
    "take.rival",
    "swap.rival",
    "put.volcano.any",
    "put.volcano.adjacent",
    "put.volcano.apart",
    "put.volcano.other",
    "put.island.any",
    "put.island.other",
    "steal.stone",
    "seal",
    "copy.reef",
    "copy.all",
    "vp",
    "gain",
    "need.full_canoe",
    "put.canoe",
    "put.home",
    "discard",
)
(
    TAKE_FOREST,
    TAKE_VOLCANO,
    TAKE_BACK,
    TAKE_ISLAND,
    TAKE_CANOE,
    TAKE_RIVAL,
    SWAP_RIVAL,
    PUT_VOLCANO,
    PUT_ADJACENT,
    PUT_APART,
    PUT_OTHER,
    PUT_ISLAND,
    PUT_ISLAND_OTHER,
    STEAL_STONE,
    SEAL,
    COPY_REEF,
    COPY_ALL,
    GAIN_VP,
    GAIN_STONES,
    NEED_FULL,
    PUT_CANOE,
    PUT_HOME,
    DISCARD,
) = range(23)
AUTOMATIC = GAIN_VP
"""Steps from this number on ask for no choice."""
COUNTED = (GAIN_VP, GAIN_STONES)
"""Steps with a number behind a colon."""

# -- codes: the kinds in the order of README section 8, parameters ascending, each at its capacity ------------------

_PILLARS = SECTIONS * MAX_COLOURS
DRAFT_CODE = 0
ADVANCE_CODE = DRAFT_CODE + _PILLARS
FELL_CODE = ADVANCE_CODE + MAX_DISTANCE
STOP_CODE = FELL_CODE + MAX_SPACES
VOLCANO_CODE = STOP_CODE + 1
ISLAND_CODE = VOLCANO_CODE + MAX_COLOURS * (MAX_DIGIT + 1)
USE_CODE = ISLAND_CODE + MAX_COLOURS
COPY_CODE = USE_CODE + TILES
TAKE_FOREST_CODE = COPY_CODE + TILES
TAKE_VOLCANO_CODE = TAKE_FOREST_CODE + SECTIONS * MAX_SPACES
TAKE_ISLAND_CODE = TAKE_VOLCANO_CODE + _PILLARS
TAKE_CANOE_CODE = TAKE_ISLAND_CODE + _PILLARS
TAKE_RIVAL_CODE = TAKE_CANOE_CODE + MAX_COLOURS
PUT_VOLCANO_CODE = TAKE_RIVAL_CODE + MAX_PLAYERS * MAX_COLOURS
PUT_ISLAND_CODE = PUT_VOLCANO_CODE + SECTIONS
STEAL_CODE = PUT_ISLAND_CODE + SECTIONS
SEAL_CODE = STEAL_CODE + MAX_PLAYERS
END_CODE = SEAL_CODE + _PILLARS
DRAW_FOREST_CODE = END_CODE + 1
DRAW_TIKI_CODE = DRAW_FOREST_CODE + SECTIONS * FACES
DRAW_REEF_CODE = DRAW_TIKI_CODE + SECTIONS * MAX_SPACES * MAX_COLOURS
DRAW_HEART_CODE = DRAW_REEF_CODE + SECTIONS * TILES
DRAW_STARTER_CODE = DRAW_HEART_CODE + SECTIONS * TILES
CODES = DRAW_STARTER_CODE + MAX_PLAYERS

STEP_CODES = (
    (TAKE_FOREST_CODE, SECTIONS * MAX_SPACES),
    (TAKE_VOLCANO_CODE, _PILLARS),
    (TAKE_VOLCANO_CODE, _PILLARS),
    (TAKE_ISLAND_CODE, _PILLARS),
    (TAKE_CANOE_CODE, MAX_COLOURS),
    (TAKE_RIVAL_CODE, MAX_PLAYERS * MAX_COLOURS),
    (TAKE_RIVAL_CODE, MAX_PLAYERS * MAX_COLOURS),
    (PUT_VOLCANO_CODE, SECTIONS),
    (PUT_VOLCANO_CODE, SECTIONS),
    (PUT_VOLCANO_CODE, SECTIONS),
    (PUT_VOLCANO_CODE, SECTIONS),
    (PUT_ISLAND_CODE, SECTIONS),
    (PUT_ISLAND_CODE, SECTIONS),
    (STEAL_CODE, MAX_PLAYERS),
    (SEAL_CODE, _PILLARS),
    (COPY_CODE, TILES),
    (COPY_CODE, TILES),
)
"""First code and number of codes of the moves that each choosing step takes."""
