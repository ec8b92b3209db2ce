"""The games that Papamu knows. A new game is one folder here and one line in `SLUGS` (see docs/adding-a-game.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from engines.core.game import BadInput, Facts, Game, OptionValue, Setup, Violation
from engines.editions import Edition, editions

if TYPE_CHECKING:
    from engines.core.state import Rules

SLUGS = ("tiki", "gaul", "eruption", "hawaii", "kilauea")
"""In the order of the envelope's field numbers."""

_MODULES = (
    "edition",
    "rules",
    "invariants",
    "moves",
    "notation",
    "wire",
    "explain",
    "observe",
    "evaluate",
    "picture",
)


_outside: dict[str, Game] = {}
"""Games loaded from packages that are not of the registry, by slug."""


@cache
def load(package: str) -> Game:
    """The game in a package such as `engines.tiki` or one of somebody else's.

    Raises ImportError when a module or its `FACTS` lack. Only `wire` may: such a game plays, but not over the network.
    """
    parts = {name: import_module(f"{package}.{name}") for name in _MODULES if name != "wire"}
    wire = import_module(f"{package}.wire") if find_spec(f"{package}.wire") else None
    facts = import_module(f"{package}.facts").FACTS
    assert isinstance(facts, Facts)
    loaded = Game(package=package, facts=facts, wire=wire, **parts)
    if facts.slug not in SLUGS:
        _outside[facts.slug] = loaded
    return loaded


def game(slug: str) -> Game:
    """The game of a slug, of the registry or loaded from outside. Raises BadInput for an unknown one."""
    if slug in _outside:
        return _outside[slug]
    if slug not in SLUGS:
        raise BadInput([Violation("game", f"unknown game {slug[:40]!r}; there are {', '.join(SLUGS)}")])
    return load(f"engines.{slug}")


def games() -> list[Game]:
    """All games."""
    return [game(slug) for slug in SLUGS]


class UnknownEdition(LookupError):
    """An edition id or hash that is not here; `known` names those that are."""

    def __init__(self, wanted: str, known: list[str]) -> None:
        super().__init__(f"no edition {wanted[:80]!r}; there are {', '.join(known)}")
        self.known = known


def find_edition(game: Game, edition_id: str = "", edition_hash: str = "") -> Edition:
    """The edition of that id ("" = the game's default). Raises UnknownEdition for an unknown id or another hash."""
    known = editions(game)
    found = known.get(edition_id or game.facts.default_edition)
    if found is None or edition_hash not in ("", found.hash):
        wanted = edition_id + (f"@{edition_hash}" if edition_hash else "")
        raise UnknownEdition(wanted, [f"{e.id}@{e.hash}" for e in known.values()])
    return found


def make_setup(
    game: Game,
    edition_id: str = "",
    edition_hash: str = "",
    seats: int = 0,
    options: Mapping[str, OptionValue] | None = None,
) -> Setup:
    """A complete setup; seats 0 means the fewest the game takes.

    Raises UnknownEdition, or BadInput for seats or options outside their range.
    """
    edition = find_edition(game, edition_id, edition_hash)
    seats = seats or game.facts.seats[0]
    if seats not in game.facts.seats:
        raise BadInput([Violation("seats", f"{game.facts.name} takes {_range(game.facts.seats)} seats, not {seats}")])
    values = game.edition.options(edition.data, options or {})
    setup = Setup(game.facts.slug, edition.id, edition.hash, seats, values)
    make_rules(setup)  # options may not go with each other or with the seats; equal setups share the result
    return setup


@lru_cache(maxsize=256)
def _rules(key: str, setup: Setup) -> Rules:
    known = game(setup.game)
    return known.rules.make_rules(setup, find_edition(known, setup.edition, setup.edition_hash).data)


def make_rules(setup: Setup) -> Rules:
    """The rules object of a setup; equal setups share one."""
    return _rules(setup.key, setup)


def _range(seats: tuple[int, ...]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
