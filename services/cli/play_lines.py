"""The game as JSON lines, for programs: one object a line each way.

Out: `turn` (your seat's observation and legal moves), `made` (a move of chance or a bot; hidden ones without `move`),
`refused`, `hint`, `reasons`, `saved`, `error`, and at last `end`.
In: {"do": "play", "move": ...}, {"do": "why", "move": ...}, {"do": "hint"}, {"do": "undo"}, {"do": "resign"},
{"do": "save", "file": ...}. The end of the input leaves the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from engines import envelope
from engines.core.constants import CHANCE
from engines.core.game import BadInput, Reason
from services.cli.output import Stop, plain, to_json
from services.cli.sitting import Sitting

MAX_LINE = 100_000
"""Longest input line, in characters."""


def play(sitting: Sitting, source: TextIO, sink: TextIO, write_record: Callable[[Sitting, Path], None]) -> None:
    """Plays until the game is over or the input ends."""

    def tell(event: str, **content: Any) -> None:
        sink.write(to_json({"event": event, **content}) + "\n")
        sink.flush()

    def turn() -> None:
        for made in sitting.go_on():
            told = {"move": made.token} if made.token else {}
            tell("made", ply=made.ply, sender="chance" if made.sender == CHANCE else made.sender, **told)
        if not sitting.over:
            observation = plain(envelope.write_observation(sitting.seen()))
            tell("turn", ply=len(sitting.moves), seat=sitting.person, legal=sitting.legal(), observation=observation)

    def do(request: dict[str, Any]) -> None:
        match request:
            case {"do": "play", "move": str(token)}:
                reasons = sitting.play(token)
                if reasons:
                    tell("refused", move=token, reasons=_told(reasons))
                else:
                    turn()
            case {"do": "why", "move": str(token)}:
                tell("reasons", move=token, reasons=_told(sitting.why_not(token)))
            case {"do": "hint"}:
                tell("hint", moves=[{"move": advice.token, "value": advice.value} for advice in sitting.hint()])
            case {"do": "undo"}:
                if sitting.undo():
                    turn()
                else:
                    tell("error", error="there is nothing to take back")
            case {"do": "save", "file": str(name)}:
                write_record(sitting, Path(name))
                tell("saved", file=name)
            case {"do": "resign"}:
                sitting.resign()
            case _:
                tell("error", error="do must be play, why, hint, undo, save or resign, with its move or file")

    turn()
    while not sitting.over and (line := source.readline(MAX_LINE)):
        try:
            request = json.loads(line)
            do(request if isinstance(request, dict) else {})
        except (json.JSONDecodeError, RecursionError):
            tell("error", error="is no JSON object on one line")
        except (BadInput, Stop) as error:
            tell("error", error=str(error))
    if sitting.over:
        tell("end", result=plain(sitting.result()))


def _told(reasons: list[Reason]) -> list[dict[str, str]]:
    return [{"id": r.id, "kind": r.kind.name, "field": r.field, "sentence": r.sentence} for r in reasons]
