"""`papamu bots` and `papamu ladder`: who is better, by how much, how sure are we."""

from __future__ import annotations

import secrets
import threading
from contextlib import nullcontext
from typing import Annotated

import typer
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from rich.table import Table

from engines import envelope, registry
from services.cli import plot
from services.cli.client import Service, ladders
from services.cli.output import AsJson, Exit, Stop, coloured, draw, emit, err, out, progress, table, visible, words
from services.cli.position import Edition, GameName, Options, Seats, integer, read_options

LOOK = 0.3
"""Seconds between two looks at how far a ladder is."""
CREATE = 600.0
"""Seconds that the service may take to lay out the games of a ladder: there may be very many."""
PAGE = 500
STATES = {value: name.removeprefix("LADDER_STATE_").lower() for name, value in pb.LadderState.items()}
PRIORITIES = {"high": pb.PRIORITY_HIGH, "normal": pb.PRIORITY_NORMAL, "low": pb.PRIORITY_LOW}

app = typer.Typer(no_args_is_help=True, help="Ladders: create, follow, pause, cancel, standings.")
bots_app = typer.Typer(invoke_without_command=True, help="Bots that can be put on a ladder.")

LadderId = Annotated[str, typer.Argument(metavar="LADDER", help="Id, as `papamu ladder list` shows it.")]
Bots = Annotated[list[str], typer.Argument(metavar="BOT...", help="Names, as `papamu bots` lists them.")]
Blocks = Annotated[int, typer.Option(min=1, max=100_000, help="Seat blocks per combination of bots.")]
Name = Annotated[str, typer.Option(help="Name for people.")]
Priority = Annotated[str, typer.Option(help="high, normal or low: which games are played first.")]


@bots_app.callback(epilog="Example: papamu bots --json")
def bots(context: typer.Context, as_json: AsJson = False) -> None:
    """Lists the bots."""
    if context.invoked_subcommand is not None:
        return
    with ladders() as service:
        answer = service.call("ListBots", pb.ListBotsRequest())
    rows = table("Bots", "name", "kind", "options")
    for bot in answer.bots:
        rows.add_row(bot.name, bot.kind, _options(bot))
    emit(as_json, list(answer.bots), lambda: out.print(rows))


@bots_app.command("create", epilog="Example: papamu bots create careless greedy -o blunder_percent=25")
def create_bot(
    name: Annotated[str, typer.Argument(help="1 to 40 characters of a-z, 0-9, - and _.")],
    kind: Annotated[str, typer.Argument(help="Built-in kind, as greedy.")],
    option: Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=NUMBER")] = None,
    as_json: AsJson = False,
) -> None:
    """Names a bot: a built-in kind with options."""
    given = []
    for text in option or ():
        key, equals, value = text.partition("=")
        number = integer(value)
        if not equals or number is None:
            raise Stop(f"--option {text} is not NAME=NUMBER", Exit.USAGE)
        given.append(records_pb2.BotOption(name=key, value=number))
    with ladders() as service:
        bot = pb.Bot(name=name, kind=kind, options=given)
        made = service.call("CreateBot", pb.CreateBotRequest(bot=bot)).bot
    emit(as_json, made, lambda: out.print(f"{made.name}: {made.kind} {_options(made)}"))


def _options(bot: pb.Bot) -> str:
    return " ".join(f"{option.name}={option.value}" for option in bot.options)


def _request(
    game: str,
    bots: list[str],
    blocks: int,
    name: str,
    priority: str,
    edition: str,
    seats: int,
    option: list[str] | None,
) -> pb.CreateLadderRequest:
    if priority not in PRIORITIES:
        raise Stop("--priority is high, normal or low", Exit.USAGE)
    known = registry.game(game)
    setup = registry.make_setup(known, edition, "", seats, read_options(known, option or []))
    return pb.CreateLadderRequest(
        request_id=secrets.token_hex(16),
        name=name or f"{game} {' '.join(bots)}"[:80],
        setup=envelope.write_setup(setup),
        bots=bots,
        blocks=blocks,
        priority=PRIORITIES[priority],
    )


def _create(service: Service, request: pb.CreateLadderRequest, *, quiet: bool) -> pb.Ladder:
    late = f"it may have made it nevertheless: `papamu ladder list` shows {request.name!r} then"
    with nullcontext() if quiet else err.status("laying out the games"):
        made: pb.Ladder = service.call("CreateLadder", request, timeout=CREATE, if_late=late).ladder
    return made


