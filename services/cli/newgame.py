"""`papamu new-game`: the files of a game that is to be added."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engines.newgame import lay_out
from services.cli.output import AsJson, Exit, Stop, emit, out


def new_game(
    slug: Annotated[str, typer.Argument(help="Short name in lower case, as volcano.")],
    name: Annotated[str, typer.Option(help="Name for people; made from the slug if not given.")] = "",
    folder: Annotated[Path, typer.Option(exists=True, file_okay=False, help="A checkout of the project.")] = Path(),
    as_json: AsJson = False,
) -> None:
    """Lays out the files of a new game: a small stand-in that plays at once, to be replaced piece by piece.

    Example: papamu new-game volcano --name "Volcano", then make build and papamu conformance volcano
    """
    try:
        written = lay_out(folder, slug, name)
    except (ValueError, FileExistsError) as error:
        raise Stop(str(error), Exit.USAGE) from error

    def show() -> None:
        for path in written:
            out.print(str(path), soft_wrap=True)
        out.print(f"next: make build, then papamu conformance {slug} --golden tests/golden/{slug}")
        out.print("docs/adding-a-game.md tells the rest")

    emit(as_json, [str(path) for path in written], show)
