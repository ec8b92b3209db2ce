"""`papamu demo`: everything for real and on a small scale, in a folder of its own that is removed at the end."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import grpc
import typer
from papamu.ladder.v1 import ladder_pb2, ladder_pb2_grpc
from papamu.records.v1 import records_pb2
from papamu.rules.v1 import envelope_pb2, rules_pb2, rules_pb2_grpc
from papamu.tiki.v1 import tiki_pb2
from rich.rule import Rule

from engines.measure import MODE
from engines.record import pgr
from services.cli.ladder import standings_table
from services.cli.output import out, progress, table, words
from services.cli.stack import Addresses, Stack
from services.cli.supervisor import Supervisor
from services.common.settings import Settings, load

BOTS: tuple[tuple[str, str, dict[str, int]], ...] = (
    ("random", "random", {}),
    ("greedy", "greedy", {}),
    ("careless", "greedy", {"blunder_percent": 25}),
)
"""Name, kind and options of each bot."""
LOOK = 0.25
"""Seconds between two looks at how far the ladder is."""
CALL = 10.0
"""Seconds that a call may take."""
METRICS = ("papamu_engine_ops_total", "papamu_engine_seconds_count", "grpc_server_handled_total")
METRIC_LINES = 3
"""Lines shown of each of METRICS."""


class Steps:
    """What was done and how long it took."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, float]] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Announces a step and times it."""
        out.print(Rule(name, align="left", style="dim"))
        start = time.monotonic()
        yield
        self.taken.append((name, time.monotonic() - start))

    def show(self) -> None:
        """Prints the times and their sum."""
        rows = table("Time", "step", ">seconds")
        for name, seconds in self.taken:
            rows.add_row(name, f"{seconds:.1f}")
        rows.add_row("all", f"{sum(seconds for _, seconds in self.taken):.1f}", style="bold")
        out.print(rows)


def demo(
    games: Annotated[int, typer.Option(min=6, max=100_000, help="Games of the ladder, at least.")] = 200,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Worker processes that play games.")] = 2,
    started: Annotated[float, typer.Option(hidden=True, help="When the set-up began, in seconds since 1970.")] = 0,
) -> None:
    """Starts everything, plays a ladder of Tiki games between three bots, shows what there is to see, stops everything.

    Nothing is left behind: data, sockets and logs live in a folder under the system's temporary one.

    Example: papamu demo --games 60
    """
    steps = Steps()
    if started:
        steps.taken.append(("set up (libraries, engines)", time.time() - started))
    folder = Path(tempfile.mkdtemp(prefix="papamu-demo-"))
    try:
        settings = _settings(folder, workers)
        with Supervisor(settings.stop_timeout) as supervisor:
            with steps(f"start Redis, services and {workers} workers"):
                addresses = Stack(settings, supervisor).start()
                out.print(f"engines are {MODE}; data in {folder}")
            _show(addresses, steps, games)
            stopping = time.monotonic()
        steps.taken.append(("stop everything", time.monotonic() - stopping))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    steps.show()


def _settings(folder: Path, workers: int) -> Settings:
    return load(
        data_dir=folder,
        redis_url="",
        database_url="",
        rules_address=f"unix:{folder}/rules.sock",
        ladder_address=f"unix:{folder}/ladder.sock",
        records_address=f"unix:{folder}/records.sock",
        metrics_address="127.0.0.1:0",
        workers_metrics_address="127.0.0.1:0",
        workers=workers,
    )


def _show(addresses: Addresses, steps: Steps, games: int) -> None:
    with ExitStack() as open_channels:
        rules = rules_pb2_grpc.RulesServiceStub(open_channels.enter_context(grpc.insecure_channel(addresses.rules)))
        ladders = ladder_pb2_grpc.LadderServiceStub(
            open_channels.enter_context(grpc.insecure_channel(addresses.ladder))
        )
        with steps("ask the rules service about a move that is refused"):
            _refused_move(rules)
        with steps(f"play a ladder of {games} games"):
            ladder = play(ladders, games)
        with steps("show standings, a game and metrics"):
            _standings(ladders, ladder)
            _game(ladders, ladder)
            _metrics("services", addresses.services_metrics)
            _metrics("workers", addresses.workers_metrics)


