"""What one ladder is in must not keep another from its games."""

from __future__ import annotations

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb

from services.ladder.dispatch import BACKLOG
from tests.services.ladder.bench import LEASE, Bench

BLOCKS = 240
"""More games than any backlog here takes."""


def in_hand(bench: Bench, claimed: int, lost: int) -> str:
    """A large ladder whose batches wait, with some in the hands of workers and some back from lost ones."""
    ladder_id = bench.ladder(blocks=BLOCKS, request_id="large")
    for batch in bench.batches()[:lost]:
        bench.leases.claim(batch, "a", "token-of-a")
    bench.now[0] += LEASE + 1
    bench.leases.reap()
    for batch in bench.batches()[:claimed]:
        bench.leases.claim(batch, "a", "token-of-a")
    return ladder_id


@pytest.mark.parametrize("state", [pb.LADDER_STATE_PAUSED, pb.LADDER_STATE_CANCELLED])
@pytest.mark.parametrize(("claimed", "lost"), [(0, 0), (3, 0), (0, 3), (3, 3)])
def test_a_ladder_that_stands_still_keeps_no_other_from_its_games(
    bench: Bench, state: pb.LadderState, claimed: int, lost: int
) -> None:
    large = in_hand(bench, claimed, lost)
    assert bench.store.status().batches_waiting == len(bench.batches()) >= BACKLOG
    bench.store.set_state(large, state)
    small = bench.ladder(blocks=2, request_id="small")
    bench.leases.plan(BACKLOG)
    (batch,) = bench.batches()
    assert bench.store.status().batches_waiting == 1
    assert bench.leases.claim(batch, "b", "token-of-b").event == f"ladders/{small}"
    if state == pb.LADDER_STATE_PAUSED:
        bench.store.set_state(large, pb.LADDER_STATE_RUNNING)
        assert bench.store.status().batches_waiting == len(bench.batches()) >= BACKLOG - claimed
