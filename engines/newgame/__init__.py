"""Lays out the files of a new game: `papamu new-game <slug>` (docs/adding-a-game.md)."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from string import Template

TEMPLATES = files("engines.newgame") / "templates"
_ENVELOPES = ("Setup", "Position", "Observation", "Move")
_CONTENT = {"Setup": "Options", "Position": "State", "Observation": "View", "Move": "Move"}


def lay_out(root: Path, slug: str, name: str = "") -> list[Path]:
    """Writes the package, the `.proto`, the lines of registry and envelope; returns what it wrote or changed.

    `root` is a checkout of the project, `slug` a lower-case word, `name` the name for people. The package holds a small
    stand-in game: it builds and plays at once, and the kit names what its data folder lacks. Raises ValueError for an
    unfit slug or root, FileExistsError when the game is there.
    """
    if not re.fullmatch("[a-z][a-z0-9]{1,19}", slug):
        raise ValueError(f"{slug!r} is no slug: 2 to 20 lower-case letters and digits, a letter first")
    registry, envelope = root / "engines/registry.py", root / "proto/papamu/rules/v1/envelope.proto"
    if not registry.is_file() or not envelope.is_file():
        raise ValueError(f"{root} is no checkout of the project")
    package = root / "engines" / slug
    if package.exists():
        raise FileExistsError(f"{package} is there already")
    words = {"slug": slug, "Name": re.sub(r"\W", "", name.title()) or slug.title()}
    written = []
    for template in sorted(TEMPLATES.iterdir(), key=lambda entry: entry.name):
        path = _target(root, package, slug, template.name.removesuffix(".tmpl"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Template(template.read_text("utf-8")).substitute(words), "utf-8")
        written.append(path)
    (root / "tests/golden" / slug).mkdir(parents=True)
    envelope.write_text(_with_envelope(envelope.read_text("utf-8"), slug, words["Name"]), "utf-8")
    registry.write_text(_with_slug(registry.read_text("utf-8"), slug), "utf-8")
    return [*written, envelope, registry]


def _target(root: Path, package: Path, slug: str, name: str) -> Path:
    if name == "game.proto":
        return root / f"proto/papamu/{slug}/v1/{slug}.proto"
    return package / "editions" / f"{slug}-base.toml" if name == "edition.toml" else package / name


def _with_slug(text: str, slug: str) -> str:
    found = re.search(r"^SLUGS = \((.*?)\)$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    slugs = [*re.findall(r'"(\w+)"', found[1]), slug]
    listed = ", ".join(f'"{s}"' for s in slugs)
    return f"{text[: found.start()]}SLUGS = ({listed}){text[found.end() :]}"


def _with_envelope(text: str, slug: str, name: str) -> str:
    """The envelope with an import and one line in each of its four oneofs, under the next free number."""
    numbers = [int(n) for n in re.findall(r"papamu\.\w+\.v1\.Options \w+ = (\d+);", text)]
    number = max(numbers) + 1
    last = text.rindex('import "papamu/')
    end = text.index("\n", last) + 1
    text = f'{text[:end]}import "papamu/{slug}/v1/{slug}.proto";\n{text[end:]}'
    for message in _ENVELOPES:
        start = text.index(f"message {message} {{")
        closing = text.index("\n  }\n", start)
        lines = f"\n    // {name}.\n    papamu.{slug}.v1.{_CONTENT[message]} {slug} = {number};"
        text = text[:closing] + lines + text[closing:]
    return text
