"""The conformance kit on every game of the registry, and first, with less effort, on the two smallest."""

from pathlib import Path

import pytest

from engines import conformance, registry
from engines.conformance.walk import Effort

SMALLEST = ("tiki", "gaul")
"""Games by the time that their checks take."""
GOLDEN = Path(__file__).parent.parent / "golden"
EFFORTS = {"quick": Effort(games=1, positions=2, explanations=2_000), "whole": Effort()}
SUBJECTS = {
    (slug, name): conformance.subject(slug, effort, GOLDEN / slug)
    for slug in registry.SLUGS
    for name, effort in EFFORTS.items()
}


CHECKS = [check.name for check in conformance.CHECKS]
LONG = "compiled-equals-interpreted"
"""Plays as long as it ever does, with whatever effort."""


@pytest.mark.parametrize("check", [name for name in CHECKS if name != LONG])
@pytest.mark.parametrize("slug", SMALLEST)
def test_game_conforms_at_first_sight(slug: str, check: str) -> None:
    ((_, failures),) = conformance.run(SUBJECTS[slug, "quick"], (check,))
    assert failures == []


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("slug", registry.SLUGS)
def test_game_conforms(slug: str, check: str) -> None:
    ((_, failures),) = conformance.run(SUBJECTS[slug, "whole"], (check,))
    assert failures == []
