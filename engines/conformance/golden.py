"""Checks against a game's data folder (`tests/golden/<slug>/` for the games of the registry).

perft.txt         counts of move sequences: `name | setup | position | counts at depth 1, 2, ...`, and
                  `divide | name | token | counts after that move`
refusals.txt      `rule ids | setup | position | token | sender`: every published id at least once
impossible.json   states that break an invariant: every invariant at least once, with the field to blame
records/*.pgr     one whole game per end reason, named after it (`REASON.pgr`, `REASON-anything.pgr`)
playthroughs/     `<number>.txt`: every position of one game in full, as `playthrough` writes it
editions/*.toml   editions that only these files play

Setups and positions are written as in `scenario`. Lines that begin with # are comments.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from engines.conformance.scenario import parse_position, parse_setup
from engines.conformance.walk import Subject, plies_limit, visits
from engines.core.constants import CHANCE
from engines.core.game import BadInput
from engines.core.rollout import divide, perft
from engines.core.state import State
from engines.measure import MODE
from engines.record import pgr
from engines.record.record import verify

INTERPRETED_MOST = 20_000
"""Sequences that an interpreted run counts at most; deeper counts are left to the compiled one."""
PLAYTHROUGHS = 2
"""Varied setups whose first game is dumped in full."""
LARGE = 1200
"""Characters of a first position from which on a game is dumped by changes."""


def _lines(path: Path) -> Iterator[list[str]]:
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield [part.strip() for part in line.split("|")]


class NotAsked(Exception):
    """A check has nothing to look at: the run has no data folder, or the game no messages."""


def _need(subject: Subject, name: str, *, wire: bool = False) -> Path:
    """The file of that name. Raises NotAsked. A folder without the file is a failure."""
    if subject.data is None or (wire and subject.game.wire is None):
        raise NotAsked
    path = subject.data / name
    if not path.exists():
        raise FileNotFoundError(f"{path} lacks; see engines/conformance/golden.py for its form")
    return path


def perft_tables(subject: Subject) -> Iterator[str]:
    """Counts of move sequences are those of perft.txt, whole and divided by the first move."""
    path = _need(subject, "perft.txt")
    game = subject.game
    starts: dict[str, State] = {}
    for parts in _lines(path):
        if parts[0] == "divide":
            _, name, token, counts = parts
            state = starts[name].clone()
            state.play(game.moves.encode(state.rules, game.notation.parse(state.rules, token)) or 0)
            yield from _counts(f"{name} after {token}", state, counts)
        else:
            name, setup, position, counts = parts
            starts[name] = parse_position(game, parse_setup(game, setup), position)
            yield from _counts(name, starts[name], counts)
            if sum(divide(starts[name], 2).values()) != perft(starts[name], 2):
                yield f"{name}: divide does not add up to perft"


def _counts(name: str, state: State, counts: str) -> Iterator[str]:
    for depth, text in enumerate(counts.split(), start=1):
        if MODE == "compiled" or int(text) <= INTERPRETED_MOST:
            found = perft(state, depth)
            if found != int(text):
                yield f"{name} depth {depth}: {found}, the table says {text}"


def refusals(subject: Subject) -> Iterator[str]:
    """Every published rule id that a move can meet refuses some move, exactly as refusals.txt says."""
    path = _need(subject, "refusals.txt")
    game, seen = subject.game, set()
    for ids, setup, position, token, sender in _lines(path):
        state = parse_position(game, parse_setup(game, setup), position)
        move = game.notation.parse(state.rules, token)
        reasons = game.explain.explain(state, move, CHANCE if sender == "chance" else int(sender))
        found = [reason.id for reason in reasons]
        if sorted(found) != sorted(ids.split()):
            yield f"{position}: {token} by {sender} is refused with {found}, expected {ids}"
        seen.update(found)
    missing = [rule.id for rule in game.explain.RULES if rule.met and rule.id not in seen]
    if missing:
        yield f"refusals.txt never reaches {', '.join(missing)}"


def impossible_positions(subject: Subject) -> Iterator[str]:
    """Every invariant refuses a hand-made position, with its id and the field to blame."""
    path = _need(subject, "impossible.json", wire=True)
    game, seen = subject.game, set()
    for case in json.loads(path.read_text("utf-8")):
        rules = parse_setup(game, case["setup"])
        message = type(game.wire.write_state(game.rules.start(rules)))()
        try:
            game.wire.read_state(rules, json_format.ParseDict(case["state"], message))
        except BadInput as error:
            found = [(v.id, v.field) for v in error.violations]
            seen.add(case["id"])
            if (case["id"], case["field"]) not in found:
                yield f"{case['about']}: refused with {found}, expected {case['id']} at {case['field']}"
        else:
            yield f"{case['about']}: taken, expected {case['id']}"
    missing = [invariant for invariant in subject.game.invariants.IDS if invariant not in seen]
    if missing:
        yield f"impossible.json has no case for {', '.join(missing)}"


def records(subject: Subject) -> Iterator[str]:
    """There is a golden record for every end reason, and each still proves itself."""
    folder = _need(subject, "records", wire=True)
    for path in sorted(folder.glob("*.pgr")):
        record = pgr.read(path.read_text("utf-8"))
        for violation in verify(record):
            yield f"{path}: {violation.field}: {violation.sentence}"
        if record.result.reason != path.stem.partition("-")[0]:
            yield f"{path}: the game ended by {record.result.reason}"
        if pgr.write(record) != path.read_text("utf-8"):
            yield f"{path}: is not written canonically"
    found = {path.stem.partition("-")[0] for path in folder.glob("*.pgr")}
    missing = [reason for reason in subject.game.facts.end_reasons if reason not in found]
    if missing:
        yield f"no golden record for {', '.join(missing)}"


def playthrough(subject: Subject, i: int) -> str:
    """Every position of one random game of the i-th varied setup in full: state, legal moves, view of each seat.

    Of a game with large positions only the first is in full, and then what has changed from ply to ply.
    """
    game, state = subject.game, subject.start(i)
    dump = _Dump(large=len(_json(json_format.MessageToDict(game.wire.write_state(state)))) > LARGE)
    lines = [state.rules.setup.key]
    tokens = ["" if m is None else game.notation.token(state.rules, m) for m in game.moves.vocabulary(state.rules)]
    for visit in visits(state, subject.random(f"playthrough{i}"), plies_limit(subject)):
        lines.append(f"\nply {visit.ply} actor {state.actor} key {state.key().hex()}")
        lines.append(dump.line("state", game.wire.write_state(state)))
        if game.facts.hidden:
            views = [game.wire.write_view(state.observe(seat)) for seat in range(state.rules.seats)]
            lines += [dump.line(f"view {seat}", view) for seat, view in enumerate(views)]
        lines.append(f"legal {' '.join(tokens[code] for code in visit.codes)}")
    lines.append(f"end {state.end_reason()} scores {state.scores()} places {state.placements()}")
    return "\n".join(lines) + "\n"


class _Dump:
    """Messages as lines of JSON; of a large game, from the second of a name on, only what has changed."""

    def __init__(self, large: bool) -> None:
        self._large = large
        self._last: dict[str, Any] = {}

    def line(self, name: str, message: Message) -> str:
        content = json_format.MessageToDict(message)
        told = _changes(self._last[name], content) if name in self._last else content
        if self._large:
            self._last[name] = content
        return f"{name} {_json(told)}"


def _changes(old: Any, new: Any) -> Any:
    """What differs from `old`: by key or index where both have them, null for what is gone, else all of `new`."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        old, new = dict(enumerate(old)), dict(enumerate(new))
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    return {key: _changes(old.get(key), new.get(key)) for key in keys}


def _json(content: Any) -> str:
    return json.dumps(content, separators=(",", ":"))


def playthroughs(subject: Subject) -> Iterator[str]:
    """Whole games show the same positions, legal lists and views as their dumps."""
    folder = _need(subject, "playthroughs", wire=True)
    for i in range(PLAYTHROUGHS):
        path = folder / f"{i}.txt"
        now, then = playthrough(subject, i).splitlines(), path.read_text("utf-8").splitlines()
        for number, (new, old) in enumerate(zip(now, then, strict=False), start=1):
            if new != old:
                yield f"{path}:{number}: now {new[:200]}"
                break
        else:
            if len(now) != len(then):
                yield f"{path}: {len(now)} lines now, {len(then)} in the dump"


CHECKS = (perft_tables, refusals, impossible_positions, records, playthroughs)
