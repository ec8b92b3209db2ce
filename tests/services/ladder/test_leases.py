"""Leases in both databases, with a clock that the test moves: claimed once, counted once, taken back, given up."""

from __future__ import annotations

import pytest
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.records.v1 import records_pb2
from papamu.rules.v1 import envelope_pb2
from sqlalchemy import func, select

from engines import envelope
from engines.record import record as records
from engines.referee import Referee
from engines.search.bots import make_bot
from services.common.errors import AlreadyExists, NotFound, Precondition
from services.ladder import check
from services.ladder.batches import FIRST_BATCH
from services.ladder.outbox import Outbox
from services.ladder.rebuild import rebuild
from services.ladder.results import Checked
from services.ladder.tables import game, game_record, outbox
from tests.services.ladder.bench import LEASE, Bench, play


def test_a_ladder_is_made_once(bench: Bench) -> None:
    first = bench.ladder()
    assert bench.ladder() == first
    with pytest.raises(AlreadyExists):
        bench.ladder(blocks=5)
    with pytest.raises(NotFound, match="nobody"):
        bench.ladder(bots=("random", "nobody"), request_id="other")
    assert len(bench.store.games(first, 500, 0, 0)) == 8


def test_one_worker_gets_a_batch_and_a_lost_answer_can_be_asked_for_again(bench: Bench) -> None:
    bench.ladder()
    batch = bench.batches()[0]
    mine = bench.leases.claim(batch, "a", "token-of-a")
    assert len(mine.games) == FIRST_BATCH
    assert not bench.leases.claim(batch, "b", "token-of-b").games
    assert bench.leases.claim(batch, "a", "token-of-a") == mine
    assert [row.attempts for row in bench.store.games("l" + mine.event.removeprefix("ladders/l"), 4, 0, 0)] == [1] * 4
    assert not bench.leases.claim(999, "a", "token-of-a").games


def test_a_report_counts_once_however_often_it_is_sent(bench: Bench) -> None:
    ladder_id = bench.ladder(blocks=2)
    (batch,) = bench.batches()
    claim = bench.leases.claim(batch, "a", "token-of-a")
    played = [play(claim, assignment) for assignment in claim.games]
    assert bench.report(batch, "token-of-a", played[:1]) == [pb.OUTCOME_STORED]
    for _ in range(3):
        assert bench.report(batch, "token-of-a", played) == [pb.OUTCOME_STORED] * 4
    with bench.store.database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(game_record)) == 4
        assert connection.scalar(select(func.count()).select_from(outbox)) == 4
    assert bench.store.ladder(ladder_id).state == pb.LADDER_STATE_FINISHED
    assert bench.done(ladder_id) == 4


def test_records_that_are_not_of_the_game_are_refused(bench: Bench) -> None:
    ladder_id = bench.ladder(blocks=2)
    (batch,) = bench.batches()
    claim = bench.leases.claim(batch, "a", "token-of-a")
    played = [play(claim, assignment) for assignment in claim.games]
    played[0].chance_seed += 1
    played[1].players[0].name = "somebody"
    del played[2].actions[-1]
    played[3].event = "elsewhere"
    assert bench.report(batch, "token-of-a", played) == [pb.OUTCOME_REFUSED] * 4
    assert bench.done(ladder_id) == 0
    stranger = records_pb2.Record(game_id="unheard-of")
    assert bench.report(batch, "token-of-a", [stranger]) == [pb.OUTCOME_STALE]


def test_a_silent_worker_loses_its_games_one_by_one(bench: Bench) -> None:
    ladder_id = bench.ladder(blocks=2)
    (batch,) = bench.batches()
    claim = bench.leases.claim(batch, "a", "token-of-a")
    played = [play(claim, assignment) for assignment in claim.games]
    bench.report(batch, "token-of-a", played[:1])
    bench.now[0] += LEASE / 2
    assert bench.leases.heartbeat(batch, "token-of-a", pb.Progress()).command == pb.COMMAND_CONTINUE
    bench.now[0] += LEASE * 0.9
    assert bench.leases.reap() == 0
    bench.now[0] += LEASE
    assert bench.leases.reap() == 1
    assert bench.leases.heartbeat(batch, "token-of-a", pb.Progress()).command == pb.COMMAND_DROP
    assert bench.report(batch, "token-of-a", played) == [pb.OUTCOME_STORED] + [pb.OUTCOME_STALE] * 3
    alone = bench.batches()
    assert len(alone) == 3
    assert [len(bench.leases.claim(b, "b", f"token-{b:04}").games) for b in alone] == [1, 1, 1]
    assert bench.done(ladder_id) == 1


