"""Why a Tiki move is refused: the published rule ids (README section 9) in their three stages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Kind, Reason, Rule
from engines.core.reasons import reasons_of
from engines.core.state import Moves
from engines.tiki.facts import (
    ACTION,
    DIAGONALS,
    GAP_OF,
    NONE,
    OVER,
    PASS_CODE,
    PHASES,
    RESOLVE,
    SETUP_FIRST,
    SETUP_LAYOUT,
    SHAMAN,
    VILLAGES,
)
from engines.tiki.moves import Create, Decline, First, Lay, Move, Pass, PlaceShaman, Resolve, TikiMove
from engines.tiki.rules import Tiki
from engines.tiki.snapshot import Snapshot

RULES = (
    Rule("tiki.game.over", Kind.GAME_OVER, "Nobody moves after the end of the game.", "7"),
    Rule("tiki.actor.wrong_seat", Kind.NOT_THE_ACTOR, "Only the actor moves: one seat, or chance.", "5.1"),
    Rule("tiki.phase.wrong_move", Kind.WRONG_PHASE, "Each decision point takes its own kinds of moves.", "5.1"),
    Rule("tiki.create.occupied", Kind.RULE, "A new totem begins on a village without a tiki.", "5.2"),
    Rule("tiki.create.no_tiki", Kind.RULE, "A new totem needs a tiki in the seat's hand.", "5.2"),
    Rule("tiki.move.no_totem", Kind.RULE, "A path begins on a village that holds a totem.", "5.2"),
    Rule("tiki.move.not_owner", Kind.RULE, "A totem is moved by the seat whose tiki is on top.", "5.2"),
    Rule("tiki.move.length", Kind.RULE, "A totem makes exactly as many steps as it has tikis.", "5.2"),
    Rule("tiki.move.diagonal", Kind.RULE, "No step is diagonal.", "5.2"),
    Rule("tiki.move.not_adjacent", Kind.RULE, "Each step leads to a neighbouring village.", "5.2"),
    Rule("tiki.move.reverses", Kind.RULE, "A totem never comes back to the village it started from.", "5.2"),
    Rule("tiki.move.shaman", Kind.RULE, "No totem passes the gap where the shaman stands.", "5.2"),
    Rule("tiki.pass.not_stuck", Kind.RULE, "Only a seat without any other move passes.", "5.2"),
    Rule("tiki.resolve.not_full", Kind.RULE, "Only a village with three tikis takes effect.", "5.3"),
    Rule("tiki.shaman.same_gap", Kind.RULE, "A placed shaman goes to another gap.", "5.4"),
    Rule("tiki.lay.wrong_village", Kind.RULE, "Villages are laid in order.", "6"),
    Rule("tiki.lay.exhausted", Kind.RULE, "A tile is laid only while a copy is left.", "6"),
)
_BY_ID = {rule.id: rule for rule in RULES}

_PHASE_OF = {
    Create: ACTION,
    Move: ACTION,
    Pass: ACTION,
    Resolve: RESOLVE,
    PlaceShaman: SHAMAN,
    Decline: SHAMAN,
    Lay: SETUP_LAYOUT,
    First: SETUP_FIRST,
}
_FIELDS = {
    Create: "create",
    Move: "move",
    Pass: "pass",
    Resolve: "resolve",
    PlaceShaman: "place_shaman",
    Decline: "decline",
    Lay: "lay",
    First: "first",
}

Broken = tuple[str, str, str]
"""Rule id without the slug, field below the move's own message, sentence."""


def explain(state: Tiki, move: TikiMove, sender: int) -> list[Reason]:
    """Every broken rule of the first stage that has any; empty exactly when the move is legal for `sender`."""
    s = state.snapshot()
    broken = list(_over(s)) or list(_turn(state, s, move, sender)) or list(_content(state, s, move))
    return reasons_of(_BY_ID, "tiki", _FIELDS[type(move)], broken)


def _over(s: Snapshot) -> Iterator[Broken]:
    if s.phase == OVER:
        yield "game.over", "", "the game is over"


def _turn(state: Tiki, s: Snapshot, move: TikiMove, sender: int) -> Iterator[Broken]:
    if sender != state.actor:
        yield "actor.wrong_seat", "sender", f"{_who(sender)} moves, but {_who(state.actor)} is to decide"
    if s.phase != _PHASE_OF[type(move)]:
        yield "phase.wrong_move", "", f"a {type(move).__name__} does not belong to {PHASES[s.phase]}"


def _who(actor: int) -> str:
    return {CHANCE: "chance", TERMINAL: "nobody"}.get(actor, f"seat {actor}")


def _content(state: Tiki, s: Snapshot, move: TikiMove) -> Iterator[Broken]:
    match move:
        case Create(village):
            if s.stacks[village]:
                yield "create.occupied", "village", f"{VILLAGES[village]} holds a tiki"
            if s.hands[s.turn_seat] == 0:
                yield "create.no_tiki", "", f"seat {s.turn_seat} has no tiki in hand"
        case Move(path):
            yield from _path(s, path)
        case Pass():
            moves = Moves()
            state.legal(moves)
            if moves.to_list() != [PASS_CODE]:
                yield "pass.not_stuck", "", f"seat {s.turn_seat} has {len(moves)} other moves"
        case Resolve(village):
            if len(s.stacks[village]) != 3:
                yield "resolve.not_full", "village", f"{VILLAGES[village]} holds {len(s.stacks[village])} tikis, not 3"
        case PlaceShaman(gap):
            if gap == s.shaman:
                yield "shaman.same_gap", "gap", "the shaman already stands there"
        case Lay(village, tile):
            upcoming = s.layout.index(NONE)
            if village != upcoming:
                yield "lay.wrong_village", "village", f"{VILLAGES[upcoming]} is laid next"
            copies = state.rules.tile(tile)[2]
            if s.layout.count(tile) >= copies:
                yield "lay.exhausted", "tile", f"all {copies} copies of {state.rules.tiles[tile]} are laid"


def _path(s: Snapshot, path: tuple[int, ...]) -> Iterator[Broken]:
    totem = s.stacks[path[0]]
    steps = list(pairwise(path))
    if not totem:
        yield "move.no_totem", "path[0]", f"{VILLAGES[path[0]]} is empty"
    else:
        if totem[-1] != s.turn_seat:
            yield "move.not_owner", "path[0]", f"the totem on {VILLAGES[path[0]]} belongs to seat {totem[-1]}"
        if len(steps) != len(totem):
            yield "move.length", "path", f"a totem of {len(totem)} makes {len(totem)} steps, not {len(steps)}"

    def first(test: list[bool]) -> str:
        return f"path[{test.index(True) + 1}]"

    diagonal = [step in DIAGONALS for step in steps]
    apart = [step not in DIAGONALS and step not in GAP_OF for step in steps]
    barred = [GAP_OF.get(step, NONE) == s.shaman != NONE for step in steps]
    if any(diagonal):
        yield "move.diagonal", first(diagonal), "a step is diagonal"
    if any(apart):
        yield "move.not_adjacent", first(apart), "a step does not lead to a neighbouring village"
    if len(path) == 3 and path[2] == path[0]:
        yield "move.reverses", "path[2]", f"the totem comes back to {VILLAGES[path[0]]}"
    if any(barred):
        yield "move.shaman", first(barred), "the shaman stands in the way"
