"""`papamu rules`: what is legal, why not, and what follows. Answers come from the engines of this installation."""

from __future__ import annotations

from typing import Annotated

import typer

from engines.core.constants import ABSENT, CHANCE
from engines.core.game import BadInput, Violation
from services.cli.output import AsJson, Exit, emit, out, show_reasons, table
from services.cli.position import (
    Before,
    Edition,
    GameName,
    Options,
    Place,
    Seats,
    Seed,
    Text,
    actor_name,
    open_place,
    show_board,
)

app = typer.Typer(no_args_is_help=True, help="Legal moves, refusals with their reasons, moves played, scores.")

Token = Annotated[str, typer.Argument(metavar="MOVE", help="A move in the game's notation.")]
Sender = Annotated[int | None, typer.Option("--seat", min=0, max=5, help="Who sends the move; the actor if not given.")]


@app.command(epilog="Example: papamu rules legal tiki --moves '@a1 @b2'")
def legal(
    game: GameName,
    position: Text = "",
    moves: Before = "",
    seed: Seed = 1,
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Draws a position and lists its legal moves."""
    place = open_place(game, edition, seats, option, position, seed, moves)
    found = place.legal()
    tokens = [place.token(code) for code in found.to_list()]
    data = {"position": place.text(), "actor": actor_name(place.state.actor), "moves": tokens}

    def show() -> None:
        show_board(place)
        out.print(f"{len(tokens)} legal moves: {' '.join(tokens)}")

    emit(as_json, data, show)


@app.command(epilog="Example: papamu rules validate tiki @a1 --moves @a1   (exits 1: the village is not empty)")
def validate(
    game: GameName,
    move: Token,
    seat: Sender = None,
    position: Text = "",
    moves: Before = "",
    seed: Seed = 1,
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Says whether a move is legal; if not, every broken rule, and exits with 1."""
    place = open_place(game, edition, seats, option, position, seed, moves)
    _, reasons = place.judge(move, ABSENT if seat is None else seat)
    found = [{"id": r.id, "kind": r.kind.name, "field": r.field, "sentence": r.sentence} for r in reasons]

    def show() -> None:
        out.print(f"{move} is {'refused:' if reasons else 'legal'}")
        show_reasons(reasons)

    emit(as_json, {"move": move, "legal": not reasons, "reasons": found}, show)
    if reasons:
        raise typer.Exit(Exit.NO)


@app.command(epilog="Example: papamu rules explain tiki tiki.create.occupied")
def explain(
    game: GameName,
    rule: Annotated[str, typer.Argument(metavar="[RULE]", help="A rule id; all of the game if not given.")] = "",
    as_json: AsJson = False,
) -> None:
    """Tells what the published rule ids stand for, and which section of the game's README states them."""
    rules = [r for r in open_place(game).game.explain.RULES if rule in ("", r.id)]
    if not rules:
        raise BadInput([Violation("rule", f"{game} has no rule {rule!r}; `papamu rules explain {game}` lists them")])
    rows = table(f"Rules of {game}", "id", "kind", "section", "rule")
    for r in rules:
        rows.add_row(r.id, r.kind.name, r.section, r.text)
    data = [{"id": r.id, "kind": r.kind.name, "section": r.section, "text": r.text} for r in rules]
    emit(as_json, data, lambda: out.print(rows))


@app.command(epilog="Example: papamu rules apply tiki @a1 @b2 --seed 7")
def apply(
    game: GameName,
    play: Annotated[list[str], typer.Argument(metavar="MOVE...", help="Moves in the game's notation, in order.")],
    position: Text = "",
    seed: Seed = 1,
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Plays moves, draws the chance moves between them, and shows the position after the last one."""
    place = open_place(game, edition, seats, option, position, seed)
    made: list[str] = []
    for token in play:
        code, reasons = place.judge(token)
        if code is None or reasons:
            _refuse(place, token, made, reasons=[f"{r.id}: {r.sentence}" for r in reasons], as_json=as_json)
        else:
            place.state.play(code)
            made += [token, *place.draw()]
    data = {"position": place.text(), "actor": actor_name(place.state.actor), "made": made}

    def show() -> None:
        out.print(f"made: {' '.join(made)}")
        show_board(place)

    emit(as_json, data, show)


def _refuse(place: Place, token: str, made: list[str], *, reasons: list[str], as_json: bool) -> None:
    def show() -> None:
        show_board(place)
        out.print(f"{token} is refused:")
        for reason in reasons:
            out.print(f"  {reason}")

    emit(as_json, {"position": place.text(), "made": made, "refused": token, "reasons": reasons}, show)
    raise typer.Exit(Exit.NO)


@app.command(epilog="Example: papamu rules score tiki --moves '@a1 @b2'")
def score(
    game: GameName,
    position: Text = "",
    moves: Before = "",
    seed: Seed = 1,
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Counts the points of a position as it stands, and where they come from."""
    state = open_place(game, edition, seats, option, position, seed, moves).state
    rows = table("Score", ">seat", ">place", ">points", "from")
    parts = state.breakdown() if state.actor != CHANCE else []
    scores, places, teams = state.scores(), state.placements(), state.teams()
    for seat, (points, place) in enumerate(zip(scores, places, strict=True)):
        sources = ", ".join(f"{row.source} {row.points}" for row in parts if row.seat == seat)
        rows.add_row(str(seat), str(place), str(points), sources)
    data = {
        "scores": scores,
        "placements": places,
        "teams": teams,
        "breakdown": [row._asdict() for row in parts],
        "end_reason": state.end_reason(),
    }
    emit(as_json, data, lambda: out.print(rows))
