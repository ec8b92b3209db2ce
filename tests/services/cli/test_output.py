"""Pictures in colour where the terminal has it and its user wants it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from services.cli import output
from services.cli.position import open_place


@pytest.fixture
def printed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What goes to a console made with the test's parameters."""
    file = io.StringIO()
    monkeypatch.setattr(output, "out", Console(file=file, width=120, highlight=False, **request.param))
    return file


TERMINAL = {"force_terminal": True, "color_system": "256"}
MOVES = {"tiki": "@a1", "gaul": "", "eruption": "", "hawaii": "", "kilauea": ""}
"""Moves after which there is something to colour."""


@pytest.mark.parametrize("slug", MOVES)
@pytest.mark.parametrize("printed", [TERMINAL], indirect=True)
def test_a_terminal_shows_colours(printed: io.StringIO, slug: str) -> None:
    place = open_place(slug, moves=MOVES[slug])
    picture = place.game.picture.text(place.state.observe(0), colour=True)
    output.draw(picture)
    assert "\x1b[3" in printed.getvalue()
    assert output.coloured()


@pytest.mark.parametrize("printed", [{}, TERMINAL | {"no_color": True}], indirect=True)
def test_others_show_the_same_without(printed: io.StringIO) -> None:
    place = open_place("eruption")
    output.draw(place.game.picture.text(place.state.observe(0), colour=True))
    assert "\x1b[3" not in printed.getvalue()
    assert not output.coloured()


@pytest.mark.parametrize("printed", [{}], indirect=True)
def test_a_file_gets_the_plain_picture(printed: io.StringIO) -> None:
    place = open_place("kilauea")
    output.draw(place.game.picture.text(place.state.observe(0), colour=True))
    assert printed.getvalue() == place.game.picture.text(place.state.observe(0)) + "\n"
