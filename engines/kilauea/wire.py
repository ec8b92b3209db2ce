"""Kilauea messages of the contract (`papamu.kilauea.v1`) to and from the engine's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from papamu.kilauea.v1 import kilauea_pb2 as pb

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import BadInput, OptionValue, Setup, Violation
from engines.core.state import Rules
from engines.kilauea.facts import (
    EXTRAS,
    FACE_LETTERS,
    FACES,
    HOME_FOREST,
    HOME_ISLAND,
    HOME_NONE,
    HOME_VOLCANO,
    MAX_SEALS,
    MAX_SPACES,
    NONE,
    OVER,
    SECTIONS,
    STAGES,
    TILES,
)
from engines.kilauea.moves import KIND_OF, KINDS, SPACE_LETTERS, KilaueaMove
from engines.kilauea.observe import KilaueaObservation
from engines.kilauea.rules import Kilauea, load
from engines.kilauea.snapshot import Effect, Snapshot
from engines.kilauea.tables import KilaueaRules


def _bad(field: str, sentence: str, rule_id: str = "") -> BadInput:
    return BadInput([Violation(field, sentence, rule_id)])


# -- options ------------------------------------------------------------------------------------------------------


def write_options(setup: Setup) -> pb.Options:
    """All options of a setup."""
    o = setup.options
    return pb.Options(
        extra=pb.Extra.Name(EXTRAS.index(str(o["extra"])) + 1),
        faces=str(o["faces"]),
        turn_limit=int(o["turn_limit"]),
    )


def read_options(message: pb.Options) -> dict[str, OptionValue]:
    """The options that are set. Raises BadInput on an unknown enum number."""
    given: dict[str, OptionValue] = {}
    if message.extra != 0:
        if not 1 <= message.extra <= len(EXTRAS):
            raise _bad("extra", f"unknown number {message.extra}", "kilauea.state.options")
        given["extra"] = EXTRAS[message.extra - 1]
    for name in ("faces", "turn_limit"):
        if message.HasField(name):
            given[name] = getattr(message, name)
    return given


# -- moves --------------------------------------------------------------------------------------------------------

_LETTERS = {"colour": ("[A-Z]", "must be one capital letter"), "space": ("[a-z]", "must be one small letter")}


def write_move(rules: Rules, move: KilaueaMove) -> pb.Move:
    """The message of a well-formed move."""
    kind = KIND_OF[type(move)]
    message = getattr(pb, type(move).__name__)
    values = {name: getattr(move, name) for name in message.DESCRIPTOR.fields_by_name}
    if "face" in values:
        values["face"] = FACE_LETTERS.index(values["face"]) + 1
    return pb.Move(**{kind: message(**values)})


def read_move(rules: Rules, message: pb.Move) -> KilaueaMove:
    """The typed move. Raises BadInput for what is malformed: nothing set, no single letter, or an unknown side."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise _bad("", "no move is set")
    content = getattr(message, kind)
    values: dict[str, Any] = {}
    for name in content.DESCRIPTOR.fields_by_name:
        value = getattr(content, name)
        if name in _LETTERS and not re.fullmatch(_LETTERS[name][0], value):
            raise _bad(f"{kind}.{name}", _LETTERS[name][1])
        values[name] = _face(value, f"{kind}.face") if name == "face" else value
    move: KilaueaMove = KINDS[kind](**values)
    return move


def _face(number: int, field: str) -> str:
    if number not in (pb.FACE_FRONT, pb.FACE_BACK):
        raise _bad(field, f"unknown number {number}")
    return FACE_LETTERS[number - 1]


# -- states -------------------------------------------------------------------------------------------------------

UNKNOWN = -2
"""No colour, nor NONE."""


def write_state(state: Kilauea) -> pb.State:
    """The message of a state."""
    return _write(state.rules, state.snapshot())


def _present(value: int) -> int | None:
    return None if value < 0 else value


