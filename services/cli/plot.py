"""Lines in the terminal, for what changes over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotext

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST = len(LETTERS)
"""Lines of one plot."""
MARKS = 5
"""Numbers below it."""


def lines(
    xs: Sequence[int], series: Mapping[str, Sequence[float]], xlabel: str, width: int, height: int, colour: bool
) -> str:
    """A plot of at most MOST series by name over the same `xs`, in fine ANSI-coloured strokes.

    Without `colour` every line is drawn with a letter of its own.
    """
    plotext.clear_figure()
    plotext.theme("pro" if colour else "clear")
    plotext.plot_size(width, height)
    plotext.xlabel(xlabel)
    marks = sorted({xs[i * (len(xs) - 1) // (MARKS - 1)] for i in range(MARKS)})
    plotext.xticks(marks, [str(mark) for mark in marks])
    for letter, (name, ys) in zip(LETTERS, series.items(), strict=False):
        plotext.plot(xs, ys, label=name, marker="braille" if colour else letter)
    drawn = str(plotext.build()).rstrip("\n")
    return drawn if colour else str(plotext.uncolorize(drawn))
