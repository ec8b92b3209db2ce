"""Names, reasons, paths and sentences from others are shown as they are, whatever they hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from papamu.ladder.v1 import ladder_pb2
from papamu.records.v1 import records_pb2, service_pb2
from rich.table import Table

from engines import registry
from engines.core.game import BadInput, Kind, Reason, Violation
from engines.record import forms
from engines.record.record import new_record, player
from services.cli import doctor as doctor_module
from services.cli import engine, home, ladder, output, records, sitting, up
from services.cli.output import Exit, Screen, Stop

if TYPE_CHECKING:
    from tests.services.cli.conftest import Papamu, Ran

HOSTILE = {
    "[/x]": "[/x]",
    "[red]a[/red]": "[red]a[/red]",
    "[link=http://x]": "[link=http://x]",
    ":smile:": ":smile:",
    "\x1b[31mred": r"\x1b[31mred",
    "\x9b31mred": r"\x9b31mred",
    "one\ntwo": r"one\ntwo",
    "one\r\ttwo": r"one\r\ttwo",
    "one\u2028\u202etwo": r"one\u2028\u202etwo",
    "\udc80": r"\udc80",
    "Ü [no\xa0markup] ☺": "Ü [no\xa0markup] ☺",
}
"""Texts, and how a terminal is shown them."""
TEXT = [text for text in HOSTILE if text != "\udc80"]
"""Those that can stand in a message."""


def result(text: str) -> records_pb2.Result:
    return records_pb2.Result(placements=[1, 2], reason=text)


def a_ladder(text: str) -> ladder_pb2.Ladder:
    bot = ladder_pb2.Bot(name=text, kind=text, options=[records_pb2.BotOption(name=text, value=1)])
    state = ladder_pb2.LADDER_STATE_FINISHED
    return ladder_pb2.Ladder(id=text, name=text, state=state, bots=[bot])


def a_record(text: str) -> records_pb2.Record:
    game = registry.game("tiki")
    rules = registry.make_rules(registry.make_setup(game, "", "", 0, {}))
    return new_record(text, rules, [player(text, text), player("b", "")], [], None, event=text, chance_seed=1)


def standings(text: str) -> ladder_pb2.GetStandingsResponse:
    return ladder_pb2.GetStandingsResponse(standings=[ladder_pb2.Standing(bot=text)])


ANSWERS: dict[str, Callable[[str], Any]] = {
    "ListBots": lambda text: ladder_pb2.ListBotsResponse(bots=a_ladder(text).bots),
    "CreateBot": lambda text: ladder_pb2.CreateBotResponse(bot=a_ladder(text).bots[0]),
    "ListLadders": lambda text: ladder_pb2.ListLaddersResponse(ladders=[a_ladder(text)]),
    "CreateLadder": lambda text: ladder_pb2.CreateLadderResponse(ladder=a_ladder(text)),
    "GetLadder": lambda text: ladder_pb2.GetLadderResponse(ladder=a_ladder(text)),
    "PauseLadder": lambda text: ladder_pb2.PauseLadderResponse(ladder=a_ladder(text)),
    "ResumeLadder": lambda text: ladder_pb2.ResumeLadderResponse(ladder=a_ladder(text)),
    "CancelLadder": lambda text: ladder_pb2.CancelLadderResponse(ladder=a_ladder(text)),
    "GetStandings": standings,
    "RebuildStandings": lambda text: ladder_pb2.RebuildStandingsResponse(standings=standings(text).standings),
    "GetRatingHistory": lambda text: ladder_pb2.GetRatingHistoryResponse(
        bots=[text, "b"],
        points=[ladder_pb2.RatingPoint(games_counted=n, elos=[n, -n]) for n in (2, 4)],
    ),
    "ListGames": lambda text: ladder_pb2.ListGamesResponse(
        games=[ladder_pb2.Game(id=text, seats=[text], state=ladder_pb2.GAME_STATE_DONE, result=result(text))]
    ),
    "ListRecords": lambda text: service_pb2.ListRecordsResponse(
        records=[
            service_pb2.RecordSummary(
                game_id=text, game=text, players=[records_pb2.Player(name=text)], result=result(text)
            )
        ]
    ),
    "GetRecord": lambda text: service_pb2.GetRecordResponse(record=a_record(text)),
    "VerifyRecord": lambda text: service_pb2.VerifyRecordResponse(
        faults=[service_pb2.Fault(field=text, sentence=text)]
    ),
    "ImportRecord": lambda text: service_pb2.ImportRecordResponse(summary=service_pb2.RecordSummary(game_id=text)),
}
COMMANDS = (
    "bots",
    "bots create b greedy",
    "ladder create tiki random greedy",
    "ladder run tiki random greedy",
    "ladder list",
    "ladder status l",
    "ladder standings l",
    "ladder history l",
    "ladder pause l",
    "ladder resume l",
    "ladder cancel l",
    "ladder rebuild l",
    "ladder games l",
    "records list",
    "records show g",
    "records verify g",
    "records import FILE",
)
"""Every command that shows what a service answers."""


class Answering:
    """A service that answers everything with the same text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def call(self, method: str, _request: object, *_more: object, **_how: object) -> Any:
        return ANSWERS[method](self._text)


