"""The `papamu` command: one module per group of commands."""

from __future__ import annotations

import errno
import io
import os
import sys

import grpc
import typer

from engines.core.game import BadInput
from engines.external.failures import MachineFailure
from engines.registry import UnknownEdition
from services.cli import demo, doctor, engine, games, ladder, newgame, play, records, rules, search, up
from services.cli.output import Exit, Stop, err
from services.cli.private_redis import NoRedis
from services.cli.supervisor import StartError
from services.common.settings import SettingsError

EPILOG = (
    "Exit codes: 0 done; 1 the answer is no (a refused move, a record that does not verify); 2 the command or its "
    "input was not understood; 3 a service did not answer; 4 something failed; 130 interrupted."
)

app = typer.Typer(
    name="papamu",
    help="Rules, records and bot ladders of board games.",
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("demo")(demo.demo)
app.command("up")(up.up)
app.command("down")(up.down)
app.command("status")(up.status)
app.command("doctor")(doctor.doctor)
app.command("games")(games.games)
app.command("play")(play.play)
app.add_typer(rules.app, name="rules")
app.add_typer(ladder.bots_app, name="bots")
app.add_typer(ladder.app, name="ladder")
app.add_typer(records.app, name="records")
app.command("perft")(engine.perft)
app.command("rollout")(engine.rollouts)
app.command("bench")(engine.bench)
app.command("conformance")(engine.conformance)
app.command("new-game")(newgame.new_game)
app.command("analyze")(search.analyze)
app.command("strength")(search.strength)


def main() -> None:
    """Runs the command and exits as `Exit` says."""
    try:
        _run()
    except Stop as stop:
        _end(stop.code, str(stop), *stop.below)
    except BadInput as error:
        _end(Exit.USAGE, *(f"{v.field}: {v.sentence}" if v.field else v.sentence for v in error.violations))
    except UnknownEdition as error:
        _end(Exit.USAGE, str(error))
    except SettingsError as error:
        _end(Exit.USAGE, *str(error).splitlines())
    except (StartError, NoRedis, MachineFailure) as error:
        _end(Exit.FAILED, *str(error).splitlines())
    except UnicodeError as error:
        _end(Exit.USAGE, f"what was given is not text in UTF-8: {error}")
    except grpc.RpcError as error:
        _end(Exit.UNREACHABLE, f"a service failed: {error.details()}")
    except OSError as error:
        where = error.filename or "something could not be read or written"
        _end(Exit.FAILED, f"{where}: {error.strerror or error}")


def _run() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a bullet more or less: it may know few characters
    try:
        app()
    finally:
        _flush()


def _flush() -> None:
    """Writes what is left of the output now: at the end of the process nobody could be told that it cannot be."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left goes there, and Python does not try again
        if error.errno == errno.EPIPE:  # as in `papamu games | head -1`
            sys.exit(1)
        raise Stop(f"the output cannot be written: {error.strerror}") from error


def _end(code: Exit, text: str, *below: str) -> None:
    for line in (f"papamu: {text}", *below):
        err.print(line, soft_wrap=True)
    sys.exit(code)
