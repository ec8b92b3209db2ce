"""`papamu play`: a person against bots, in a terminal or as JSON lines."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from secrets import randbits
from typing import Annotated

import typer

from engines import registry
from engines.external import roster
from engines.record.forms import FORMS
from services.cli import play_lines, play_terminal
from services.cli.output import Exit, Stop
from services.cli.position import Edition, GameName, Options, Seats, read_options
from services.cli.sitting import BotSpec, Sitting
from services.common.settings import load

Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="KIND[:OPTION=N,...]",
        help="Who sits on the next free seat, as greedy or mcts:simulations=500; the last one takes all that are left. "
        "PAPAMU_BOTS names a file with more of them (docs/bots.md).",
    ),
]


def play(
    game: GameName,
    bot: Bots = None,
    seat: Annotated[int, typer.Option(min=0, max=5, help="Your seat.")] = 0,
    seats: Seats = 0,
    edition: Edition = "",
    option: Options = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**64 - 1, help="Draws the chance moves and what the bots draw; a new one each time."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write the record there at the end: .pgr, .json or .pb.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line on standard input and output, for programs.")
    ] = False,
) -> None:
    """Plays a game against bots. In the game, `help` tells what can be typed.

    Examples: papamu play tiki, papamu play gaul --seats 3 --seat 1 --bot mcts:simulations=500 --bot greedy
    """
    roster_file = load().bots
    if roster_file is not None:
        roster.install(roster_file)
    found = registry.game(game)
    rules = registry.make_rules(registry.make_setup(found, edition, "", seats, read_options(found, option or [])))
    if seat >= rules.seats:
        raise Stop(f"there are only {rules.seats} seats, 0 to {rules.seats - 1}", Exit.USAGE)
    if save is not None:
        form_of(save)
        if not os.access(save if save.exists() else save.parent, os.W_OK):
            raise Stop(f"{save}: nothing can be written there", Exit.FAILED)
    specs = [BotSpec.parse(text) for text in bot or ["greedy"]]
    others = [other for other in range(rules.seats) if other != seat]
    if len(specs) > len(others):
        raise Stop(f"{len(specs)} bots for {len(others)} seats", Exit.USAGE)
    bots = {other: specs[min(i, len(specs) - 1)] for i, other in enumerate(others)}
    sitting = Sitting(rules, seat, bots, randbits(63) if seed is None else seed)
    with closing(sitting):
        if as_json:
            play_lines.play(sitting, sys.stdin, sys.stdout, write_record)
        else:
            play_terminal.play(sitting, write_record)
    if save is not None:
        write_record(sitting, save)


def form_of(path: Path) -> str:
    """The form of a record by its file name. Raises Stop when there is none."""
    form = path.suffix.removeprefix(".")
    if form not in FORMS:
        raise Stop(f"{path}: a record ends in " + ", ".join(f".{name}" for name in FORMS), Exit.USAGE)
    return form


def write_record(sitting: Sitting, path: Path) -> None:
    """Writes the game so far. Raises Stop when the name or the place will not do."""
    data = FORMS[form_of(path)].write(sitting.record())
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Stop(f"{path}: {error.strerror}", Exit.FAILED) from error
    except ValueError as error:  # a character that no file name has
        raise Stop(f"{path}: {error}", Exit.USAGE) from error
