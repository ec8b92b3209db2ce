"""`papamu perft`, `rollout`, `bench`, `conformance`: the engines put to the test, without any service."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from engines import conformance as kit
from engines import measure
from engines.bench import engine as figures
from engines.conformance.write import write_playthroughs, write_records
from engines.core.latency import Latency
from engines.core.rollout import divide, rollout
from engines.core.rollout import perft as count
from engines.core.state import State
from services.cli.output import AsJson, Exit, Stop, emit, err, out, progress, table, words
from services.cli.position import Before, Edition, GameName, Options, Seats, Seed, Text, open_place

LIMIT = 100_000
"""Plies at which a random game is cut off: more than any game has."""


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=1, max=64, help="Moves to look ahead.")],
    position: Text = "",
    moves: Before = "",
    seed: Seed = 1,
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    split: Annotated[bool, typer.Option("--divide", help="Count below each move on its own.")] = False,
    as_json: AsJson = False,
) -> None:
    """Counts the sequences of exactly DEPTH moves; each chance outcome counts once.

    Examples: papamu perft tiki 4, papamu perft tiki 3 --divide
    """
    place = open_place(game, edition, seats, option, position, seed, moves)
    start = perf_counter()
    with _ended_by_ctrl_c():
        if split:
            below = {place.token(code): n for code, n in divide(place.state, depth).items()}
            total = sum(below.values())
        else:
            below = {}
            total = count(place.state, depth)
    seconds = perf_counter() - start

    def show() -> None:
        for token, n in below.items():
            out.print(f"{token}: {n}")
        out.print(f"perft({depth}) = {total}   {seconds:.3f} s, {total / max(seconds, 1e-9):,.0f} leaves/s")

    data = {"depth": depth, "leaves": total, "seconds": round(seconds, 6), "divide": below}
    emit(as_json, data, show)


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """Lets the signal itself end the process (shells say 130): Python hears of it only when a long call comes back."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def rollouts(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="Random games to play.")] = 1000,
    position: Text = "",
    moves: Before = "",
    seed: Seed = 1,
    edition: Edition = "",
    seats: Seats = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Plays random games from a position: how long they are, how they end, who wins.

    Examples: papamu rollout tiki --games 10000, papamu rollout tiki -p "$POSITION" --json
    """
    start = open_place(game, edition, seats, option, position, seed, moves).state
    state, latency = start.clone(), Latency()
    plies, ends, wins = 0, Counter[str](), Counter[int]()
    begin = perf_counter()
    with progress("games", games, quiet=as_json) as advance:
        for number in range(games):
            state.copy_from(start)
            plies += rollout(state, (seed + number) % 2**64, LIMIT, latency)
            ends[state.end_reason()] += 1
            wins.update(_winners(state))
            advance(1)
    seconds = perf_counter() - begin
    measure.publish(game, latency)
    data = {
        "games": games,
        "plies": plies,
        "seconds": round(seconds, 6),
        "mode": measure.MODE,
        "ends": dict(ends.most_common()),
        "first_places": {seat: wins[seat] for seat in range(len(start.scores()))},
    }

    def show() -> None:
        speed = f"{games / seconds:,.0f} games/s, {seconds / plies * 1e9:,.0f} ns a ply"
        out.print(f"{games} random games, {plies / games:.1f} plies each; {speed} ({measure.MODE})")
        rows = table("Ends", "reason", ">games", ">share")
        for reason, n in ends.most_common():
            rows.add_row(reason, str(n), f"{100 * n / games:.1f} %")
        out.print(rows)
        rows = table("First places (shared ones count for each)", ">seat", ">games", ">share")
        for seat in range(len(start.scores())):
            rows.add_row(str(seat), str(wins[seat]), f"{100 * wins[seat] / games:.1f} %")
        out.print(rows)

    emit(as_json, data, show)


def _winners(state: State) -> list[int]:
    return [seat for seat, place in enumerate(state.placements()) if place == 1]


def bench(as_json: AsJson = False) -> None:
    """Measures the engines' hot path against its bars; exits with 1 when one is missed.

    Takes about a minute; the machine should have nothing else to do. Example: papamu bench --json
    """
    rows = table(
        f"Engine figures ({measure.MODE}, Python {sys.version.split()[0]})",
        *("figure", ">value", "unit", "bar", "", "note"),
    )
    measured = []
    with err.status("measuring"):
        for figure in figures.figures():
            measured.append(figure)
            verdict = "" if figure.holds is None else "holds" if figure.holds else words(("missed", "red"))
            rows.add_row(figure.name, f"{figure.value:.2f}", figure.unit, figure.bar, verdict, figure.note)
    keys = ("name", "value", "unit", "bar", "holds", "note")
    emit(as_json, [{key: getattr(f, key) for key in keys} for f in measured], lambda: out.print(rows))
    if any(figure.holds is False for figure in measured):
        raise typer.Exit(Exit.NO)


def conformance(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A slug, or a package of your own as mygames.chess.")],
    games: Annotated[int, typer.Option(min=1, max=10_000, help="Random games per check.")] = 6,
    seed: Seed = 1,
    golden: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Folder with golden records and perft tables.")
    ] = None,
    check: Annotated[list[str] | None, typer.Option(help="Only this check; repeatable.")] = None,
    write: Annotated[
        bool, typer.Option("--write", help="First write the playthroughs and missing records of --golden anew.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Checks a game against the laws that every game keeps; exits with 1 when it breaks one.

    Examples: papamu conformance tiki --golden tests/golden/tiki, papamu conformance mygames.chess --games 50
    """
    unknown = set(check or ()) - {known.name for known in kit.CHECKS}
    if unknown:
        names = ", ".join(known.name for known in kit.CHECKS)
        raise Stop(f"no check {', '.join(sorted(unknown))}; there are {names}", Exit.USAGE)
    if not all(part.isidentifier() for part in game.split(".")):
        raise Stop(f"{game!r} is no name of a game or package", Exit.USAGE)
    try:
        subject = kit.subject(game, kit.Effort(games=games, seed=seed), golden)
    except ImportError as error:
        raise Stop(f"{game} is no game: {error}", Exit.USAGE) from error
    if write:
        if golden is None:
            raise Stop("--write needs --golden", Exit.USAGE)
        for path in (*write_playthroughs(subject, golden), *write_records(subject, golden)):
            err.print(f"wrote {path}", soft_wrap=True)
    results: list[dict[str, Any]] = []
    with progress("checks", len(check or kit.CHECKS), quiet=as_json) as advance:
        for law, failures in kit.run(subject, tuple(check or ())):
            result = {"check": law.name, "about": law.about, "looked_at": failures is not None}
            results.append({**result, "failures": failures or []})
            advance(1)
    broken = [result for result in results if result["failures"]]

    def show() -> None:
        rows = table(f"Conformance of {game}", "check", "", "what it holds")
        for result in results:
            holds = words(("broken", "red")) if result["failures"] else "ok" if result["looked_at"] else "not looked at"
            rows.add_row(str(result["check"]), holds, str(result["about"]))
        out.print(rows)
        if not all(result["looked_at"] for result in results):
            out.print("What was not looked at needs a game with messages, and --golden with its data.")
        for result in broken:
            for failure in result["failures"]:
                out.print(f"{result['check']}: {failure}")

    emit(as_json, {"game": game, "checks": results, "conforms": not broken}, show)
    if broken:
        raise typer.Exit(Exit.NO)