@app.command(epilog="Example: papamu ladder create tiki random greedy --blocks 100")
def create(
    game: GameName,
    bots: Bots,
    blocks: Blocks = 50,
    name: Name = "",
    priority: Priority = "normal",
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Schedules a round robin of the bots and starts it; prints its id."""
    request = _request(game, bots, blocks, name, priority, edition, seats, option)
    with ladders() as service:
        made = _create(service, request, quiet=as_json)
    emit(as_json, made, lambda: out.print(f"{made.id}   {made.games_total} games"))


@app.command(epilog="Example: papamu ladder run tiki random greedy --blocks 100")
def run(
    game: GameName,
    bots: Bots,
    blocks: Blocks = 50,
    name: Name = "",
    priority: Priority = "normal",
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """The same as `create`, and then follows it to the end and prints the standings. Ctrl-C leaves it running."""
    request = _request(game, bots, blocks, name, priority, edition, seats, option)
    with ladders() as service:
        made = _create(service, request, quiet=as_json)
        follow(service, made, quiet=as_json)
        _show_standings(service, made.id, as_json)


def follow(service: Service, ladder: pb.Ladder, *, quiet: bool) -> pb.Ladder:
    """Shows a bar until the ladder ends, is paused or is cancelled; returns it as it is then."""
    with progress("games", ladder.games_total, quiet=quiet) as advance:
        advance(ladder.games_done)
        while ladder.state == pb.LADDER_STATE_RUNNING:
            threading.Event().wait(LOOK)
            done = ladder.games_done
            ladder = service.call("GetLadder", pb.GetLadderRequest(ladder_id=ladder.id)).ladder
            advance(ladder.games_done - done)
    return ladder


@app.command("list", epilog="Example: papamu ladder list --json")
def list_ladders(as_json: AsJson = False) -> None:
    """Lists the newest ladders."""
    with ladders() as service:
        found = service.call("ListLadders", pb.ListLaddersRequest(page_size=PAGE)).ladders
    rows = table("Ladders", "id", "name", "state", ">games", ">done", ">void")
    for ladder in found:
        counts = (ladder.games_total, ladder.games_done, ladder.games_void)
        rows.add_row(ladder.id, ladder.name, STATES[ladder.state], *map(str, counts))
    emit(as_json, list(found), lambda: out.print(rows))


def _show(ladder: pb.Ladder, as_json: bool) -> None:
    def show() -> None:
        out.print(words((ladder.id, "bold"), f" {STATES[ladder.state]}: {ladder.name}"))
        out.print(f"{ladder.games_done} of {ladder.games_total} games done, {ladder.games_leased} being played")
        out.print("bots: " + ", ".join(f"{bot.name} ({bot.kind} {_options(bot)})" for bot in ladder.bots))

    emit(as_json, ladder, show)


@app.command(epilog="Example: papamu ladder status l2a97516c354b --follow")
def status(
    ladder: LadderId,
    watch: Annotated[bool, typer.Option("--follow", "-f", help="Show a bar until it ends.")] = False,
    as_json: AsJson = False,
) -> None:
    """Tells how far a ladder is."""
    with ladders() as service:
        found = service.call("GetLadder", pb.GetLadderRequest(ladder_id=ladder)).ladder
        if watch:
            found = follow(service, found, quiet=as_json)
    _show(found, as_json)


@app.command(epilog="Example: papamu ladder standings l2a97516c354b --json")
def standings(ladder: LadderId, as_json: AsJson = False) -> None:
    """Rates the bots from the games so far, always anew from the stored games."""
    with ladders() as service:
        _show_standings(service, ladder, as_json)


def standings_table(answer: pb.GetStandingsResponse | pb.RebuildStandingsResponse) -> Table:
    """The standings for people, a bar for each rating with its 95 % interval in the middle."""
    headers = ("bot", ">Elo", ">±", ">games", ">won", ">drawn", ">lost", ">forfeits", "95 % interval")
    rows = table(f"Standings after {answer.games_counted} games", *headers)
    low = min((s.elo - s.error for s in answer.standings), default=0.0)
    high = max((s.elo + s.error for s in answer.standings), default=1.0)
    for s in answer.standings:
        counts = map(str, (s.games, s.wins, s.draws, s.losses, s.forfeits))
        rows.add_row(s.bot, f"{s.elo:.0f}", f"{s.error:.0f}", *counts, _interval(s, low, high))
    return rows


def _interval(s: pb.Standing, low: float, high: float, width: int = 20) -> str:
    def column(elo: float) -> int:
        return round((elo - low) / max(high - low, 1e-9) * (width - 1))

    cells = [" "] * width
    left, right = column(s.elo - s.error), column(s.elo + s.error)
    cells[left : right + 1] = "─" * (right + 1 - left)
    cells[column(s.elo)] = "●"
    return "".join(cells)


def _show_standings(service: Service, ladder: str, as_json: bool) -> None:
    answer = service.call("GetStandings", pb.GetStandingsRequest(ladder_id=ladder))

    def show() -> None:
        out.print(standings_table(answer))
        if not answer.connected:
            out.print("Not all bots are connected by games yet: ratings of unconnected ones cannot be compared.")

    emit(as_json, answer, show)


@app.command(epilog="Example: papamu ladder history l2a97516c354b --points 100")
def history(
    ladder: LadderId,
    points: Annotated[int, typer.Option(min=1, max=200, help="Most points of a line.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Draws how the ratings came about, from the first seat blocks to all that count."""
    with ladders() as service:
        answer = service.call("GetRatingHistory", pb.GetRatingHistoryRequest(ladder_id=ladder, points=points))
    emit(as_json, answer, lambda: _show_history(answer))


def _show_history(answer: pb.GetRatingHistoryResponse) -> None:
    if not answer.points:
        out.print("No seat block counts yet.")
        return
    final = answer.points[-1].elos
    best = sorted(range(len(final)), key=lambda i: -final[i])[: plot.MOST]
    lines = {visible(answer.bots[i]): [point.elos[i] for point in answer.points] for i in best}
    games = [point.games_counted for point in answer.points]
    out.print(words((f"Elo over {games[-1]} games", "bold")))
    draw(plot.lines(games, lines, "games", min(out.width, 120), max(18, len(best) + 6), coloured()))


@app.command(epilog="Example: papamu ladder pause l2a97516c354b")
def pause(ladder: LadderId, as_json: AsJson = False) -> None:
    """Hands out no more games; running ones are given back where they stand."""
    with ladders() as service:
        _show(service.call("PauseLadder", pb.PauseLadderRequest(ladder_id=ladder)).ladder, as_json)


@app.command(epilog="Example: papamu ladder resume l2a97516c354b")
def resume(ladder: LadderId, as_json: AsJson = False) -> None:
    """Goes on with a paused ladder."""
    with ladders() as service:
        _show(service.call("ResumeLadder", pb.ResumeLadderRequest(ladder_id=ladder)).ladder, as_json)


@app.command(epilog="Example: papamu ladder cancel l2a97516c354b")
def cancel(ladder: LadderId, as_json: AsJson = False) -> None:
    """Ends a ladder for good; games without a result never get one."""
    with ladders() as service:
        _show(service.call("CancelLadder", pb.CancelLadderRequest(ladder_id=ladder)).ladder, as_json)


@app.command(epilog="Example: papamu ladder rebuild l2a97516c354b")
def rebuild(ladder: LadderId, as_json: AsJson = False) -> None:
    """Rates the bots from the records alone; exits with 1 when that differs from the standings."""
    with ladders() as service:
        anew = service.call("RebuildStandings", pb.RebuildStandingsRequest(ladder_id=ladder), timeout=600)
        kept = service.call("GetStandings", pb.GetStandingsRequest(ladder_id=ladder))
    same = list(anew.standings) == list(kept.standings)

    def show() -> None:
        out.print(standings_table(anew))
        out.print("the same as the standings" if same else words(("not the same as the standings", "red")))

    emit(as_json, {"same": same, "rebuilt": anew}, show)
    if not same:
        raise typer.Exit(Exit.NO)


@app.command(epilog="Example: papamu ladder games l2a97516c354b --limit 10")
def games(
    ladder: LadderId,
    limit: Annotated[int, typer.Option(min=1, max=PAGE, help="Most games.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Lists the games of a ladder in the order of its schedule."""
    with ladders() as service:
        found = service.call("ListGames", pb.ListGamesRequest(ladder_id=ladder, page_size=limit)).games
    rows = table("Games", "id", "seats", "state", ">moves", "places", "end")
    for game in found:
        state = pb.GameState.Name(game.state).removeprefix("GAME_STATE_").lower()
        places = " ".join(map(str, game.result.placements))
        rows.add_row(game.id, " ".join(game.seats), state, str(game.plies), places, game.result.reason)
    emit(as_json, list(found), lambda: out.print(rows))
