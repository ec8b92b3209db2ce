"""What a worker tells has an end, however it tells it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from papamu.rules.v1 import envelope_pb2

from engines.core.game import BadInput
from engines.record.record import MAX_ACTIONS
from services.ladder.batches import MAX_BATCH
from services.ladder.leases import MAX_MOVES_BYTES
from tests.services.ladder.bench import CALL, Bench, play

TOKEN = "token-of-a"
UNHEARD_OF = b"\xfa\x3f\xd0\x86\x03" + bytes(50_000)
"""A field that actions do not have, with 50 kB in it."""


def heartbeat(bench: Bench, batch: int, progress: pb.Progress) -> None:
    bench.work.Heartbeat(pb.HeartbeatRequest(batch_id=str(batch), token=TOKEN, progress=progress), CALL)


def release(bench: Bench, batch: int, progress: pb.Progress) -> None:
    bench.work.ReleaseBatch(pb.ReleaseBatchRequest(batch_id=str(batch), token=TOKEN, progress=progress), CALL)
    bench.leases.claim(batch, "a", TOKEN)


@pytest.mark.parametrize("tell", [heartbeat, release])
@pytest.mark.parametrize(
    ("pieces", "action"),
    [
        ([MAX_ACTIONS + 1], envelope_pb2.Action()),
        ([MAX_ACTIONS, 1], envelope_pb2.Action()),
        ([MAX_ACTIONS // 3] * 4, envelope_pb2.Action(seat=1)),
        ([10] * 3, envelope_pb2.Action.FromString(UNHEARD_OF)),
        ([30], envelope_pb2.Action.FromString(UNHEARD_OF)),
    ],
)
def test_moves_of_a_running_game_have_an_end(
    bench: Bench, tell: Callable[..., None], pieces: Sequence[int], action: envelope_pb2.Action
) -> None:
    ladder_id = bench.ladder(blocks=1)
    (batch,) = bench.batches()
    game_id = bench.leases.claim(batch, "a", TOKEN).games[0].game_id
    told = 0
    for piece in pieces[:-1]:
        tell(bench, batch, pb.Progress(game_id=game_id, from_ply=told, actions=[action] * piece))
        told += piece
    before = bench.store.game(game_id)
    assert before.plies == told
    with pytest.raises(BadInput) as caught:
        tell(bench, batch, pb.Progress(game_id=game_id, from_ply=told, actions=[action] * pieces[-1]))
    assert [violation.field for violation in caught.value.violations] == ["progress.actions"]
    after = bench.store.game(game_id)
    assert (after.plies, after.moves) == (told, before.moves)
    assert after.plies <= MAX_ACTIONS
    assert len(after.moves) <= MAX_MOVES_BYTES
    assert bench.store.ladder(ladder_id).state == pb.LADDER_STATE_RUNNING


@pytest.mark.parametrize("change", [lambda games: [*games, games[0]], lambda games: games * MAX_BATCH])
def test_a_report_is_of_one_batch(bench: Bench, change: Callable[[list[Any]], list[records_pb2.Record]]) -> None:
    ladder_id = bench.ladder(blocks=1)
    (batch,) = bench.batches()
    claim = bench.leases.claim(batch, "a", TOKEN)
    games = [play(claim, assignment) for assignment in claim.games]
    with pytest.raises(BadInput):
        bench.report(batch, TOKEN, change(games))
    assert bench.done(ladder_id) == 0
    assert bench.report(batch, TOKEN, games) == [pb.OUTCOME_STORED] * 2
