"""Finds, checks and names the editions: TOML files of component data, with a content hash.

Editions come with the game packages and, where `PAPAMU_EDITIONS` names a folder, from `<folder>/<slug>/*.toml`, so that
the owner of another box plays it without touching code.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from engines.core.game import BadInput, Game, Violation


@dataclass(frozen=True)
class Edition:
    """One checked edition file."""

    game: str
    id: str
    hash: str
    """First 16 hex digits of the SHA-256 of the parsed data: comments and layout do not count."""
    data: Mapping[str, Any]


def content_hash(data: Mapping[str, Any]) -> str:
    """The hash of parsed edition data (see `Edition.hash`)."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def parse(game: Game, text: str, source: str) -> Edition:
    """The edition in a TOML text. Raises BadInput, its fields prefixed by `source`, when it is not sound."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput([Violation(source, f"not TOML: {error}", f"{game.facts.slug}.edition.invalid")]) from error
    violations = game.edition.check(data)
    if violations:
        raise BadInput([Violation(f"{source}: {v.field}", v.sentence, v.id) for v in violations])
    return Edition(game.facts.slug, data["edition"]["id"], content_hash(data), data)


def _sources(game: Game) -> Iterator[tuple[str, str]]:
    slug = game.facts.slug
    folder = files(game.package) / "editions"
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            yield entry.name, entry.read_text("utf-8")
    extra = os.environ.get("PAPAMU_EDITIONS")
    paths = sorted(Path(extra, slug).glob("*.toml")) if extra else []
    for path in (*paths, *_added.get(slug, [])):
        yield str(path), path.read_text("utf-8")


_added: dict[str, list[Path]] = {}


def add(game: Game, path: Path) -> None:
    """Makes the edition file at `path` known to this process, for instance one that only a test plays."""
    paths = _added.setdefault(game.facts.slug, [])
    if path.resolve() not in paths:
        paths.append(path.resolve())
        editions.cache_clear()


def packaged(game: Game) -> Mapping[str, Edition]:
    """The editions that come with the game package, by id."""
    folder = files(game.package) / "editions"
    names = {entry.name for entry in folder.iterdir()}
    return {e.id: e for e in editions(game).values() if f"{e.id}.toml" in names}


@lru_cache(maxsize=64)
def editions(game: Game) -> Mapping[str, Edition]:
    """All editions of a game by id, the default one first. Raises BadInput for an unsound file or an id twice."""
    found: dict[str, Edition] = {}
    for source, text in _sources(game):
        edition = parse(game, text, source)
        if edition.id in found:
            taken = f"the edition id {edition.id} is taken"
            raise BadInput([Violation(source, taken, f"{edition.game}.edition.invalid")])
        found[edition.id] = edition
    default = game.facts.default_edition
    return {default: found[default], **found}