def _write(rules: KilaueaRules, s: Snapshot) -> pb.State:
    return pb.State(
        stage=pb.Stage.Name(s.stage + 1),
        actor=_present(s.actor),
        starter=_present(s.starter),
        turn=s.turn,
        forests=[_write_forest(rules, board, cells) for board, cells in zip(s.boards, s.forests, strict=True)],
        pool=s.pool,
        reef=s.reef,
        heart=s.heart,
        flank=s.flank,
        pillars=[pb.Tikis(counts=heights) for heights in s.pillars],
        seals=[pb.Pillar(section=t, colour=rules.colours[c]) for t, c in s.seals],
        crater=s.crater,
        canoe=s.canoe,
        players=[
            pb.Player(tikis=tikis, stones=stones, island=[pb.Tikis(counts=stack) for stack in island], vp=vp)
            for tikis, stones, island, vp in zip(s.tikis, s.stones, s.islands, s.vp, strict=True)
        ],
        removed=s.removed,
        intermediate_done=s.intermediate_done,
        pending=s.pending,
        effect=_write_effect(rules, s.effect) if s.effect.tile else None,
        end_reason=pb.Reason.Name(s.reason),
    )


def _write_forest(rules: KilaueaRules, board: int, cells: Sequence[int]) -> pb.Forest:
    if board == NONE:
        return pb.Forest()
    spaces = ["" if c == NONE else rules.colours[c] for c in cells]
    return pb.Forest(board=board // 2 + 1, face=pb.Face.Name(board % 2 + 1), spaces=spaces)


def _write_effect(rules: KilaueaRules, e: Effect) -> pb.Effect:
    message = pb.Effect(tile=e.tile, step=e.step)
    if e.hand != NONE:
        message.hand = rules.colours[e.hand]
    if e.home_kind == HOME_FOREST:
        message.home.forest.section = e.home_section
        message.home.forest.space = SPACE_LETTERS[e.home_space]
    elif e.home_kind == HOME_VOLCANO:
        message.home.volcano = e.home_section
    elif e.home_kind == HOME_ISLAND:
        message.home.island = e.home_section
    if e.put_section != NONE:
        message.put.section = e.put_section
        message.put.colour = rules.colours[e.put_colour]
    return message


def read_state(rules: Rules, message: pb.State) -> Kilauea:
    """The state. Raises BadInput: malformed fields, or the first broken invariant."""
    assert isinstance(rules, KilaueaRules)
    return load(rules, _read(rules, message))


def _read(rules: KilaueaRules, message: pb.State) -> Snapshot:
    """Lists are cut one beyond their greatest length: the invariants refuse the rest, and nothing grows."""
    if not 1 <= message.stage <= len(STAGES):
        raise _bad("stage", f"unknown number {message.stage}")
    stage = message.stage - 1
    if not 0 <= message.end_reason <= 2:
        raise _bad("end_reason", f"unknown number {message.end_reason}")
    letters = {"": NONE} | {letter: c for c, letter in enumerate(rules.colours)}
    forests = [_read_forest(letters, forest, t) for t, forest in enumerate(message.forests[: SECTIONS + 1])]
    players = message.players[: rules.seats + 1]
    n = rules.n_colours + 1

    def stacks(tikis: Sequence[pb.Tikis]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(stack.counts[:n]) for stack in tikis[: SECTIONS + 1])

    return Snapshot(
        stage=stage,
        actor=message.actor if message.HasField("actor") else TERMINAL if stage == OVER else CHANCE,
        starter=message.starter if message.HasField("starter") else NONE,
        turn=message.turn,
        boards=tuple(board for board, _ in forests),
        forests=tuple(cells for _, cells in forests),
        pool=tuple(message.pool[:n]),
        reef=tuple(message.reef[: SECTIONS + 1]),
        heart=tuple(message.heart[: SECTIONS + 1]),
        flank=tuple(message.flank[: SECTIONS + 1]),
        pillars=stacks(message.pillars),
        seals=tuple(
            (seal.section, _colour(rules, seal.colour, f"seals[{i}].colour"))
            for i, seal in enumerate(message.seals[: MAX_SEALS + 1])
        ),
        crater=message.crater,
        canoe=message.canoe,
        tikis=tuple(tuple(player.tikis[:n]) for player in players),
        stones=tuple(player.stones for player in players),
        islands=tuple(stacks(player.island) for player in players),
        vp=tuple(player.vp for player in players),
        removed=tuple(message.removed[:n]),
        intermediate_done=message.intermediate_done,
        pending=tuple(message.pending[: TILES + 1]),
        effect=_read_effect(rules, message.effect) if message.HasField("effect") else Effect(),
        reason=message.end_reason,
    )


def _colour(rules: KilaueaRules, letter: str, field: str) -> int:
    if letter not in rules.colours:
        raise _bad(field, "is no colour of the edition", "kilauea.state.cells")
    return rules.colours.index(letter)


def _space(letter: str, field: str) -> int:
    if len(letter) != 1 or letter not in SPACE_LETTERS:
        raise _bad(field, "is no forest space", "kilauea.state.cells")
    return SPACE_LETTERS.index(letter)


def _read_forest(letters: Mapping[str, int], forest: pb.Forest, t: int) -> tuple[int, tuple[int, ...]]:
    path = f"forests[{t}]"
    cells = tuple([letters.get(letter, UNKNOWN) for letter in forest.spaces[: MAX_SPACES + 1]])
    if UNKNOWN in cells:
        raise _bad(f"{path}.spaces[{cells.index(UNKNOWN)}]", "is no colour of the edition", "kilauea.state.cells")
    if forest.board == 0:
        if forest.face != pb.FACE_UNSPECIFIED:
            raise _bad(f"{path}.face", "is set without a board")
        return NONE, cells
    if forest.board > FACES // 2:
        raise _bad(f"{path}.board", f"must be 1 to {FACES // 2}", "kilauea.state.boards")
    return 2 * (forest.board - 1) + FACE_LETTERS.index(_face(forest.face, f"{path}.face")), cells


def _read_effect(rules: KilaueaRules, message: pb.Effect) -> Effect:
    if message.tile == 0:
        raise _bad("effect.tile", "is missing", "kilauea.state.effect")
    kind, section, space = HOME_NONE, NONE, NONE
    match message.home.WhichOneof("place"):
        case "forest":
            kind, section = HOME_FOREST, message.home.forest.section
            space = _space(message.home.forest.space, "effect.home.forest.space")
        case "volcano":
            kind, section = HOME_VOLCANO, message.home.volcano
        case "island":
            kind, section = HOME_ISLAND, message.home.island
        case _:
            if message.HasField("home"):
                raise _bad("effect.home", "names no place", "kilauea.state.effect")
    return Effect(
        tile=message.tile,
        step=message.step,
        hand=_colour(rules, message.hand, "effect.hand") if message.hand else NONE,
        home_kind=kind,
        home_section=section,
        home_space=space,
        put_section=message.put.section if message.HasField("put") else NONE,
        put_colour=_colour(rules, message.put.colour, "effect.put.colour") if message.HasField("put") else NONE,
    )


def write_view(observation: KilaueaObservation) -> pb.View:
    """The message of an observation."""
    return pb.View(state=_write(observation.rules, observation.snapshot))


def read_view(rules: Rules, viewer: int, message: pb.View) -> KilaueaObservation:
    """The observation. Raises BadInput."""
    assert isinstance(rules, KilaueaRules)
    if not 0 <= viewer < rules.seats:
        raise _bad("viewer", f"must be 0 to {rules.seats - 1}")
    snapshot = _read(rules, message.state)
    load(rules, snapshot)
    return KilaueaObservation(rules, viewer, snapshot)
