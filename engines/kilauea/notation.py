"""Text of Kilauea moves and positions (README section 8)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import BadInput, Violation
from engines.core.state import Rules, State
from engines.kilauea.facts import FACTS, HOME_FOREST, HOME_ISLAND, HOME_NONE, HOME_VOLCANO, NONE, STAGES
from engines.kilauea.moves import (
    SPACE_LETTERS,
    Advance,
    BuildIsland,
    BuildVolcano,
    Copy,
    Draft,
    DrawForest,
    DrawHeart,
    DrawReef,
    DrawStarter,
    DrawTiki,
    EndTurn,
    Fell,
    KilaueaMove,
    PlaceSeal,
    PutIsland,
    PutVolcano,
    StealStone,
    StopFelling,
    TakeCanoe,
    TakeForest,
    TakeIsland,
    TakeRival,
    TakeVolcano,
    Use,
)
from engines.kilauea.rules import Kilauea, load
from engines.kilauea.snapshot import Effect, Snapshot, Vector
from engines.kilauea.tables import KilaueaRules

MAX_NUMBER = 2**32 - 1
"""Greatest number in a well-formed move."""


def token(rules: Rules, move: KilaueaMove) -> str:
    """The text of a well-formed move."""
    match move:
        case Draft(section, colour):
            return f"D{section}{colour}"
        case Advance(distance):
            return f"+{distance}"
        case Fell(space):
            return f"X{space}"
        case StopFelling():
            return "X."
        case BuildVolcano(colour, stones):
            return f"V{colour}{stones}"
        case BuildIsland(colour):
            return f"I{colour}"
        case Use(tile):
            return f"U{tile}"
        case Copy(tile):
            return f"C{tile}"
        case TakeForest(section, space):
            return f"f{section}{space}"
        case TakeVolcano(section, colour):
            return f"v{section}{colour}"
        case TakeIsland(section, colour):
            return f"i{section}{colour}"
        case TakeCanoe(colour):
            return f"c{colour}"
        case TakeRival(seat, colour):
            return f"r{seat}{colour}"
        case PutVolcano(section):
            return f">v{section}"
        case PutIsland(section):
            return f">i{section}"
        case StealStone(seat):
            return f"s{seat}"
        case PlaceSeal(section, colour):
            return f"m{section}{colour}"
        case EndTurn():
            return "."
        case DrawForest(section, board, face):
            return f"B{section}={board}{face}"
        case DrawTiki(section, space, colour):
            return f"T{section}{space}={colour}"
        case DrawReef(slot, tile):
            return f"R{slot}={tile}"
        case DrawHeart(section, tile):
            return f"H{section}={tile}"
        case DrawStarter(seat):
            return f"S={seat}"


_PARTS = {"n": "(0|[1-9][0-9]{0,9})", "c": "([A-Z])", "x": "([a-z])", "f": "([fb])"}
_FORMS: tuple[tuple[str, str, Callable[..., KilaueaMove]], ...] = (
    ("D", "nc", Draft),
    ("+", "n", Advance),
    ("X.", "", StopFelling),
    ("X", "x", Fell),
    ("V", "cn", BuildVolcano),
    ("I", "c", BuildIsland),
    ("U", "n", Use),
    ("C", "n", Copy),
    ("f", "nx", TakeForest),
    ("v", "nc", TakeVolcano),
    ("i", "nc", TakeIsland),
    ("c", "c", TakeCanoe),
    ("r", "nc", TakeRival),
    (">v", "n", PutVolcano),
    (">i", "n", PutIsland),
    ("s", "n", StealStone),
    ("m", "nc", PlaceSeal),
    (".", "", EndTurn),
    ("B", "n=nf", DrawForest),
    ("T", "nx=c", DrawTiki),
    ("R", "n=n", DrawReef),
    ("H", "n=n", DrawHeart),
    ("S=", "n", DrawStarter),
)
"""Beginning, parameters (n number, c colour, x space, f face) and maker of each kind of move."""
_READERS = tuple(
    (re.compile(re.escape(head) + "".join(_PARTS.get(part, part) for part in parts)), make)
    for head, parts, make in _FORMS
)


def parse(rules: Rules, token: str) -> KilaueaMove:
    """The move of a token. Raises BadInput (`kilauea.parse`) when it is none."""
    for form, make in _READERS:
        found = form.fullmatch(token)
        if found is not None:
            values = [int(part) if part.isdigit() else part for part in found.groups()]
            if all(value <= MAX_NUMBER for value in values if isinstance(value, int)):
                return make(*values)
    raise _bad("token", f"{token[:40]!r} is no Kilauea move")


def _bad(field: str, sentence: str) -> BadInput:
    return BadInput([Violation(field, sentence, "kilauea.parse")])


# -- positions ----------------------------------------------------------------------------------------------------

_FIELDS = (
    "stage",
    "actor",
    "turn",
    "forests",
    "pool",
    "reef",
    "heart",
    "flank",
    "volcano",
    "seals",
    "crater",
    "canoe",
    "tikis",
    "stones",
    "islands",
    "vp",
    "removed",
    "intermediate",
    "pending",
    "effect",
    "end",
)
_HOMES = {HOME_FOREST: "f", HOME_VOLCANO: "v", HOME_ISLAND: "i"}


def write_position(state: Kilauea) -> str:
    """The fields of README section 8.3, every stage included."""
    s = state.snapshot()
    r = state.rules
    actor = {CHANCE: "chance", TERMINAL: "-"}.get(s.actor, str(s.actor))
    return " ".join(
        (
            STAGES[s.stage],
            actor,
            f"{s.turn}/{'-' if s.starter == NONE else s.starter}",
            "/".join(_forest(r, s, t) for t in range(5)),
            _numbers(s.pool),
            _numbers(s.reef),
            _numbers(s.heart),
            _numbers(s.flank),
            "/".join(_numbers(heights) for heights in s.pillars),
            ",".join(f"{t}{r.colours[c]}" for t, c in s.seals) or "-",
            str(s.crater),
            str(s.canoe),
            "/".join(_stack(r, tikis) for tikis in s.tikis),
            _numbers(s.stones),
            ";".join("/".join(_stack(r, stack) for stack in island) for island in s.islands),
            _numbers(s.vp),
            _numbers(s.removed),
            "done" if s.intermediate_done else "open",
            _numbers(s.pending) or "-",
            _effect(r, s.effect),
            FACTS.end_reasons[s.reason - 1] if s.reason else "-",
        )
    )


def _numbers(values: Sequence[int]) -> str:
    return ",".join(str(value) for value in values)


def _stack(r: KilaueaRules, tikis: Vector) -> str:
    return "".join(colour * n for colour, n in zip(r.colours, tikis, strict=True)) or "-"


def _forest(r: KilaueaRules, s: Snapshot, t: int) -> str:
    if s.boards[t] == NONE:
        return "-"
    return f"{r.face(s.boards[t]).name}:" + "".join("." if c == NONE else r.colours[c] for c in s.forests[t])


def _effect(r: KilaueaRules, e: Effect) -> str:
    if e.tile == 0:
        return "-"
    hand = "-" if e.hand == NONE else r.colours[e.hand]
    home = "-"
    if e.home_kind != HOME_NONE:
        home = f"{_HOMES[e.home_kind]}{e.home_section}" + ("" if e.home_space == NONE else SPACE_LETTERS[e.home_space])
    put = "-" if e.put_section == NONE else f"{e.put_section}{r.colours[e.put_colour]}"
    return f"{e.tile}.{e.step}:{hand}:{home}:{put}"


def read_position(rules: Rules, text: str) -> State:
    """The state of a position text. Raises BadInput: `kilauea.parse`, or the broken invariants."""
    assert isinstance(rules, KilaueaRules)
    parts = text.split(" ")
    if len(text) > 2000 or len(parts) != len(_FIELDS):
        raise _bad("position", f"must be {len(_FIELDS)} fields with single spaces")
    return load(rules, _Reader(rules, dict(zip(_FIELDS, parts, strict=True))).snapshot())


class _Reader:
    """Reads the fields of one position text; what it lets through has the right shape and no more."""

    def __init__(self, rules: KilaueaRules, fields: dict[str, str]) -> None:
        self.rules = rules
        self.fields = fields

    def fail(self, field: str, sentence: str) -> NoReturn:
        raise _bad(field, sentence)

    def match(self, field: str, form: str, text: str | None = None) -> re.Match[str]:
        found = re.fullmatch(form, self.fields[field] if text is None else text)
        if found is None:
            self.fail(field, "is not written as it should be")
        return found

    def split(self, field: str, mark: str, n: int, text: str | None = None) -> list[str]:
        parts = (self.fields[field] if text is None else text).split(mark)
        if len(parts) != n:
            self.fail(field, f"must have {n} parts")
        return parts

    def number(self, field: str, text: str | None = None) -> int:
        return int(self.match(field, "0|[1-9][0-9]{0,4}", text)[0])

    def numbers(self, field: str, n: int, text: str | None = None) -> tuple[int, ...]:
        return tuple(self.number(field, part) for part in self.split(field, ",", n, text))

    def colour(self, field: str, letter: str) -> int:
        if letter not in self.rules.colours:
            self.fail(field, f"{letter} is no colour of the edition")
        return self.rules.colours.index(letter)

    def stack(self, field: str, text: str) -> Vector:
        found = self.match(field, "-|[A-Z]{1,60}", text)[0].replace("-", "")
        for letter in found:
            self.colour(field, letter)
        if "".join(colour * found.count(colour) for colour in self.rules.colours) != found:
            self.fail(field, "must name the colours in the order of the edition")
        return tuple(found.count(colour) for colour in self.rules.colours)

    def forest(self, text: str) -> tuple[int, tuple[int, ...]]:
        if text == "-":
            return NONE, ()
        found = self.match("forests", "([1-5])([fb]):([A-Z.]{1,12})", text)
        number = 2 * (int(found[1]) - 1) + "fb".index(found[2])
        return number, tuple(NONE if letter == "." else self.colour("forests", letter) for letter in found[3])

    def pillar(self, field: str, text: str) -> tuple[int, int]:
        found = self.match(field, "([0-4])([A-Z])", text)
        return int(found[1]), self.colour(field, found[2])

    def effect(self) -> Effect:
        if self.fields["effect"] == "-":
            return Effect()
        found = self.match("effect", r"(\d{1,2})\.(\d):([A-Z]|-):(-|[fvi][0-4][a-l]?):(-|[0-4][A-Z])")
        home = found[4]
        put = (NONE, NONE) if found[5] == "-" else self.pillar("effect", found[5])
        return Effect(
            tile=int(found[1]),
            step=int(found[2]),
            hand=NONE if found[3] == "-" else self.colour("effect", found[3]),
            home_kind=HOME_NONE if home == "-" else next(k for k, letter in _HOMES.items() if letter == home[0]),
            home_section=NONE if home == "-" else int(home[1]),
            home_space=SPACE_LETTERS.index(home[2]) if len(home) == 3 else NONE,
            put_section=put[0],
            put_colour=put[1],
        )

    def actor(self) -> int:
        found = self.match("actor", "chance|-|[0-3]")[0]
        return int(found) if found.isdigit() else CHANCE if found == "chance" else TERMINAL

    def snapshot(self) -> Snapshot:
        fields, n = self.fields, self.rules.n_colours
        seats = self.rules.seats
        if fields["stage"] not in STAGES:
            self.fail("stage", f"must be one of {', '.join(STAGES)}")
        stage = STAGES.index(fields["stage"])
        turn, starter = self.match("turn", "(0|[1-9][0-9]{0,3})/([0-3]|-)").groups()
        forests = [self.forest(text) for text in self.split("forests", "/", 5)]
        seals = [] if fields["seals"] == "-" else fields["seals"].split(",")
        pending = [] if fields["pending"] == "-" else fields["pending"].split(",")
        reasons = ("-", *FACTS.end_reasons)
        if fields["end"] not in reasons:
            self.fail("end", f"must be one of {', '.join(reasons)}")
        if fields["intermediate"] not in ("open", "done"):
            self.fail("intermediate", "must be open or done")
        islands = self.split("islands", ";", seats)
        return Snapshot(
            stage=stage,
            actor=self.actor(),
            starter=NONE if starter == "-" else int(starter),
            turn=int(turn),
            boards=tuple(board for board, _ in forests),
            forests=tuple(cells for _, cells in forests),
            pool=self.numbers("pool", n),
            reef=self.numbers("reef", 5),
            heart=self.numbers("heart", 5),
            flank=self.numbers("flank", 5),
            pillars=tuple(self.numbers("volcano", n, part) for part in self.split("volcano", "/", 5)),
            seals=tuple(self.pillar("seals", text) for text in seals),
            crater=self.number("crater"),
            canoe=self.number("canoe"),
            tikis=tuple(self.stack("tikis", text) for text in self.split("tikis", "/", seats)),
            stones=self.numbers("stones", seats),
            islands=tuple(
                tuple(self.stack("islands", text) for text in self.split("islands", "/", 5, island))
                for island in islands
            ),
            vp=self.numbers("vp", seats),
            removed=self.numbers("removed", n),
            intermediate_done=fields["intermediate"] == "done",
            pending=tuple(self.number("pending", text) for text in pending),
            effect=self.effect(),
            reason=reasons.index(fields["end"]),
        )
