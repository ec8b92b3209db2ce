"""The worked examples E1 to E24 and the whole games E26 to E28 of the specification, as data beside this file."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.constants import TERMINAL
from engines.core.state import Moves
from engines.kilauea.facts import ADVANCE, NONE, OVER, STAGES
from engines.kilauea.invariants import empty_forests
from engines.kilauea.rules import Kilauea, load
from engines.kilauea.snapshot import Effect, Snapshot, Vector
from engines.kilauea.tables import KilaueaRules

KILAUEA = registry.game("kilauea")
HERE = Path(__file__).parent
CASES = tomllib.loads((HERE / "examples.toml").read_text("utf-8"))["case"]
RECORDS = sorted(HERE.glob("E2*.txt"))
BASE_FORESTS = {"0": "d=P", "1": "c=P", "2": "d=P", "3": "d=P", "4": "e=P"}
STONES_TOP = 5


def rules_of(seats: int = 4, **options: Any) -> KilaueaRules:
    rules = registry.make_rules(registry.make_setup(KILAUEA, seats=seats, options=options))
    assert isinstance(rules, KilaueaRules)
    return rules


def vector(rules: KilaueaRules, letters: str) -> Vector:
    return tuple(letters.count(colour) for colour in rules.colours)


def heights(rules: KilaueaRules, text: str) -> Vector:
    given = {pair[0]: int(pair[1:]) for pair in text.split()}
    return tuple(given.get(colour, 0) for colour in rules.colours)


def cells(rules: KilaueaRules, face: int, text: str) -> tuple[int, ...]:
    given = dict(pair.split("=") for pair in text.split())
    return tuple(rules.colours.index(given[x]) if x in given else NONE for x in rules.face(face).spaces)


def _stones(rules: KilaueaRules, case: dict[str, Any]) -> tuple[int, ...]:
    total = rules.crater_start + sum(rules.stones_at_start(i) for i in range(rules.seats))
    given = list(case.get("stones", [0]))
    left = total - case.get("crater", 0) - sum(given)
    while len(given) < rules.seats:
        given.append(min(STONES_TOP, left))
        left -= given[-1]
    assert left == 0, f"{left} stones are left over"
    return tuple(given)


def snapshot_of(rules: KilaueaRules, case: dict[str, Any]) -> Snapshot:
    n = rules.seats
    boards = tuple(2 * k + (letter == "b") for k, letter in enumerate(str(rules.setup.options["faces"])))
    forests = {**BASE_FORESTS, **case.get("forests", {})}
    grids = tuple(cells(rules, boards[t], forests[str(t)]) for t in range(5))
    pillars = tuple(heights(rules, case.get("pillars", {}).get(str(t), "")) for t in range(5))
    canoes = [*case.get("canoes", []), *[""] * n][:n]
    tikis = tuple(vector(rules, canoe) for canoe in canoes)
    own = [case.get("islands", {}).get(str(seat), {}) for seat in range(n)]
    islands = tuple(tuple(vector(rules, own[seat].get(str(t), "")) for t in range(5)) for seat in range(n))
    centres = case.get("centres", [3, 7, 8, 9, 10])
    flanks = case.get("flanks", [])
    on_table = [*pillars, *tikis, *(stack for island in islands for stack in island)]
    removed = tuple(
        rules.tikis_per_colour - sum(v[c] for v in on_table) - sum(grid.count(c) for grid in grids)
        for c in range(rules.n_colours)
    )
    turn = case.get("turn", 0)
    s = Snapshot(
        stage=ADVANCE,
        actor=turn % n,
        starter=0,
        turn=turn,
        boards=boards,
        forests=grids,
        pool=(0,) * rules.n_colours,
        reef=tuple(case.get("reef", [1, 2, 4, 5, 6])),
        heart=tuple(0 if t in flanks else centres[t] for t in range(5)),
        flank=tuple(centres[t] if t in flanks else 0 for t in range(5)),
        pillars=pillars,
        seals=tuple((int(seal[0]), rules.colours.index(seal[1])) for seal in case.get("seals", [])),
        crater=case.get("crater", 0),
        canoe=case.get("pawn", 0),
        tikis=tikis,
        stones=_stones(rules, case),
        islands=islands,
        vp=tuple(case.get("vp", [0] * n)),
        removed=removed,
        intermediate_done=False,
        pending=(),
        effect=Effect(),
        reason=0,
    )
    return replace(s, intermediate_done=empty_forests(s) > 0)


def scene(case: dict[str, Any]) -> Kilauea:
    options = {"extra": case.get("extra", "none"), "faces": case.get("faces", "fffff")}
    rules = rules_of(case.get("seats", 4), **options)
    return load(rules, snapshot_of(rules, case))


def play(state: Kilauea, tokens: str) -> None:
    for token in tokens.split():
        assert refusal(state, token) == [], token
        state.play(code(state, token))


def code(state: Kilauea, token: str) -> int:
    found = KILAUEA.moves.encode(state.rules, KILAUEA.notation.parse(state.rules, token))
    assert found is not None, token
    return found


def legal(state: Kilauea) -> list[str]:
    moves = Moves()
    state.legal(moves)
    vocabulary = KILAUEA.moves.vocabulary(state.rules)
    return [KILAUEA.notation.token(state.rules, vocabulary[i]) for i in moves.to_list()]


def refusal(state: Kilauea, token: str, sender: int | None = None) -> list[str]:
    """Rule ids without the slug, in the order of the rulebook."""
    move = KILAUEA.notation.parse(state.rules, token)
    who = (
        max(state.actor, 0) if sender is None and state.actor == TERMINAL else state.actor if sender is None else sender
    )
    reasons = KILAUEA.explain.explain(state, move, who)
    return [reason.id.removeprefix("kilauea.") for reason in reasons]


def stage(state: Kilauea) -> str:
    return STAGES[state.snapshot().stage]


def _expect(state: Kilauea, claims: dict[str, Any]) -> None:
    """Holds the state to every claim that the data makes of it."""
    s, r = state.snapshot(), state.rules
    if "legal" in claims:
        assert legal(state) == claims["legal"]
    for token, ids in claims.get("refused", {}).items():
        assert sorted(refusal(state, token)) == sorted(ids), token
    found = {
        "stage": stage(state),
        "actor": s.actor,
        "turn": s.turn,
        "pawn": s.canoe,
        "crater": s.crater,
        "vp": list(s.vp),
        "seals": [f"{t}{r.colours[c]}" for t, c in s.seals],
        "pending": list(s.pending),
        "end": state.end_reason(),
        "places": state.placements(),
        "intermediate": s.intermediate_done,
    }
    assert {key: found[key] for key in found if key in claims} == {key: claims[key] for key in found if key in claims}
    for seat, stones in enumerate(claims.get("stones", [])):
        assert s.stones[seat] == stones
    for seat, canoe in enumerate(claims.get("canoes", [])):
        assert s.tikis[seat] == vector(r, canoe)
    for t, text in claims.get("forests", {}).items():
        assert s.forests[int(t)] == cells(r, s.boards[int(t)], text)
    for t, text in claims.get("pillars", {}).items():
        assert s.pillars[int(t)] == heights(r, text)
    for t, tile in claims.get("flanks", {}).items():
        assert s.flank[int(t)] == tile
    for seat, sections in claims.get("islands", {}).items():
        for t, tikis in sections.items():
            assert s.islands[int(seat)][int(t)] == vector(r, tikis)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_example(case: dict[str, Any]) -> None:
    _expect(scene(case), {key: case[key] for key in ("legal", "refused") if key in case})
    for attempt in case["try"]:
        state = scene(case)
        play(state, attempt["play"])
        if "again" in attempt:
            before = state.snapshot().timeless()
            play(state, attempt["again"])
            assert state.snapshot().timeless() == before
            while state.actor != TERMINAL:
                play(state, attempt["again"])
        _expect(state, attempt)


@pytest.mark.parametrize(
    ("pillar", "values"),
    [
        ("R4 Y2 T2", {"R": 4, "Y": 6, "T": 6, "P": 0}),
        ("R3 Y3 T1", {"R": 3, "Y": 3, "T": 3, "P": 0}),
        ("R1 Y1 T1 P1", {"R": 1, "Y": 1, "T": 1, "P": 1}),
        ("Y5", {"R": 0, "Y": 5, "T": 0, "P": 0}),
        ("R6 Y5 T1 P2", {"R": 6, "Y": 15, "T": 3, "P": 6}),
        ("R3 Y1", {"R": 3, "Y": 3, "T": 0, "P": 0}),
        ("R4 Y2 T2", {"RYYPPP": 16, "TTT": 18}),
    ],
)
def test_e9_values_of_a_section(pillar: str, values: dict[str, int]) -> None:
    """A scored section shows in the breakdown of a finished game."""
    for tikis, points in values.items():
        rules = rules_of(turn_limit=1)
        case = {"pillars": {"1": pillar}, "islands": {"0": {"1": tikis}}, "crater": 12}
        state = load(rules, snapshot_of(rules, {**case, "canoes": ["RYTP"], "stones": [0, 0, 0, 0]}))
        play(state, "+1")
        play(state, next(token for token in legal(state) if token.startswith("V")))
        section = {row.source: row.points for row in state.breakdown() if row.seat == 0}
        assert state.end_reason() == "LIMIT"
        assert section["section plumeria"] == points


@pytest.mark.parametrize(("islands", "points"), [("RRRRR", 20), ("RRRR", 5)])
def test_e10_bonuses(islands: str, points: int) -> None:
    """Five filled island sections, five stones and three canoe tikis at the end; then with a section empty."""
    rules = rules_of(turn_limit=1)
    case = {
        "islands": {"0": {str(t): colour for t, colour in enumerate(islands)}},
        "stones": [5],
        "canoes": ["RRR"],
        "pawn": 9,
        "forests": {"0": "a=R d=P"},
    }
    end = replace(snapshot_of(rules, case), turn=1, stage=OVER, actor=TERMINAL, reason=2)
    rows = {row.source: row.points for row in load(rules, end).breakdown() if row.seat == 0}
    assert rows["all islands"] + rows["stones"] + rows["canoe tikis"] == points


@pytest.mark.parametrize(
    ("vp", "tikis", "places"), [((40, 40, 38), (3, 2, 0), [2, 1, 3]), ((40, 40, 38), (3, 3, 0), [1, 1, 3])]
)
def test_e10_ties(vp: tuple[int, ...], tikis: tuple[int, ...], places: list[int]) -> None:
    rules = rules_of(3)
    islands = {str(seat): {"0": "R" * n} for seat, n in enumerate(tikis)}
    s = snapshot_of(rules, {"seats": 3, "islands": islands, "vp": list(vp)})
    assert s.stage == ADVANCE
    assert load(rules, s).placements() == places


@pytest.mark.parametrize(("seats", "tikis", "chance"), [(2, 28, 44), (3, 40, 56), (4, 40, 56)])
def test_e25_sizes_of_the_setup(seats: int, tikis: int, chance: int) -> None:
    state = KILAUEA.rules.start(rules_of(seats))
    draws = []
    while state.actor < 0:
        draws.append(legal(state)[0])
        play(state, draws[-1])
    assert len(draws) == chance
    assert sum(token.startswith("T") for token in draws) == tikis


@pytest.mark.slow
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_whole_game(path: Path) -> None:
    """Each line is a turn; behind the semicolon the numbers of legal moves before each of its tokens, then points."""
    text = path.read_text("utf-8")
    head = re.search(r"seats (\d) extra (\w+) faces (\w+) limit (\d+)", text)
    assert head is not None
    rules = rules_of(int(head[1]), extra=head[2], faces=head[3], turn_limit=int(head[4]))
    state = KILAUEA.rules.start(rules)
    assert isinstance(state, Kilauea)
    for line in text.splitlines():
        tokens, _, comment = line.partition(";")
        counts = []
        for token in tokens.split():
            counts.append(len(legal(state)))
            play(state, token)
        wanted = re.search(r"legal ([\d ]+)", comment)
        if wanted is not None:
            assert counts == [int(n) for n in wanted[1].split()], line
        points = re.search(r"vp ([\d ]+)", comment)
        if points is not None:
            assert state.scores() == [int(n) for n in points[1].split()]
        places = re.search(r"places ([\d ]+)", comment)
        if places is not None:
            assert state.placements() == [int(n) for n in places[1].split()]
        position = re.search(r"position (.*)", comment)
        if position is not None:
            assert KILAUEA.notation.write_position(state) == position[1]
    assert state.end_reason() == "FORESTS"


def test_all_whole_games_are_there() -> None:
    assert [path.stem for path in RECORDS] == ["E26", "E27", "E28"]
