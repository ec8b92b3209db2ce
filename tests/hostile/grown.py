"""Requests that grow: one list or text of an honest request is as long as is asked, and texts that no client sends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import Message
from papamu.rules.v1 import rules_pb2 as pb

from engines.record.forms import FORMS
from engines.registry import SLUGS
from tests.hostile.corpus import a_record, honest

Place = tuple[str | int, ...]
Text = Callable[[int], str]


def requests(methods: tuple[str, ...]) -> Iterator[tuple[str, Place, Callable[[int], bytes]]]:
    """Of each list and text in an honest request of a method: method, place, and bytes by about how many they are."""
    seen = set()
    for method in methods:
        for request in honest()[method]:
            for place in _places(request):
                if (method, place) not in seen:
                    seen.add((method, place))
                    yield method, place, lambda size, r=request, p=place: _grow(r, p, size)  # type: ignore[misc]


def _places(message: Message, at: Place = ()) -> Iterator[Place]:
    for field in message.DESCRIPTOR.fields:
        here = (*at, field.name)
        value = getattr(message, field.name)
        if field.is_repeated:
            yield here
            if field.type == Field.TYPE_MESSAGE and len(value):
                yield from _places(value[0], (*here, 0))
        elif field.type == Field.TYPE_MESSAGE:
            if message.HasField(field.name):
                yield from _places(value, here)
        elif field.type in (Field.TYPE_STRING, Field.TYPE_BYTES):
            yield here


def _grow(request: Message, place: Place, size: int) -> bytes:
    """The request with what stands at a place repeated."""
    grown = type(request)()
    grown.CopyFrom(request)
    inside: Any = grown
    for part in place[:-1]:
        inside = inside[part] if isinstance(part, int) else getattr(inside, part)
    name = str(place[-1])
    field = inside.DESCRIPTOR.fields_by_name[name]
    value = getattr(inside, name)
    if field.is_repeated:
        if not len(value):
            value.add() if field.type == Field.TYPE_MESSAGE else value.append("1" if _is_text(field) else 1)
        one = value[0]
        each = one.ByteSize() + 2 if field.type == Field.TYPE_MESSAGE else len(one) + 2 if _is_text(field) else 1
        value.extend([one] * (size // each))
    else:
        one = value or ("1" if _is_text(field) else b"1")
        setattr(inside, name, (one * (size // len(one) + 1))[:size])
    return grown.SerializeToString()


def _is_text(field: Any) -> bool:
    return bool(field.type == Field.TYPE_STRING)


def _pgr(slug: str) -> tuple[str, str, str]:
    """Header, moves and first numbered move of a record's text."""
    head, _, moves = FORMS["pgr"].write(a_record(slug)).decode().partition("\n\n")
    return head, moves, " ".join(moves.split()[:2])


def _times(text: str, size: int) -> str:
    return text * (size // len(text))


def _numbered(form: str, size: int) -> str:
    """The form with ever higher numbers in it."""
    return "".join(form.format(i) for i in range(size // (len(form) + 4)))


def _pgr_texts(slug: str) -> Iterator[tuple[str, Text]]:
    head, moves, first = _pgr(slug)
    token = first.split()[1]
    nobody = "\n".join(line for line in head.split("\n") if not line.startswith("[Player."))
    yield "players", lambda n: nobody + "\n" + _numbered('[Player.{} ""]\n', n) + "\n" + moves
    yield "options", lambda n: head + "\n" + _numbered('[Player.0.Option.{} "1"]\n', n) + "\n" + moves
    yield "the same tag", lambda n: _times(head.split("\n")[0] + "\n", n)
    yield "a long tag", lambda n: '[Event "' + _times('\\"', n) + '"]\n' + head + "\n\n" + moves
    yield "scores", lambda n: head.replace('[Scores "', '[Scores "' + _times("1 ", n)) + "\n\n" + moves
    yield "empty lines", lambda n: head + _times("\n", n) + moves
    yield "moves", lambda n: head + "\n\n" + " ".join(f"{i}. {token}" for i in range(1, n // (len(token) + 7)))
    yield "a long token", lambda n: f"{head}\n\n1. {token}" + _times(token[-1], n)
    yield "a long number", lambda n: f"{head}\n\n" + _times("9", n) + f". {token}"


def _json_texts(slug: str) -> Iterator[tuple[str, Text]]:
    whole = json.loads(FORMS["json"].write(a_record(slug)))

    def put(text: str, **changed: Any) -> str:
        return json.dumps(whole | changed, separators=(",", ":")).replace('"HERE"', text)

    action = json.dumps(whole["actions"][0])
    yield "empty actions", lambda n: put(_times("{},", n) + "{}", actions=["HERE"])
    yield "actions", lambda n: put(_times(action + ",", n) + action, actions=["HERE"])
    yield "numbers", lambda n: put(_times("1,", n) + "1", result={"scores": ["HERE"]})
    yield "players", lambda n: put(_times('{"options":[{},{},{}]},', n) + "{}", players=["HERE"])
    yield "keys", lambda n: "{" + _numbered('"k{}":1,', n) + '"z":1}'
    yield "keys of an action", lambda n: put("{" + _numbered('"k{}":{{}},', n) + '"z":1}', actions=["HERE"])
    yield "depth", lambda n: _times('{"players":[', n)
    yield "brackets", lambda n: put(_times("[", n), players=["HERE"])
    yield "escapes", lambda n: put('"' + _times("\\u0041", n) + '"', event="HERE")
    yield "digits", lambda n: put(_times("9", n), rules_version="HERE")
    yield "digits in quotes", lambda n: put('"' + _times("9", n) + '"', chance_seed="HERE")
    yield "text for a number", lambda n: put('"' + _times("x", n) + '"', rules_version="HERE")
    yield "spaces", lambda n: _times(" ", n) + put("1", rules_version="HERE")


def texts() -> Iterator[tuple[str, str, Callable[[int], bytes]]]:
    """Records as text: form, what grows, and bytes by about how many they are."""
    for form, make, slugs in (("pgr", _pgr_texts, SLUGS), ("json", _json_texts, SLUGS[:1])):
        for slug in slugs:
            for name, text in make(slug):
                yield form, f"{slug}: {name}", lambda size, t=text: t(size).encode()  # type: ignore[misc]


def verify_request(form: str, data: bytes) -> bytes:
    """A call that brings such a text."""
    return pb.VerifyRecordRequest(**{form: data.decode()}).SerializeToString()  # type: ignore[arg-type]
