"""Hawaii messages of the contract (`papamu.hawaii.v1`) to and from the engine's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papamu.hawaii.v1 import hawaii_pb2 as pb

from engines.core.game import BadInput, OptionValue, Setup, Violation
from engines.core.state import Rules
from engines.hawaii import invariants
from engines.hawaii.facts import DOCKS, NONE, SOURCES
from engines.hawaii.moves import (
    Buy,
    Collect,
    DrawArea,
    DrawIsland,
    DrawToken,
    Fish,
    HawaiiMove,
    Pass,
    Pay,
    Place,
    Return,
    Sail,
    TakeFish,
    TakeTile,
    Walk,
)
from engines.hawaii.notation import MOST_AMOUNT, MOST_BOATS
from engines.hawaii.observe import HawaiiObservation, visible
from engines.hawaii.rules import Hawaii, load
from engines.hawaii.snapshot import Purse, Snapshot
from engines.hawaii.tables import HawaiiRules
from engines.hawaii.wire_table import (
    MOST,
    bad,
    index_of,
    read_table,
    read_token,
    within,
    write_fleet,
    write_table,
    write_token,
)

_ENUMS: dict[str, dict[int, str]] = {
    "beach_return": {pb.BEACH_RETURN_PATH: "path", pb.BEACH_RETURN_TURN: "turn", pb.BEACH_RETURN_OFF: "off"},
    "exchange_scope": {pb.EXCHANGE_SCOPE_TURN: "turn", pb.EXCHANGE_SCOPE_PAYMENT: "payment"},
    "laka_scope": {pb.LAKA_SCOPE_VALID: "valid", pb.LAKA_SCOPE_ALL: "all"},
    "tie_break": {pb.TIE_BREAK_RESOURCES: "resources", pb.TIE_BREAK_NONE: "none"},
}
_FLAGS = ("row_skip", "limit_equal_stays", "open_hands", "open_scores")


# -- options ----------------------------------------------------------------------------------------------------------


def write_options(setup: Setup) -> pb.Options:
    """All options of a setup."""
    message = pb.Options()
    for name in _FLAGS:
        setattr(message, name, bool(setup.options[name]))
    for name, names in _ENUMS.items():
        setattr(message, name, next(number for number, word in names.items() if word == setup.options[name]))
    return message


def read_options(message: pb.Options) -> dict[str, OptionValue]:
    """The options that are set. Raises BadInput on an unknown enum number."""
    given: dict[str, OptionValue] = {name: getattr(message, name) for name in _FLAGS if message.HasField(name)}
    for name, names in _ENUMS.items():
        number = getattr(message, name)
        if number != 0:
            if number not in names:
                raise bad(name, f"unknown number {number}", "hawaii.option.range")
            given[name] = names[number]
    return given


# -- moves ------------------------------------------------------------------------------------------------------------


def write_move(rules: Rules, move: HawaiiMove) -> pb.Move:
    """The message of a well-formed move."""
    assert isinstance(rules, HawaiiRules)
    message = pb.Move()
    match move:
        case Walk(area):
            message.walk.area = rules.areas[area]
        case Fish(start, level1, level2, feet):
            message.fish.CopyFrom(pb.Fish(boats=write_fleet((start, level1, level2)), feet=feet))
        case Sail(dock, start, level1, level2):
            message.sail.CopyFrom(pb.Sail(dock=dock, boats=write_fleet((start, level1, level2))))
        case Pass(spot):
            getattr(message, "pass").spot = spot  # a Python keyword
        case Return():
            getattr(message, "return").SetInParent()
        case Pay(shells, feet, fruit):
            message.pay.CopyFrom(pb.Amounts(shells=shells, feet=feet, fruit=fruit))
        case Buy(kind, level, token):
            message.buy.CopyFrom(pb.Buy(kind=rules.kinds[kind], level=level, token=write_token(rules, token)))
        case Place(village):
            message.place.village = village
        case TakeFish(fish):
            message.take_fish.CopyFrom(pb.TakeFish(fish=fish))
        case TakeTile(kind):
            message.take_tile.kind = rules.kinds[kind]
        case Collect(shells, feet, fruit):
            message.collect.CopyFrom(pb.Amounts(shells=shells, feet=feet, fruit=fruit))
        case DrawArea(area):
            message.draw_area.area = rules.areas[area]
        case DrawIsland(island):
            message.draw_island.island = rules.islands[island]
        case DrawToken(token):
            message.draw_token.token.CopyFrom(write_token(rules, token))
    return message


def _read_amounts(message: pb.Amounts, field: str) -> tuple[int, int, int]:
    return (
        within(message.shells, 0, MOST_AMOUNT, f"{field}.shells"),
        within(message.feet, 0, MOST_AMOUNT, f"{field}.feet"),
        within(message.fruit, 0, MOST_AMOUNT, f"{field}.fruit"),
    )


def _read_boats(message: pb.Fleet, field: str) -> tuple[int, int, int]:
    return (
        within(message.start, 0, 1, f"{field}.start"),
        within(message.level_1, 0, MOST_BOATS, f"{field}.level_1"),
        within(message.level_2, 0, MOST_BOATS, f"{field}.level_2"),
    )


def read_move(rules: Rules, message: pb.Move) -> HawaiiMove:
    """The typed move. Raises BadInput for what is malformed: nothing set, or a number or name of nothing there is."""
    assert isinstance(rules, HawaiiRules)
    kind = message.WhichOneof("kind")
    if kind is None:
        raise bad("", "no move is set")
    part = getattr(message, kind)
    sold = rules.kinds[: rules.n_kinds]
    match kind:
        case "walk":
            return Walk(index_of(rules.areas, part.area, "walk.area"))
        case "fish":
            return Fish(*_read_boats(part.boats, "fish.boats"), within(part.feet, 0, MOST_AMOUNT, "fish.feet"))
        case "sail":
            return Sail(within(part.dock, 1, DOCKS, "sail.dock"), *_read_boats(part.boats, "sail.boats"))
        case "pass":
            return Pass(within(part.spot, 1, MOST_AMOUNT, "pass.spot"))
        case "return":
            return Return()
        case "pay":
            return Pay(*_read_amounts(part, "pay"))
        case "buy":
            level = within(part.level, 0, MOST_AMOUNT, "buy.level")
            return Buy(index_of(sold, part.kind, "buy.kind"), level, read_token(rules, part.token, "buy.token"))
        case "place":
            return Place(within(part.village, 1, rules.n_villages, "place.village"))
        case "take_fish":
            return TakeFish(within(part.fish, 0, MOST_AMOUNT, "take_fish.fish"))
        case "take_tile":
            return TakeTile(index_of(sold, part.kind, "take_tile.kind"))
        case "collect":
            return Collect(*_read_amounts(part, "collect"))
        case "draw_area":
            return DrawArea(index_of(rules.areas, part.area, "draw_area.area"))
        case "draw_island":
            return DrawIsland(index_of(rules.islands, part.island, "draw_island.island"))
        case _:
            return DrawToken(read_token(rules, part.token, "draw_token.token"))


# -- states and views -------------------------------------------------------------------------------------------------


def _write_points(points: Sequence[int]) -> pb.Points:
    return pb.Points(**dict(zip(SOURCES, points, strict=True)))


def _write_goods(purse: Purse) -> pb.Amounts:
    return pb.Amounts(shells=purse.shells, feet=purse.feet, fruit=purse.fruit)


def _read_points(m: pb.Points) -> tuple[int, ...]:
    return tuple(getattr(m, source) for source in SOURCES)


def write_state(state: Hawaii) -> pb.State:
    """The message of a state."""
    s = state.snapshot()
    return pb.State(
        table=write_table(state.rules, s.table),
        purses=[pb.Purse(points=_write_points(purse.points), goods=_write_goods(purse)) for purse in s.purses],
    )


def read_state(rules: Rules, message: pb.State) -> Hawaii:
    """The state. Raises BadInput: malformed fields, or every broken invariant."""
    assert isinstance(rules, HawaiiRules)
    purses = tuple(
        Purse(_read_points(m.points), m.goods.shells, m.goods.feet, m.goods.fruit) for m in message.purses[:MOST]
    )
    table = read_table(rules, message.table)
    try:
        return load(rules, Snapshot(table, purses))
    except BadInput as error:
        raise _on_the_wire(error) from error


def write_view(observation: HawaiiObservation) -> pb.View:
    """The message of an observation."""
    rules, t = observation.rules, observation.table
    purses = []
    for seat, purse in enumerate(observation.purses):
        points, goods = visible(rules, t, observation.viewer, seat)
        purses.append(
            pb.ViewedPurse(
                points=_write_points(purse.points) if points else None, goods=_write_goods(purse) if goods else None
            )
        )
    return pb.View(table=write_table(rules, t), purses=purses)


def read_view(rules: Rules, viewer: int, message: pb.View) -> HawaiiObservation:
    """The observation. Raises BadInput, also where something is shown that the viewer does not see, or the reverse."""
    assert isinstance(rules, HawaiiRules)
    within(viewer, 0, rules.seats - 1, "viewer")
    table = read_table(rules, message.table)
    purses = []
    for seat, m in enumerate(message.purses[: rules.seats + 1]):
        sees = dict(zip(("points", "goods"), visible(rules, table, viewer, seat), strict=True))
        for field, shown in sees.items():
            if m.HasField(field) != shown:
                raise bad(f"purses[{seat}].{field}", f"seat {viewer} {'sees' if shown else 'does not see'} this")
        points = _read_points(m.points) if sees["points"] else (NONE,) * len(SOURCES)
        goods = (m.goods.shells, m.goods.feet, m.goods.fruit) if sees["goods"] else (NONE, NONE, NONE)
        purses.append(Purse(points, *goods))
    violations = invariants.check_view(rules, table, purses)
    if violations:
        raise _on_the_wire(BadInput(violations))
    return HawaiiObservation(rules, viewer, table, tuple(purses))


_PATHS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^(?!purses)", "table."),
        (r"^table\.(bag|bay|stock|lost)\[\d+\]", r"table.\1"),  # the messages list only what is there
        (r"^table\.board(\[\d+\])", r"table.places\1.area"),
        (r"^table\.board", "table.places"),
        (r"^table\.area_tokens(\[\d+\])", r"table.places\1.tokens"),
        (r"^table\.area_tokens", "table.places"),
        (r"^table\.spot_(token|seat)s(\[\d+\])", r"table.spots\2.\1"),
        (r"^table\.spot_(token|seat)s", "table.spots"),
        (r"\.used\[0\]", ".used.start"),
        (r"\.used\[(\d)\]", r".used.level_\1"),
        (r"\.boats\[0\]", ".boats_1"),
        (r"\.boats\[1\]", ".boats_2"),
        (r"(purses\[\d+\])\.(shells|feet|fruit)", r"\1.goods.\2"),
    )
)
"""From fields of the snapshot to those of the messages, applied in turn."""


def _on_the_wire(error: BadInput) -> BadInput:
    """The same violations with the field paths of the messages."""
    return BadInput([Violation(_path(v.field), v.sentence, v.id) for v in error.violations])


def _path(field: str) -> str:
    for pattern, replacement in _PATHS:
        field = pattern.sub(replacement, field)
    return re.sub(r"(purses\[\d+\]\.points)\[(\d)\]", lambda m: f"{m[1]}.{SOURCES[int(m[2])]}", field)
