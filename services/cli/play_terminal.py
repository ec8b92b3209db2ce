"""The game in a terminal: pictures, a prompt that completes moves, and what else can be typed there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from engines.core.constants import CHANCE
from engines.core.game import BadInput
from services.cli.output import Stop, draw, out, show_reasons, table
from services.cli.sitting import Made, Sitting

WriteRecord = Callable[[Sitting, Path], None]
Ask = Callable[[str], str]

HELP = """\
  MOVE        make it; Tab completes
  ?           what looks best
  why MOVE    every reason why it is not legal
  legal       all legal moves
  board       the position again
  undo        take back to before your last move
  save FILE   write the record so far: .pgr, .json or .pb
  resign      give up
  quit        leave"""
WORDS = ("?", "why", "legal", "board", "undo", "save", "resign", "quit", "help")


class Words(Completer):
    """Completes legal moves and commands; after `why`, also moves that are not legal."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._all = sorted({token for token in sitting.tokens if token})

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """What the text before the cursor may become."""
        typed = document.text_before_cursor.lstrip()
        command, space, rest = typed.partition(" ")
        if command == "why" and space:
            known, start = self._all, rest
        elif space:
            return
        else:
            known, start = [*self._sitting.legal(), *WORDS], command
        for word in known:
            if word.startswith(start):
                yield Completion(word, -len(start))


def play(sitting: Sitting, write_record: WriteRecord) -> None:
    """Plays to the end, or until the person leaves. Raises Stop when a record cannot be written."""
    _Talk(sitting, write_record).run()


class _Talk:
    def __init__(self, sitting: Sitting, write_record: WriteRecord) -> None:
        self._sitting = sitting
        self._write_record = write_record
        self._left = False

    def run(self) -> None:
        sitting = self._sitting
        out.print(f"You are {self._name(sitting.person)}; the others: {self._others()}. Type help for help.")
        ask = self._prompt()
        self._go_on()
        while not sitting.over and not self._left:
            try:
                line = ask(f"{self._name(sitting.person)}> ").strip()
            except (EOFError, KeyboardInterrupt):
                self._left = True
            else:
                if line:
                    self._do(line)
        if sitting.over:
            self._result()

    def _prompt(self) -> Ask:
        if not sys.stdin.isatty():
            return input
        session: PromptSession[str] = PromptSession(completer=Words(self._sitting), complete_while_typing=False)
        return partial(session.prompt)

    def _others(self) -> str:
        return ", ".join(f"seat {seat} {spec.kind}" for seat, spec in self._sitting.bots.items())

    def _name(self, sender: int) -> str:
        if sender == CHANCE:
            return "chance"
        spec = self._sitting.bots.get(sender)
        return f"seat {sender} ({spec.kind})" if spec else f"seat {sender}"

    def _go_on(self) -> None:
        """Chance and bots move; then the person sees where things stand."""
        made: list[Made] = []
        with out.status("thinking"):
            made.extend(self._sitting.go_on())
        for sender, moves in groupby(made, key=lambda move: move.sender):
            told = " ".join(move.token or "??" for move in moves)
            out.print(f"{self._name(sender)}: {told}", soft_wrap=True)
        self._board()

    def _board(self) -> None:
        draw(f"\n{self._sitting.picture()}\n")

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "?": self._hint,
            "why": partial(self._why, rest.strip()),
            "legal": self._legal,
            "board": self._board,
            "undo": self._undo,
            "save": partial(self._save, rest.strip()),
            "resign": self._resign,
            "quit": self._quit,
            "help": partial(out.lines, HELP),
        }
        # A game may have a move of the same name: the move comes first.
        if word in commands and word not in self._sitting.legal():
            commands[word]()
        else:
            self._move(line)

    def _move(self, token: str) -> None:
        try:
            reasons = self._sitting.play(token)
        except BadInput as error:
            out.print(f"{error} (type legal for the legal moves, help for help)", soft_wrap=True)
            return
        if reasons:
            out.print(f"{token} is refused:")
            show_reasons(reasons)
        else:
            self._go_on()

    def _hint(self) -> None:
        with out.status("thinking"):
            found = self._sitting.hint()
        for advice in found:
            out.print(f"  {advice.token}  ({advice.value:.0%})")

    def _why(self, token: str) -> None:
        try:
            reasons = self._sitting.why_not(token)
        except BadInput as error:
            out.print(str(error), soft_wrap=True)
            return
        if reasons:
            show_reasons(reasons)
        else:
            out.print(f"{token} is legal")

    def _legal(self) -> None:
        out.print(" ".join(self._sitting.legal()), soft_wrap=True)

    def _undo(self) -> None:
        if self._sitting.undo():
            self._board()
        else:
            out.print("there is nothing to take back")

    def _save(self, name: str) -> None:
        try:
            self._write_record(self._sitting, Path(name))
        except Stop as stop:
            out.print(str(stop), soft_wrap=True)
        else:
            out.print(f"written to {name}", soft_wrap=True)

    def _resign(self) -> None:
        self._sitting.resign()

    def _quit(self) -> None:
        self._left = True

    def _result(self) -> None:
        result = self._sitting.result()
        assert result is not None
        rows = table(f"Over: {result.reason}", ">place", "seat", ">points")
        for place, seat in sorted((place, seat) for seat, place in enumerate(result.placements)):
            who = "you" if seat == self._sitting.person else self._name(seat)
            rows.add_row(str(place), who, str(result.scores[seat]))
        out.print(rows)
