"""Set-up and draft of Kilauea: which draw is due, whose draft, and what must be so before the first turn (4, 5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from engines.kilauea.facts import ADVANCE, DRAFT, FOREST, HEART, MAX_SPACES, NONE, REEF, SECTIONS, TIKI
from engines.kilauea.snapshot import Snapshot

if TYPE_CHECKING:
    from engines.kilauea.tables import KilaueaRules

Fault = tuple[str, str]
"""Field path and sentence."""


def cursor(rules: KilaueaRules, s: Snapshot) -> int:
    """Which draw of its stage is due, or how many drafts are done; 0 outside set-up and draft."""
    if s.stage == FOREST:
        return SECTIONS - s.boards.count(NONE)
    if s.stage == TIKI:
        return next(MAX_SPACES * t + x for t, x in usable_spaces(rules, s) if s.forests[t][x] == NONE)
    if s.stage == REEF:
        return SECTIONS - s.reef.count(0)
    if s.stage == HEART:
        return SECTIONS - s.heart.count(0)
    return sum(map(sum, s.tikis)) if s.stage == DRAFT else 0


def usable_spaces(rules: KilaueaRules, s: Snapshot) -> Iterator[tuple[int, int]]:
    """Section and space of every usable forest space, in the order of the set-up; boards must lie everywhere."""
    for t in range(SECTIONS):
        mask = rules.usable_spaces(s.boards[t])
        for x in range(len(s.forests[t])):
            if mask >> x & 1:
                yield t, x


def draft_position(done: int, seats: int) -> int:
    """Position in the turn order of the seat whose draft is number `done`, from 0."""
    return done if done < seats else 2 * seats - 1 - done


def faults(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    """The invariant `draft`: all that cannot have changed yet, and everything in its order."""
    if s.stage >= ADVANCE:
        return
    for field, untouched in (
        ("turn", s.turn == 0),
        ("canoe", s.canoe == r.start_space),
        ("players", not any(n for island in s.islands for stack in island for n in stack) and not any(s.vp)),
        ("removed", not any(s.removed)),
        ("seals", not s.seals),
    ):
        if not untouched:
            yield field, "is not at its start"
    yield from _in_order(r, s)
    if s.stage < DRAFT:
        if any(map(sum, s.tikis)):
            yield "players", "canoes are empty before the draft"
        for t in range(SECTIONS):
            if s.pillars[t] != tuple(int(r.pillar_space(t, c)) for c in range(r.n_colours)):
                yield f"pillars[{t}]", "every pillar space holds one tiki before the draft"
        return
    for t in range(SECTIONS):
        if max(s.pillars[t]) > 1:
            yield f"pillars[{t}]", "no pillar is higher than 1 in the draft"
    done = sum(map(sum, s.tikis))
    for i in range(r.seats):
        p = (s.starter + i) % r.seats
        if s.stones[p] != r.stones_at_start(i):
            yield f"players[{p}].stones", f"must be {r.stones_at_start(i)} in the draft"
        share = sum(draft_position(k, r.seats) == i for k in range(done))
        if sum(s.tikis[p]) != share:
            yield f"players[{p}].tikis", f"must be {share} after {done} drafts"


def _in_order(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    """Boards, tikis, reef slots and centres come one after the other; the last of each ends its stage."""
    for field, stage, laid in (
        ("forests", FOREST, [face != NONE for face in s.boards]),
        ("forests", TIKI, [s.forests[t][x] != NONE for t, x in usable_spaces(r, s)] if s.stage > FOREST else []),
        ("reef", REEF, [tile != 0 for tile in s.reef]),
        ("heart", HEART, [tile != 0 for tile in s.heart]),
    ):
        if s.stage < stage:
            continue
        if any(later and not earlier for earlier, later in pairwise(laid)):
            yield field, "must be filled in order"
        if s.stage == stage and all(laid):
            yield field, "is complete, so its stage is over"
        if s.stage > stage and not all(laid):
            yield field, "must be complete"
    if s.stage == FOREST and any(c != NONE for cells in s.forests for c in cells):
        yield "forests", "hold no tiki before all boards lie"
