"""The spellings that texts of moves and of positions share (README section 8)."""

from __future__ import annotations

from engines.core.game import BadInput, Violation
from engines.hawaii.tables import HawaiiRules


def bad(field: str, sentence: str) -> BadInput:
    """The refusal of a text."""
    return BadInput([Violation(field, sentence, "hawaii.parse")])


def token_text(rules: HawaiiRules, token: int) -> str:
    """A token type as in `3` or `3x`."""
    value, spear = rules.tokens[token]
    return f"{value}x" if spear else str(value)


def amounts_text(shells: int, feet: int, fruit: int) -> str:
    """Amounts as in `4s1u`; `0` for nothing."""
    parts = [f"{n}{letter}" for n, letter in ((shells, "s"), (feet, "f"), (fruit, "u")) if n]
    return "".join(parts) or "0"


def boats_text(start: int, level1: int, level2: int) -> str:
    """A set of boats as in `abc`; `-` for none."""
    return "a" * start + "b" * level1 + "c" * level2 or "-"
