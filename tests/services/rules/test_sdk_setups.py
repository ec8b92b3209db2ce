"""What GetGame tells about a game's options is what the Python client takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor as Field
from papamu import sdk
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb

from engines import envelope
from engines.registry import SLUGS


@pytest.fixture(scope="module")
def client(running: Any) -> Iterator[sdk.Client]:
    with sdk.Client(str(running.server.address)) as made:
        yield made


def choices(option: pb.OptionInfo, default: str) -> list[Any]:
    """Values of an option as GetGame tells them."""
    return {
        "bool": [True, False],
        "int": [option.low, option.high],
        "enum": list(option.choices),
        "text": [default],
    }[option.kind]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_choice_that_a_game_tells_is_taken(client: sdk.Client, slug: str) -> None:
    told = client.game(slug)
    for option in told.options:
        for choice in choices(option, told.editions[0].defaults[option.name]):
            made = taken(client, slug, told.summary.seats, {option.name: choice})
            assert envelope.read_setup(made.position.setup).options[option.name] == choice
            if option.kind == "enum":
                label = getattr(made.position.setup, slug).DESCRIPTOR.fields_by_name[option.name]
                number = getattr(getattr(made.position.setup, slug), option.name)
                whole = label.enum_type.values_by_number[number].name
                assert whole.endswith(f"_{choice.upper()}")
                assert taken(client, slug, told.summary.seats, {option.name: whole}) == made


def taken(client: sdk.Client, slug: str, seats: Any, options: dict[str, Any]) -> pb.NewGameResponse:
    """The game with as few seats as the options go with."""
    refused = None
    for number in seats:
        try:
            return client.new_game(slug, options, seats=number)
        except sdk.InvalidInput as error:
            assert all(fault.field == "setup.seats" for fault in error.fields), error
            refused = error
    raise AssertionError(f"no number of seats goes with {options}") from refused


@pytest.mark.parametrize("slug", SLUGS)
def test_what_no_game_tells_is_refused_with_what_there_is(client: sdk.Client, slug: str) -> None:
    fields = env.Setup.DESCRIPTOR.fields_by_name[slug].message_type.fields
    with pytest.raises(sdk.InvalidInput, match=", ".join(field.name for field in fields)) as unknown:
        client.new_game(slug, {"nothing": 1})
    assert [fault.field for fault in unknown.value.fields] == [f"setup.{slug}"]
    for option in client.game(slug).options:
        field = env.Setup.DESCRIPTOR.fields_by_name[slug].message_type.fields_by_name[option.name]
        wrong: Any = "nothing" if field.type == Field.TYPE_ENUM else object()
        with pytest.raises(sdk.InvalidInput) as caught:
            client.new_game(slug, {option.name: wrong})
        assert [fault.field for fault in caught.value.fields] == [f"setup.{slug}.{option.name}"]
        assert all(choice.upper() in str(caught.value) for choice in option.choices)


def test_an_unknown_game_and_odd_seats_are_refused_before_they_are_sent(client: sdk.Client) -> None:
    with pytest.raises(sdk.InvalidInput, match=", ".join(SLUGS)):
        client.play("chess")
    for odd in ({"seats": -1}, {"seats": "two"}, {"edition": 7}):
        with pytest.raises(sdk.InvalidInput) as caught:
            client.new_game("tiki", **odd)  # type: ignore[arg-type]
        assert caught.value.fields[0].field == f"setup.{next(iter(odd))}"
