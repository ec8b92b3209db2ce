"""The text form of a record, `.pgr`: header tags and numbered tokens, like PGN for chess.

    [Game "tiki"]
    [Edition "tiki-base"]
    ...
    1. *:La1=M 2. *:Lb1=1 ... 11. 0:@b2 12. 1:@a1

A token is `<sender>:<move>`: the sender is a seat or `*` for chance, the move is the game's notation, `??` when it is
hidden. Text and protobuf say exactly the same; what protobuf can say and no record should (a move without a sender, an
incomplete setup) is refused on writing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from papamu.records.v1 import records_pb2 as pb
from papamu.rules.v1 import envelope_pb2

from engines import envelope, registry
from engines.core.constants import ABSENT, CHANCE
from engines.core.game import BadInput, Game, OptionValue, Violation
from engines.core.patience import Check, go_on, polled
from engines.core.state import Rules
from engines.record.record import MAX_ACTIONS, sender_of

HIDDEN = "??"
WIDTH = 100
"""Longest line of moves that is written; reading takes any."""
MAX_TEXT = 1_000_000
"""Longest text that is read, in characters."""
MAX_TAGS = 1000
"""Most tags that are read: a record of six bots with a hundred options each has fewer."""

_TAG = re.compile(
    r'\[([A-Za-z0-9._-]+) ("(?:[^"\\]++|\\.)*+")\]'
)  # possessive: a long value needs no memory of its own
_TOKEN = re.compile(r"(?P<sender>\d|\*):(?P<move>\S+)")
_ENDING = "ENDING_"


def write(record: pb.Record) -> str:
    """The text of a record, ending in a newline.

    Raises BadInput when it holds something that is no part of a well-formed record, or registry.UnknownEdition.
    """
    rules = envelope.read_rules(record.setup)
    if record.setup != envelope.setup_message(rules):
        raise BadInput([Violation("setup", "must name the edition's hash and every option")])
    _refuse_crowd(record, rules)
    tags = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in _tags(record, rules)]
    words = [f"{ply}. {_token(rules, action, ply - 1)}" for ply, action in enumerate(record.actions, 1)]
    return "\n".join([*tags, "", *_lines(words)]) + "\n"


def _refuse_crowd(record: pb.Record, rules: Rules) -> None:
    """Refuses what reading refuses: more players or numbers than seats."""
    result = record.result
    for field, entries in (
        ("players", record.players),
        ("result.scores", result.scores),
        ("result.placements", result.placements),
        ("result.teams", result.teams),
    ):
        if len(entries) > rules.seats:
            raise _bad(field, f"must be at most {rules.seats}, one a seat")


def _lines(words: list[str]) -> Iterator[str]:
    """The words in lines of at most WIDTH characters."""
    line: list[str] = []
    length = 0
    for word in words:
        if line and length + len(word) > WIDTH:
            yield " ".join(line)
            line, length = [], 0
        line.append(word)
        length += len(word) + 1
    if line:
        yield " ".join(line)


def _tags(record: pb.Record, rules: Rules) -> Iterator[tuple[str, str]]:
    setup = rules.setup
    yield "Game", setup.game
    yield "Id", record.game_id
    if record.event:
        yield "Event", record.event
    yield "Edition", setup.edition
    yield "EditionHash", setup.edition_hash
    yield "Seats", str(setup.seats)
    for name, value in setup.options.items():
        yield f"Option.{name}", str(value).lower() if isinstance(value, bool) else str(value)
    yield "RulesVersion", str(record.rules_version)
    yield "Build", record.build
    if record.HasField("chance_seed"):
        yield "ChanceSeed", str(record.chance_seed)
    if record.redacted:
        yield "Redacted", "true"
    for seat, player in enumerate(record.players):
        yield f"Player.{seat}", player.name
        if player.kind:
            yield f"Player.{seat}.Kind", player.kind
        for option in player.options:
            yield f"Player.{seat}.Option.{option.name}", str(option.value)
    if record.HasField("result"):
        result = record.result
        yield "Ending", pb.Ending.Name(result.ending).removeprefix(_ENDING)
        yield "Reason", result.reason
        yield "Scores", " ".join(map(str, result.scores))
        yield "Placements", " ".join(map(str, result.placements))
        yield "Teams", " ".join(map(str, result.teams))
        if result.HasField("offender"):
            yield "Offender", str(result.offender)


def _token(rules: Rules, action: envelope_pb2.Action, ply: int) -> str:
    sender = sender_of(action)
    if sender == ABSENT:
        raise BadInput([Violation(f"actions[{ply}].sender", "is missing")])
    if not action.HasField("move"):
        return f"{_sender_text(sender)}:{HIDDEN}"
    try:
        move, _ = envelope.read_action(rules, action)
    except BadInput as error:
        raise BadInput([Violation(f"actions[{ply}].{v.field}", v.sentence, v.id) for v in error.violations]) from error
    return f"{_sender_text(sender)}:{envelope.game_of(rules).notation.token(rules, move)}"


def _sender_text(sender: int) -> str:
    return "*" if sender == CHANCE else str(sender)


def read(text: str, check: Check = go_on) -> pb.Record:
    """The record of a text; `check` is called every so many moves and may end it by raising.

    Raises BadInput, whose fields are tags or move numbers, or registry.UnknownEdition.
    """
    if len(text) > MAX_TEXT:
        raise _bad("", f"must be at most {MAX_TEXT} characters")
    tags, words = _split(text)
    game = registry.game(tags.need("Game"))
    setup = registry.make_setup(
        game, tags.need("Edition"), tags.need("EditionHash"), tags.number("Seats"), _options(game, tags)
    )
    rules = registry.make_rules(setup)
    record = pb.Record(
        game_id=tags.need("Id"),
        event=tags.take("Event") or "",
        setup=envelope.setup_message(rules),
        rules_version=tags.number("RulesVersion"),
        build=tags.need("Build"),
        redacted=tags.take("Redacted") == "true",
    )
    if tags.has("ChanceSeed"):
        record.chance_seed = tags.number("ChanceSeed", 2**64 - 1)
    for seat in range(rules.seats):  # a player without a seat is an unknown tag
        if not tags.has(f"Player.{seat}"):
            break
        record.players.append(_player(tags, f"Player.{seat}"))
    if tags.has("Ending"):
        record.result.CopyFrom(_result(tags, rules.seats))
    tags.close()
    record.actions.extend(_actions(rules, words, check))
    return record


class _Tags:
    """The header; every tag is taken once, and `close` refuses what nobody took."""

    def __init__(self, tags: dict[str, str]) -> None:
        self._tags = tags

    def has(self, name: str) -> bool:
        return name in self._tags

    def take(self, name: str) -> str | None:
        return self._tags.pop(name, None)

    def need(self, name: str) -> str:
        value = self.take(name)
        if value is None:
            raise _bad(name, "the tag is missing")
        return value

    def number(self, name: str, most: int = 2**32 - 1, least: int = 0) -> int:
        return _number(self.need(name), name, most, least)

    def under(self, prefix: str) -> list[str]:
        return [name for name in self._tags if name.startswith(prefix)]

    def close(self) -> None:
        if self._tags:
            raise BadInput([Violation(name, "unknown tag") for name in self._tags])


def _split(text: str) -> tuple[_Tags, list[str]]:
    tags: dict[str, str] = {}
    lines = text.splitlines()
    at = 0
    while at < len(lines) and lines[at].startswith("["):
        found = _TAG.fullmatch(lines[at].rstrip())
        try:
            value = json.loads(found[2]) if found else None
        except ValueError:
            value = None
        if found is None or value is None:
            raise _bad(f"line {at + 1}", "is no header tag")
        if found[1] in tags:
            raise _bad(found[1], "the tag is there twice")
        tags[found[1]] = value
        if len(tags) > MAX_TAGS:
            raise _bad("", f"must have at most {MAX_TAGS} tags")
        at += 1
    return _Tags(tags), " ".join(lines[at:]).split()


def _number(text: str, field: str, most: int, least: int = 0) -> int:
    if not re.fullmatch(r"-?\d{1,20}", text) or not least <= int(text) <= most:
        raise _bad(field, f"must be a number of {least} to {most}")
    return int(text)


def _options(game: Game, tags: _Tags) -> dict[str, OptionValue]:
    values: dict[str, OptionValue] = {}
    for spec in game.edition.OPTIONS:
        name = f"Option.{spec.name}"
        text = tags.need(name)
        if spec.kind == "bool":
            if text not in ("true", "false"):
                raise _bad(name, "must be true or false")
            values[spec.name] = text == "true"
        elif spec.kind == "int":
            values[spec.name] = _number(text, name, 2**31 - 1, -(2**31))
        else:
            values[spec.name] = text
    return values


def _player(tags: _Tags, base: str) -> pb.Player:
    player = pb.Player(name=tags.need(base), kind=tags.take(f"{base}.Kind") or "")
    prefix = f"{base}.Option."
    for name in tags.under(prefix):
        value = tags.number(name, 2**63 - 1, -(2**63))
        player.options.add(name=name.removeprefix(prefix), value=value)
    return player


def _result(tags: _Tags, seats: int) -> pb.Result:
    name = _ENDING + tags.need("Ending")
    if name not in pb.Ending.DESCRIPTOR.values_by_name:
        raise _bad("Ending", "unknown ending")
    result = pb.Result(ending=name, reason=tags.need("Reason"))
    result.scores.extend(_numbers(tags, "Scores", seats, 2**31 - 1, -(2**31)))
    result.placements.extend(_numbers(tags, "Placements", seats, 2**32 - 1))
    result.teams.extend(_numbers(tags, "Teams", seats, 2**32 - 1))
    if tags.has("Offender"):
        result.offender = tags.number("Offender")
    return result


def _numbers(tags: _Tags, field: str, seats: int, most: int, least: int = 0) -> list[int]:
    words = tags.need(field).split()
    if len(words) > seats:
        raise _bad(field, f"must be at most {seats} numbers, one a seat")
    return [_number(word, field, most, least) for word in words]


def _actions(rules: Rules, words: list[str], check: Check) -> Iterator[envelope_pb2.Action]:
    if len(words) % 2 or len(words) > 2 * MAX_ACTIONS:
        raise _bad("moves", f"must be pairs of a number and a token, at most {MAX_ACTIONS}")
    notation = envelope.game_of(rules).notation
    for ply, (number, token) in enumerate(polled(zip(words[::2], words[1::2], strict=True), check), 1):
        found = _TOKEN.fullmatch(token)
        if number != f"{ply}." or found is None:
            raise _bad(f"move {ply}", f"must be {ply}. and <seat or *>:<move>")
        sender = CHANCE if found["sender"] == "*" else int(found["sender"])
        if sender >= rules.seats:
            raise _bad(f"move {ply}", f"there is no seat {sender}")
        if found["move"] == HIDDEN:
            action = envelope_pb2.Action()
            if sender == CHANCE:
                action.chance.SetInParent()
            else:
                action.seat = sender
            yield action
            continue
        try:
            yield envelope.write_action(rules, notation.parse(rules, found["move"]), sender)
        except BadInput as error:
            raise BadInput([Violation(f"move {ply}", v.sentence, v.id) for v in error.violations]) from error


def _bad(field: str, sentence: str) -> BadInput:
    return BadInput([Violation(field, sentence)])
