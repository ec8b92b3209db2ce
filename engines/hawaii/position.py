"""Text of Hawaii positions (README section 8.2): one line that holds a whole state, bag and stock left out.

What lies in the bag and in the stock is what lies nowhere else, so the text need not say it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from engines.core.state import Rules, State
from engines.hawaii.facts import BEACH, NONE, PASSED, PHASES, SOURCES
from engines.hawaii.rules import Hawaii, load
from engines.hawaii.snapshot import NOTHING, Pending, Purse, Realm, Snapshot, Table
from engines.hawaii.spelling import amounts_text, bad, token_text
from engines.hawaii.tables import HawaiiRules

MOST_CHARACTERS = 4000
FIELDS = 13
"""Fields before those of the seats."""
_TRIPS = "-FS"

T = TypeVar("T")


# -- writing ----------------------------------------------------------------------------------------------------------


def _joined(parts: Sequence[str], mark: str = "+") -> str:
    return mark.join(parts) or "-"


def _name(names: Sequence[str], index: int) -> str:
    return "-" if index == NONE else names[index]


def _counted(rules: HawaiiRules, counts: Sequence[int]) -> str:
    return _joined([token_text(rules, t) for t, n in enumerate(counts) for _ in range(n)])


def write_position(state: Hawaii) -> str:
    """The text of a position."""
    rules, s = state.rules, state.snapshot()
    t = s.table
    spots = zip(t.spot_tokens, t.spot_seats, strict=True)
    fields = [
        f"{t.round}.{PHASES[t.phase]}.{'-' if t.actor == NONE else t.actor}",
        "".join(map(str, t.order)),
        ",".join(_name(rules.areas, area) for area in t.board),
        ",".join(_joined([token_text(rules, token) for token in tokens]) for tokens in t.area_tokens),
        _counted(rules, t.bay),
        str(t.cursor),
        _joined([token_text(rules, token) for token in t.order_draw]),
        ",".join(
            f"s{seat}" if seat != NONE else "-" if token == NONE else token_text(rules, token) for token, seat in spots
        ),
        ",".join(_name(rules.islands, island) for island in t.docks),
        _joined([rules.islands[island] for island in t.islands_gone]),
        _joined([f"{rules.kind_codes[kind]}{n}" for kind, n in enumerate(t.lost) if n]),
        _joined([str(seat) for seat in t.collect_queue], ""),
        _pending_text(rules, t.pending),
        *(_seat_text(rules, realm, purse) for realm, purse in zip(t.realms, s.purses, strict=True)),
    ]
    return " ".join(fields)


def _pending_text(rules: HawaiiRules, p: Pending) -> str:
    if p == NOTHING:
        return "-"
    kind = "-" if p.kind == NONE else f"{rules.kind_codes[p.kind]}{p.level}"
    dock = "-" if p.dock == NONE else p.dock
    return f"{p.amount}.{p.walk_sub}.{kind}.{_TRIPS[p.trip]}.{p.take}.{dock}.{_name(rules.islands, p.island)}"


def _seat_text(rules: HawaiiRules, realm: Realm, purse: Purse) -> str:
    villages = (_joined([f"{rules.kind_codes[k]}{level}" for k, level in village]) for village in realm.villages)
    return ";".join(
        (
            "/".join(villages),
            f"k{realm.kahunas}t{realm.tikis}b{realm.boats[0]}c{realm.boats[1]}",
            "a{}b{}c{}".format(*realm.used),
            {BEACH: "~", PASSED: "P"}.get(realm.at, str(realm.at)),
            _counted(rules, realm.tokens),
            _counted(rules, realm.fish),
            ".".join(map(str, purse.points)),
            amounts_text(purse.shells, purse.feet, purse.fruit),
        )
    )


# -- reading ----------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads the parts of a text; each method raises BadInput for what has not its form."""

    def __init__(self, rules: HawaiiRules) -> None:
        self.rules = rules
        self._tokens = [token_text(rules, token) for token in range(rules.n_types)]

    def match(self, field: str, pattern: str, text: str) -> re.Match[str]:
        """The match of a whole text."""
        found = re.fullmatch(pattern, text)
        if found is None:
            raise bad(field, f"{text[:40]!r} has not the form it should have")
        return found

    def number(self, field: str, text: str) -> int:
        """A whole number."""
        return int(self.match(field, "0|[1-9][0-9]{0,3}", text)[0])

    def index(self, field: str, names: Sequence[str], text: str) -> int:
        """The place of a name; NONE for `-`."""
        if text == "-":
            return NONE
        if text not in names:
            raise bad(field, f"there is no {text[:40]!r}")
        return names.index(text)

    def listed(self, text: str, mark: str, read: Callable[[str], T]) -> tuple[T, ...]:
        """The parts of a list; `-` is the empty one."""
        return () if text == "-" else tuple(read(part) for part in text.split(mark))

    def tokens(self, field: str, text: str) -> tuple[int, ...]:
        """Token types."""
        return self.listed(text, "+", lambda part: self.index(field, self._tokens, part))

    def counts(self, field: str, text: str) -> tuple[int, ...]:
        """Token types, counted."""
        found = self.tokens(field, text)
        return tuple(found.count(token) for token in range(self.rules.n_types))

    def tile(self, field: str, text: str) -> tuple[int, int]:
        """Kind and level."""
        found = self.match(field, "([a-z]{2})([12])", text)
        return self.index(field, self.rules.kind_codes, found[1]), int(found[2])


