"""Messages that no honest client sends, from a seed: the same seed makes the same messages.

It begins with honest requests of games in play and spoils them: bytes cut, flipped and spliced; fields set to what no
field should hold; lists and texts grown beyond measure.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import Message
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest
from papamu.rules.v1 import rules_pb2 as pb

from engines import envelope, registry
from engines.core.constants import TERMINAL
from engines.core.state import Moves, State
from engines.record import record, results
from engines.record.forms import FORMS
from tests.support.walk import walk

Requests = Mapping[str, Sequence[Message]]
METHODS = ("NewGame", "ListLegalMoves", "ValidateMove", "ApplyMoves", "ScorePosition", "BatchValidate")
METHODS += ("ValidatePosition", "ObservePosition", "ExplainRule", "VerifyRecord", "GetGame", "ListGames")

REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"

NUMBERS = (0, 1, 2, 7, 99, 255, 256, 4097, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1, -1, -(2**31), -(2**63))
TEXTS = (
    "",
    "\x00",
    "x" * 5000,
    "\U0001f5ff" * 300,
    "'; drop table games; --",
    "%s%n{0}{self}",
    "\u202e",
    "../" * 40,
    "1,M,1/X",
)
LENGTHS = (0, 1, 2, 3, 100, 3000)
ODD_JSON = (
    json.dumps({"gameId": "x", "event": "\ud800"}),
    json.dumps({"\ud800": 1}),
    json.dumps({"players": [{"\udfff": 1}]}),
    json.dumps({"result": {"ending": "\ud800"}}),
    json.dumps({"actions": [{"seat": 1, "move": {"tiki": {"\ud800": {}}}}]}),
    '{"setup":{"seats":1e400}}',
    '{"rulesVersion":' + "9" * 5000 + "}",
    '{"chanceSeed":"' + "9" * 5000 + '"}',
    '{"actions":{}}',
    '{"actions":[[]]}',
    '{"setup":7}',
    '{"[x]":1,"@type":"x"}',
    '{"players":' + "[" * 5000,
    '{"a":' * 10_000,
)
"""Each makes protobuf's reader of JSON, or Python's, fail in another way."""


def positions(slug: str, seed: int, plies: int = 60) -> Iterator[State]:
    """The states of a random game, of at most so many plies."""
    return walk(envelope.read_rules(pb.NewGameRequest(setup={slug: {}}).setup), seed, plies)


def a_record(slug: str) -> Any:
    """The record of a game that was stopped early, if it did not end before."""
    states = list(positions(slug, 5))
    rules = states[0].rules
    made = []
    for before, after in pairwise(states):
        moves = Moves()
        before.legal(moves)
        for code in moves.to_list():
            tried = before.clone()
            tried.play(code)
            if tried.key() == after.key():
                made.append((code, before.actor))
                break
    players = [record.player(f"p{i}", "random") for i in range(rules.seats)]
    last = states[-1]
    result = results.normal(last) if last.actor == TERMINAL else results.adjudicated(last, "STOPPED")
    return record.new_record("hostile-1", rules, players, made, result)


@cache
def honest() -> dict[str, list[Message]]:
    """Requests by method, as a client in good faith sends them."""
    found: dict[str, list[Message]] = {method: [] for method in METHODS}
    for slug in registry.SLUGS:
        found["NewGame"].append(pb.NewGameRequest(setup={slug: {}}, seed=3))
        found["GetGame"].append(pb.GetGameRequest(game=slug))
        found["ExplainRule"].append(pb.ExplainRuleRequest(id=registry.game(slug).explain.RULES[0].id))
        for form, key in (("protobuf", "pb"), ("pgr", "pgr"), ("json", "json")):
            data = FORMS[key].write(a_record(slug))
            found["VerifyRecord"].append(pb.VerifyRecordRequest(**{form: data if key == "pb" else data.decode()}))
        for state in list(positions(slug, 1))[::6]:
            _about(state, found)
    found["ListGames"].append(pb.ListGamesRequest())
    return found


@cache
def honest_streams() -> dict[str, list[Message]]:
    """Requests by method or path, as a client in good faith sends them where many answers come."""
    names = ("papamu.rules.v1.RulesService", "papamu.tiki.v1.State", "no.such.Thing")
    asked: list[Message] = [ServerReflectionRequest(list_services="*")]
    asked += [ServerReflectionRequest(file_containing_symbol=name) for name in names]
    asked.append(ServerReflectionRequest(file_by_filename="papamu/rules/v1/rules.proto"))
    found: dict[str, list[Message]] = {REFLECTION: asked, "AnalyzePosition": []}
    for slug in registry.SLUGS:
        for state in [state for state in positions(slug, 1) if state.actor >= 0][::20]:
            for method in ("mcts", "greedy"):
                about = pb.AnalyzePositionRequest(position=envelope.write_position(state), method=method)
                about.simulations = 20
                found["AnalyzePosition"].append(about)
    return found


def _about(state: State, found: dict[str, list[Message]]) -> None:
    position = envelope.write_position(state)
    words = envelope.lexicon(state.rules)
    moves = Moves()
    state.legal(moves)
    some = [move for move in words.moves if move is not None][:: max(len(words.moves) // 5, 1)]
    actions = [envelope.write_action(state.rules, move, -3) for move in some]
    if len(moves):
        actions.append(envelope.write_action(state.rules, words.moves[moves.to_list()[0]], state.actor))
    found["ListLegalMoves"].append(pb.ListLegalMovesRequest(position=position))
    if state.actor >= 0:
        seen = envelope.write_observation(state.observe(state.actor))
        found["ListLegalMoves"].append(pb.ListLegalMovesRequest(observation=seen))
        found["ValidateMove"].append(pb.ValidateMoveRequest(observation=seen, action=actions[-1]))
    found["ValidateMove"] += [pb.ValidateMoveRequest(position=position, action=action) for action in actions]
    found["ApplyMoves"].append(pb.ApplyMovesRequest(position=position, actions=actions[-1:], chance={"seed": 1}))
    found["ScorePosition"].append(pb.ScorePositionRequest(position=position))
    found["ValidatePosition"].append(pb.ValidatePositionRequest(position=position))
    found["ObservePosition"].append(pb.ObservePositionRequest(position=position, viewer=0))
    found["BatchValidate"].append(pb.BatchValidateRequest(requests=found["ValidateMove"][-4:]))  # type: ignore[arg-type]


def messages(seed: int, count: int, requests: Requests | None = None) -> Iterator[tuple[str, bytes]]:
    """`count` pairs of method and request bytes: honest ones by method (of the rules service), spoiled."""
    rng = random.Random(seed)
    requests = requests or honest()
    methods = list(requests)
    for _ in range(count):
        method = rng.choice(methods)
        message = rng.choice(requests[method])
        spoil = rng.choices((_fields, _flipped, _cut, _spliced, _noise, _nested, _texts), (12, 3, 2, 2, 1, 1, 1))[0]
        if spoil is _spliced:
            yield method, _spliced(rng, message, rng.choice(requests[rng.choice(methods)]))
        else:
            yield method, spoil(rng, message)


def _fields(rng: random.Random, message: Message) -> bytes:
    """One to four fields somewhere in the message hold what they should not."""
    changed = type(message)()
    changed.CopyFrom(message)
    for _ in range(rng.randint(1, 4)):
        _spoil_field(rng, changed)
    return changed.SerializeToString()


def _spoil_field(rng: random.Random, message: Message) -> None:
    while True:
        inside = [(f, v) for f, v in message.ListFields() if f.type == Field.TYPE_MESSAGE]
        if not inside or rng.random() < 0.15:
            break
        field, value = rng.choice(inside)
        message = value if isinstance(value, Message) else rng.choice(list(value) or [message])
    if not message.DESCRIPTOR.fields:
        return
    field = rng.choice(message.DESCRIPTOR.fields)
    if rng.random() < 0.2:
        message.ClearField(field.name)
        return
    is_list = hasattr(getattr(message, field.name), "append") or hasattr(getattr(message, field.name), "add")
    try:
        if is_list:
            _spoil_list(rng, message, field)
        elif field.type == Field.TYPE_MESSAGE:
            getattr(message, field.name).SetInParent()
        else:
            setattr(message, field.name, _value(rng, field))
    except (ValueError, TypeError, AttributeError):  # the number does not fit the field: left as it was
        return


def _spoil_list(rng: random.Random, message: Message, field: Any) -> None:
    entries = getattr(message, field.name)
    length = rng.choice(LENGTHS)
    if length == 0:
        message.ClearField(field.name)
    elif field.type == Field.TYPE_MESSAGE:
        for _ in range(min(length, 300)):
            entries.add().CopyFrom(entries[0]) if len(entries) > 1 else entries.add()
    else:
        entries.extend([_value(rng, field)] * length)


def _value(rng: random.Random, field: Any) -> Any:
    if field.type == Field.TYPE_STRING:
        return rng.choice(TEXTS)
    if field.type == Field.TYPE_BYTES:
        return rng.randbytes(rng.choice(LENGTHS))
    if field.type == Field.TYPE_BOOL:
        return rng.random() < 0.5
    return rng.choice(NUMBERS)


def _flipped(rng: random.Random, message: Message) -> bytes:
    data = bytearray(message.SerializeToString() or b"\x00")
    for _ in range(rng.randint(1, 8)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _cut(rng: random.Random, message: Message) -> bytes:
    data = message.SerializeToString()
    return data[: rng.randrange(len(data) + 1)]


def _spliced(rng: random.Random, message: Message, stranger: Message) -> bytes:
    one, other = message.SerializeToString(), stranger.SerializeToString()
    return one[: rng.randrange(len(one) + 1)] + other[rng.randrange(len(other) + 1) :]


def _noise(rng: random.Random, message: Message) -> bytes:
    return rng.randbytes(rng.choice((0, 1, 2, 10, 100, 1000)))


def _nested(rng: random.Random, message: Message) -> bytes:
    """A field in a field in a field, far deeper than any parser should follow."""
    data = b""
    number = rng.choice((1, 2, 3, 10, 11))
    for _ in range(rng.choice((50, 120, 400))):
        size = len(data)
        length = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
        data = bytes([number << 3 | 2]) + length + data
    return data


def _texts(rng: random.Random, message: Message) -> bytes:
    """Texts for the forms of records, and bytes that are no UTF-8."""
    made: Callable[[], Any] = rng.choice(
        (
            lambda: pb.VerifyRecordRequest(json="[" * rng.choice((10, 10_000))),
            lambda: pb.VerifyRecordRequest(json=rng.choice(ODD_JSON)),
            lambda: pb.VerifyRecordRequest(json=rng.choice(ODD_JSON)),
            lambda: pb.VerifyRecordRequest(pgr='[Game "tiki"]\n' * rng.choice((1, 500)) + "1. " * 200),
            lambda: pb.VerifyRecordRequest(pgr="9" * 5000),
        )
    )
    if rng.random() < 0.2:
        return b"\x0a\x03\xed\xa0\x80"  # a lone surrogate, as some programs write it
    return bytes(made().SerializeToString())
