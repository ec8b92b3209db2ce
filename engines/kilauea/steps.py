"""Effects of tiles as data: lists of steps, read from the edition and checked (README section 2.4, 5.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engines.core.checks import check_table, is_of
from engines.kilauea.facts import (
    AUTOMATIC,
    COPY_ALL,
    COPY_REEF,
    COUNTED,
    DISCARD,
    EXTRAS,
    HOME_FOREST,
    HOME_ISLAND,
    HOME_NONE,
    HOME_VOLCANO,
    MAX_DIGIT,
    MAX_STEPS,
    PUT_ADJACENT,
    PUT_APART,
    PUT_CANOE,
    PUT_HOME,
    PUT_ISLAND,
    PUT_ISLAND_OTHER,
    PUT_OTHER,
    PUT_VOLCANO,
    STEPS,
    SWAP_RIVAL,
    TAKE_BACK,
    TAKE_CANOE,
    TAKE_FOREST,
    TAKE_ISLAND,
    TAKE_RIVAL,
    TAKE_VOLCANO,
    TILES,
)

TAKES = frozenset((TAKE_FOREST, TAKE_VOLCANO, TAKE_BACK, TAKE_ISLAND, TAKE_CANOE, TAKE_RIVAL))
VOLCANO_PUTS = frozenset((PUT_VOLCANO, PUT_ADJACENT, PUT_APART, PUT_OTHER))
LEAVES = VOLCANO_PUTS | {PUT_ISLAND, PUT_ISLAND_OTHER, PUT_CANOE, PUT_HOME, DISCARD, SWAP_RIVAL}
"""Steps that need a tiki in hand and let it go."""
COPIES = frozenset((COPY_REEF, COPY_ALL))
HOME_OF = {TAKE_FOREST: HOME_FOREST, TAKE_VOLCANO: HOME_VOLCANO, TAKE_ISLAND: HOME_ISLAND}
"""Where the tiki of a first taking comes from."""
_NEED_HOME = frozenset((PUT_HOME, PUT_ADJACENT, PUT_APART, PUT_OTHER, PUT_ISLAND_OTHER))

Step = tuple[int, int]
"""Number of the step in `facts.STEPS`, and the number behind its colon (0 without one)."""


def read_step(text: str) -> Step | None:
    """The step of a text as `vp:2`; None when there is no such step."""
    found = re.fullmatch(r"([a-z_.]+)(?::([1-9]))?", text)
    if found is None or found[1] not in STEPS:
        return None
    op = STEPS.index(found[1])
    if (op in COUNTED) != (found[2] is not None):
        return None
    return op, int(found[2] or 0)


def name(tile: int, side: str, letter: str) -> str:
    """The key of an effect as in `7A` or `1B-c`; `letter` is "" for the plain tile."""
    return f"{tile}{side}" + (f"-{letter}" if letter else "")


def faults(table: Mapping[str, Any], tiles: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Field and sentence of each fault of an edition's `[effect]` table."""
    wanted = [name(tile, side, "") for tile in range(1, TILES + 1) for side in "AB"]
    wanted += [name(tiles["extra_replaces"], side, letter) for side in "AB" for letter in EXTRAS[1:]]
    for violation in check_table(table, dict.fromkeys(wanted, dict), "effect", ""):
        yield violation.field, violation.sentence
    copying = set()
    for key in wanted:
        if not isinstance(table.get(key), Mapping):
            continue
        path = f"effect.{key}"
        wrong = check_table(table[key], {"cost": int, "steps": list}, path, "")
        for violation in wrong:
            yield violation.field, violation.sentence
        if wrong:
            continue
        texts = table[key]["steps"]
        if not 0 <= table[key]["cost"] <= MAX_DIGIT:
            yield f"{path}.cost", f"must be 0 to {MAX_DIGIT}"
        steps = [read_step(text) if is_of(text, str) else None for text in texts]
        if not 1 <= len(steps) <= MAX_STEPS:
            yield f"{path}.steps", f"must be 1 to {MAX_STEPS} steps"
        elif None in steps:
            yield f"{path}.steps[{steps.index(None)}]", "is no step"
        else:
            ops = [step[0] for step in steps if step is not None]
            for sentence in _order(ops):
                yield f"{path}.steps", sentence
            if COPIES & set(ops):
                copying.add(int(key.partition("-")[0][:-1]))
    if len(copying) > 1:
        yield "effect", "only one tile may copy others, so that copies cannot go round"


def _order(ops: list[int]) -> Iterator[str]:
    """What a list of steps must obey so that the tiki in hand always comes from somewhere and goes somewhere."""
    hand = False
    first = HOME_NONE
    put = False
    for i, op in enumerate(ops):
        if op in COPIES and i + 1 < len(ops):
            yield "a copy must be the last step"
        if op in TAKES and hand:
            yield "a tiki is taken while another is in hand"
        if op in LEAVES and not hand:
            yield f"{STEPS[op]} has no tiki in hand"
        if hand and op < AUTOMATIC and op not in LEAVES:
            yield "a tiki stays in hand over another choice"
        if op in HOME_OF:
            if first != HOME_NONE:
                yield "only one step may take from forest, volcano or island"
            if op == TAKE_VOLCANO and put:
                yield "take.volcano comes after a tiki was put on the volcano"
            first = HOME_OF[op]
        if op in _NEED_HOME and first == HOME_NONE:
            yield f"{STEPS[op]} needs a tiki taken from forest, volcano or island before"
        if op == PUT_HOME and i + 1 < len(ops):
            yield "put.home must be the last step"
        if op == TAKE_BACK and not put:
            yield "take.volcano.back needs a tiki put on the volcano before"
        if op == SWAP_RIVAL and (i == 0 or ops[i - 1] != TAKE_CANOE):
            yield "swap.rival must follow take.canoe"
        hand = op in TAKES or (hand and op not in LEAVES)
        put = put or op in VOLCANO_PUTS
    if hand:
        yield "a tiki is left in hand at the end"