def read_position(rules: Rules, text: str) -> State:
    """The state of a position text. Raises BadInput: `hawaii.parse`, or the broken invariants."""
    assert isinstance(rules, HawaiiRules)
    fields = text.split(" ")
    if len(text) > MOST_CHARACTERS or len(fields) != FIELDS + rules.seats:
        raise bad("position", f"must be {FIELDS + rules.seats} fields with single spaces")
    state = load(rules, _read(_Reader(rules), fields))
    if write_position(state) != text:
        raise bad("position", "is not written in its one form")
    return state


def _read(read: _Reader, fields: Sequence[str]) -> Snapshot:
    rules = read.rules
    head = read.match("phase", r"([1-9])\.([A-Z_]+)\.(-|[0-9])", fields[0])
    area_tokens = tuple(read.tokens("area_tokens", part) for part in fields[3].split(","))
    spots = fields[7].split(",")
    spot_seats = tuple(int(spot[1]) if re.fullmatch("s[0-9]", spot) else NONE for spot in spots)
    spot_tokens = tuple(
        NONE if seat != NONE else (*read.tokens("spots", spot), NONE)[0]
        for spot, seat in zip(spots, spot_seats, strict=True)
    )
    lost = dict(read.listed(fields[10], "+", lambda part: _lost(read, part)))
    pending = _read_pending(read, fields[12])
    seats = [_read_seat(read, text) for text in fields[FIELDS:]]
    realms = tuple(realm for realm, _ in seats)
    bay = read.counts("bay", fields[4])
    order_draw = read.tokens("order_draw", fields[6])
    used = [*order_draw, *spot_tokens, *(token for tokens in area_tokens for token in tokens)]
    bag = tuple(
        rules.token(t)[3] - used.count(t) - bay[t] - sum(realm.tokens[t] + realm.fish[t] for realm in realms)
        for t in range(rules.n_types)
    )
    owned = [kind for realm in realms for village in realm.villages for kind, _ in village] + [pending.kind]
    owned += [rules.boat_kind] * sum(sum(realm.boats) for realm in realms)
    owned += [rules.kahuna_kind] * sum(realm.kahunas for realm in realms)
    owned += [rules.tiki_kind] * sum(realm.tikis for realm in realms)
    kinds = range(rules.n_kinds)
    return Snapshot(
        Table(
            phase=read.index("phase", PHASES, head[2]),
            actor=NONE if head[3] == "-" else int(head[3]),
            round=int(head[1]),
            board=tuple(read.index("board", rules.areas, part) for part in fields[2].split(",")),
            area_tokens=area_tokens,
            bag=bag,
            bay=bay,
            cursor=read.number("cursor", fields[5]),
            order_draw=order_draw,
            spot_tokens=spot_tokens,
            spot_seats=spot_seats,
            docks=tuple(read.index("docks", rules.islands, part) for part in fields[8].split(",")),
            islands_gone=read.listed(fields[9], "+", lambda part: read.index("gone", rules.islands, part)),
            stock=tuple(rules.kind(k)[1] - lost.get(k, 0) - owned.count(k) for k in kinds),
            lost=tuple(lost.get(k, 0) for k in kinds),
            order=tuple(int(c) for c in read.match("order", "[0-9]{1,9}", fields[1])[0]),
            collect_queue=tuple(int(c) for c in read.match("queue", "-|[0-9]{1,9}", fields[11])[0] if c != "-"),
            pending=pending,
            realms=realms,
        ),
        tuple(purse for _, purse in seats),
    )


def _lost(read: _Reader, text: str) -> tuple[int, int]:
    found = read.match("lost", "([a-z]{2})([1-9][0-9]?)", text)
    return read.index("lost", read.rules.kind_codes[: read.rules.n_kinds], found[1]), int(found[2])


def _read_pending(read: _Reader, text: str) -> Pending:
    if text == "-":
        return NOTHING
    parts = text.split(".")
    if len(parts) != 7 or parts[3] not in tuple(_TRIPS):
        raise bad("pending", f"{text[:40]!r} has not the form it should have")
    kind, level = (NONE, 0) if parts[2] == "-" else read.tile("pending", parts[2])
    return Pending(
        amount=read.number("pending", parts[0]),
        walk_sub=read.number("pending", parts[1]),
        kind=kind,
        level=level,
        trip=_TRIPS.index(parts[3]),
        take=read.number("pending", parts[4]),
        dock=NONE if parts[5] == "-" else read.number("pending", parts[5]),
        island=read.index("pending", read.rules.islands, parts[6]),
    )


def _read_seat(read: _Reader, text: str) -> tuple[Realm, Purse]:
    parts = text.split(";")
    if len(parts) != 8:
        raise bad("seat", "must be eight parts with ; between")
    own = read.match("seat", "k([0-9])t([0-9])b([0-9])c([0-9])", parts[1])
    used = read.match("seat", "a([0-9])b([0-9])c([0-9])", parts[2])
    at = read.match("seat", "[~P0-9]", parts[3])[0]
    goods = read.match("seat", "0|(?=[0-9])(?:([0-9]{1,4})s)?(?:([0-9]{1,4})f)?(?:([0-9]{1,4})u)?", parts[7])
    points = tuple(read.number("points", part) for part in parts[6].split("."))
    if len(points) != len(SOURCES):
        raise bad("points", f"must be {len(SOURCES)} numbers")
    realm = Realm(
        villages=tuple(
            read.listed(village, "+", lambda part: read.tile("villages", part)) for village in parts[0].split("/")
        ),
        kahunas=int(own[1]),
        tikis=int(own[2]),
        boats=(int(own[3]), int(own[4])),
        used=(int(used[1]), int(used[2]), int(used[3])),
        at=BEACH if at == "~" else PASSED if at == "P" else int(at),
        tokens=read.counts("tokens", parts[4]),
        fish=read.counts("fish", parts[5]),
    )
    return realm, Purse(points, *(int(part or 0) for part in goods.groups()))
