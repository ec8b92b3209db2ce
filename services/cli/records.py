"""`papamu records`: games as they were played, stored, shown, proved, brought in and out."""

from __future__ import annotations

import sys
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from papamu.records.v1 import records_pb2, service_pb2

from engines import envelope
from engines.core.game import BadInput
from engines.record import forms
from engines.record.record import replay, verify
from services.cli.client import records
from services.cli.output import AsJson, Exit, Stop, draw, emit, out, table
from services.cli.position import file_of

app = typer.Typer(no_args_is_help=True, help="Game records: list, show, verify, import, export.")


class Form(StrEnum):
    """The forms of a record."""

    PGR = "pgr"
    JSON = "json"
    PROTOBUF = "pb"


WIRE = {
    Form.PGR: service_pb2.RECORD_FORMAT_PGR,
    Form.JSON: service_pb2.RECORD_FORMAT_JSON,
    Form.PROTOBUF: service_pb2.RECORD_FORMAT_PROTOBUF,
}
SUFFIXES = {".pgr": Form.PGR, ".json": Form.JSON, ".pb": Form.PROTOBUF}

GameId = Annotated[str, typer.Argument(metavar="GAME_ID", help="Id, as `papamu records list` shows it.")]
FormOption = Annotated[Form | None, typer.Option("--form", help="Form of the record; by the file's name if not given.")]


@app.command("list", epilog="""Example: papamu records list --filter 'game = "tiki" AND player = "greedy"'""")
def list_records(
    filter_: Annotated[str, typer.Option("--filter", help="Terms as field = value, joined by AND.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=500, help="Most records.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Lists the newest records."""
    with records() as service:
        request = service_pb2.ListRecordsRequest(page_size=limit, filter=filter_)
        found = service.call("ListRecords", request).records
    rows = table(
        "Records",
        "id",
        "game",
        "players",
        ">moves",
        "places",
        "end",
    )
    for summary in found:
        players = " ".join(player.name for player in summary.players)
        places = " ".join(map(str, summary.result.placements))
        rows.add_row(summary.game_id, summary.game, players, str(summary.plies), places, summary.result.reason)
    emit(as_json, list(found), lambda: out.print(rows))


@app.command(epilog="Example: papamu records show l2a97516c354b-0 --ply 25")
def show(
    game_id: GameId,
    ply: Annotated[int | None, typer.Option(min=0, help="Draw the position after so many moves.")] = None,
    as_json: AsJson = False,
) -> None:
    """Prints a record as text, and draws its last position or the one after --ply moves."""
    with records() as service:
        record = service.call("GetRecord", service_pb2.GetRecordRequest(game_id=game_id)).record
    emit(as_json, record, lambda: _show(record, ply))


def _show(record: records_pb2.Record, ply: int | None) -> None:
    out.lines(forms.FORMS[Form.PGR].write(record).decode())
    plies = len(record.actions) if ply is None else min(ply, len(record.actions))
    *_, state = islice(replay(record), plies + 1)  # one object, which changes with each move
    out.print(f"after {plies} moves:")
    game = envelope.game_of(state.rules)
    draw(game.picture.text(game.observe.observe(state, max(state.actor, 0)), colour=True))


@app.command("verify", epilog="Example: papamu records verify game.pgr")
def verify_record(
    what: Annotated[str, typer.Argument(metavar="GAME_ID|FILE", help="A stored record, or a file with one.")],
    form: FormOption = None,
    as_json: AsJson = False,
) -> None:
    """Replays a record and checks that its result follows; exits with 1 when it does not."""
    if file := file_of(what):
        try:
            faults = [(v.field, v.sentence) for v in verify(_read(file, form))]
        except BadInput as error:
            faults = [(v.field, v.sentence) for v in error.violations]
    else:
        with records() as service:
            answer = service.call("VerifyRecord", service_pb2.VerifyRecordRequest(game_id=what))
        faults = [(fault.field, fault.sentence) for fault in answer.faults]

    def tell() -> None:
        out.print(f"{what}: {'does not verify' if faults else 'verified'}")
        for field, sentence in faults:
            out.print(f"  {field}: {sentence}")

    data = {"verified": not faults, "faults": [{"field": field, "sentence": sentence} for field, sentence in faults]}
    emit(as_json, data, tell)
    if faults:
        raise typer.Exit(Exit.NO)


def _form(path: Path, given: Form | None) -> Form:
    form = given or SUFFIXES.get(path.suffix)
    if form is None:
        raise Stop(f"{path}: name the form with --form ({', '.join(Form)})", Exit.USAGE)
    return form


def _read(path: Path, given: Form | None) -> records_pb2.Record:
    return forms.FORMS[_form(path, given)].read(path.read_bytes())


@app.command("import", epilog="Example: papamu records import game.pgr")
def import_record(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file with one record.")],
    form: FormOption = None,
    as_json: AsJson = False,
) -> None:
    """Stores the record of a file; it must verify."""
    with records() as service:
        request = service_pb2.ImportRecordRequest(format=WIRE[_form(file, form)], data=file.read_bytes())
        summary = service.call("ImportRecord", request).summary
    emit(as_json, summary, lambda: out.print(f"stored {summary.game_id}"))


@app.command("export", epilog="Example: papamu records export l2a97516c354b-0 game.json")
def export(
    game_id: GameId,
    file: Annotated[Path, typer.Argument(help="Where to; - prints it.")] = Path("-"),
    form: FormOption = None,
) -> None:
    """Writes a stored record to a file, or prints it as text."""
    to_screen = str(file) == "-"
    chosen = (form or Form.PGR) if to_screen else _form(file, form)
    if to_screen and chosen is Form.PROTOBUF and sys.stdout.isatty():
        raise Stop("a record in protobuf is nothing for a terminal; name a file", Exit.USAGE)
    with records() as service:
        request = service_pb2.ExportRecordRequest(game_id=game_id, format=WIRE[chosen])
        data = service.call("ExportRecord", request).data
    if not to_screen:
        file.write_bytes(data)
        out.print(f"wrote {file}", soft_wrap=True)
    elif sys.stdout.isatty():
        out.lines(data.decode())
    else:
        sys.stdout.buffer.write(data)
