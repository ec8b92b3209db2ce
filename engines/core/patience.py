"""Long work on what others sent ends soon after nobody waits for it any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

Check = Callable[[], None]
"""Raises when the work is to end. Whoever works long calls it every few milliseconds."""
EVERY = 64
"""Small steps, as plies, between two looks."""


def go_on() -> None:
    """The check of work that is worth finishing however long it takes."""


def polled(items: Iterable[T], check: Check) -> Iterator[T]:
    """The items, with a look at `check` before the first and then every so many."""
    for i, item in enumerate(items):
        if i % EVERY == 0:
            check()
        yield item