def _refused_move(rules: rules_pb2_grpc.RulesServiceStub) -> None:
    setup = envelope_pb2.Setup(tiki=tiki_pb2.Options())
    start = rules.NewGame(rules_pb2.NewGameRequest(setup=setup, seed=1), timeout=CALL).position
    legal = rules.ListLegalMoves(rules_pb2.ListLegalMovesRequest(position=start), timeout=CALL)
    move = envelope_pb2.Action(move=legal.moves[0])
    after = rules.ApplyMoves(rules_pb2.ApplyMovesRequest(position=start, actions=[move]), timeout=CALL).position
    answer = rules.ValidateMove(rules_pb2.ValidateMoveRequest(position=after, action=move), timeout=CALL)
    out.print(f"{legal.tokens[0]} is played; the other seat answers {legal.tokens[0]} too. Legal: {answer.legal}")
    for reason in answer.reasons:
        kind = envelope_pb2.RuleKind.Name(reason.kind).removeprefix("RULE_KIND_")
        out.print(words("  ", (reason.id, "bold"), f" ({kind}, {reason.field}): {reason.sentence}"))


def play(ladders: ladder_pb2_grpc.LadderServiceStub, games: int) -> ladder_pb2.Ladder:
    """A ladder of at least so many Tiki games between BOTS, played to the end."""
    for name, kind, options in BOTS:
        given = [records_pb2.BotOption(name=option, value=value) for option, value in options.items()]
        bot = ladder_pb2.Bot(name=name, kind=kind, options=given)
        ladders.CreateBot(ladder_pb2.CreateBotRequest(bot=bot), timeout=CALL)
    pairs, seats = len(BOTS) * (len(BOTS) - 1) // 2, 2
    request = ladder_pb2.CreateLadderRequest(
        request_id="demo",
        name="demo",
        setup=envelope_pb2.Setup(tiki=tiki_pb2.Options()),
        bots=[name for name, _, _ in BOTS],
        blocks=-(-games // (pairs * seats)),
    )
    ladder: ladder_pb2.Ladder = ladders.CreateLadder(request, timeout=CALL).ladder
    with progress("games", ladder.games_total, console=out) as advance:
        while ladder.state != ladder_pb2.LADDER_STATE_FINISHED:
            threading.Event().wait(LOOK)
            done = ladder.games_done
            ladder = ladders.GetLadder(ladder_pb2.GetLadderRequest(ladder_id=ladder.id), timeout=CALL).ladder
            advance(ladder.games_done - done)
    return ladder


def _standings(ladders: ladder_pb2_grpc.LadderServiceStub, ladder: ladder_pb2.Ladder) -> None:
    answer = ladders.GetStandings(ladder_pb2.GetStandingsRequest(ladder_id=ladder.id), timeout=CALL)
    out.print(standings_table(answer))


def _game(ladders: ladder_pb2_grpc.LadderServiceStub, ladder: ladder_pb2.Ladder) -> None:
    listed = ladders.ListGames(ladder_pb2.ListGamesRequest(ladder_id=ladder.id, page_size=1), timeout=CALL)
    request = ladder_pb2.GetGameRecordRequest(game_id=listed.games[0].id)
    record = ladders.GetGameRecord(request, timeout=CALL).record
    out.print()
    out.print(words(("The first game", "bold")))
    out.lines(pgr.write(record))


def _metrics(name: str, address: str) -> None:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=CALL) as answer:
        lines = answer.read().decode().splitlines()
    out.print(words((f"Metrics of the {name}", "bold"), f" (http://{address}/metrics)"))
    for metric in METRICS:
        shown = [line for line in lines if line.startswith(metric) and not line.endswith(" 0.0")]
        for line in shown[:METRIC_LINES]:
            out.print(f"  {line}", soft_wrap=True)
