"""Random numbers, buffers, layout, counters and the loops of the engine core."""

from __future__ import annotations

import gc
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import registry
from engines.core import latency, layout, rng, rollout, totals
from engines.core.constants import CHANCE_STREAM, MOVES_CAPACITY
from engines.core.game import Game
from engines.core.state import Moves
from engines.measure import MODE

TIKI = registry.game("tiki")
U64 = st.integers(0, 2**64 - 1)


def _start() -> object:
    return TIKI.rules.start(registry.make_rules(registry.make_setup(TIKI)))


# -- rng ------------------------------------------------------------------------------------------------------------


def test_mix_is_splitmix64() -> None:
    """First outputs of the published generator for seed 1234567."""
    golden = 0x9E3779B97F4A7C15
    outputs = [rng.mix((1234567 + i * golden) % 2**64) for i in range(3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(U64, st.integers(0, 40), U64, st.integers(1, 2**32 - 1))
def test_draw_is_within_and_repeatable(seed: int, stream: int, index: int, n: int) -> None:
    key = rng.stream_key(seed, stream)
    assert 0 <= rng.draw(key, index, n) < n
    assert rng.draw(key, index, n) == rng.draw(key, index, n)


def test_draws_are_even() -> None:
    key = rng.stream_key(7, CHANCE_STREAM)
    counts = Counter(rng.draw(key, i, 6) for i in range(60_000))
    chi = sum((counts[k] - 10_000) ** 2 / 10_000 for k in range(6))
    assert chi < 20.5  # 99.9 % of fair dice stay below


# -- moves ----------------------------------------------------------------------------------------------------------


def test_weighted_choice_follows_the_weights() -> None:
    state = _start()
    moves = Moves()
    state.weights(moves)
    assert moves.to_weights() == [1, 4, 3, 1]
    found = Counter()
    for seed in range(4000):
        other = state.clone()
        rollout.rollout(other, seed, 1)
        found[other.snapshot().layout[0]] += 1
    expected = [4000 / 9, 16000 / 9, 12000 / 9, 4000 / 9]
    assert sum((found[i] - e) ** 2 / e for i, e in enumerate(expected)) < 16.3  # 99.9 %, 3 degrees


def test_capacity_is_the_declared_one() -> None:
    text = layout.Path(rollout.__file__).with_name("state.pxd").read_text("utf-8")
    assert f"int32_t code[{MOVES_CAPACITY}]" in text
    assert f"int32_t weight[{MOVES_CAPACITY}]" in text


@pytest.mark.skipif(MODE != "compiled", reason="interpreted states are ordinary Python objects")
@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.facts.slug)
def test_the_garbage_collector_does_not_know_states(game: Game) -> None:
    """Half the cost of making one would be telling it; they hold nothing that leads back to them."""
    assert not gc.is_tracked(game.rules.start(registry.make_rules(registry.make_setup(game))))


# -- layout: what the interpreted run raises -------------------------------------------------------------------------


def test_stand_in_struct_raises_where_c_would_wrap(tmp_path: layout.Path) -> None:
    (tmp_path / "m.pxd").write_text("cdef struct Data:\n    int8_t a, b[3]  # words\n    uint16_t c[2][2]\n\n")
    data = layout.struct(str(tmp_path / "m.py"), "Data")()
    data.a = -128
    for wrong in (-129, 128):
        with pytest.raises(OverflowError):
            data.a = wrong
    for act in (lambda: data.b.__setitem__(0, 200), lambda: data.b.__setitem__(-1, 0)):
        with pytest.raises(OverflowError):
            act()
    for act in (lambda: data.b[-1], lambda: data.b[3]):
        with pytest.raises(IndexError):
            act()
    data.c[1][1] = 65535
    copy = data.copy()
    copy.c[1][1] = 0
    copy.b[0] = 5
    assert (data.c[1][1], data.b[0]) == (65535, 0)
    with pytest.raises(OverflowError):
        copy.b[0] = 1000
    with pytest.raises(LookupError):
        layout.struct(str(tmp_path / "m.py"), "Other")


# -- loops ----------------------------------------------------------------------------------------------------------


def test_rollout_stops_at_the_limit_and_repeats() -> None:
    start = _start()
    one, other = start.clone(), start.clone()
    assert rollout.rollout(one, 3, 12) == 12
    assert rollout.rollout(other, 3, 12) == 12
    assert one.key() == other.key()
    assert start.key() == _start().key()
    single = sum(rollout.rollout(start.clone(), 5 + i, 900) for i in range(4))
    assert rollout.rollouts(start, 5, 4, 900) == single


def test_perft_bounds() -> None:
    start = _start()
    assert rollout.perft(start, 0) == 1
    for depth in (-1, 65):
        with pytest.raises(ValueError, match=r"0\.\.64"):
            rollout.perft(start, depth)
    with pytest.raises(ValueError, match=r"1\.\.64"):
        rollout.divide(start, 0)
    with pytest.raises(TypeError):
        rollout.rollout(None, 1, 1)


# -- counters -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ns", "cell"), [(0, 0), (12, 0), (13, 1), (25, 1), (26, 2), (100, 3), (101, 4), (10**12, 31)])
def test_a_time_falls_into_the_cell_whose_bound_holds_it(ns: int, cell: int) -> None:
    watch = latency.Latency()
    watch.add(latency.LEGAL, ns)
    ops, sum_ns, *cells = watch.take()[: 2 + latency.BUCKETS]
    assert (ops, sum_ns, cells.index(1), sum(cells)) == (1, ns, cell, 1)
    assert cell == 31 or ns <= latency.BOUNDS_NS[cell]
    assert cell == 0 or ns > latency.BOUNDS_NS[cell - 1]
    assert sum(watch.take()) == 0


def test_rollouts_count_every_ply_and_time_a_sample() -> None:
    watch = latency.Latency()
    plies = rollout.rollouts(_start(), 1, 30, 900, watch)
    found = totals.Totals(("gaul", "tiki"))
    found.add("tiki", watch)
    rows = {(row.game, row.op): row for row in found.rows()}
    for op in ("legal", "apply"):
        row = rows["tiki", op]
        assert row.ops == plies
        assert row.timed == sum(row.cells) == -(-plies // 256)
    assert rows["gaul", "legal"].ops == 0
    assert len(rows) == 2 * len(latency.OPS)


def test_totals_share_a_buffer_and_merge() -> None:
    buffer = bytearray(totals.size(1))
    writer = totals.Totals(("tiki",), memoryview(buffer))
    watch = latency.Latency()
    watch.add(latency.DECODE, 1500)
    writer.add("tiki", watch)
    writer.overrun("tiki")
    reader = totals.Totals(("tiki",), memoryview(buffer))
    reader.merge(writer)
    row = next(row for row in reader.rows() if row.op == "decode")
    assert (row.ops, row.timed, row.sum_ns) == (2, 2, 3000)
    assert reader.overruns() == {"tiki": 2}
    with pytest.raises(ValueError, match="bytes"):
        totals.Totals(("tiki",), memoryview(bytearray(8)))
    with pytest.raises(ValueError, match="no such operation"):
        watch.add(8, 1)