class Refusing:
    """A service that refuses everything with the same text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def call(self, *_: object, **_how: object) -> Any:
        raise Stop(self._text, Exit.NO)


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    def use(service: Any) -> None:
        @contextmanager
        def opened() -> Iterator[Any]:
            yield service

        monkeypatch.setattr(ladder, "ladders", opened)
        monkeypatch.setattr(up, "ladders", opened)
        monkeypatch.setattr(records, "records", opened)

    return use


def check(ran: Ran, text: str) -> None:
    shown = ran.out + ran.err
    assert HOSTILE[text] in shown, shown
    assert all(c.isprintable() or c in "\n\xa0" for c in shown)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    Path("FILE").write_bytes(forms.FORMS["pgr"].write(a_record("x")))
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_show_what_services_answer(
    papamu: Papamu, answered: Callable[[Any], None], folder: Path, command: str
) -> None:
    arguments = command.replace("FILE", "FILE --form pgr").split()
    for text in TEXT:
        answered(Answering(text))
        ran = papamu(*arguments)
        assert ran.code in (0, 1)
        if command == "records show g":  # there it stands as the record's notation quotes it, with its own escapes
            assert all(c.isprintable() or c in "\n\xa0" for c in ran.out)
            assert HOSTILE[text].replace("\\", "") in ran.out.replace("u001b", "x1b").replace("\\", "")
        else:
            check(ran, text)
        answered(Refusing(text))
        refused = papamu(*arguments)
        assert refused.code == 1
        check(refused, text)


@pytest.mark.parametrize("command", [command for command in COMMANDS if "run" not in command])
def test_their_json_holds_it_escaped(
    papamu: Papamu, answered: Callable[[Any], None], folder: Path, command: str
) -> None:
    arguments = [*command.replace("FILE", "FILE --form pgr").split(), "--json"]
    for text in TEXT:
        answered(Answering(text))
        told = papamu(*arguments).out
        assert all(c.isprintable() or c in "\n\xa0" for c in told)
        assert text in json.loads(json.dumps(strings(json.loads(told))))


def strings(data: Any) -> list[str]:
    """All texts in it."""
    if isinstance(data, dict):
        return [text for value in data.values() for text in strings(value)]
    if isinstance(data, list):
        return [text for value in data for text in strings(value)]
    return [data] if isinstance(data, str) else []


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_person_gives_is_shown_in_the_refusal(
    papamu: Papamu, answered: Callable[[Any], None], folder: Path, text: str
) -> None:
    given = [
        ("rules", "validate", "tiki", text),
        ("rules", "explain", "tiki", text),
        ("rules", "legal", text),
        ("rules", "legal", "tiki", "--edition", text),
        ("rules", "legal", "tiki", "-o", text),
        ("rules", "legal", "tiki", "-p", text),
        ("play", "tiki", "--bot", text),
        ("play", "tiki", "--save", text),
        ("conformance", "tiki", "--check", text),
        ("conformance", text),
        ("bots", "create", "b", "greedy", "-o", text),
        ("ladder", "create", "tiki", "a", "--priority", "high", "-o", text),
        ("records", "export", "g", text),
        ("new-game", text),
    ]
    for arguments in given:
        ran = papamu(*arguments)
        assert ran.code == 2, arguments
        assert all(c.isprintable() or c in "\n\xa0" for c in ran.out + ran.err), arguments


@pytest.mark.parametrize("text", [text for text in TEXT if "/" not in text])
def test_paths_are_shown(papamu: Papamu, answered: Callable[[Any], None], folder: Path, text: str) -> None:
    class Exporting(Answering):
        def call(self, *_: object, **_how: object) -> Any:
            return service_pb2.ExportRecordResponse(data=b"x")

    answered(Exporting(text))
    check(papamu("records", "export", "g", f"{text}.pgr"), text)
    assert Path(f"{text}.pgr").read_bytes() == b"x"
    check(papamu("records", "verify", f"{text}.pgr"), text)


def test_the_reasons_of_a_refusal_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for text, shown in HOSTILE.items():
        output.show_reasons([Reason(text, Kind.RULE, sentence=text, field=text)])
        assert capsys.readouterr().out.count(shown) == 3


@pytest.mark.parametrize("text", TEXT)
def test_doctor_and_status_show_it(
    papamu: Papamu, answered: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch, folder: Path, text: str
) -> None:
    finding = doctor_module.Finding(text, text, well=False, advice=text)
    monkeypatch.setattr(doctor_module, "LOOKS", (lambda _settings: iter([finding]),))
    check(papamu("doctor"), text)

    addresses = dict.fromkeys(("redis_url", "rules", "records", "ladder"), text)
    monkeypatch.setattr(home.Home, "running", lambda _: home.Running(1, text, addresses))
    monkeypatch.setattr(up, "_ask_redis", lambda *_: text)
    monkeypatch.setattr(up, "_ask_health", lambda *_: text)
    ran = papamu("status")
    assert ran.code == 1
    check(ran, text)


def test_faults_of_a_broken_game_are_shown(papamu: Papamu, monkeypatch: pytest.MonkeyPatch) -> None:
    law = engine.kit.CHECKS[0]
    for text in HOSTILE:
        monkeypatch.setattr(engine.kit, "run", lambda *_, text=text: iter([(law, [text])]))
        ran = papamu("conformance", "tiki")
        assert ran.code == 1
        check(ran, text)


def test_every_place_of_a_console_takes_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed, cells, headers, titles; and nothing is found worth a colour."""
    for text, shown in HOSTILE.items():
        rows: Table = output.table(text, text)
        rows.add_row(text)
        Screen(width=200, force_terminal=True, no_color=True).print(text, output.words((text, ""), text), sep="\n")
        Screen(width=200).print(rows)
        told = capsys.readouterr().out
        assert told.count(shown) == 6, told
        assert "\x1b" not in told


def test_lines_of_ours_stay_lines(papamu: Papamu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPAMU_WORKERS", "0")
    monkeypatch.setenv("PAPAMU_RULES_ADDRESS", "[/x]")
    ran = papamu("status")
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 2
    monkeypatch.setattr(
        sitting.BotSpec, "parse", lambda _: (_ for _ in ()).throw(BadInput([Violation("a", "x"), Violation("b", "y")]))
    )
    monkeypatch.delenv("PAPAMU_WORKERS")
    monkeypatch.delenv("PAPAMU_RULES_ADDRESS")
    assert papamu("play", "tiki", "--bot", "x").err.splitlines() == ["papamu: a: x", "b: y"]
