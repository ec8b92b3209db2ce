"""Eruption moves to and from the messages of the contract (`papamu.eruption.v1`)."""

from __future__ import annotations

from typing import Any

from papamu.eruption.v1 import eruption_pb2 as pb

from engines.core.game import BadInput, Violation
from engines.core.state import Rules
from engines.eruption import moves
from engines.eruption.facts import CARDS, FLOW_SITES, MATERIALS, PILES
from engines.eruption.moves import FIELDS, MAX_DIE, SEATS, EruptionMove
from engines.eruption.tables import EruptionRules

_CLASSES = {field: cls for cls, field in FIELDS.items()}


class _Codec:
    """The parameters of moves, each by its name in message and dataclass; they bear the same names."""

    def __init__(self, rules: EruptionRules, path: str) -> None:
        self.rules = rules
        self.path = path

    def bad(self, name: str, sentence: str) -> BadInput:
        return BadInput([Violation(f"{self.path}.{name}", sentence)])

    def write(self, name: str, value: int) -> Any:
        """The value of a message field."""
        match name:
            case "hex":
                return self.rules.geometry.hex_name(value)
            case "site":
                return self.rules.geometry.site_name(value)
            case "kind":
                return self.rules.kinds[value]
            case "pile":
                return value + 1
            case "card" | "first" | "second":
                return value + 1  # NONE becomes 0, a card that is not shown
            case "material":
                return value + 1
            case _:
                return value

    def read(self, name: str, value: Any, hidden: bool) -> int:
        """The parameter of a message field; `hidden` lets a card be absent."""
        match name:
            case "hex":
                return self._named(name, self.rules.geometry.number, value, "is no hex of the board")
            case "site":
                return self._named(name, self.rules.geometry.site, value, "is no edge of the board")
            case "kind":
                lava = {kind: k for k, kind in enumerate(self.rules.kinds[: self.rules.source])}
                return self._named(name, lava, value, "is no lava tile of the edition")
            case "pile":
                return self._within(name, value, 1, PILES) - 1
            case "card" | "first" | "second":
                return self._within(name, value, 0 if hidden else 1, len(CARDS)) - 1
            case "material":
                return self._within(name, value, 1, len(MATERIALS)) - 1
            case "rot":
                return self._within(name, value, 0, 5)
            case "to" | "seat":
                return self._within(name, value, 0, SEATS - 1)
            case _:
                return self._within(name, value, 0, MAX_DIE)

    def _named(self, name: str, known: dict[str, int], value: str, sentence: str) -> int:
        if value not in known:
            raise self.bad(name, sentence)
        return known[value]

    def _within(self, name: str, value: int, low: int, high: int) -> int:
        if not low <= value <= high:
            raise self.bad(name, f"must be {low} to {high}")
        return value


def write_move(rules: Rules, move: EruptionMove) -> pb.Move:
    """The message of a well-formed move."""
    assert isinstance(rules, EruptionRules)
    field = FIELDS[type(move)]
    message = pb.Move()
    part = getattr(message, field)
    part.SetInParent()
    codec = _Codec(rules, field)
    for parameter in part.DESCRIPTOR.fields:
        setattr(part, parameter.name, codec.write(parameter.name, getattr(move, parameter.name)))
    return message


def read_move(rules: Rules, message: pb.Move) -> EruptionMove:
    """The typed move. Raises BadInput when it is malformed: nothing set, names or numbers of nothing that exists."""
    assert isinstance(rules, EruptionRules)
    field = message.WhichOneof("kind")
    if field is None:
        raise BadInput([Violation("", "no move is set")])
    part = getattr(message, field)
    cls = _CLASSES[field]
    codec = _Codec(rules, field)
    hidden = cls in (moves.DealCard, moves.DrawCard)
    values = {p.name: codec.read(p.name, getattr(part, p.name), hidden) for p in part.DESCRIPTOR.fields}
    if cls is moves.RelocateWall and values["site"] < FLOW_SITES:
        raise codec.bad("site", "is no edge of a village")
    move: EruptionMove = cls(**values)
    return move
