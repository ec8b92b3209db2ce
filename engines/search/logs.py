"""Natural logarithms of whole numbers, the same on every machine: a table made with decimal arithmetic."""

from __future__ import annotations

from array import array
from decimal import Context, Decimal
from functools import cache

SIZE = 512
"""Numbers below it are in the table; larger ones are halved until they are, and ln 2 is added for each halving."""


@cache
def table() -> array[float]:
    """ln(n) by n for 1 <= n < SIZE (0 at n = 0), then ln 2 as the last entry."""
    context = Context(prec=25)
    values = [0.0, *(float(context.ln(Decimal(n))) for n in range(1, SIZE))]
    return array("d", [*values, values[2]])
