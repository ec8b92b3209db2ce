"""Setups made of plain words: a game's slug, and its options as GetGame tells them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.message import Message

from papamu.rules.v1 import envelope_pb2 as env
from papamu.sdk.errors import InvalidInput, bad_input

_GAMES = [field.name for field in env.Setup.DESCRIPTOR.oneofs_by_name["options"].fields]
_UNSET = "UNSPECIFIED"
"""Ends the label that stands for the default of an enum; what is before it begins all its labels."""


def setup(game: str, options: Mapping[str, Any] | None, edition: str, seats: int) -> env.Setup:
    """The setup of a game by slug. Raises InvalidInput for an unknown game, option or choice, as a server would."""
    if game not in _GAMES:
        raise _unknown("setup", "game", game, _GAMES)
    made = env.Setup()
    _put(made, "edition", edition, "setup")
    _put(made, "seats", seats, "setup")
    chosen = getattr(made, game)
    chosen.SetInParent()
    for name, value in (options or {}).items():
        _put(chosen, name, value, f"setup.{game}")
    return made


def _put(message: Message, name: str, value: Any, path: str) -> None:
    field = message.DESCRIPTOR.fields_by_name.get(name)
    if field is None:
        raise _unknown(path, "option", name, message.DESCRIPTOR.fields_by_name)
    if field.enum_type is not None and isinstance(value, str):
        value = _label([label.name for label in field.enum_type.values], value, f"{path}.{name}")
    fields: dict[str, Any] = {name: value}
    try:
        message.MergeFrom(type(message)(**fields))
    except (TypeError, ValueError) as error:
        raise bad_input(f"{path}.{name}", f"cannot be {value!r}: {error}") from error


def _label(labels: list[str], choice: str, path: str) -> str:
    """The label of a choice: `none` and `TIE_BREAK_NONE` are the same."""
    prefix = labels[0].removesuffix(_UNSET)
    for label in (choice, prefix + choice.upper()):
        if label in labels:
            return label
    raise _unknown(path, "choice", choice, (label.removeprefix(prefix) for label in labels[1:]))


def _unknown(path: str, what: str, word: str, known: Iterable[str]) -> InvalidInput:
    return bad_input(path, f"unknown {what} {word!r}; there are {', '.join(known)}")
