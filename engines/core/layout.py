"""Interpreted stand-ins for the C structs declared in a module's .pxd (the one place where the layout is written)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

RANGE = {
    f"{u}int{b}_t": ((0, 2**b - 1) if u else (-(2 ** (b - 1)), 2 ** (b - 1) - 1))
    for u in ("", "u")
    for b in (8, 16, 32, 64)
}
RANGE["int"] = RANGE["int32_t"]
RANGE["bint"] = (0, 1)


class Row(list[Any]):
    """A C array: fixed length, no negative index, every element within the range of its C type."""

    __slots__ = ("hi", "lo")

    def __init__(self, n: int, ctype: str) -> None:
        super().__init__([0] * n)
        self.lo: int
        self.hi: int
        self.lo, self.hi = RANGE[ctype]

    def __getitem__(self, i: Any) -> Any:
        if i < 0:
            raise IndexError(f"index {i}: C would read outside the array")
        return super().__getitem__(i)

    def __setitem__(self, i: Any, value: Any) -> None:
        if i < 0 or not self.lo <= value <= self.hi:
            raise OverflowError(f"[{i}] = {value}: C would wrap or write outside the array")
        super().__setitem__(i, value)

    def dup(self) -> Row:
        """A copy that shares nothing."""
        other = Row.__new__(Row)
        list.extend(other, self)
        other.lo, other.hi = self.lo, self.hi
        return other


def array(ctype: str, *dims: int) -> Any:
    """A zeroed C array of `ctype` with these dimensions, as nested `Row`s."""
    if len(dims) == 1:
        return Row(dims[0], ctype)
    return [array(ctype, *dims[1:]) for _ in range(dims[0])]


def _dup(value: Any) -> Any:
    if isinstance(value, Row):
        return value.dup()
    return [_dup(v) for v in value] if isinstance(value, list) else value


def struct(module_file: str, name: str) -> Any:
    """A class with the fields of `cdef struct name` in the .pxd beside `module_file`; `copy()` is deep.

    Raises LookupError when the .pxd holds no such struct.
    """
    pxd = Path(module_file).with_suffix(".pxd")
    body = re.search(rf"cdef struct {name}:\n((?:[ \t]+\S.*\n|\s*\n)+)", pxd.read_text())
    if body is None:
        raise LookupError(f"no struct {name} in {pxd}")
    fields: dict[str, tuple[str, list[int]]] = {}
    for line in body[1].splitlines():
        code = line.split("#")[0].strip()
        if code:
            ctype, names = code.split(None, 1)
            for item in names.split(","):
                field, *dims = re.findall(r"\w+", item)
                fields[field] = (ctype, [int(d) for d in dims])

    class Struct:
        __slots__ = tuple(fields)

        def __init__(self) -> None:
            for field, (ctype, dims) in fields.items():
                object.__setattr__(self, field, array(ctype, *dims) if dims else 0)

        def __setattr__(self, field: str, value: Any) -> None:
            lo, hi = RANGE[fields[field][0]]
            if not lo <= value <= hi:
                raise OverflowError(f"{name}.{field} = {value}: outside {lo}..{hi}")
            object.__setattr__(self, field, value)

        def copy(self) -> Any:
            other = object.__new__(Struct)
            for field in fields:
                object.__setattr__(other, field, _dup(getattr(self, field)))
            return other

    Struct.__name__ = Struct.__qualname__ = name
    return Struct
