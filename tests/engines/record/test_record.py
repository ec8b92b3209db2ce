"""Records replay and prove themselves; every tampering is found and named."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from papamu.records.v1 import records_pb2 as pb
from papamu.rules.v1 import envelope_pb2

from engines import registry
from engines.core.constants import TERMINAL
from engines.core.game import BadInput
from engines.record import record as records
from engines.record import results
from engines.record.forms import FORMS
from engines.referee import Referee
from engines.search.bots import make_bot


def played(seed: int = 7, limit: int | None = None, **options: bool | int | str) -> pb.Record:
    game = registry.game("tiki")
    rules = registry.make_rules(registry.make_setup(game, options=options))
    bots = [make_bot(game, "greedy", {}, seed, 0), make_bot(game, "random", {}, seed, 1)]
    referee = Referee(rules, bots, seed)
    result = referee.run(lambda: limit is not None and len(referee.moves) >= limit)
    players = [records.player("ann", "greedy", [("blunder_percent", 0)]), records.player('b "o" b', "random")]
    return records.new_record(f"g-{seed}", rules, players, referee.moves, result, event="tests", chance_seed=seed)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("form", FORMS)
def test_every_form_round_trips(form: str, seed: int) -> None:
    record = played(seed, layout="1,1,1/M,2,X/M,M,1" if seed % 2 else "")
    text = FORMS[form].write(record)
    again = FORMS[form].read(text)
    assert again == record
    assert FORMS[form].write(again) == text
    assert records.verify(again) == []


def test_a_running_game_round_trips_and_verifies() -> None:
    record = played(3, limit=20)
    assert not record.HasField("result")
    assert records.verify(record) == []
    assert FORMS["pgr"].read(FORMS["pgr"].write(record)) == record


def test_replay_needs_no_seed_and_ends_where_the_game_ended() -> None:
    record = played()
    record.ClearField("chance_seed")
    plies = 0
    for state in records.replay(record):
        last = state
        plies += 1
    assert plies == len(record.actions) + 1
    assert last.actor == TERMINAL
    assert last.placements() == list(record.result.placements)


def test_hidden_moves_round_trip_but_do_not_verify() -> None:
    record = played()
    record.redacted = True
    record.actions[12].ClearField("move")
    text = FORMS["pgr"].write(record)
    assert b"13. " in text
    assert b":??" in text
    assert FORMS["pgr"].read(text) == record
    assert [v.field for v in records.verify(record)] == ["redacted"]


def drop_last(record: pb.Record) -> None:
    del record.actions[-1]


def swap_chance(record: pb.Record) -> None:
    a, b = record.actions[0].move.tiki.lay, record.actions[1].move.tiki.lay
    a.tile, b.tile = b.tile, a.tile


def other_seed(record: pb.Record) -> None:
    record.chance_seed += 1


def no_seat(record: pb.Record) -> None:
    record.actions[11].ClearField("sender")


def wrong_seat(record: pb.Record) -> None:
    record.actions[11].seat = 1 - record.actions[11].seat


def other_winner(record: pb.Record) -> None:
    record.result.placements[:] = [3 - place for place in record.result.placements]


def forfeit(record: pb.Record) -> None:
    record.result.ending = pb.ENDING_TIME
    record.result.offender = 0


def old_rules(record: pb.Record) -> None:
    record.rules_version += 1


def short_setup(record: pb.Record) -> None:
    record.setup.edition_hash = ""


def lonely(record: pb.Record) -> None:
    del record.players[1]


@pytest.mark.parametrize(
    ("tamper", "field"),
    [
        (drop_last, "result.ending"),
        (swap_chance, "actions[0].move"),
        (other_seed, "actions["),
        (no_seat, "actions[11].sender"),
        (wrong_seat, "actions[11].sender"),
        (other_winner, "result.placements"),
        (forfeit, "result.ending"),
        (old_rules, "rules_version"),
        (short_setup, "setup"),
        (lonely, "players"),
    ],
)
def test_tampering_is_found_and_named(tamper: Callable[[pb.Record], None], field: str) -> None:
    record = played(11)
    tamper(record)
    faults = records.verify(record)
    assert faults
    assert faults[0].field.startswith(field)


def test_an_illegal_action_is_refused_with_the_rule() -> None:
    record = played()
    first = next(i for i, a in enumerate(record.actions) if a.WhichOneof("sender") == "seat")
    record.actions[first].move.tiki.resolve.village = 0
    with pytest.raises(BadInput) as refused:
        list(records.replay(record))
    assert refused.value.violations[0].id.startswith("tiki.")
    assert refused.value.violations[0].field.startswith(f"actions[{first}]")


def test_a_forfeit_proves_itself_in_the_position_where_it_happened() -> None:
    record = played(5, limit=25)
    *_, state = records.replay(record)
    record.result.CopyFrom(results.forfeited(state, pb.ENDING_ILLEGAL, 1, "ILLEGAL_MOVE"))
    assert records.verify(record) == []
    assert list(record.result.placements) == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b'[Game "chess"]\n',
        b'[Game "tiki"]\n',
        b'[Game "tiki"]\n[Game "tiki"]\n',
        b"[Game tiki]\n",
        b"\xff",
        b'{"actions": 1}',
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_record_is_refused_in_words(form: str, text: bytes) -> None:
    if form == "pb" and text == b"":
        pytest.skip("the empty message is a record, one that does not verify")
    with pytest.raises(BadInput):
        FORMS[form].read(text)


@pytest.mark.parametrize(
    ("text", "field", "sentence"),
    [
        ('{"foo":1}', "", "there is no field 'foo'"),
        ('{"setup":{"seats":"x"}}', "setup.seats", "is not what this field takes"),
        ('{"event":1}', "event", "is not what this field takes"),
        ('{"result":{"ending":"FOO"}}', "result.ending", "is not what this field takes"),
        ('{"players":[{},{"name":"\\ud800"}]}', "players[1].name", "is not what this field takes"),
        ('{"actions":[{},{"seat":1.5}]}', "actions[1].seat", "is not what this field takes"),
        ('{"actions":[{"move":{"tiki":{"made":1}}}]}', "actions[0].move.tiki", "there is no field 'made'"),
        ('{"actions":[[]]}', "actions[0]", "must be an object"),
        ('{"event":"a","event":"b"}', "", "is no record in JSON: an object has a key twice"),
        ('{"a":\n1]', "", "is no JSON at line 2, character 2"),
        ('{"\\ud800":1}', "", "is no record in JSON"),
        ('{"rules_version":' + "9" * 5000 + "}", "", "is no record in JSON"),
        ("[" * 5000, "", "is no record in JSON"),
    ],
)
def test_what_is_wrong_with_json_is_said_in_words_of_ours(text: str, field: str, sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        FORMS["json"].read(text.encode())
    assert [(v.field, v.sentence) for v in refused.value.violations] == [(field, sentence)]


@pytest.mark.parametrize(
    ("field", "tag", "more"),
    [
        ("players", b"[RulesVersion", b'[Player.2 "x"]\n[RulesVersion'),
        ("scores", b'[Scores "', b'[Scores "1 1 '),
        ("placements", b'[Placements "', b'[Placements "1 1 '),
        ("teams", b'[Teams "', b'[Teams "1 1 '),
    ],
)
def test_more_than_the_seats_is_neither_written_nor_read(field: str, tag: bytes, more: bytes) -> None:
    record = played()
    text = FORMS["pgr"].write(record)
    assert text.count(tag) == 1
    with pytest.raises(BadInput):
        FORMS["pgr"].read(text.replace(tag, more))
    entries = record.players if field == "players" else getattr(record.result, field)
    entries.extend([entries[0]] * 2)
    with pytest.raises(BadInput):
        FORMS["pgr"].write(record)


def test_an_unset_action_is_not_written_as_text() -> None:
    record = played()
    record.actions.append(envelope_pb2.Action())
    with pytest.raises(BadInput):
        FORMS["pgr"].write(record)
