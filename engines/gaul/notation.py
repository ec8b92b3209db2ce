"""Text of Village of Gaul moves and positions (README section 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.core.game import BadInput, Violation
from engines.core.state import Rules, State
from engines.gaul.board import GaulRules
from engines.gaul.facts import ACTIONS, DEAL, EXHAUSTED, NONE, OVER, PHASES, Face, Ref
from engines.gaul.moves import Aisling, Cross, Deal, Decline, Draw, GaulMove, Play, Remove, Split, Step, Swap
from engines.gaul.rules import Gaul, load
from engines.gaul.snapshot import Snapshot

# A number that the edition has no letter for, or of more than one digit, stands in brackets: `[12]`. Such a move is
# well-formed though never legal.
_BRACKETS = r"\[[0-9]{1,10}\]"
_LETTER = rf"(?:[A-Z]|{_BRACKETS})"
_DIGIT = rf"(?:[0-9]|{_BRACKETS})"
_CARD = rf"(?:[A-Z][A-Z][0-9][{ACTIONS}]|{_BRACKETS})"
_REF = rf"(?:-|{_LETTER}{_LETTER}{_DIGIT})"
_TOKEN = re.compile(
    rf"(?P<play>{_CARD})|:(?P<deal>{_CARD})|\+(?P<draw>{_CARD})"
    rf"|x(?P<seat_a>{_DIGIT})(?P<a>{_REF})/(?P<seat_b>{_DIGIT})(?P<b>{_REF})"
    rf"|-(?P<remove>{_LETTER})|@(?P<aisling>{_LETTER})|(?P<decline>~)"
    rf"|(?P<origin>{_LETTER})>(?P<to>{_LETTER})(?P<also>{_LETTER})?(?:,(?P<origin_b>{_LETTER})>(?P<to_b>{_LETTER}))?"
)
_ITEM = re.compile(rf"{_BRACKETS}|.")
NUMBER_LIMIT = 2**32


def token(rules: Rules, move: GaulMove) -> str:
    """The text of a well-formed move."""
    assert isinstance(rules, GaulRules)

    def d(district: int) -> str:
        return _letter(rules.districts, district)

    match move:
        case Play(kind):
            return card_text(rules, kind)
        case Deal(kind):
            return ":" + card_text(rules, kind)
        case Draw(kind):
            return "+" + card_text(rules, kind)
        case Swap(seat_a, a, seat_b, b):
            return f"x{_digit(seat_a)}{_ref_text(rules, a)}/{_digit(seat_b)}{_ref_text(rules, b)}"
        case Remove(district):
            return f"-{d(district)}"
        case Step(origin, target):
            return f"{d(origin)}>{d(target)}"
        case Split(origin, target_a, target_b):
            return f"{d(origin)}>{d(target_a)}{d(target_b)}"
        case Cross(origin_a, target_a, origin_b, target_b):
            return f"{d(origin_a)}>{d(target_a)},{d(origin_b)}>{d(target_b)}"
        case Aisling(district):
            return f"@{d(district)}"
        case Decline():
            return "~"


def _letter(letters: Sequence[str], i: int) -> str:
    return letters[i] if i < len(letters) else f"[{i}]"


def _digit(n: int) -> str:
    return str(n) if n < 10 else f"[{n}]"


def face_text(rules: GaulRules, face: Face) -> str:
    """A face as `RH2`."""
    return _letter(rules.districts, face.colour) + _letter(rules.tools, face.tool) + _digit(face.symbols)


def card_text(rules: GaulRules, kind: int) -> str:
    """A kind as `RH2m`."""
    if kind >= rules.n_kinds:
        return f"[{kind}]"
    card = rules.cards[kind]
    return face_text(rules, card.face) + ACTIONS[card.action]


def _ref_text(rules: GaulRules, ref: Ref) -> str:
    return "-" if ref is EXHAUSTED else face_text(rules, ref)


def parse(rules: Rules, token: str) -> GaulMove:
    """The move of a token. Raises BadInput (`gaul.parse`) when it is none, or not written in its one form."""
    assert isinstance(rules, GaulRules)
    found = _TOKEN.fullmatch(token) if len(token) <= 100 else None
    move = None if found is None else _move(rules, found.groupdict())
    if move is None or _token_of(rules, move) != token:
        raise _bad("token", f"{token[:40]!r} is no move of Village of Gaul")
    return move


_token_of = token


def _move(rules: GaulRules, part: dict[str, str | None]) -> GaulMove | None:
    """None for what the edition has no such letter or card for."""

    def d(name: str) -> int:
        return _index(rules.districts, part[name] or "")

    for name, kind_of_move in (("play", Play), ("deal", Deal), ("draw", Draw)):
        text = part[name]
        if text:
            kind = _kind(rules, text)
            return None if kind == NONE else kind_of_move(kind)
    if part["decline"]:
        return Decline()
    move: GaulMove
    if part["a"] and part["b"]:
        a, b = _ref(rules, part["a"]), _ref(rules, part["b"])
        move = Swap(_number(part["seat_a"] or ""), a, _number(part["seat_b"] or ""), b)
        bad = any(ref is not EXHAUSTED and NONE in ref for ref in (a, b)) or NONE in (move.seat_a, move.seat_b)
        return None if bad else move
    districts: tuple[int, ...]
    if part["remove"]:
        move = Remove(d("remove"))
        districts = (move.district,)
    elif part["aisling"]:
        move = Aisling(d("aisling"))
        districts = (move.district,)
    elif part["origin_b"]:
        if part["also"]:
            return None
        move = Cross(d("origin"), d("to"), d("origin_b"), d("to_b"))
        districts = (move.origin_a, move.target_a, move.origin_b, move.target_b)
    elif part["also"]:
        move = Split(d("origin"), d("to"), d("also"))
        districts = (move.origin, move.target_a, move.target_b)
    else:
        move = Step(d("origin"), d("to"))
        districts = (move.origin, move.target)
    return None if NONE in districts else move


def _number(text: str) -> int:
    number = int(text.strip("[]"))
    return number if number < NUMBER_LIMIT else NONE


def _index(letters: Sequence[str], text: str) -> int:
    """The place of a letter, or the number in brackets; NONE for another letter."""
    if text.startswith("["):
        return _number(text)
    return letters.index(text) if text in letters else NONE


def _kind(rules: GaulRules, text: str) -> int:
    if text.startswith("["):
        return _number(text)
    face = Face(_index(rules.districts, text[0]), _index(rules.tools, text[1]), int(text[2]))
    return int(rules.kind_of.get((face, ACTIONS.index(text[3])), NONE))


def _ref(rules: GaulRules, text: str) -> Ref:
    if text == "-":
        return EXHAUSTED
    colour, tool, symbols = _ITEM.findall(text)
    return Face(_index(rules.districts, colour), _index(rules.tools, tool), _number(symbols))


# -- positions ----------------------------------------------------------------------------------------------------


def write_position(state: Gaul) -> str:
    """The eight fields of README section 8: menhirs, Aisling, round, phase, scores, charged, played, hands."""
    rules, s = state.rules, state.snapshot()
    phase = PHASES[s.phase].lower()
    if s.phase not in (DEAL, OVER):
        phase += str(s.turn)
    if s.in_play != NONE:
        phase += ":" + card_text(rules, s.in_play)
    charged = [[face_text(rules, rules.faces[face]) for face in cards] for cards in s.charged]
    return " ".join(
        (
            ",".join(str(n) for n in s.menhirs),
            "-" if s.aisling == NONE else rules.districts[s.aisling],
            f"r{s.round}",
            phase,
            ",".join(str(n) for n in s.scores),
            "/".join(_list_text(cards) for cards in charged),
            _list_text([card_text(rules, kind) for kind in s.played]),
            "/".join(_list_text([card_text(rules, kind) for kind in hand]) for hand in s.hands),
        )
    )


def _list_text(items: Sequence[str]) -> str:
    return ",".join(items) or "-"


def _bad(field: str, sentence: str) -> BadInput:
    return BadInput([Violation(field, sentence, "gaul.parse")])


MAX_POSITION = 4096
_PHASE = re.compile(rf"(deal|over)|(play|action|draw|aisling)([0-9])(?::([A-Z][A-Z][0-9][{ACTIONS}]))?")


def read_position(rules: Rules, text: str) -> State:
    """The state of a position text. Raises BadInput: `gaul.parse`, or the broken invariant."""
    assert isinstance(rules, GaulRules)
    fields = text.split(" ")
    if len(text) > MAX_POSITION or len(fields) != 8:
        raise _bad("position", "must be eight fields with single spaces")
    turn_of = re.fullmatch(r"r([0-9]{1,2})", fields[2])
    phase = _PHASE.fullmatch(fields[3])
    if fields[1] != "-" and fields[1] not in rules.districts:
        raise _bad("aisling", "must be - or the letter of a district")
    if turn_of is None:
        raise _bad("round", "must be as in r3")
    if phase is None:
        raise _bad("phase", "must be as in play0, action1:YS1r, deal or over")
    snapshot = Snapshot(
        phase=PHASES.index((phase[1] or phase[2]).upper()),
        round=int(turn_of[1]),
        turn=int(phase[3] or 0),
        menhirs=_numbers("menhirs", fields[0]),
        aisling=NONE if fields[1] == "-" else rules.districts.index(fields[1]),
        scores=_numbers("scores", fields[4]),
        hands=tuple(_cards(rules, "hands", part) for part in fields[7].split("/")),
        charged=tuple(_faces(rules, part) for part in fields[5].split("/")),
        played=_cards(rules, "played", fields[6]),
        in_play=_cards(rules, "phase", phase[4])[0] if phase[4] else NONE,
    )
    return load(rules, snapshot)


def _numbers(field: str, text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", text):
        raise _bad(field, "must be numbers as in 4,4,3,4")
    return tuple(int(n) for n in text.split(","))


def _cards(rules: GaulRules, field: str, text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    found = [re.fullmatch(rf"[A-Z][A-Z][0-9][{ACTIONS}]", code) for code in text.split(",")]
    kinds = tuple(_kind(rules, code[0]) if code else NONE for code in found)
    if NONE in kinds:
        raise _bad(field, "must be - or cards of the edition as in YS1r,BH2r")
    return kinds


def _faces(rules: GaulRules, text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    refs = [_ref(rules, code) if re.fullmatch(r"[A-Z][A-Z][0-9]", code) else EXHAUSTED for code in text.split(",")]
    faces = tuple(NONE if ref is EXHAUSTED else rules.face_of.get(ref, NONE) for ref in refs)
    if NONE in faces:
        raise _bad("charged", "must be - or faces of the edition as in YS1,BH2")
    return faces
