"""Lines in the terminal."""

from __future__ import annotations

from services.cli import plot

XS = [4, 8, 12, 16]
SERIES = {"greedy": [0.0, 50.0, 80.0, 100.0], "random": [0.0, -50.0, -80.0, -100.0]}


def test_without_colours_each_line_has_its_letter() -> None:
    drawn = plot.lines(XS, SERIES, "games", 60, 18, colour=False)
    assert "\x1b" not in drawn
    rows = drawn.splitlines()
    assert len(rows) == 18
    assert max(map(len, rows)) <= 60
    assert "aa greedy" in drawn
    assert "bb random" in drawn
    assert next(row for row in rows if row.rstrip("│").endswith("a")) == rows[1]  # greedy ends on top
    assert next(row for row in reversed(rows) if row.rstrip("│").endswith("b"))
    assert rows[-2].split() == ["4", "8", "12", "16"]
    assert rows[-1].strip() == "games"


def test_with_colours_lines_are_told_apart_by_them() -> None:
    drawn = plot.lines(XS, SERIES, "games", 60, 18, colour=True)
    assert "\x1b[38;5;" in drawn
    assert "greedy" in drawn


def test_a_plot_leaves_nothing_behind_for_the_next() -> None:
    plot.lines(XS, SERIES, "games", 60, 18, colour=False)
    assert "greedy" not in plot.lines(XS, {"other": SERIES["random"]}, "games", 60, 18, colour=False)
