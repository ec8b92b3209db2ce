"""What the command says: tables and pictures for people, JSON for programs, errors on standard error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Annotated, Any

import typer
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from engines.core.game import Reason

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]


class Exit(IntEnum):
    """How the command ends; `papamu --help` tells them."""

    DONE = 0
    NO = 1
    """It worked, and the answer is no: a refused move, a record that does not verify, a part that does not run."""
    USAGE = 2
    """The command or its input was not understood."""
    UNREACHABLE = 3
    """A service did not answer, or not in time."""
    FAILED = 4
    """Something that should work did not."""
    INTERRUPTED = 130


class Stop(Exception):
    """Ends the command with a text for people and an exit code. The text says what to do next where there is a way."""

    def __init__(self, text: str, code: Exit = Exit.FAILED) -> None:
        super().__init__(text)
        self.code = code


def table(title: str, *columns: str) -> Table:
    """An empty table with these headers; `>` in front of one puts its column, of numbers, to the right."""
    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False)
    for header in columns:
        numbers = header.startswith(">")
        made.add_column(header.removeprefix(">"), justify="right" if numbers else "left", no_wrap=numbers)
    return made


def emit(as_json: bool, data: object, show: Callable[[], None]) -> None:
    """Prints `data` as JSON, or lets `show` print it for people. A message is given in its JSON form."""
    if as_json:
        typer.echo(json.dumps(plain(data), ensure_ascii=False, indent=2))
    else:
        show()


def coloured() -> bool:
    """Whether the output is a terminal that shows colours, and its user wants them (NO_COLOR)."""
    return out.color_system is not None and not out.no_color


def draw(picture: str) -> None:
    """Prints a picture whose colours are ANSI codes, and leaves out the codes where they are not shown."""
    out.print(Text.from_ansi(picture), soft_wrap=True)


def plain(data: object) -> Any:
    """Data that `json` can write: messages by their field names, everything of theirs included."""
    if isinstance(data, Message):
        return MessageToDict(data, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    return data


@contextmanager
def progress(what: str, total: int, *, quiet: bool = False, console: Console = err) -> Iterator[Callable[[int], None]]:
    """A bar with the time left, on standard error if not told otherwise; gives a function that moves it on."""
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=quiet) as bar:
        task = bar.add_task(what, total=total)

        def advance(steps: int) -> None:
            bar.advance(task, steps)

        yield advance


def show_reasons(reasons: list[Reason]) -> None:
    """One line per broken rule: id, kind, field, sentence."""
    for reason in reasons:
        where = f", {reason.field}" if reason.field else ""
        out.print(f"  [bold]{reason.id}[/] ({reason.kind.name}{where}): {reason.sentence}")
