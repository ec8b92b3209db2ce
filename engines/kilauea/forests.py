"""Forest faces: their spaces and what stands before what, read from the edition (README section 2.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engines.kilauea.facts import FACE_LETTERS

TILE_SLOT = "*"


@dataclass(frozen=True)
class Face:
    """One side of a forest board. Spaces are numbered from 0 in reading order, shore row first; masks have bit 0 for
    space 0."""

    board: int
    letter: str
    """`f` or `b`."""
    rows: tuple[str, ...]
    paths: tuple[tuple[int, int], ...]
    """(from, to), inland."""
    marked: int
    """Mask of the spaces marked 3/4."""

    @property
    def number(self) -> int:
        """2 x (board - 1), plus 1 for the back."""
        return 2 * (self.board - 1) + FACE_LETTERS.index(self.letter)

    @property
    def name(self) -> str:
        """As in `3f`."""
        return f"{self.board}{self.letter}"

    @cached_property
    def spaces(self) -> str:
        """The letters of its spaces."""
        return "".join(self.rows).replace(TILE_SLOT, "")

    @cached_property
    def row_of(self) -> tuple[int, ...]:
        """The row of each space, 0 on the shore."""
        return tuple(r for r, row in enumerate(self.rows) for letter in row if letter != TILE_SLOT)

    @cached_property
    def tile_row(self) -> int:
        """Mask of the spaces in the row of the volcano tile."""
        row = next(r for r, row in enumerate(self.rows) if TILE_SLOT in row)
        return sum(1 << x for x, r in enumerate(self.row_of) if r == row)

    @cached_property
    def before(self) -> tuple[int, ...]:
        """For each space the mask of all spaces on any path from the shore to it, itself left out."""
        masks: list[int] = []
        for x in range(len(self.spaces)):  # a path leads to a later row, so what stands before x has its mask already
            mask = 0
            for start, end in self.paths:
                if end == x:
                    mask |= 1 << start | masks[start]
            masks.append(mask)
        return tuple(masks)


def read_face(table: Mapping[str, Any]) -> Face:
    """The face in a `[[forest]]` table that the edition check has passed."""
    letters = "".join(table["rows"]).replace(TILE_SLOT, "")
    paths = tuple((letters.index(path[0]), letters.index(path[2])) for path in table["paths"])
    marked = sum(1 << letters.index(letter) for letter in table["p34"])
    return Face(table["board"], table["face"], tuple(table["rows"]), paths, marked)


def read_faces(tables: Sequence[Mapping[str, Any]]) -> tuple[Face, ...]:
    """All faces, by number."""
    return tuple(sorted((read_face(table) for table in tables), key=lambda face: face.number))
