"""Eruption messages of the contract (`papamu.eruption.v1`) to and from the engine's own words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from papamu.eruption.v1 import eruption_pb2 as pb

from engines.core.game import BadInput, OptionValue, Setup, Violation
from engines.core.state import Rules
from engines.eruption.edition import LAYOUTS
from engines.eruption.facts import CARDS, HEXES, MODES, NONE, PHASES, ROW, USED
from engines.eruption.observe import EruptionObservation
from engines.eruption.rules import Eruption, load
from engines.eruption.snapshot import Snapshot, Table
from engines.eruption.tables import EruptionRules
from engines.eruption.wire_moves import read_move, write_move

__all__ = [
    "read_move",
    "read_options",
    "read_state",
    "read_view",
    "write_move",
    "write_options",
    "write_state",
    "write_view",
]

_MODES = dict(enumerate(MODES, 1))
_LAYOUTS = dict(enumerate(LAYOUTS, 1))
_ENUMS: tuple[tuple[str, Mapping[int, str]], ...] = (("mode", _MODES), ("clans_layout", _LAYOUTS))


def _bad(field: str, sentence: str, rule_id: str = "") -> BadInput:
    return BadInput([Violation(field, sentence, rule_id)])


# -- options ------------------------------------------------------------------------------------------------------


def write_options(setup: Setup) -> pb.Options:
    """All options of a setup."""
    o = setup.options
    return pb.Options(
        mode=pb.Mode.Name(MODES.index(str(o["mode"])) + 1),
        clans_layout=pb.ClansLayout.Name(LAYOUTS.index(str(o["clans_layout"])) + 1),
        forecast=bool(o["forecast"]),
        no_rain=bool(o["no_rain"]),
        ply_limit=int(o["ply_limit"]),
    )


def read_options(message: pb.Options) -> dict[str, OptionValue]:
    """The options that are set. Raises BadInput on an unknown enum number."""
    given: dict[str, OptionValue] = {}
    for name in ("forecast", "no_rain", "ply_limit"):
        if message.HasField(name):
            given[name] = getattr(message, name)
    for name, names in _ENUMS:
        number = getattr(message, name)
        if number != 0:
            if number not in names:
                raise _bad(name, f"unknown number {number}", "eruption.option.range")
            given[name] = names[number]
    return given


# -- counts -------------------------------------------------------------------------------------------------------


def _write_cards(counts: Sequence[int]) -> pb.Cards:
    return pb.Cards(counts=[pb.CardCount(card=pb.Card.Name(c + 1), count=n) for c, n in enumerate(counts) if n > 0])


def _read_cards(message: pb.Cards, path: str) -> tuple[int, ...]:
    counts = [0] * len(CARDS)
    for i, row in enumerate(message.counts[: len(CARDS) + 1]):
        if not 1 <= row.card <= len(CARDS) or counts[row.card - 1] or row.count == 0:
            raise _bad(f"{path}.counts[{i}]", "must be a known card that is not named yet, with a number above 0")
        counts[row.card - 1] = row.count
    return tuple(counts)


def _write_pieces(pieces: Sequence[int]) -> pb.Pieces:
    return pb.Pieces(straw=pieces[0], wood=pieces[1], stone=pieces[2])


def _read_pieces(message: pb.Pieces) -> tuple[int, ...]:
    return message.straw, message.wood, message.stone


def _write_tiles(rules: EruptionRules, counts: Sequence[int]) -> list[pb.TileCount]:
    return [pb.TileCount(kind=rules.kinds[k], count=n) for k, n in enumerate(counts) if n > 0]


def _read_tiles(rules: EruptionRules, rows: Sequence[pb.TileCount], kinds: int, path: str) -> tuple[int, ...]:
    counts = [0] * kinds
    for i, row in enumerate(rows[: kinds + 1]):
        kind = _kind(rules, row.kind, f"{path}[{i}].kind", kinds)
        if counts[kind] or row.count == 0:
            raise _bad(f"{path}[{i}]", "must be a kind that is not named yet, with a number above 0")
        counts[kind] = row.count
    return tuple(counts)


def _kind(rules: EruptionRules, name: str, path: str, kinds: int) -> int:
    """The kind of a name among the first `kinds`."""
    kind = _kind_numbers(rules).get(name, kinds)
    if kind >= kinds:
        raise _bad(path, "is no such tile of the edition")
    return kind


@lru_cache(maxsize=64)
def _kind_numbers(rules: EruptionRules) -> dict[str, int]:
    return {name: kind for kind, name in enumerate(rules.kinds)}


def _kind_or_none(rules: EruptionRules, name: str, path: str) -> int:
    return _kind(rules, name, path, rules.source) if name else NONE


def _hex(rules: EruptionRules, name: str, path: str) -> int:
    """The tile hex of a name."""
    h = rules.geometry.number.get(name, HEXES)
    if h >= HEXES:
        raise _bad(path, "is no tile hex of the board")
    return int(h)


# -- states -------------------------------------------------------------------------------------------------------


def write_state(state: Eruption) -> pb.State:
    """The message of a state."""
    s = state.snapshot()
    return pb.State(
        table=_write_table(state.rules, s.table),
        hands=[_write_cards(hand) for hand in s.hands],
        deck=_write_cards(s.deck),
    )


def read_state(rules: Rules, message: pb.State) -> Eruption:
    """The state. Raises BadInput: malformed fields, or every broken invariant."""
    assert isinstance(rules, EruptionRules)
    hands = tuple(_read_cards(hand, f"hands[{i}]") for i, hand in enumerate(message.hands[:7]))
    return load(rules, Snapshot(_read_table(rules, message.table), hands, _read_cards(message.deck, "deck")))


def _write_eruption(holder: int) -> pb.EruptionTile:
    if holder in (ROW, USED):
        return pb.EruptionTile(used=holder == USED)
    return pb.EruptionTile(holder=holder)


def _write_table(rules: EruptionRules, t: Table) -> pb.Table:
    geometry = rules.geometry

    def kind(k: int) -> str:
        return "" if k == NONE else rules.kinds[k]

    return pb.Table(
        phase=pb.Phase.Name(t.phase + 1),
        ply=t.ply,
        turn_seat=t.turn_seat,
        temps=t.temps,
        stock=_write_pieces(t.stock),
        pieces=[_write_pieces(pieces) for pieces in t.pieces],
        card_discard=_write_cards(t.card_discard),
        board=[pb.Tile(hex=geometry.hexes[h], kind=kind(k), rot=rot) for h, k, rot in t.board],
        stack=_write_tiles(rules, t.stack),
        piles=[pb.Pile(size=n, top=kind(k)) for n, k in zip(t.pile_sizes, t.pile_tops, strict=True)],
        tile_discard=_write_tiles(rules, t.tile_discard),
        walls=[pb.Wall(site=geometry.site_name(site), material=pb.Material.Name(m + 1)) for site, m in t.walls],
        eruption=[_write_eruption(holder) for holder in t.eruption],
        final_left=t.final_left,
        final_out=None if t.final_out == NONE else t.final_out,
        burnt=t.burnt,
        burn_order=t.burn_order,
        turn_loud=not t.turn_quiet,
        quiet_turns=t.quiet_turns,
        purpose=pb.Purpose.Name(t.purpose),
        tile=kind(t.tile),
        tile_pile=t.tile_pile + 1,
        held=[geometry.hexes[h] for h in t.held],
        target=None if t.target == NONE else pb.Place(hex=geometry.hexes[t.target // 6], rot=t.target % 6),
        roll_pos=None if t.roll_pos == NONE else t.roll_pos,
        roll_lost=t.roll_lost,
        draws_left=t.draws_left,
        resume=pb.Resume.Name(t.resume),
        tray=_write_pieces(t.tray),
        tray_edge=t.tray_edge,
        builds_done=t.builds_done,
        reveal_resume=pb.RevealResume.Name(t.reveal_resume),
        reveal_restricted=t.reveal_restricted,
        ended_by=pb.EndReason.Name(t.ended_by),
    )


def _read_board(rules: EruptionRules, rows: Iterable[pb.Tile]) -> tuple[tuple[int, int, int], ...]:
    hexes, kinds = rules.geometry.number, _kind_numbers(rules)
    board = []
    for i, row in enumerate(rows):
        h, kind = hexes.get(row.hex, HEXES), kinds.get(row.kind)
        if h >= HEXES:
            raise _bad(f"table.board[{i}].hex", "is no tile hex of the board")
        if kind is None:
            raise _bad(f"table.board[{i}].kind", "is no such tile of the edition")
        board.append((h, kind, row.rot))
    return tuple(sorted(board))


def _read_walls(rules: EruptionRules, rows: Iterable[pb.Wall]) -> tuple[tuple[int, int], ...]:
    walls = []
    for i, row in enumerate(rows):
        if row.site not in rules.geometry.site:
            raise _bad(f"table.walls[{i}].site", "is no edge of the board")
        if not 1 <= row.material <= 3:
            raise _bad(f"table.walls[{i}].material", f"unknown number {row.material}")
        walls.append((rules.geometry.site[row.site], row.material - 1))
    return tuple(sorted(walls))


def _read_eruption(i: int, tile: pb.EruptionTile) -> int:
    if tile.HasField("holder"):
        if tile.used:
            raise _bad(f"table.eruption[{i}]", "is either held or used")
        return tile.holder
    return USED if tile.used else ROW


def _read_table(rules: EruptionRules, m: pb.Table) -> Table:
    if not 1 <= m.phase <= len(PHASES):
        raise _bad("table.phase", f"unknown number {m.phase}")
    if m.HasField("target"):
        if m.target.rot > 5:
            raise _bad("table.target.rot", "must be 0 to 5")
        target = 6 * _hex(rules, m.target.hex, "table.target.hex") + m.target.rot
    else:
        target = NONE
    lava = rules.source
    return Table(
        phase=m.phase - 1,
        ply=m.ply,
        turn_seat=m.turn_seat,
        temps=tuple(m.temps[:7]),
        stock=_read_pieces(m.stock),
        pieces=tuple(_read_pieces(pieces) for pieces in m.pieces[:7]),
        card_discard=_read_cards(m.card_discard, "table.card_discard"),
        board=_read_board(rules, m.board[: HEXES + 1]),
        stack=_read_tiles(rules, m.stack, lava, "table.stack"),
        pile_sizes=tuple(pile.size for pile in m.piles[:4]),
        pile_tops=tuple(_kind_or_none(rules, pile.top, f"table.piles[{i}].top") for i, pile in enumerate(m.piles[:4])),
        tile_discard=_read_tiles(rules, m.tile_discard, lava + 1, "table.tile_discard"),
        walls=_read_walls(rules, m.walls[:100]),
        eruption=tuple(_read_eruption(i, tile) for i, tile in enumerate(m.eruption[:4])),
        final_left=m.final_left,
        final_out=m.final_out if m.HasField("final_out") else NONE,
        burnt=tuple(m.burnt[:7]),
        burn_order=tuple(m.burn_order[:7]),
        turn_quiet=not m.turn_loud,
        quiet_turns=m.quiet_turns,
        purpose=m.purpose,
        tile=_kind_or_none(rules, m.tile, "table.tile"),
        tile_pile=m.tile_pile - 1,
        held=tuple(sorted(_hex(rules, name, f"table.held[{i}]") for i, name in enumerate(m.held[: HEXES + 1]))),
        target=target,
        roll_pos=m.roll_pos if m.HasField("roll_pos") else NONE,
        roll_lost=m.roll_lost,
        draws_left=m.draws_left,
        resume=m.resume,
        tray=_read_pieces(m.tray),
        tray_edge=m.tray_edge,
        builds_done=m.builds_done,
        reveal_resume=m.reveal_resume,
        reveal_restricted=m.reveal_restricted,
        ended_by=m.ended_by,
    )


# -- views --------------------------------------------------------------------------------------------------------


def write_view(observation: EruptionObservation) -> pb.View:
    """The message of an observation."""
    return pb.View(
        table=_write_table(observation.rules, observation.table),
        hand_sizes=observation.hand_sizes,
        hand=_write_cards(observation.hand),
        deck_size=observation.deck_size,
    )


def read_view(rules: Rules, viewer: int, message: pb.View) -> EruptionObservation:
    """The observation. Raises BadInput: malformed fields, or the broken invariants of a state that would look so."""
    assert isinstance(rules, EruptionRules)
    if viewer >= rules.seats:
        raise _bad("viewer", f"must be 0 to {rules.seats - 1}")
    observation = EruptionObservation(
        rules=rules,
        viewer=viewer,
        table=_read_table(rules, message.table),
        hand=_read_cards(message.hand, "hand"),
        hand_sizes=tuple(message.hand_sizes[:7]),
        deck_size=message.deck_size,
    )
    _check_sizes(observation)
    observation.check()
    return observation


def _check_sizes(o: EruptionObservation) -> None:
    """Enough to deal a sample, whose invariants say the rest."""
    if len(o.hand_sizes) != o.rules.seats or o.hand_sizes[o.viewer] != sum(o.hand):
        raise _bad("hand_sizes", "must be one size a seat, the own one that of the hand", "eruption.state.hands")
    unseen = o.unseen()
    hidden = sum(size for seat, size in enumerate(o.hand_sizes) if seat != o.viewer)
    if min(unseen) < 0 or hidden + o.deck_size != sum(unseen):
        raise _bad("deck_size", "hands, deck and discards do not make up the cards", "eruption.state.cards")
