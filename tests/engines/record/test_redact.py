"""Views of records show a seat what it saw, and nothing that others' hands could change."""

from __future__ import annotations

import pytest
from papamu.records.v1 import records_pb2 as pb

from engines import registry
from engines.core.game import BadInput
from engines.record import record as records
from engines.record.forms import FORMS
from engines.record.redact import ONLOOKER, redact
from engines.referee import Referee
from engines.search.bots import make_bot


def played(slug: str, seats: int, seed: int = 5, limit: int | None = None) -> pb.Record:
    game = registry.game(slug)
    rules = registry.make_rules(registry.make_setup(game, seats=seats))
    referee = Referee(rules, [make_bot(game, "random", {}, seed, seat) for seat in range(seats)], seed)
    result = referee.run(lambda: limit is not None and len(referee.moves) >= limit)
    players = [records.player(f"p{seat}", "random") for seat in range(seats)]
    return records.new_record("g", rules, players, referee.moves, result, chance_seed=seed)


def hidden(view: pb.Record) -> list[int]:
    return [ply for ply, action in enumerate(view.actions) if not action.HasField("move")]


def test_a_seat_sees_its_own_cards_and_every_open_move() -> None:
    record = played("gaul", 3)
    draws = [ply for ply, action in enumerate(record.actions) if action.move.gaul.HasField("draw")]
    assert draws
    for seat in range(3):
        view = redact(record, seat)
        assert [ply for ply in hidden(view) if ply < 30] == [p for p in range(30) if p // 10 != seat]
        own = [ply for ply in draws if record.actions[ply - 1].seat == seat]
        assert [ply for ply in hidden(view) if ply >= 30] == [ply for ply in draws if ply not in own]
        assert (view.redacted, view.HasField("chance_seed")) == (True, False)
        assert FORMS["pgr"].read(FORMS["pgr"].write(view)) == view
    assert set(hidden(redact(record, ONLOOKER))) == {*range(30), *draws}


def _swapped(record: pb.Record, one: int, other: int) -> pb.Record:
    """The same game with the cards of two deals exchanged."""
    changed = pb.Record()
    changed.CopyFrom(record)
    changed.actions[one].CopyFrom(record.actions[other])
    changed.actions[other].CopyFrom(record.actions[one])
    return changed


@pytest.mark.parametrize("limit", [45, 60, None])
def test_others_hands_do_not_move_a_view(limit: int | None) -> None:
    """Two cards that seats 0 and 2 hold to the end change places: seat 1's view of the record stays the same bytes."""
    record = played("gaul", 4, limit=limit)
    spent = {action.move.gaul.play.kind for action in record.actions if action.move.gaul.HasField("play")}
    kept = [ply for ply in range(40) if record.actions[ply].move.gaul.deal.kind not in spent]
    one = next(ply for ply in kept if ply < 10)
    other = next(ply for ply in kept if 20 <= ply < 30)
    changed = _swapped(record, one, other)
    for seat in (1, 3, ONLOOKER):
        assert records.to_bytes(redact(changed, seat)) == records.to_bytes(redact(record, seat))
    for seat in (0, 2):
        assert records.to_bytes(redact(changed, seat)) != records.to_bytes(redact(record, seat))


def test_where_nothing_is_hidden_the_record_stays_whole() -> None:
    record = played("tiki", 2)
    assert redact(record, 0) == redact(record, ONLOOKER) == record


def test_what_does_not_replay_is_refused() -> None:
    record = played("gaul", 2)
    with pytest.raises(ValueError, match="no seat 2"):
        redact(record, 2)
    del record.actions[3]
    with pytest.raises(BadInput, match="actions"):
        redact(record, 0)
