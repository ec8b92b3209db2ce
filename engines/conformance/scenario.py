"""The short text forms in which data files name a setup and a position of any game.

Setup: `key=value` pairs with spaces between: `edition`, `seats` and the game's options; what is not named takes its
default. Position: `start`, optionally followed by the tokens to play from there, or a position text of the game.
"""

from __future__ import annotations

from engines import registry
from engines.core.game import Game, OptionSpec, OptionValue
from engines.core.state import Rules, State


def parse_setup(game: Game, text: str) -> Rules:
    """The rules object of a setup text. Raises ValueError (BadInput among them) for what is no setup."""
    pairs = dict(pair.split("=", 1) for pair in text.split() if text != "-")
    edition, seats = pairs.pop("edition", ""), int(pairs.pop("seats", "0"))
    specs = {spec.name: spec for spec in game.edition.OPTIONS}
    unknown = set(pairs) - set(specs)
    if unknown:
        raise ValueError(f"unknown options {sorted(unknown)}")
    options = {name: _value(specs[name], value) for name, value in pairs.items()}
    return registry.make_rules(registry.make_setup(game, edition, seats=seats, options=options))


def _value(spec: OptionSpec, text: str) -> OptionValue:
    if spec.kind == "bool":
        return {"true": True, "false": False}[text]
    return int(text) if spec.kind == "int" else text


def play_token(game: Game, state: State, token: str) -> None:
    """Plays the move of a token for the actor. Raises BadInput or IllegalMove."""
    code = game.moves.encode(state.rules, game.notation.parse(state.rules, token))
    state.play(-1 if code is None else code)


def parse_position(game: Game, rules: Rules, text: str) -> State:
    """The state of a position in one of the forms above. Raises ValueError (BadInput, IllegalMove among them)."""
    words = text.split()
    if words[:1] != ["start"]:
        return game.notation.read_position(rules, text)
    state = game.rules.start(rules)
    for token in words[1:]:
        play_token(game, state, token)
    return state
