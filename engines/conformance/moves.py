"""Checks of moves: the vocabulary, its three spellings, and why a move is refused."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from engines.conformance.walk import Subject, Visit, sampled, visits
from engines.core.constants import CHANCE
from engines.core.game import BadInput, Game
from engines.core.state import IllegalMove, Rules, State


def vocabulary(subject: Subject) -> Iterator[str]:
    """Code, text token and message are one to one on the whole vocabulary."""
    game = subject.game
    for i in range(len(game.facts.seats) + 1):
        rules = subject.rules(i)
        tokens: dict[str, int] = {}
        messages: dict[bytes, int] = {}
        for code, move in enumerate(game.moves.vocabulary(rules)):
            if move is None:
                continue
            if game.moves.encode(rules, move) != code:
                yield f"code {code}: {move} encodes to {game.moves.encode(rules, move)}"
            token = game.notation.token(rules, move)
            if tokens.setdefault(token, code) != code:
                yield f"code {code}: the token {token} stands for code {tokens[token]} too"
            if game.notation.parse(rules, token) != move:
                yield f"code {code}: the token {token} reads as {game.notation.parse(rules, token)}"
            if game.wire is None:
                continue
            message = game.wire.write_move(rules, move)
            data = message.SerializeToString(deterministic=True)
            if messages.setdefault(data, code) != code:
                yield f"code {code}: the message stands for code {messages[data]} too"
            if game.wire.read_move(rules, type(message).FromString(data)) != move:
                yield f"code {code}: the message reads as another move"
            if i == 0 and json_format.Parse(json_format.MessageToJson(message), type(message)()) != message:
                yield f"code {code}: the JSON reads as another message"


def explain_agrees(subject: Subject) -> Iterator[str]:
    """Over the whole vocabulary `explain` is empty exactly for legal moves of the actor, and its ids are published."""
    game = subject.game
    known = {rule.id: rule.kind for rule in game.explain.RULES}
    explain = game.explain.explain
    effort = subject.effort
    wanted = effort.games * effort.positions * len(game.moves.vocabulary(subject.rules(0)))
    every = -(-wanted // effort.explanations)
    for number, visit in enumerate(sampled(subject, "explain")):
        if number % every:
            continue
        legal = set(visit.codes)
        actor = visit.state.actor
        other = CHANCE if actor >= 0 else 0
        for code, move in enumerate(game.moves.vocabulary(visit.state.rules)):
            if move is None:
                continue
            reasons = explain(visit.state, move, max(actor, CHANCE))
            if (not reasons) != (code in legal):
                token = game.notation.token(visit.state.rules, move)
                yield f"{_at(visit)}: {token} is {'' if code in legal else 'not '}legal, reasons: {reasons}"
            for reason in reasons:
                if known.get(reason.id) != reason.kind:
                    yield f"{_at(visit)}: {reason.id} of kind {reason.kind} is not published"
                elif not reason.sentence or not _resolves(subject, move, visit.state.rules, reason.field):
                    yield f"{_at(visit)}: {reason.id} needs a sentence and a field that exists, not {reason.field!r}"
            if code % 7 == visit.ply % 7 and not explain(visit.state, move, other):
                yield f"{_at(visit)}: code {code} sent by {other} has no reason although the actor is {actor}"


def _resolves(subject: Subject, move: Any, rules: Rules, path: str) -> bool:
    """Whether a field path of an action, as `move.tiki.create.village`, exists in the message of the move."""
    if path in ("", "sender"):
        return True
    head, slug, *parts = path.split(".")
    if (head, slug) != ("move", subject.game.facts.slug):
        return False
    if subject.game.wire is None:
        return True
    descriptor: Any = subject.game.wire.write_move(rules, move).DESCRIPTOR
    for part in parts:
        field = descriptor.fields_by_name.get(part.split("[")[0]) if descriptor else None
        if field is None:
            return False
        descriptor = field.message_type
    return True


def refused_moves_change_nothing(subject: Subject) -> Iterator[str]:
    """`play` refuses what is not legal, and the state stays as it was."""
    random = subject.random("refused")
    for visit in sampled(subject, "refused"):
        size = len(subject.game.moves.vocabulary(visit.state.rules))
        before = visit.state.key()
        wrong = [*random.sample(range(size), min(size, 30)), -1, size, 1 << 30]
        tries = [(code, visit.state.actor) for code in wrong if code not in visit.codes]
        tries += [(code, visit.state.actor + 1) for code in visit.codes[:1]]
        for code, sender in tries:
            try:
                visit.state.play(code, sender)
            except IllegalMove:
                continue
            yield f"{_at(visit)}: play took code {code} of sender {sender}"
        if visit.state.key() != before:
            yield f"{_at(visit)}: a refused move changed the state"


def outside_the_vocabulary(subject: Subject) -> Iterator[str]:
    """Well-formed moves without a code are never legal: `explain` always finds a reason."""
    game, random = subject.game, subject.random("outside")
    if game.wire is None:
        return
    for i in range(len(game.facts.seats)):
        rules = subject.rules(i)
        pool = ValuePool(game.wire, rules, game.moves.vocabulary(rules))
        for visit in visits(subject.start(i), random, subject.effort.positions * 4):
            for _ in range(20):
                try:
                    move = game.wire.read_move(rules, pool.message(random))
                except BadInput:
                    continue
                token = game.notation.token(rules, move)
                if game.notation.parse(rules, token) != move:
                    yield f"{_at(visit)}: the token {token} of a well-formed move reads as another"
                code = game.moves.encode(rules, move)
                actor = visit.state.actor
                reasons = game.explain.explain(visit.state, move, max(actor, CHANCE))
                if (code is None or code not in visit.codes) and not reasons:
                    yield f"{_at(visit)}: {token} is no legal move, but has no reason"


class ValuePool:
    """Makes move messages by mixing field values that occur in the vocabulary, with a few beyond them."""

    def __init__(self, wire: Any, rules: Rules, vocabulary: Any) -> None:
        self._values: dict[str, list[Any]] = {}
        self._kinds: list[str] = []
        messages = [wire.write_move(rules, move) for move in vocabulary if move is not None]
        self._type = type(messages[0])
        for message in messages:
            kind = message.WhichOneof("kind")
            if kind not in self._kinds:
                self._kinds.append(kind)
            self._collect(getattr(message, kind), kind)

    def _collect(self, message: Message, path: str) -> None:
        for field in message.DESCRIPTOR.fields:
            value = getattr(message, field.name)
            name = f"{path}.{field.name}"
            if field.is_repeated:
                self._put(f"{name}#", len(value))
                for item in value:
                    self._item(field, item, name)
            elif not field.has_presence or message.HasField(field.name):
                self._item(field, value, name)
                self._put(f"{name}?", True)
            else:
                self._put(f"{name}?", False)

    def _item(self, field: Any, value: Any, name: str) -> None:
        if field.message_type is not None:
            self._collect(value, name)
        else:
            self._put(name, value)

    def _put(self, name: str, value: Any) -> None:
        values = self._values.setdefault(name, [])
        if value not in values:
            values.append(value)

    def message(self, random: Random) -> Message:
        """A move message; perhaps well-formed, seldom in the vocabulary."""
        message: Message = self._type()
        kind = random.choice(self._kinds)
        part = getattr(message, kind)
        part.SetInParent()
        self._fill(part, kind, random)
        return message

    def _fill(self, message: Message, path: str, random: Random) -> None:
        for field in message.DESCRIPTOR.fields:
            name = f"{path}.{field.name}"
            if field.is_repeated:
                for _ in range(random.choice(self._values.get(f"{name}#", [0]))):
                    if field.message_type is not None:
                        self._fill(getattr(message, field.name).add(), name, random)
                    else:
                        getattr(message, field.name).append(self._value(field, name, random))
            elif random.choice(self._values.get(f"{name}?", [False])):
                if field.message_type is not None:
                    getattr(message, field.name).SetInParent()
                    self._fill(getattr(message, field.name), name, random)
                else:
                    setattr(message, field.name, self._value(field, name, random))

    def _value(self, field: Any, name: str, random: Random) -> Any:
        values = self._values.get(name, [0])
        if field.cpp_type == FieldDescriptor.CPPTYPE_UINT32 and random.random() < 0.1:
            return max(values) + 1
        return random.choice(values)


def round_trips(subject: Subject) -> Iterator[str]:
    """A position survives snapshot, wire, JSON and text, and what comes after it is the same."""
    game = subject.game
    for visit in sampled(subject, "trips"):
        state = visit.state
        loaded = game.rules.load(state.rules, state.snapshot())
        for how, other in (("snapshot", loaded), *_wire_trips(game, state)):
            if other.key() != state.key() or other.position_key() != state.position_key():
                yield f"{_at(visit)}: another state after a round trip by {how}"
            if not _same_future(state, other, visit.ply):
                yield f"{_at(visit)}: the game goes on differently after a round trip by {how}"
        try:
            line = game.notation.write_position(state)
            back = game.notation.read_position(state.rules, line)
        except (ValueError, BadInput):  # phases without a text
            continue
        if game.notation.write_position(back) != line or back.position_key() != state.position_key():
            yield f"{_at(visit)}: another state after a round trip by text: {line}"


def _wire_trips(game: Game, state: State) -> Iterator[tuple[str, State]]:
    if game.wire is not None:
        message = game.wire.write_state(state)
        parsed = type(message).FromString(message.SerializeToString())
        yield "wire", game.wire.read_state(state.rules, parsed)
        parsed = json_format.Parse(json_format.MessageToJson(message), type(message)())
        yield "JSON", game.wire.read_state(state.rules, parsed)


def _same_future(one: State, other: State, salt: int) -> bool:
    ends = []
    for state in (one.clone(), other.clone()):
        trail = [(v.codes, v.state.key()) for v in visits(state, Random(salt), 40)]
        ends.append(trail)
    return ends[0] == ends[1]


def _at(visit: Visit) -> str:
    return f"{visit.state.rules.setup.key} ply {visit.ply}"


CHECKS = (vocabulary, explain_agrees, refused_moves_change_nothing, outside_the_vocabulary, round_trips)
