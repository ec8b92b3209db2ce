"""What a Kilauea picture must show, and that it fits a terminal."""

from __future__ import annotations

from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from engines import registry
from engines.conformance.scenario import parse_position, parse_setup
from engines.conformance.walk import visits
from engines.core.game import Observation

KILAUEA = registry.game("kilauea")
SETUP = "seats=4 extra=e faces=ffffb"
POSITION = (
    "STEP 0 0/0 1f:......../2f:..P...../3f:...P..../4f:...P..../5b:....P... 0,0,0,0 1,2,4,5,6 0,7,8,9,10 3,0,0,0,0 "
    "0,1,0,0/0,0,0,0/3,1,0,0/0,0,0,0/0,0,0,0 2R 3 1 RY/-/-/- 2,5,2,0 -/-/-/-/P;-/-/-/-/-;-/-/-/-/-;-/-/-/-/- "
    "4,0,0,0 11,12,15,10 done 6 1.0:-:-:- -"
)


def _observation() -> Observation[Any]:
    return parse_position(KILAUEA, parse_setup(KILAUEA, SETUP), POSITION).observe(0)


def test_text_shows_every_part() -> None:
    text = KILAUEA.picture.text(_observation())
    for part in (
        "turn 1, seat 0 to STEP; crater 3",
        "R3* Y1 T0 P0",  # the sealed pillar
        "(3)",  # the unlocked tile
        "P (7) .",
        "space 1",
        "seat 0: 4 VP, canoe RY and 2 stones",
        "on offer: tile 6",
        "carrying out tile 1",
    ):
        assert part in text, text


def test_svg_shows_every_part() -> None:
    root = ElementTree.fromstring(KILAUEA.picture.svg(_observation()))
    titles = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles.count("magic seal") == 1
    assert titles.count("canoe pawn") == 1
    assert sum(title.startswith("canoe space") for title in titles) == 9
    assert sum(title.startswith("forest of section") for title in titles) == 5
    assert titles.count("reef") == 5
    words = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any("carrying out tile 1" in word for word in words)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_text_fits_eighty_columns_at_any_time(seats: int) -> None:
    rules = parse_setup(KILAUEA, f"seats={seats} extra=e faces=rrrrr")
    for visit in visits(KILAUEA.rules.start(rules), Random(seats), 2000):
        lines = KILAUEA.picture.text(visit.state.observe(0)).splitlines()
        assert max(map(len, lines)) <= 80
