"""The list of checks and how to run them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from engines import editions, registry
from engines.conformance import golden, hidden, moves, processes, states
from engines.conformance.walk import Effort, Subject


@dataclass(frozen=True)
class Check:
    """One law of the kit."""

    name: str
    about: str
    run: Callable[[Subject], Iterator[str]]
    """Yields one sentence per failure."""


def _check(function: Callable[[Subject], Iterator[str]]) -> Check:
    about = (function.__doc__ or "").split("\n")[0]
    return Check(function.__name__.replace("_", "-"), about, function)


CHECKS = tuple(_check(function) for module in (states, moves, hidden, processes, golden) for function in module.CHECKS)


def subject(name: str, effort: Effort | None = None, data: Path | None = None) -> Subject:
    """The game of a slug of the registry or of a package such as `mygames.chess`, ready to be checked.

    Raises ImportError when the package lacks a module of a game.
    """
    module = f"engines.{name}" if name in registry.SLUGS else name
    game = registry.load(module)
    if data is not None:
        for path in sorted((data / "editions").glob("*.toml")):
            editions.add(game, path)
    return Subject(game, effort or Effort(), data, module)


def run(subject: Subject, names: tuple[str, ...] = ()) -> Iterator[tuple[Check, list[str] | None]]:
    """Runs the checks (all, or those named) and gives each with its failures, at most ten sentences a check.

    None stands for a check that had nothing to look at.
    """
    for check in CHECKS:
        if not names or check.name in names:
            try:
                yield check, list(islice(_sentences(check, subject), 10))
            except golden.NotAsked:
                yield check, None


def _sentences(check: Check, subject: Subject) -> Iterator[str]:
    try:
        yield from check.run(subject)
    except FileNotFoundError as error:  # golden data that lacks
        yield str(error)
