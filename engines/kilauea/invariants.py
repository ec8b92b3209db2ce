"""What holds in every possible Kilauea state (README section 3): the door for states from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Violation
from engines.kilauea import opening
from engines.kilauea.facts import (
    ADVANCE,
    AUTOMATIC,
    DRAFT,
    FACES,
    FELL2,
    FOREST,
    FORESTS,
    HEART,
    HOME_FOREST,
    HOME_NONE,
    LIMIT,
    MAIN,
    NONE,
    OVER,
    REEF,
    SECTIONS,
    STAGES,
    STARTER,
    STEP,
    SUB,
    TILES,
)
from engines.kilauea.snapshot import Effect, Snapshot
from engines.kilauea.steps import HOME_OF, LEAVES, VOLCANO_PUTS

if TYPE_CHECKING:
    from engines.kilauea.tables import KilaueaRules

MAX_VP = 1_000_000
"""More points than 2000 turns can bring, so that no sum leaves its 32 bits."""
NO_CHOICE = Violation("stage", "the seat to decide has no choice at this decision point", "kilauea.state.no_choice")
"""The last invariant, which `rules.load` asks of the loaded state."""

Fault = tuple[str, str]
"""Field path and sentence."""


def check(rules: KilaueaRules, snapshot: Snapshot) -> list[Violation]:
    """The faults of the first broken invariant; empty for a state that the rest of the engine may trust.

    Each part takes for granted what the parts before it found sound.
    """
    for name, part in _PARTS:
        faults = list(part(rules, snapshot))
        if faults:
            return [Violation(field, sentence, f"kilauea.state.{name}") for field, sentence in faults]
    return []


def empty_forests(s: Snapshot) -> int:
    """Forests without a tiki."""
    return sum(all(c == NONE for c in cells) for cells in s.forests)


def _options(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    """Lengths of all lists, and the numbers that no other part bounds."""
    if not 0 <= s.stage < len(STAGES):
        yield "stage", "is no stage"
    for field, values, n in (
        ("forests", s.boards, SECTIONS),
        ("forests", s.forests, SECTIONS),
        ("pool", s.pool, r.n_colours),
        ("reef", s.reef, SECTIONS),
        ("heart", s.heart, SECTIONS),
        ("flank", s.flank, SECTIONS),
        ("pillars", s.pillars, SECTIONS),
        ("players", s.tikis, r.seats),
        ("players", s.stones, r.seats),
        ("players", s.islands, r.seats),
        ("players", s.vp, r.seats),
        ("removed", s.removed, r.n_colours),
        *((f"pillars[{t}].counts", heights, r.n_colours) for t, heights in enumerate(s.pillars)),
        *((f"players[{p}].tikis", tikis, r.n_colours) for p, tikis in enumerate(s.tikis)),
        *((f"players[{p}].island", island, SECTIONS) for p, island in enumerate(s.islands)),
        *(
            (f"players[{p}].island[{t}].counts", stack, r.n_colours)
            for p, island in enumerate(s.islands)
            for t, stack in enumerate(island)
        ),
    ):
        if len(values) != n:
            yield field, f"must have {n} entries"
    for p, vp in enumerate(s.vp):
        if not 0 <= vp <= MAX_VP:
            yield f"players[{p}].vp", f"must be 0 to {MAX_VP}"


def _boards(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    seen: set[int] = set()
    for t, face in enumerate(s.boards):
        field = f"forests[{t}].board"
        if face == NONE:
            if s.stage > FOREST:
                yield field, "is missing"
        elif not 0 <= face < FACES:
            yield field, "is no board"
        else:
            if face // 2 in seen:
                yield field, f"board {face // 2 + 1} lies twice"
            if r.weight_of(face) == 0:
                yield f"forests[{t}].face", "is not the side that the option faces says"
            seen.add(face // 2)


def _cells(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    for t, cells in enumerate(s.forests):
        face = s.boards[t]
        n = 0 if face == NONE else len(r.face(face).spaces)
        if len(cells) != n:
            yield f"forests[{t}].spaces", f"must have {n} entries"
            continue
        for x, colour in enumerate(cells):
            if not NONE <= colour < r.n_colours:
                yield f"forests[{t}].spaces[{x}]", "is no colour"
            elif colour != NONE and not r.usable_spaces(face) >> x & 1:
                yield f"forests[{t}].spaces[{x}]", f"stays empty with {r.seats} seats"
    for field, tiles in (("reef", s.reef), ("heart", s.heart), ("flank", s.flank)):
        for t, tile in enumerate(tiles):
            if not 0 <= tile <= TILES:
                yield f"{field}[{t}]", f"must be 0 to {TILES}"
    if not NONE <= s.effect.hand < r.n_colours:
        yield "effect.hand", "is no colour"


def _tikis(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    vectors = [s.pool, s.removed, *s.pillars, *s.tikis, *(stack for island in s.islands for stack in island)]
    if min(map(min, vectors)) < 0:
        yield "", "a number of tikis is below 0"
    standing = Counter(chain(*s.forests))
    for c, counts in enumerate(zip(*vectors, strict=True)):
        total = sum(counts) + standing[c] + (s.effect.hand == c)
        if total != r.tikis_per_colour:
            yield "", f"there are {total} tikis of colour {r.colours[c]} in all, not {r.tikis_per_colour}"


def _pool(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    for c in range(r.n_colours):
        if s.stage >= REEF and s.pool[c] != 0:
            yield f"pool[{c}]", "must be 0: all tikis are laid out"
        rest = r.tikis_per_colour - sum(r.pillar_space(t, c) for t in range(SECTIONS))
        if s.stage == FOREST and s.pool[c] != rest:
            yield f"pool[{c}]", f"must be {rest} before tikis are laid out"


def _stones(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    if min(s.stones) < 0 or s.crater < 0:
        yield "crater", "a number of stones is below 0"
    if s.stage <= STARTER:
        if s.crater != r.crater_start or any(s.stones):
            yield "crater", f"must be {r.crater_start}, and all canoes without stones"
        return
    total = r.crater_start + sum(r.stones_at_start(i) for i in range(r.seats))
    if s.crater + sum(s.stones) != total:
        yield "crater", f"crater and canoes hold {s.crater + sum(s.stones)} stones, not {total}"


def _canoe_tikis(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    for p, tikis in enumerate(s.tikis):
        if sum(tikis) > r.canoe_tikis:
            yield f"players[{p}].tikis", f"a canoe holds at most {r.canoe_tikis}"


def _canoe_stones(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    for p, stones in enumerate(s.stones):
        if stones > r.canoe_stones:
            yield f"players[{p}].stones", f"a canoe holds at most {r.canoe_stones}"


def _pillar(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    for t, heights in enumerate(s.pillars):
        for c, height in enumerate(heights):
            top = r.pillar_height if r.pillar_space(t, c) else 0
            if height > top:
                yield f"pillars[{t}].counts[{c}]", f"must be at most {top}"


def _island(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    for p, island in enumerate(s.islands):
        for t, stack in enumerate(island):
            if sum(stack) > r.pillar_height:
                yield f"players[{p}].island[{t}]", f"a stack holds at most {r.pillar_height}"


def _track(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    if not 0 <= s.canoe < r.track_length or not r.canoe_space(s.canoe)[2]:
        yield "canoe", f"is no canoe space with {r.seats} seats"


def _tiles(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    lying = [tile for tile in (*s.reef, *s.heart, *s.flank) if tile]
    for tile in sorted({tile for tile in lying if lying.count(tile) > 1}):
        yield "reef", f"tile {tile} lies twice"
    if s.stage <= DRAFT and any(s.flank):
        yield "flank", "must be empty: nothing is unlocked yet"
    if s.stage < REEF and any(s.reef):
        yield "reef", "must be empty before its stage"
    if s.stage < HEART and any(s.heart):
        yield "heart", "must be empty before its stage"
    if s.stage >= HEART and not all(s.reef):
        yield "reef", "must be full"
    if s.stage == STARTER and not all(s.heart):
        yield "heart", "must be full"
    if s.stage >= DRAFT:
        for t in range(SECTIONS):
            if (s.heart[t] == 0) == (s.flank[t] == 0):
                yield f"heart[{t}]", "a section has its tile in the centre or on the flank, and not both"


def _unlock(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    if s.stage < DRAFT:
        return
    for t in range(SECTIONS):
        row = r.face(s.boards[t]).tile_row
        locked = any(c != NONE and row >> x & 1 for x, c in enumerate(s.forests[t]))
        if locked and s.heart[t] == 0:
            yield f"heart[{t}]", "the tile belongs in the centre: its row holds a tiki"
        elif not locked and s.heart[t] != 0 and s.stage not in (FELL2, STEP):  # these are inside of an action
            yield f"heart[{t}]", "the tile belongs in the flank: its row is clear"


def _seals(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    if len(s.seals) > (r.max_seals if r.may_seal else 0):
        yield "seals", "are more than this game can place"
    if len(set(s.seals)) != len(s.seals):
        yield "seals", "lie on one pillar"
    for i, (t, c) in enumerate(s.seals):
        if not (0 <= t < SECTIONS and 0 <= c < r.n_colours) or s.pillars[t][c] == 0:
            yield f"seals[{i}]", "must be a pillar with a tiki"


def _pending(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    if s.pending and s.stage not in (SUB, STEP):
        yield "pending", f"must be empty in {STAGES[s.stage]}"
    if any(a >= b for a, b in pairwise(s.pending)):
        yield "pending", "must ascend without repeats"
    for i, tile in enumerate(s.pending):
        if not _lies_open(s, tile):
            yield f"pending[{i}]", "lies neither in a reef slot nor on a flank"


def _lies_open(s: Snapshot, tile: int) -> bool:
    return tile != 0 and (tile in s.reef or tile in s.flank)


def _effect(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    e = s.effect
    if s.stage != STEP:
        if e != Effect():
            yield "effect", f"must be unset in {STAGES[s.stage]}"
        return
    if not _lies_open(s, e.tile):
        yield "effect.tile", "lies neither in a reef slot nor on a flank"
        return
    _, steps = r.effect(e.tile, e.tile in s.flank)
    if not 0 <= e.step < len(steps) or steps[e.step][0] >= AUTOMATIC:
        yield "effect.step", "is no step that waits for a choice"
        return
    done = [op for op, _ in steps[: e.step]]
    if (e.hand != NONE) != (steps[e.step][0] in LEAVES):
        yield "effect.hand", "there is a tiki in hand exactly while one is to be put"
    home = next((HOME_OF[op] for op in done if op in HOME_OF), HOME_NONE)
    if e.home_kind != home:
        yield "effect.home", "is not where the steps so far took a tiki"
    elif home != HOME_NONE and not 0 <= e.home_section < SECTIONS:
        yield "effect.home", f"the section must be 0 to {SECTIONS - 1}"
    elif home == HOME_FOREST:
        t, x = e.home_section, e.home_space
        usable = r.usable_spaces(s.boards[t]) >> x & 1 == 1 if x >= 0 else False
        if not usable or s.forests[t][x] != NONE:
            yield "effect.home.forest.space", "must be an empty space in use"
        elif s.heart[t] == 0 and r.face(s.boards[t]).tile_row >> x & 1:
            yield "effect.home.forest.space", "is in the row of a tile that was locked while a tiki stood there"
    if (e.put_section != NONE) != any(op in VOLCANO_PUTS for op in done):
        yield "effect.put", "is set exactly when the steps so far put a tiki on the volcano"
    elif e.put_section != NONE:
        known = 0 <= e.put_section < SECTIONS and 0 <= e.put_colour < r.n_colours
        if not known or s.pillars[e.put_section][e.put_colour] == 0:
            yield "effect.put", "must be a pillar with a tiki"


def _actor(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    if s.stage < DRAFT:
        if s.starter != NONE:
            yield "starter", "is not drawn yet"
        if s.actor != CHANCE:
            yield "actor", "chance is to act"
        return
    if not 0 <= s.starter < r.seats:
        yield "starter", f"must be 0 to {r.seats - 1}"
        return
    if s.stage == DRAFT:
        done = sum(map(sum, s.tikis))
        if done >= 2 * r.seats:
            yield "players", "the draft would be over"
            return
        wanted = (s.starter + opening.draft_position(done, r.seats)) % r.seats
    else:
        wanted = TERMINAL if s.stage == OVER else (s.starter + s.turn) % r.seats
    if s.actor != wanted:
        yield "actor", "nobody is to act" if wanted == TERMINAL else f"seat {wanted} is to act"


def _turn(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    top = r.turn_limit if s.stage == OVER else r.turn_limit - 1
    if not 0 <= s.turn <= top:
        yield "turn", f"must be 0 to {top}"


def _scoring(r: KilaueaRules, s: Snapshot) -> Iterator[Fault]:
    empty = empty_forests(s)
    reached = empty >= r.intermediate_at
    if s.stage < ADVANCE:
        if s.intermediate_done:
            yield "intermediate_done", "is never set before the first turn"
    elif s.stage in (ADVANCE, MAIN, OVER):
        if s.intermediate_done != reached:
            yield "intermediate_done", f"does not fit {empty} empty forests"
    elif s.intermediate_done and not reached:
        yield "intermediate_done", f"does not fit {empty} empty forests"
    if s.stage in (ADVANCE, MAIN) and empty >= r.final_at:
        yield "forests", f"{empty} are empty, which ends the game"
    if not 0 <= s.reason <= LIMIT or (s.reason == 0) != (s.stage != OVER):
        yield "end_reason", "is set exactly when the game is over"
    elif s.reason == FORESTS and empty < r.final_at:
        yield "end_reason", f"only {empty} forests are empty"
    elif s.reason == LIMIT and (s.turn != r.turn_limit or empty >= r.final_at):
        yield "end_reason", "the turn limit did not end this game"


_PARTS = (
    ("options", _options),
    ("boards", _boards),
    ("cells", _cells),
    ("tikis", _tikis),
    ("pool", _pool),
    ("stones", _stones),
    ("canoe.tikis", _canoe_tikis),
    ("canoe.stones", _canoe_stones),
    ("pillar", _pillar),
    ("island", _island),
    ("track", _track),
    ("tiles", _tiles),
    ("unlock", _unlock),
    ("seals", _seals),
    ("pending", _pending),
    ("effect", _effect),
    ("actor", _actor),
    ("turn", _turn),
    ("scoring", _scoring),
    ("draft", opening.faults),
)
"""In the order in which they are looked at."""

IDS = (*(f"kilauea.state.{name}" for name, _ in _PARTS), NO_CHOICE.id)
"""The id of every invariant, in that order."""
