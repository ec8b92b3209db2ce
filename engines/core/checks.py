"""Checks of plain data from outside that every game needs: tables of an edition file, and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.game import BadInput, OptionSpec, OptionValue, Violation

_TYPES = {"bool": bool, "int": int, "enum": str, "text": str}
_WORDS = {bool: "true or false", int: "a whole number", str: "a text", dict: "a table", list: "a list"}
MAX_TEXT = 1024
"""Longest text an option takes, in characters."""


def is_of(value: object, kind: type) -> bool:
    """`isinstance`, except that a bool is no int."""
    return type(value) is kind


def check_table(table: object, shape: Mapping[str, type], path: str, rule_id: str) -> list[Violation]:
    """Every missing, unknown or mistyped key of a table; `path` names the table in the violations."""
    if not isinstance(table, Mapping):
        return [Violation(path, "must be a table", rule_id)]
    prefix = f"{path}." if path else ""
    faults = [Violation(f"{prefix}{key}", "unknown key", rule_id) for key in table if key not in shape]
    for key, kind in shape.items():
        if key not in table:
            faults.append(Violation(f"{prefix}{key}", "is missing", rule_id))
        elif not is_of(table[key], kind):
            faults.append(Violation(f"{prefix}{key}", f"must be {_WORDS[kind]}", rule_id))
    return faults


def check_options(
    specs: tuple[OptionSpec, ...],
    defaults: Mapping[str, Any],
    given: Mapping[str, OptionValue],
    rule_id: str,
) -> dict[str, OptionValue]:
    """The value of every option: given, else the default. Raises BadInput with a violation per illegal value."""
    names = {spec.name for spec in specs}
    faults = [Violation(name[:40], "unknown option", rule_id) for name in (*defaults, *given) if name not in names]
    values: dict[str, OptionValue] = {}
    for spec in specs:
        value = given.get(spec.name, defaults.get(spec.name))
        fault = _fault(spec, value)
        if value is None or fault:
            faults.append(Violation(spec.name, fault, rule_id))
        else:
            values[spec.name] = value
    if faults:
        raise BadInput(faults)
    return values


def _fault(spec: OptionSpec, value: object) -> str:
    if value is None:
        return "has no default"
    if not is_of(value, _TYPES[spec.kind]):
        return f"must be {_WORDS[_TYPES[spec.kind]]}"
    if spec.kind == "int" and not spec.low <= value <= spec.high:  # type: ignore[operator]  # an int by the check above
        return f"must be {spec.low} to {spec.high}"
    if spec.kind == "enum" and value not in spec.choices:
        return f"must be one of {', '.join(spec.choices)}"
    if spec.kind == "text" and len(str(value)) > MAX_TEXT:
        return f"must be at most {MAX_TEXT} characters"
    return ""
