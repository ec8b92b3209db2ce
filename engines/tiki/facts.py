"""What Tiki declares about itself, and the words its modules share: phases, geometry, reasons of the end."""

from __future__ import annotations

from engines.core.game import Facts

FACTS = Facts(
    slug="tiki",
    name="Tiki",
    rules_version=1,
    seats=(2,),
    default_edition="tiki-base",
    max_legal=40,  # eight own totems of height 2 on all villages but a corner
    max_plies=10 + 4 * 200,  # nine tiles and the starter; a turn is an action, a resolve and two shaman decisions
    end_reasons=(
        "FOUR_FRUITS",
        "RESERVE_EMPTY",
        "SUDDEN_GAIN",
        "SUDDEN_LOSS",
        "TURN_LIMIT",
        "REPETITION",
        "NO_FRUIT_LEFT",
    ),
    hidden=False,
    chance_after_setup=False,
)

PHASES = ("SETUP_LAYOUT", "SETUP_FIRST", "ACTION", "RESOLVE", "SHAMAN", "OVER")
SETUP_LAYOUT, SETUP_FIRST, ACTION, RESOLVE, SHAMAN, OVER = range(6)

FOUR_FRUITS, RESERVE_EMPTY, SUDDEN_GAIN, SUDDEN_LOSS, TURN_LIMIT, REPETITION, NO_FRUIT_LEFT = range(1, 8)
"""Reasons of the end as a state stores them: position in `Facts.end_reasons`, from 1."""

NONE = -1
"""No tile, no seat, no village; the shaman's OFF."""

VILLAGES = tuple(f"{c}{r}" for r in "123" for c in "abc")
"""Names of the villages 0..8, in reading order."""

GAPS = ((0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 6), (4, 5), (4, 7), (5, 8), (6, 7), (7, 8))
"""The 12 pairs of neighbouring villages, lower first; the shaman stands on one of them."""

GAP_OF = {pair: gap for gap, (a, b) in enumerate(GAPS) for pair in ((a, b), (b, a))}

NEIGHBOURS = tuple(tuple(v for v in range(9) if (u, v) in GAP_OF) for u in range(9))

DIAGONALS = frozenset(
    (u, v) for u in range(9) for v in range(9) if abs(u // 3 - v // 3) == 1 and abs(u % 3 - v % 3) == 1
)

PATHS = tuple((s, v) for s in range(9) for v in NEIGHBOURS[s]) + tuple(
    (s, v, w) for s in range(9) for v in NEIGHBOURS[s] for w in NEIGHBOURS[v] if w != s
)
"""The paths a totem of one or two tikis can take, in the order of their move codes."""

MOVE_CODE, TWO_STEPS_CODE, PASS_CODE, RESOLVE_CODE, PLACE_SHAMAN_CODE, DECLINE_CODE, LAY_CODE, FIRST_CODE = (
    9,
    33,
    77,
    78,
    87,
    99,
    100,
    244,
)
"""First code of each kind of move; Create begins at 0. Lay has 16 codes a village, one per possible tile type."""
