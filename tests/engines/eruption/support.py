"""Short ways to games and positions of Eruption."""

from __future__ import annotations

from engines import registry
from engines.core.game import OptionValue
from engines.core.state import Moves
from engines.eruption import moves, notation
from engines.eruption.rules import Eruption
from engines.eruption.tables import EruptionRules

K = "g4=0123/4,g3=03/0,g2=035/0,f4=35/3,f3=035/0,e3=34/4"
"""The board K of the specification: lava at O2, O3, O4 and O5."""


def rules(seats: int = 2, **options: OptionValue) -> EruptionRules:
    made = registry.make_rules(registry.make_setup(registry.game("eruption"), seats=seats, options=options))
    assert isinstance(made, EruptionRules)
    return made


def position(text: str, seats: int = 2, **options: OptionValue) -> Eruption:
    return notation.read_position(rules(seats, **options), text)


def play(state: Eruption, tokens: str) -> Eruption:
    for token in tokens.split():
        code = moves.encode(state.rules, notation.parse(state.rules, token))
        assert code is not None
        state.play(code)
    return state


def legal(state: Eruption) -> list[str]:
    found, words = Moves(), moves.vocabulary(state.rules)
    state.legal(found)
    return [notation.token(state.rules, words[code]) for code in found.to_list()]


def fields(state: Eruption) -> dict[str, str]:
    """The parts of the position text."""
    phase, seat, *rest = notation.write_position(state).split(" ")
    return {"phase": phase, "seat": seat} | dict(field.split("=", 1) for field in rest)
