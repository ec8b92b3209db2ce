"""Positions that a command line names: a game's start, a position text, or a ply of a record."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from engines import envelope, registry
from engines.chance import draw_chance
from engines.core.constants import ABSENT, CHANCE, CHANCE_STREAM, TERMINAL
from engines.core.game import BadInput, Facts, Game, OptionSpec, OptionValue, Reason, Violation
from engines.core.rng import stream_key
from engines.core.state import Moves, Rules, State
from services.cli.output import Exit, Stop, draw, out

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Slug of the game, as `papamu games` lists them.")]
Edition = Annotated[str, typer.Option(help="Edition; the game's default one if not given.", show_default=False)]
Seats = Annotated[int, typer.Option(min=0, max=6, help="Number of seats; 0 = the fewest the game takes.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; repeatable.")
]
Seed = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Draws the chance moves that are due.")]
Text = Annotated[
    str,
    typer.Option("--position", "-p", help="Position text in the game's notation; `-` reads it.", show_default=False),
]
Before = Annotated[str, typer.Option("--moves", "-m", help="Moves to make first, with spaces between.")]


@dataclass
class Place:
    """A state, how it is named, and what has been drawn for it so far."""

    game: Game
    rules: Rules
    state: State
    key: int
    chances: int = 0

    def draw(self) -> list[str]:
        """Makes the chance moves that are due; returns their tokens."""
        drawn = []
        while self.state.actor == CHANCE:
            code = draw_chance(self.state, self.key, self.chances)
            self.state.play(code)
            self.chances += 1
            drawn.append(self.token(code))
        return drawn

    def token(self, code: int) -> str:
        """The text of a move code."""
        return envelope.lexicon(self.rules).tokens[code]

    def judge(self, token: str, sender: int = ABSENT) -> tuple[int | None, list[Reason]]:
        """Code and reasons of a move: no reasons exactly when it is legal. Raises BadInput when it is no move."""
        move = self.game.notation.parse(self.rules, token)
        return self.game.moves.encode(self.rules, move), envelope.explain(self.state, move, sender)

    def legal(self) -> Moves:
        """The legal moves, with their weights when chance is due."""
        moves = Moves()
        if self.state.actor == CHANCE:
            self.state.weights(moves)
        else:
            self.state.legal(moves)
        return moves

    def text(self) -> str:
        """The position in the game's notation, or "" in a set-up that has none."""
        try:
            return self.game.notation.write_position(self.state)
        except ValueError:
            return ""


def open_place(
    slug: str,
    edition: str = "",
    seats: int = 0,
    options: list[str] | None = None,
    text: str = "",
    seed: int = 1,
    moves: str = "",
) -> Place:
    """The position that the options of a command name, chance moves drawn. Raises BadInput or UnknownEdition."""
    game = registry.game(slug)
    setup = registry.make_setup(game, edition, "", seats, read_options(game, options or []))
    rules = registry.make_rules(setup)
    text = _position_text(text)
    state = game.notation.read_position(rules, text) if text else game.rules.start(rules)
    place = Place(game, rules, state, stream_key(seed, CHANCE_STREAM))
    place.draw()
    for number, token in enumerate(moves.split()):
        code, reasons = place.judge(token)
        if code is None or reasons:
            raise BadInput([Violation(f"moves[{number}]", f"{token}: {r.sentence}", r.id) for r in reasons])
        place.state.play(code)
        place.draw()
    return place


def _position_text(given: str) -> str:
    """The text itself, or what the file of that name, or standard input, holds."""
    file = file_of(given)
    try:
        if given == "-":
            return sys.stdin.read().strip()
        return file.read_text().strip() if file else given
    except UnicodeDecodeError as error:
        raise Stop(f"--position {given} holds no text but other data", Exit.USAGE) from error


def file_of(text: str) -> Path | None:
    """The file of that name; None when there is none, as when the text could not even be a name."""
    try:
        return Path(text) if Path(text).is_file() else None
    except OSError:
        return None


def integer(text: str) -> int | None:
    """The number that the text is; None when it is none that fits into 64 bits."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None


def read_options(game: Game, given: list[str]) -> dict[str, OptionValue]:
    """Options of a game from `name=value` texts. Raises BadInput."""
    specs = {spec.name: spec for spec in game.edition.OPTIONS}
    values: dict[str, OptionValue] = {}
    faults = []
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in specs:
            known = ", ".join(specs) or "none"
            faults.append(Violation(f"option {text}", f"is not name=value of an option of {game.facts.slug}: {known}"))
            continue
        try:
            values[name] = _value(specs[name], value)
        except ValueError:
            faults.append(Violation(f"option {name}", f"{value!r} is no {specs[name].kind}"))
    if faults:
        raise BadInput(faults)
    return values


def _value(spec: OptionSpec, text: str) -> OptionValue:
    if spec.kind == "bool":
        if text.lower() not in ("true", "false", "yes", "no", "1", "0"):
            raise ValueError(text)
        return text.lower() in ("true", "yes", "1")
    return int(text) if spec.kind == "int" else text


def actor_name(actor: int) -> str:
    """`seat 0`, `chance`, or `nobody: the game is over`."""
    return {CHANCE: "chance", TERMINAL: "nobody: the game is over"}.get(actor, f"seat {actor}")


def show_board(place: Place, seat: int | None = None) -> None:
    """The picture of the position as `seat` sees it (the actor if not given), its text, and who moves next."""
    viewer = seat if seat is not None else max(place.state.actor, 0)
    draw(place.game.picture.text(place.game.observe.observe(place.state, viewer), colour=True))
    if place.text():
        out.print()
        out.print(place.text(), soft_wrap=True)
    out.print(f"next: {actor_name(place.state.actor)}")


def facts_line(facts: Facts) -> dict[str, Any]:
    """What a list of games says of each."""
    return {
        "slug": facts.slug,
        "name": facts.name,
        "seats": list(facts.seats),
        "rules_version": facts.rules_version,
        "hidden_information": facts.hidden,
        "lower_score_is_better": facts.lower_score_is_better,
        "end_reasons": list(facts.end_reasons),
    }
