"""`papamu games`: which games there are."""

from __future__ import annotations

from typing import Annotated

import typer

from engines import registry
from engines.editions import editions
from services.cli.output import AsJson, emit, out, table, words
from services.cli.position import facts_line


def games(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Tell everything about this one.")] = "",
    as_json: AsJson = False,
) -> None:
    """Lists the games, or tells everything about one: seats, options, editions, ends.

    Examples: papamu games, papamu games tiki, papamu games --json
    """
    if game:
        _one(game, as_json)
        return
    known = [found.facts for found in registry.games()]
    rows = table("Games", "game", "name", "seats", "hidden", ">rules")
    for facts in known:
        seats = ", ".join(map(str, facts.seats))
        rows.add_row(facts.slug, facts.name, seats, "yes" if facts.hidden else "no", str(facts.rules_version))
    emit(as_json, [facts_line(facts) for facts in known], lambda: out.print(rows))


def _one(slug: str, as_json: bool) -> None:
    game = registry.game(slug)
    found = list(editions(game).values())
    defaults = game.edition.options(found[0].data, {})
    options = [
        {
            "name": spec.name,
            "kind": spec.kind,
            "default": defaults[spec.name],
            "allowed": " ".join(spec.choices) or (f"{spec.low} to {spec.high}" if spec.kind == "int" else ""),
            "about": spec.about,
        }
        for spec in game.edition.OPTIONS
    ]
    data = {
        **facts_line(game.facts),
        "editions": [{"id": edition.id, "hash": edition.hash} for edition in found],
        "options": options,
    }

    def show() -> None:
        facts = game.facts
        seats = ", ".join(map(str, facts.seats))
        out.print(words((facts.name, "bold"), f": {seats} seats, rules version {facts.rules_version}"))
        out.print("editions: " + ", ".join(f"{edition.id} ({edition.hash})" for edition in found))
        out.print("ends: " + ", ".join(facts.end_reasons))
        rows = table("Options", "option", "kind", "default", "allowed", "about")
        for option in options:
            rows.add_row(*(str(value) for value in option.values()))
        out.print(rows)

    emit(as_json, data, show)
