"""Counter-based random numbers: value = f(seed, stream, index), the same on every machine.

Nothing is kept between draws, so a generator never lives in a state: whoever drives a game counts its chance moves and
asks for draw number `index`. The mixer is the SplitMix64 finaliser (Steele, Lea, Flood: "Fast splittable pseudorandom
number generators", OOPSLA 2014).
"""

import cython

if not cython.compiled:

    def u64(x: int) -> int:
        return x & 0xFFFFFFFFFFFFFFFF


GOLDEN = 0x9E3779B97F4A7C15
C1 = 0xBF58476D1CE4E5B9
C2 = 0x94D049BB133111EB


def mix(x: int) -> int:
    """A bijection of 64-bit numbers that scatters neighbouring arguments."""
    x = u64(x + GOLDEN)
    x = u64((x ^ (x >> 30)) * C1)
    x = u64((x ^ (x >> 27)) * C2)
    return x ^ (x >> 31)


def stream_key(seed: int, stream: int) -> int:
    """The 64-bit key of one stream of a seed; `draw` takes it."""
    return mix(seed ^ mix(stream))


def draw(key: int, index: int, n: int) -> int:
    """Draw number `index` of a stream, uniform in 0..n-1 for 1 <= n < 2**32 (bias below n / 2**32)."""
    return ((mix(u64(key + u64(index * GOLDEN))) >> 32) * n) >> 32
