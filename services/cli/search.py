"""`papamu analyze` and `strength`: what a search thinks of a position, and how strong the bots are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.live import Live
from rich.table import Table

from engines import registry
from engines.bench import strength as runner
from engines.search.budget import Spend
from engines.search.thinker import Thinker, Thought
from services.cli.output import AsJson, Exit, Stop, emit, err, out, progress, table
from services.cli.position import Before, Edition, GameName, Options, Place, Seats, Seed, Text, open_place, show_board

QUICK_BLOCKS = 20
QUICK_TESTED = 50
"""Blocks of a row that ends as soon as its test has decided."""
FULL_GAMES = 200


def analyze(
    game: GameName,
    simulations: Annotated[int, typer.Option(min=0, max=10**9, help="Most simulations; 0 = no limit.")] = 0,
    seconds: Annotated[float, typer.Option(min=0, max=86_400, help="Longest time; 0 = no limit.")] = 3,
    threads: Annotated[int, typer.Option(min=1, max=64, help="Threads, each with a tree of its own.")] = 1,
    position: Text = "",
    moves: Before = "",
    seed: Seed = 1,
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Searches a position for the seat to move: best moves, value for each seat, what is likely to follow.

    The search sees what the seat sees, nothing else. Examples: papamu analyze tiki --seconds 10,
    papamu analyze gaul --seats 4 --simulations 5000 --json
    """
    if not simulations and not seconds:
        raise Stop("give --simulations or --seconds", Exit.USAGE)
    place = open_place(game, edition, seats, option, position, seed, moves)
    if place.state.actor < 0:
        raise Stop("nobody has to decide here: the game is over", Exit.USAGE)
    thinker = Thinker(place.game, seed, threads=threads)
    observation = place.state.observe(place.state.actor)
    spend = Spend(simulations, seconds)
    if as_json:
        emit(True, _data(place, thinker.think(observation, spend)), lambda: None)
        return
    show_board(place)
    with Live(console=out, refresh_per_second=4) as live:
        for thought in thinker.thoughts(observation, spend, every=0.5):
            live.update(_table(place, thought))


def _data(place: Place, thought: Thought) -> dict[str, Any]:
    return {
        "actor": place.state.actor,
        "simulations": thought.simulations,
        "seconds": round(thought.seconds, 3),
        "lines": [
            {
                "move": place.token(line.code),
                "visits": line.visits,
                "values": [round(value, 4) for value in line.values],
                "proven_team": line.proven,
                "variation": [place.token(code) for code in line.variation],
            }
            for line in thought.lines
        ],
    }


def _table(place: Place, thought: Thought) -> Table:
    rows = table(
        f"{thought.simulations} simulations in {thought.seconds:.1f} s",
        "move",
        ">visits",
        *(f">seat {seat}" for seat in range(place.rules.seats)),
        "likely to follow",
    )
    for line in thought.lines[:12]:
        sure = "" if line.proven < 0 else f" (team {line.proven} wins)"
        values = [f"{100 * value:.1f} %" for value in line.values]
        follow = " ".join(place.token(code) for code in line.variation[1:])
        rows.add_row(place.token(line.code) + sure, str(line.visits), *values, follow)
    return rows


def strength(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Slugs; all if not given.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help=f"About {QUICK_BLOCKS} seat blocks a row.")] = False,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Processes that play.")] = 2,
    budget: Annotated[int, typer.Option(min=0, help="Simulations per move (b); 0 = the one of the game.")] = 0,
    file: Annotated[Path, typer.Option(help="Where finished games are kept; a run goes on from there.")] = Path(
        "strength.jsonl"
    ),
    as_json: AsJson = False,
) -> None:
    """Plays searching bots against random and greedy ones, and four times the budget against once.

    b is a number of simulations per move at which a two-seat game takes at most five seconds of one core. Two budgets
    play no more once a sequential test has decided. Stopped with Ctrl-C, it goes on from its file. Examples: papamu
    strength tiki --quick, papamu strength --processes 8
    """
    games = [registry.game(slug) for slug in game or registry.SLUGS]
    wanted = []
    for known in games:
        b = budget or runner.budget(known.facts.slug)
        took = runner.pace(known.facts.slug, b)
        err.print(f"{known.facts.slug}: b = {b} simulations per move, {took:.1f} s of one core for a two-seat game")
        for pairing in runner.pairings(known, b):
            blocks = -(-FULL_GAMES // pairing.seats)
            most = QUICK_TESTED if runner.is_tested(pairing) else QUICK_BLOCKS
            wanted.append((pairing, min(blocks, most) if quick else blocks))
    left = sum(pairing.seats * blocks for pairing, blocks in wanted) - len(runner.read(file))
    with progress("games", max(left, 0), quiet=as_json) as advance:
        played = runner.run(wanted, file, processes, lambda _: advance(1))
    tallies = [runner.tally(played, pairing) for pairing, _ in wanted]

    def show() -> None:
        rows = table(
            "Strength: share of wins of the first bot",
            "game",
            ">seats",
            "bots",
            ">games",
            ">share",
            ">95 %",
            ">equal",
            ">s/game",
            "test",
        )
        for t in tallies:
            p = t.pairing
            interval, time = f"± {100 * t.margin:.1f}", f"{t.seconds:.2f}"
            share, fair, bots = f"{100 * t.mean:.1f} %", f"{100 * t.fair:.0f} %", f"{p.one} - {p.other}"
            rows.add_row(p.game, str(p.seats), bots, str(t.games), share, interval, fair, time, t.verdict)
        out.print(rows)

    data = [
        {
            "pairing": t.pairing.name,
            "games": t.games,
            "share": t.mean,
            "margin": t.margin,
            "equal": t.fair,
            "seconds": t.seconds,
            "verdict": t.verdict,
        }
        for t in tallies
    ]
    emit(as_json, data, show)
