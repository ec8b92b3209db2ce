"""Colours of a terminal, put onto a finished picture, so that its columns stay where they are."""

from __future__ import annotations

import re
from collections.abc import Mapping

SEATS = {"0": "31", "1": "34", "2": "32", "3": "33", "4": "35", "5": "36"}
"""A colour for each seat's number."""
_CODE = re.compile(r"\x1b\[[0-9;]*m")


def paint(picture: str, where: str, colours: Mapping[str, str]) -> str:
    """The picture with each character of `colours` in its ANSI colour (as "31"), in what the pattern `where` finds."""
    painted = {character: f"\x1b[{code}m{character}\x1b[0m" for character, code in colours.items()}
    return re.sub(where, lambda found: "".join(painted.get(c, c) for c in found[0]), picture)


def plain(picture: str) -> str:
    """The picture without its colours."""
    return _CODE.sub("", picture)
