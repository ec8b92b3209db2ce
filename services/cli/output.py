"""What the command says: tables and pictures for people, JSON for programs, errors on standard error.

Names and sentences come from others. A text is never read as markup, and what a terminal would act on is written out.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
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


def visible(text: str) -> str:
    """The text on one line: each control or format character, line ends too, as Python would write it, as `\\x1b`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or _is_space(c) else c.encode("unicode_escape").decode() for c in text)


def _is_space(char: str) -> bool:
    return unicodedata.category(char) == "Zs"


class Screen(Console):
    """A console that shows every text as it is: on a line of its own, in a cell, as a title.

    Styles are for `Text`, which `words` makes.
    """

    def render_str(self, text: str, **how: Any) -> Text:
        """What rich makes of every plain string that it is to show."""
        return super().render_str(visible(text), **{**how, "markup": False, "emoji": False, "highlight": False})

    def lines(self, text: str) -> None:
        """Prints a text of several lines, none of them broken."""
        for line in text.rstrip("\n").split("\n"):
            self.print(line, soft_wrap=True)


out = Screen(highlight=False)
err = Screen(stderr=True, highlight=False)

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
    """Ends the command with a sentence for people and an exit code. It says what to do next where there is a way.

    `below` are lines of a log that tell more.
    """

    def __init__(self, text: str, code: Exit = Exit.FAILED, below: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.code = code
        self.below = below


def words(*parts: str | tuple[str, str]) -> Text:
    """A line of texts, each shown as it is; one that comes with a style has it."""
    made = Text()
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        made.append(visible(text), style)
    return made


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
        typer.echo(to_json(plain(data), indent=2))
    else:
        show()


def to_json(data: object, indent: int | None = None) -> str:
    """JSON in which nothing stands that a terminal would act on, or that standard output cannot write."""
    utf = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    text = json.dumps(data, ensure_ascii=not utf, indent=indent)
    return "".join(c if c.isprintable() or c == "\n" or _is_space(c) else json.dumps(c)[1:-1] for c in text)


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
        TextColumn(what, markup=False),
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
        out.print(words("  ", (reason.id, "bold"), f" ({reason.kind.name}{where}): {reason.sentence}"))
