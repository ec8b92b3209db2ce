"""Builds the reasons of a refusal from what a game's `explain` found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.core.game import Reason, Rule


def reasons_of(
    rules: Mapping[str, Rule], slug: str, move_field: str, broken: Iterable[tuple[str, str, str]]
) -> list[Reason]:
    """One Reason per (id without the slug, field, sentence).

    `field` is relative to the move's own message (`village`), "" for the whole move, or "sender" for the action's.
    """
    base = f"move.{slug}.{move_field}"
    reasons = []
    for short, field, sentence in broken:
        rule = rules[f"{slug}.{short}"]
        path = field if field == "sender" else f"{base}.{field}" if field else base
        reasons.append(Reason(rule.id, rule.kind, sentence, path))
    return reasons
