"""What holds in every possible state of Eruption (README section 3): the door for states from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from engines.core.game import Violation
from engines.eruption.facts import (
    AFTERSHOCK,
    ANNIHILATION,
    BASE,
    BOMB,
    BUILD,
    CARD_DRAW,
    CHANCE_PHASES,
    CLANS,
    DAMAGE_ROLL,
    DEAL,
    DISCARD,
    ERUPTION_PLACE,
    EXTRA_TILE,
    FACTS,
    FLOW_SITES,
    FOR_QUAKE,
    FOR_ZONE,
    NONE,
    OVER,
    PHASES,
    PLY_LIMIT,
    PURPOSES,
    QUAKE_PLACE,
    REINFORCE,
    RELOCATE,
    RESUMES,
    REVEAL,
    REVEALS,
    ROW,
    SINKHOLE,
    SITES,
    STARTER,
    TILE_DRAW,
    TILE_PICK,
    TILE_PLACE,
    TILE_ROLL,
    TO_AFTER,
    TO_PICK,
    TO_PLACE,
    TO_SETUP,
    USED,
    VILLAGE_EDGES,
)
from engines.eruption.reading import Reading
from engines.eruption.snapshot import Snapshot, Table
from engines.eruption.tables import EruptionRules

IDS = tuple(
    f"eruption.state.{name}"
    for name in (
        "tiles",
        "eruption_tiles",
        "cards",
        "walls",
        "board",
        "edges",
        "connected",
        "flow_walls",
        "village_walls",
        "temp",
        "hands",
        "piles",
        "final",
        "annihilation",
        "phase",
        "dead_end",
    )
)

Fault = tuple[str, str, str]
"""Name of the invariant, field path, sentence."""
MOST = 127
"""What a native count holds."""


def check(rules: EruptionRules, snapshot: Snapshot) -> list[Violation]:
    """Every broken invariant; empty exactly for a state that the rest of the engine may trust.

    Shapes and ranges come first, then what does not need a sound board, then what does: when a stage finds faults, the
    later ones are not looked at.
    """
    reading = Reading(rules, snapshot.table)
    for stage in ((_shape, _shape_of_turn), (_supplies, _board, _heat, _progress), (_links, _phase), (_outcomes,)):
        faults = [fault for part in stage for fault in part(rules, snapshot, reading)]
        if faults:
            return [Violation(field, sentence, f"eruption.state.{name}") for name, field, sentence in faults]
    return []


# -- shapes -------------------------------------------------------------------------------------------------------


def _counts(name: str, field: str, counts: Sequence[int], size: int) -> Iterator[Fault]:
    if len(counts) != size:
        yield name, field, f"must have {size} numbers"
    if counts and not 0 <= min(counts) <= max(counts) <= MOST:
        yield name, field, f"must be 0 to {MOST}"


def _shape(r: EruptionRules, s: Snapshot, _: Reading) -> Iterator[Fault]:
    """Lengths and ranges: the C struct could not even hold what breaks these."""
    t = s.table
    lava = r.source
    for name, field, rows, size in (("walls", "table.pieces", t.pieces, 3), ("hands", "hands", s.hands, 8)):
        if len(rows) != r.seats:
            yield name, field, f"must have {r.seats} entries"
        for seat, row in enumerate(rows):
            yield from _counts(name, f"{field}[{seat}]", row, size)
    yield from _counts("walls", "table.stock", t.stock, 3)
    yield from _counts("walls", "table.tray", t.tray, 3)
    yield from _counts("cards", "deck", s.deck, 8)
    yield from _counts("cards", "table.card_discard", t.card_discard, 8)
    yield from _counts("tiles", "table.stack", t.stack, lava)
    yield from _counts("tiles", "table.tile_discard", t.tile_discard, lava + 1)
    yield from _counts("piles", "table.pile_sizes", t.pile_sizes, 3)
    if len(t.pile_tops) != 3 or any(not NONE <= kind < lava for kind in t.pile_tops):
        yield "piles", "table.pile_tops", "must be three lava kinds or none"
    if not NONE <= t.tile < lava:
        yield "phase", "table.tile", "is no lava kind"
    hexes = [h for h, _, _ in t.board]
    for i, (h, kind, rot) in enumerate(t.board):
        sound = 0 <= h < r.n_hexes and 0 <= kind <= lava
        if not sound or not 0 <= rot < r.turns(kind):
            yield "board", f"table.board[{i}]", "must be a tile hex, a kind and a rotation below its period"
    if hexes != sorted(set(hexes)):
        yield "board", "table.board", "holds a hex twice, or out of order"
    sites = [site for site, _ in t.walls]
    for i, (site, material) in enumerate(t.walls):
        if not 0 <= site < SITES or not 0 <= material < 3:
            yield "walls", f"table.walls[{i}]", "must be a site and a material"
    if sites != sorted(set(sites)):
        yield "flow_walls", "table.walls", "holds a site twice, or out of order"
    if list(t.held) != sorted(set(t.held)) or any(not 0 <= h < r.n_hexes for h in t.held):
        yield "phase", "table.held", "must be tile hexes, ascending"


def _shape_of_turn(r: EruptionRules, s: Snapshot, _: Reading) -> Iterator[Fault]:
    t, n = s.table, r.seats
    if len(t.temps) != n:
        yield "temp", "table.temps", f"must have {n} entries"
    if len(t.burnt) != n or len(t.burn_order) > n or any(not 0 <= seat < n for seat in t.burn_order):
        yield "annihilation", "table.burnt", f"must be about the {n} seats"
    if len(t.eruption) != 3 or any(not USED <= holder < n for holder in t.eruption):
        yield "eruption_tiles", "table.eruption", "must be three, each in the row, with a seat, or used"
    ranges = {
        "phase": (0, len(PHASES) - 1),
        "ply": (0, r.ply_limit),
        "turn_seat": (0, n - 1),
        "purpose": (0, len(PURPOSES) - 1),
        "tile_pile": (NONE, 2),
        "target": (NONE, 6 * r.n_hexes - 1),
        "roll_pos": (NONE, VILLAGE_EDGES),
        "draws_left": (0, 6),
        "resume": (0, len(RESUMES) - 1),
        "tray_edge": (0, VILLAGE_EDGES),
        "builds_done": (0, r.builds_per_turn + 1),
        "reveal_resume": (0, len(REVEALS) - 1),
        "ended_by": (0, len(FACTS.end_reasons)),
        "final_left": (0, n),
        "final_out": (NONE, n - 1),
        "quiet_turns": (0, n),
    }
    for field, (low, high) in ranges.items():
        if not low <= getattr(t, field) <= high:
            name = {"final_left": "final", "final_out": "final", "quiet_turns": "annihilation"}.get(field, "phase")
            yield name, f"table.{field}", f"must be {low} to {high}"


# -- what the box holds -------------------------------------------------------------------------------------------


def _supplies(r: EruptionRules, s: Snapshot, _: Reading) -> Iterator[Fault]:
    t = s.table
    laid = Counter(kind for _, kind, _ in t.board)
    tops = Counter(t.pile_tops)
    for kind in range(r.source):
        found = t.stack[kind] + tops[kind] + (t.tile == kind) + laid[kind] + t.tile_discard[kind]
        if found != r.number_of_tiles(kind):
            yield "tiles", "table.stack", f"{found} tiles {r.kinds[kind]}, the box has {r.number_of_tiles(kind)}"
    waiting = sum(1 for holder in t.eruption if holder != USED)
    if laid[r.source] + t.tile_discard[r.source] + waiting != r.number_of_tiles(r.source):
        yield "eruption_tiles", "table.eruption", "row, seats, board and discards do not make up the eruption tiles"
    for card in range(8):
        found = s.deck[card] + t.card_discard[card] + sum(hand[card] for hand in s.hands)
        if found != r.card(card)[0]:
            yield "cards", "deck", f"{found} cards of number {card}, the game has {r.card(card)[0]}"
    standing = Counter(material for _, material in t.walls)
    for m in range(3):
        found = t.stock[m] + t.tray[m] + standing[m] + sum(row[m] for row in t.pieces)
        if found != r.material(m)[0]:
            yield "walls", "table.stock", f"{found} pieces of material {m}, the box has {r.material(m)[0]}"
    yield from _hands(r, s)
    yield from _piles(r, t)


def _hands(r: EruptionRules, s: Snapshot) -> Iterator[Fault]:
    t = s.table
    sizes = [sum(hand) for hand in s.hands]
    for seat, size in enumerate(sizes):
        if size > r.hand_limit and seat != t.turn_seat and t.phase not in (DEAL, STARTER, OVER) and r.mode != CLANS:
            yield "hands", f"hands[{seat}]", f"holds more than {r.hand_limit} cards outside its turn"
    if t.phase == DEAL:
        full = [size for size in sizes if size == r.hand_start]
        rest = sizes[len(full) :]
        if not rest or sizes != [r.hand_start] * len(full) + rest or rest[0] > r.hand_start or any(rest[1:]):
            yield "hands", "hands", "are dealt seat by seat"


def _piles(r: EruptionRules, t: Table) -> Iterator[Fault]:
    if not r.forecast:
        if any(t.pile_sizes) or any(top != NONE for top in t.pile_tops):
            yield "piles", "table.pile_sizes", "are only used with the forecast"
        return
    if sum(t.pile_sizes) != sum(t.stack) + sum(top != NONE for top in t.pile_tops):
        yield "piles", "table.pile_sizes", "do not make up the stack and the tops"
    for p in range(3):
        if t.pile_tops[p] != NONE and t.pile_sizes[p] == 0:
            yield "piles", f"table.pile_tops[{p}]", "lies on an empty pile"


# -- board --------------------------------------------------------------------------------------------------------


def _board(r: EruptionRules, s: Snapshot, reading: Reading) -> Iterator[Fault]:
    for i, (h, kind, rot) in enumerate(s.table.board):
        if reading.wrong_edges(h, kind, rot):
            yield "edges", f"table.board[{i}]", "an edge does not match what it faces"
    villages = r.villages_of_seats()
    for i, (site, _) in enumerate(s.table.walls):
        if site >= FLOW_SITES:
            if (site - FLOW_SITES) // VILLAGE_EDGES not in villages:
                yield "village_walls", f"table.walls[{i}]", "stands in a village nobody owns"
        elif site not in r.geometry.wall_site_set or not reading.is_open_flow(site):
            yield "flow_walls", f"table.walls[{i}]", "does not stand on a flow that faces an empty hex"


def _links(r: EruptionRules, s: Snapshot, reading: Reading) -> Iterator[Fault]:
    if not reading.connected(reading.tiles):
        yield "connected", "table.board", "lava does not reach every tile"


# -- seats --------------------------------------------------------------------------------------------------------


def _heat(r: EruptionRules, s: Snapshot, _: Reading) -> Iterator[Fault]:
    t = s.table
    for seat, temp in enumerate(t.temps):
        if not 0 <= temp <= r.meter_last or temp % r.meter_step:
            yield "temp", f"table.temps[{seat}]", f"must be 0 to {r.meter_last} in steps of {r.meter_step}"
    for k, space in enumerate(r.zones()[1]):
        if t.eruption[k] == ROW and max(t.temps) >= space:
            yield "temp", f"table.eruption[{k}]", "is in the row although a village has reached its space"


def _progress(r: EruptionRules, s: Snapshot, _: Reading) -> Iterator[Fault]:
    t, over = s.table, s.table.phase == OVER
    tiles_left = sum(t.stack) + sum(t.pile_sizes)
    if t.final_left > 0 and (r.mode == ANNIHILATION or tiles_left):
        yield "final", "table.final_left", "the last round only comes with no tile left, and not in annihilation"
    if t.final_out != NONE and t.final_left == 0 and not over:
        yield "final", "table.final_out", "is only set in the last round and after it"
    teams = r.teams_of_seats()
    if t.final_out != NONE and (t.final_out not in teams or teams[t.turn_seat] == t.final_out):
        yield "final", "table.final_out", "must be a team, and not the one on turn"
    if r.mode != ANNIHILATION:
        if t.burn_order or not t.turn_quiet or t.quiet_turns or (r.mode == BASE and any(t.burnt)):
            yield "annihilation", "table.burnt", "order, quiet turns and burnt villages belong to other modes"
        return
    burnt = [seat for seat, is_burnt in enumerate(t.burnt) if is_burnt]
    if sorted(t.burn_order) != burnt or any(t.temps[seat] != r.meter_last for seat in burnt):
        yield "annihilation", "table.burn_order", "must list exactly the burnt seats, which stand on the last space"
    if not over and (len(burnt) >= r.seats - 1 or t.quiet_turns >= r.seats):
        yield "annihilation", "table.burnt", "the game would be over"
    if tiles_left == 0 and any(t.tile_discard[: r.source]):
        yield "annihilation", "table.stack", "the discarded lava tiles would have come back"


# -- phases -------------------------------------------------------------------------------------------------------

_TILE_PHASES = (TILE_DRAW, TILE_PICK, TILE_PLACE, TILE_ROLL)


def _phase(r: EruptionRules, s: Snapshot, reading: Reading) -> Iterator[Fault]:
    """Each field is set in its phases and unset elsewhere."""
    t = s.table
    if (t.phase == OVER) != (t.ended_by != 0):
        yield "phase", "table.ended_by", "is set exactly at the end"
    if t.ended_by == PLY_LIMIT:
        if t.ply != r.ply_limit:
            yield "phase", "table.ply", f"the limit is {r.ply_limit}"
        return
    if t.phase != OVER and t.ply == r.ply_limit:
        yield "phase", "table.ply", "the game would be over"
    phase, revealing = t.phase, t.reveal_resume
    with_tile = phase in (TILE_PLACE, TILE_ROLL, QUAKE_PLACE) or revealing == TO_PLACE
    for_tile = phase in (*_TILE_PHASES, QUAKE_PLACE) or revealing in (TO_PICK, TO_PLACE)
    held = phase in _TILE_PHASES or phase == REVEAL
    rolling = phase in (DAMAGE_ROLL, TILE_ROLL)
    rules = (
        ("tile", t.tile != NONE, with_tile),
        ("tile_pile", t.tile_pile != NONE, with_tile and r.forecast),
        ("purpose", t.purpose != 0, for_tile or t.resume == TO_AFTER),
        ("target", t.target != NONE, phase == TILE_ROLL),
        ("roll_pos", t.roll_pos != NONE, rolling),
        ("tray", any(t.tray), phase == RELOCATE),
        ("draws_left", t.draws_left > 0, phase == CARD_DRAW),
        ("resume", t.resume != 0, phase == CARD_DRAW),
        ("reveal_resume", revealing != 0, phase == REVEAL),
    )
    for field, is_set, must in rules:
        if is_set != must:
            yield "phase", f"table.{field}", f"must {'' if must else 'not '}be set in {PHASES[phase]}"
    allowed = (
        ("held", bool(t.held), held),
        ("roll_lost", t.roll_lost, phase == TILE_ROLL),
        ("tray_edge", t.tray_edge > 0, phase == RELOCATE),
        ("reveal_restricted", t.reveal_restricted, phase == REVEAL),
        ("builds_done", t.builds_done > 0, phase in (BUILD, DISCARD)),
    )
    for field, is_set, may in allowed:
        if is_set and not may:
            yield "phase", f"table.{field}", f"must not be set in {PHASES[phase]}"
    quaking = phase in (TILE_DRAW, TILE_PICK, REVEAL, QUAKE_PLACE) and not t.held
    if (phase == QUAKE_PLACE and t.purpose != FOR_QUAKE) or (t.purpose == FOR_QUAKE and not quaking):
        yield "phase", "table.purpose", "does not go with the phase"
    if (phase in (TILE_PICK, REVEAL) and not r.forecast) or (phase == TILE_DRAW and r.forecast):
        yield "phase", "table.phase", "does not go with the option forecast"
    before = phase in (DEAL, STARTER) or revealing == TO_SETUP
    if before and (t.board or t.walls or any(t.temps) or t.turn_seat or t.final_left):
        yield "phase", "table.board", "must be at its start before the first turn"
    if reading.dead(t.turn_seat) and not before and phase not in (*_TILE_PHASES, REVEAL, OVER):
        yield "phase", "table.phase", "a burnt seat only places its tile"


def _outcomes(r: EruptionRules, s: Snapshot, reading: Reading) -> Iterator[Fault]:
    """There is something to draw, to roll for or to decide."""
    t = s.table
    if t.phase in (DEAL, CARD_DRAW):
        goes_on = any(s.deck)
    elif t.phase == DISCARD:
        goes_on = sum(s.hands[t.turn_seat]) > r.hand_limit
    else:
        goes_on = t.phase not in _GOES_ON or _GOES_ON[t.phase](r, reading)
    if not goes_on:
        what = "no outcome" if t.phase in CHANCE_PHASES else "no legal move"
        yield "dead_end", "table.phase", f"{PHASES[t.phase]} has {what}"


def _rolls_damage(r: EruptionRules, reading: Reading) -> bool:
    t = reading.table
    village = reading.village(t.turn_seat)
    edge = t.roll_pos
    return edge > 0 and reading.edge_site(village, edge) in reading.walls and reading.contact(village, edge)


def _reveals(r: EruptionRules, reading: Reading) -> bool:
    t = reading.table
    kinds = {kind for kind, n in enumerate(t.stack) if n > 0}
    if t.reveal_restricted:
        kinds &= reading.candidates(t.purpose, t.held)
    return bool(kinds) and not _all_shown(t)


def _all_shown(t: Table) -> bool:
    """Whether every pile shows its top."""
    return all(size == 0 or top != NONE for size, top in zip(t.pile_sizes, t.pile_tops, strict=True))


def _candidates(r: EruptionRules, reading: Reading) -> set[int]:
    return reading.candidates(reading.table.purpose, reading.table.held)


def _rolls_for_tile(r: EruptionRules, reading: Reading) -> bool:
    t = reading.table
    h, rot = divmod(t.target, 6)
    walls = reading.walls_round(h)
    legal = (h, rot) in reading.placements(t.tile, t.held)
    return legal and t.roll_pos in walls and walls == reading.flows(h)


def _relocates(r: EruptionRules, reading: Reading) -> bool:
    t = reading.table
    village = reading.village(t.turn_seat)
    right = range(t.tray_edge + 1, VILLAGE_EDGES + 1)
    free = not any(reading.edge_site(village, edge) in reading.walls for edge in right)
    return free and len(right) >= sum(t.tray)


_GOES_ON: dict[int, Callable[[EruptionRules, Reading], bool]] = {
    DAMAGE_ROLL: _rolls_damage,
    REVEAL: _reveals,
    ERUPTION_PLACE: lambda r, reading: (
        reading.table.turn_seat in reading.table.eruption and reading.fits_some(r.source)
    ),
    TILE_DRAW: lambda r, reading: bool(_candidates(r, reading)),
    TILE_PICK: lambda r, reading: (
        _all_shown(reading.table) and bool(_candidates(r, reading) & set(reading.table.pile_tops))
    ),
    TILE_PLACE: lambda r, reading: reading.fits_some(reading.table.tile, reading.table.held),
    TILE_ROLL: _rolls_for_tile,
    EXTRA_TILE: lambda r, reading: (
        reading.zone(reading.table.turn_seat) >= r.extra_tile_from_zone and bool(reading.candidates(FOR_ZONE))
    ),
    AFTERSHOCK: lambda r, reading: any(True for _ in reading.rotations()),
    SINKHOLE: lambda r, reading: bool(reading.tiles),
    BOMB: lambda r, reading: bool(reading.walls),
    RELOCATE: _relocates,
    REINFORCE: lambda r, reading: (
        any(reading.table.pieces[reading.table.turn_seat]) and bool(reading.sites(reading.table.turn_seat))
    ),
    QUAKE_PLACE: lambda r, reading: any(True for _ in reading.replacements(reading.table.tile)),
}
"""By phase, whether it has a way on; the other phases always have one."""
