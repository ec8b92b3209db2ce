"""Colours are put where they belong, and can be taken away again."""

from __future__ import annotations

from engines.core import ansi


def test_only_what_is_found_is_painted() -> None:
    painted = ansi.paint("Y 1:YP yes", r"(?<=:)[YP]+", {"Y": "33"})
    assert painted == "Y 1:\x1b[33mY\x1b[0mP yes"
    assert ansi.plain(painted) == "Y 1:YP yes"
