"""The conformance kit on every game of the registry."""

from pathlib import Path

import pytest

from engines import conformance, registry

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize("check", [check.name for check in conformance.CHECKS])
@pytest.mark.parametrize("slug", registry.SLUGS)
def test_game_conforms(slug: str, check: str) -> None:
    subject = SUBJECTS[slug]
    ((_, failures),) = conformance.run(subject, (check,))
    assert failures == []


SUBJECTS = {slug: conformance.subject(slug, data=GOLDEN / slug) for slug in registry.SLUGS}