def test_three_lost_workers_make_a_game_void_and_charge_nobody(bench: Bench) -> None:
    ladder_id = bench.ladder(blocks=1)
    for attempt in range(3):
        for batch in bench.batches():
            assert bench.leases.claim(batch, "a", f"token-{attempt}-{batch}").games
        bench.now[0] += LEASE + 1
        bench.leases.reap()
    assert bench.batches() == []
    assert bench.store.ladder(ladder_id).state == pb.LADDER_STATE_FINISHED
    for row in bench.store.games(ladder_id, 10, 0, 0):
        result = records_pb2.Result.FromString(row.result)
        assert (result.ending, result.reason, row.attempts) == (records_pb2.ENDING_VOID, "WORKER_LOST", 3)
        assert not result.placements
        record = records_pb2.Record.FromString(bench.store.record(row.id))
        assert records.verify(record) == []


@pytest.mark.parametrize("told", ["some moves", "another order", "no moves at all", "the whole game"])
def test_whatever_lost_workers_have_told_their_games_end(bench: Bench, told: str) -> None:
    """Moves of a heartbeat are looked at by nobody until they are needed."""
    ladder_id = bench.ladder(blocks=1)
    for attempt in range(3):
        for batch in bench.batches():
            claim = bench.leases.claim(batch, "a", f"token-{attempt}-{batch}")
            if claim.games[0].actions:
                continue  # told by the worker before
            whole = play(claim, claim.games[0])
            actions = {
                "some moves": whole.actions[:4],
                "another order": whole.actions[::-1],
                "no moves at all": [envelope_pb2.Action()] * 3,
                "the whole game": whole.actions,
            }[told]
            progress = pb.Progress(game_id=whole.game_id, actions=actions)
            bench.leases.heartbeat(batch, f"token-{attempt}-{batch}", progress)
        bench.now[0] += LEASE + 1
        bench.leases.reap()
    assert bench.store.ladder(ladder_id).state == pb.LADDER_STATE_FINISHED
    plies = []
    for row in bench.store.games(ladder_id, 10, 0, 0):
        record = records_pb2.Record.FromString(bench.store.record(row.id))
        assert (record.result.ending, records.verify(record)) == (records_pb2.ENDING_VOID, [])
        plies.append(len(record.actions))
    assert any(plies) == (told == "some moves")


def test_a_released_batch_costs_no_attempt_and_keeps_its_moves(bench: Bench) -> None:
    ladder_id = bench.ladder(blocks=1)
    (batch,) = bench.batches()
    for _ in range(5):
        claim = bench.leases.claim(batch, "a", "token-of-a")
        whole = play(claim, claim.games[0])
        had = len(claim.games[0].actions)
        progress = pb.Progress(game_id=claim.games[0].game_id, from_ply=had, actions=whole.actions[had : had + 4])
        assert bench.leases.heartbeat(batch, "token-of-a", progress).stored_plies == had + 4
        # The same again, and moves that do not follow, change nothing.
        assert bench.leases.heartbeat(batch, "token-of-a", progress).stored_plies == had + 4
        bench.leases.release(batch, "token-of-a", pb.Progress())
    resumed = bench.leases.claim(batch, "b", "token-of-b")
    assert list(resumed.games[0].actions) == list(whole.actions[:20])
    assert play(resumed, resumed.games[0]) == whole
    assert [row.attempts for row in bench.store.games(ladder_id, 2, 0, 0)] == [1, 1]


def test_games_of_a_bot_with_a_memory_start_over(bench: Bench) -> None:
    bench.store.create_bot(check.bot(pb.Bot(name="thinker", kind="mcts", options=[{"name": "reuse", "value": 1}])))
    bench.ladder(blocks=1, bots=("thinker", "random"))
    (batch,) = bench.batches()
    claim = bench.leases.claim(batch, "a", "token-of-a")
    rules = envelope.read_rules(claim.setup)
    referee = Referee(
        rules, [make_bot(envelope.game_of(rules), "random", {}, 1, s) for s in (0, 1)], claim.games[0].chance_seed
    )
    referee.run(lambda: len(referee.moves) == 12)
    actions = [records.lexis(rules).action(*move) for move in referee.moves]
    bench.leases.release(batch, "token-of-a", pb.Progress(game_id=claim.games[0].game_id, actions=actions))
    assert not bench.leases.claim(batch, "b", "token-of-b").games[0].actions


