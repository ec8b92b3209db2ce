"""Positions packed into 64 bits, for the repetition rule: equal numbers exactly for equal positions."""

from __future__ import annotations

from collections.abc import Sequence

STACK_BITS, SHAMAN_BITS, COUNT_BITS = 3, 4, 7
"""At the start of a turn a stack is a code below 8 (`stack_code`), a gap + 1 below 16, a number of fruits below 128."""


def stack_code(stack: Sequence[int]) -> int:
    """A stack as binary digits: a leading 1, then the seats from the bottom up. Empty = 1, full from 8 on."""
    code = 1
    for seat in stack:
        code = 2 * code + seat
    return code


def stack_seats(code: int) -> tuple[int, ...]:
    """The seats of a stack code, bottom first."""
    return tuple(int(digit) for digit in f"{code:b}"[1:])


def pack(stacks: Sequence[Sequence[int]], shaman: int, counts: Sequence[int], seat: int, sudden_death: bool) -> int:
    """The number of a position at the start of a turn; `counts` = fruits of seat 0, of seat 1, of the reserve."""
    packed = 0
    for stack in stacks:
        packed = packed << STACK_BITS | stack_code(stack)
    packed = packed << SHAMAN_BITS | shaman + 1
    for count in counts:
        packed = packed << COUNT_BITS | count
    return packed << 2 | seat << 1 | int(sudden_death)


def unpack(packed: int) -> tuple[tuple[tuple[int, ...], ...], int, tuple[int, int, int], int, bool]:
    """The arguments of `pack`."""
    sudden, seat = bool(packed & 1), packed >> 1 & 1
    packed >>= 2
    counts = []
    for _ in range(3):
        counts.append(packed & (1 << COUNT_BITS) - 1)
        packed >>= COUNT_BITS
    shaman = (packed & (1 << SHAMAN_BITS) - 1) - 1
    packed >>= SHAMAN_BITS
    stacks = []
    for _ in range(9):
        stacks.append(stack_seats(packed & (1 << STACK_BITS) - 1))
        packed >>= STACK_BITS
    return tuple(reversed(stacks)), shaman, (counts[2], counts[1], counts[0]), seat, sudden
