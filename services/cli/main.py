"""The `papamu` command: one module per group of commands."""

from __future__ import annotations

import sys

import typer

from engines.core.game import BadInput
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
        app()
    except Stop as stop:
        _end(str(stop), stop.code)
    except BadInput as error:
        _end("\n".join(f"{v.field}: {v.sentence}" if v.field else v.sentence for v in error.violations), Exit.USAGE)
    except (UnknownEdition, SettingsError) as error:
        _end(str(error), Exit.USAGE)
    except (StartError, NoRedis) as error:
        _end(str(error), Exit.FAILED)


def _end(text: str, code: Exit) -> None:
    err.print(f"papamu: {text}", markup=False, soft_wrap=True)
    sys.exit(code)