def test_pause_and_cancel_come_back_with_heartbeats(bench: Bench) -> None:
    ladder_id = bench.ladder()
    first, second = bench.batches()
    claim = bench.leases.claim(first, "a", "token-of-a")
    bench.store.set_state(ladder_id, pb.LADDER_STATE_PAUSED)
    assert not bench.leases.claim(second, "b", "token-of-b").games
    assert bench.leases.heartbeat(first, "token-of-a", pb.Progress()).command == pb.COMMAND_RELEASE
    assert bench.report(first, "token-of-a", [play(claim, claim.games[0])]) == [pb.OUTCOME_STORED]
    bench.store.set_state(ladder_id, pb.LADDER_STATE_RUNNING)
    assert bench.leases.heartbeat(first, "token-of-a", pb.Progress()).command == pb.COMMAND_CONTINUE
    bench.store.set_state(ladder_id, pb.LADDER_STATE_CANCELLED)
    assert bench.leases.heartbeat(first, "token-of-a", pb.Progress()).command == pb.COMMAND_DROP
    assert bench.report(first, "token-of-a", [play(claim, claim.games[1])]) == [pb.OUTCOME_STALE]
    assert bench.done(ladder_id) == 1
    with pytest.raises(Precondition):
        bench.store.set_state(ladder_id, pb.LADDER_STATE_RUNNING)
    bench.leases.plan(100)
    assert bench.batches() == []


def test_a_restarted_service_gives_every_lease_its_whole_time(bench: Bench) -> None:
    bench.ladder()
    bench.leases.claim(bench.batches()[0], "a", "token-of-a")
    bench.now[0] += 100 * LEASE
    bench.leases.prolong()
    assert bench.leases.reap() == 0


def test_records_are_held_back_until_their_block_has_ended(bench: Bench) -> None:
    """Nobody sees the chance that other games of the block still have before them."""
    ladder_id = bench.ladder(blocks=6)
    rows = Outbox(bench.store.database)
    blocks = {row.id: row.block for row in bench.store.games(ladder_id, 100, 0, 0)}
    done: set[str] = set()
    while batches := bench.batches():
        claim = bench.leases.claim(batches[0], "a", "token-of-a")
        played = [play(claim, assignment) for assignment in claim.games]
        bench.report(batches[0], "token-of-a", played)
        done |= {record.game_id for record in played}
        whole = {g for g in done if all(other in done for other, b in blocks.items() if b == blocks[g])}
        assert {outgoing.game_id for outgoing in rows.next(100)} == whole
        for game_id in done - whole:
            with pytest.raises(Precondition, match="block"):
                bench.store.record(game_id)
        bench.leases.plan(100)
    assert len(rows.next(100)) == 12
    rows.settle([outgoing.game_id for outgoing in rows.next(100)][:10], {})
    rows.settle([], {rows.next(1)[0].game_id: "never"})
    assert len(rows.next(100)) == 1
    assert bench.store.status().outbox_refused == 1


def test_rebuild_finds_a_row_that_was_tampered_with(bench: Bench) -> None:
    ladder_id = bench.ladder(blocks=2)
    (batch,) = bench.batches()
    claim = bench.leases.claim(batch, "a", "token-of-a")
    bench.report(batch, "token-of-a", [play(claim, assignment) for assignment in claim.games])
    assert not rebuild(bench.store.books(ladder_id), ["random", "greedy"]).discrepancies
    with bench.store.database.write() as connection:
        one = connection.execute(select(game).limit(1)).one()
        result = records_pb2.Result.FromString(one.result)
        result.placements[:] = reversed(result.placements)
        connection.execute(game.update().where(game.c.id == one.id).values(result=result.SerializeToString()))
    books = rebuild(bench.store.books(ladder_id), ["random", "greedy"])
    assert [d.game_id for d in books.discrepancies] == [one.id]
    assert books.replayed == 4
    assert len(books.rows) == 3


def test_checked_games_need_a_lease(bench: Bench) -> None:
    bench.ladder()
    unknown = Checked("nothing", b"", records_pb2.Result(), 0, 0)
    assert bench.leases.report(999, "token", [unknown]) == {"nothing": pb.OUTCOME_STALE}
