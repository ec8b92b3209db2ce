"""Writes the golden data that a game can make by itself: playthroughs, and records of end reasons still without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from engines.conformance.golden import PLAYTHROUGHS, playthrough
from engines.conformance.scenario import parse_setup
from engines.conformance.walk import Subject, choose, plies_limit
from engines.core.constants import TERMINAL
from engines.core.state import Moves, Rules
from engines.record import pgr
from engines.record.record import new_record, player
from engines.record.results import normal

TRIES = 20_000
"""Random games that are played in search of the end reasons still missing."""


def write_playthroughs(subject: Subject, folder: Path) -> Iterator[Path]:
    """Writes `playthroughs/<n>.txt`; look at the difference before you keep it."""
    (folder / "playthroughs").mkdir(parents=True, exist_ok=True)
    for i in range(PLAYTHROUGHS):
        path = folder / "playthroughs" / f"{i}.txt"
        path.write_text(playthrough(subject, i), "utf-8")
        yield path


def write_records(subject: Subject, folder: Path, setups: tuple[str, ...] = ()) -> Iterator[Path]:
    """Plays random games until every end reason has its record, as far as random play in these setups gets.

    `setups` are texts of `scenario`, tried in turn after the default one. A record that is there is left alone.
    """
    (folder / "records").mkdir(parents=True, exist_ok=True)
    missing = {r for r in subject.game.facts.end_reasons if not list((folder / "records").glob(f"{r}*.pgr"))}
    rules = [parse_setup(subject.game, text) for text in ("-", *setups)]
    for i in range(TRIES):
        if not missing:
            return
        made = _play(subject, rules[i % len(rules)], i)
        reason = made[0]
        if reason in missing:
            missing.discard(reason)
            path = folder / "records" / f"{reason}.pgr"
            path.write_text(made[1], "utf-8")
            yield path


def _play(subject: Subject, rules: Rules, seed: int) -> tuple[str, str]:
    """End reason and text of one random game."""
    state, random, moves = subject.game.rules.start(rules), Random(seed), Moves()
    made: list[tuple[int, int]] = []
    while state.actor != TERMINAL and len(made) < plies_limit(subject):
        state.legal(moves)
        made.append((choose(state, moves, random), state.actor))
        state.play(made[-1][0])
    if state.actor != TERMINAL:
        return "", ""
    players = [player(f"random-{seat}", "random") for seat in range(rules.seats)]
    game_id = f"golden-{subject.game.facts.slug}-{state.end_reason().lower().replace('_', '-')}"
    record = new_record(game_id, rules, players, made, normal(state), event="golden record")
    return state.end_reason(), pgr.write(record)
