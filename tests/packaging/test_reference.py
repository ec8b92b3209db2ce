"""docs/settings.md and docs/metrics.md say what the code does."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from services.common.settings import Settings

SCRIPT = Path(__file__).parents[2] / "scripts/reference.py"


def _reference() -> Any:
    spec = importlib.util.spec_from_file_location("reference", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["reference"] = module
    spec.loader.exec_module(module)
    return module


REFERENCE = _reference()


@pytest.mark.parametrize("page", list(REFERENCE.PAGES), ids=lambda page: page.name)
def test_the_page_is_what_the_code_makes(page: Path) -> None:
    assert page.read_text() == REFERENCE.PAGES[page](), "run `make docs`"


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_says_what_it_does(name: str) -> None:
    assert Settings.model_fields[name].description
