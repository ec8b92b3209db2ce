"""What the shared checks cannot know of Kilauea: nothing is lost, bounds, the sizes of the words, the eye."""

from __future__ import annotations

import copy
import tomllib
from dataclasses import replace
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from engines import registry
from engines.chance import chance_key, draw_chance
from engines.conformance.scenario import parse_position, parse_setup, play_token
from engines.conformance.walk import visits
from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Setup
from engines.core.rollout import rollouts
from engines.core.state import IllegalMove, Moves, State
from engines.kilauea.facts import EXTRAS, STAGES, STEP
from engines.kilauea.snapshot import Snapshot
from engines.search.greedy import greedy

KILAUEA = registry.game("kilauea")
FOLDER = files("engines.kilauea") / "editions"
BASE = tomllib.loads((FOLDER / "kilauea-assumed-1.toml").read_text("utf-8"))


def _tikis(s: Snapshot, colour: int) -> int:
    """Tikis of a colour in all places."""
    places = [s.pool, s.removed, *s.pillars, *s.tikis, *(stack for island in s.islands for stack in island)]
    standing = sum(cells.count(colour) for cells in s.forests)
    return sum(vector[colour] for vector in places) + standing + (s.effect.hand == colour)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("extra", EXTRAS)
def test_no_tiki_and_no_stone_is_lost(seats: int, extra: str) -> None:
    rules = parse_setup(KILAUEA, f"seats={seats} extra={extra} faces=rrrrr")
    per_colour = 12 if seats == 2 else 15
    stages = set()
    for seed in range(3):
        for visit in visits(KILAUEA.rules.start(rules), Random(seed), 2000):
            s = visit.state.snapshot()
            stages.add(s.stage)
            assert [_tikis(s, c) for c in range(4)] == [per_colour] * 4
            dealt = s.stage >= STAGES.index("DRAFT")
            assert s.crater + sum(s.stones) == (2 + {2: 5, 3: 8, 4: 10}[seats] if dealt else 2)
    assert stages == set(range(len(STAGES)))


@pytest.mark.parametrize(("seats", "seat_moves", "chance_moves"), [(2, 214, 314), (4, 214, 314)])
def test_sizes_of_the_vocabulary(seats: int, seat_moves: int, chance_moves: int) -> None:
    moves = KILAUEA.moves.vocabulary(parse_setup(KILAUEA, f"seats={seats}"))
    kinds = [type(move).__name__ for move in moves if move is not None]
    assert sum(not kind.startswith("Draw") for kind in kinds) == seat_moves
    assert sum(kind.startswith("Draw") for kind in kinds) == chance_moves


def test_longest_list_of_the_default_edition() -> None:
    """Four colours times four numbers of stones, and four for the island."""
    position = (
        "MAIN 0 0/0 1f:...P..../2f:..P...../3f:...P..../4f:...P..../5f:....P... 0,0,0,0 1,2,4,5,6 3,7,8,9,10 0,0,0,0,0 "
        "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 - 5 0 RYTP/-/-/- 2,5,0,0 -/-/-/-/-;-/-/-/-/-;-/-/-/-/-;-/-/-/-/- "
        "0,0,0,0 14,14,14,9 open - - -"
    )
    state = parse_position(KILAUEA, parse_setup(KILAUEA, "seats=4"), position)
    moves = Moves()
    state.legal(moves)
    assert len(moves) == 20


def _greatest() -> dict[str, Any]:
    """An edition at every capacity: six colours, twelve spaces in a single row, nines wherever a limit is a digit."""
    data = copy.deepcopy(BASE)
    data["edition"]["colours"] = list("ABCDEF")
    data["volcano"]["pillars"] = [list("ABCDEF")] * 5
    data["limits"].update(canoe_tikis=9, canoe_stones=9, pillar_height=9, crater_start=60, volcano_stones_max=9)
    data["limits"].update(island_cost=0, seals=4)
    for forest in data["forest"]:
        forest.update(rows=["abcdefghijkl*"], paths=[], p34="")
    for seats in data["seats"].values():
        seats["tikis_per_colour"] = 15
    return data


def test_the_declared_bound_is_reached_at_the_capacities() -> None:
    data = _greatest()
    assert KILAUEA.edition.check(data) == []
    rules = KILAUEA.rules.make_rules(Setup("kilauea", "greatest", "0", 2, KILAUEA.edition.options(data, {})), data)
    state = KILAUEA.rules.start(rules)
    moves = Moves()
    while state.actor != 0 or state.snapshot().stage < STAGES.index("ADVANCE"):
        state.legal(moves)
        state.play(moves.to_list()[0])
    s = state.snapshot()
    hold = (1, 1, 1, 1, 1, 1)
    given = tuple(a + b for a, b in zip(s.pillars[1], s.tikis[0], strict=True))
    own = tuple(max(0, n - m) for n, m in zip(given, hold, strict=True))
    pillars = (s.pillars[0], own, *s.pillars[2:])
    short = [m - (n - o) for n, m, o in zip(given, hold, own, strict=True)]
    assert short == [0] * 6, "the canoe takes one tiki of each colour from its own two and from section 1"
    canoes = {"tikis": (hold, *s.tikis[1:]), "stones": (0, *s.stones[1:])}
    rich = replace(s, **canoes, pillars=pillars, crater=s.crater + s.stones[0])
    state = KILAUEA.rules.load(rules, rich)
    play_token(KILAUEA, state, "+1")
    state.legal(moves)
    assert len(moves) == KILAUEA.facts.max_legal


def test_an_edition_at_every_capacity_plays() -> None:
    data = _greatest()
    for seats in (2, 3, 4):
        options = KILAUEA.edition.options(data, {"extra": "e", "faces": "rrrrr"})
        rules = KILAUEA.rules.make_rules(Setup("kilauea", "greatest", "0", seats, options), data)
        assert rollouts(KILAUEA.rules.start(rules), 1, 20, 20_000) > 20 * 100
        for visit in visits(KILAUEA.rules.start(rules), Random(seats), 400):
            assert KILAUEA.invariants.check(rules, visit.state.snapshot()) == []


def test_the_door_checks_class_sender_and_choice() -> None:
    one = KILAUEA.rules.start(parse_setup(KILAUEA, "seats=2"))
    other = KILAUEA.rules.start(parse_setup(KILAUEA, "seats=3"))
    with pytest.raises(TypeError):
        one.copy_from(other)
    with pytest.raises(IllegalMove):
        one.play(0)
    for question in (lambda: one.executable(1), lambda: one.leads_on(0)):  # type: ignore[attr-defined]
        with pytest.raises(ValueError, match=r"turn|choice"):
            question()
    with pytest.raises(TypeError):
        KILAUEA.rules.start(None)  # type: ignore[arg-type]


def test_the_look_ahead_leaves_the_state_alone() -> None:
    """Asking what can be carried out, at every step of whole games, changes nothing."""
    rules = parse_setup(KILAUEA, "seats=3 extra=b")
    steps = 0
    for seed in range(3):
        for visit in visits(KILAUEA.rules.start(rules), Random(seed), 2000):
            state = visit.state
            if state.actor < 0 or state.snapshot().stage < STAGES.index("ADVANCE"):
                continue
            before = state.key()
            for tile in range(1, 11):
                state.executable(tile)  # type: ignore[attr-defined]
            if state.snapshot().stage == STEP:
                steps += 1
                for code in visit.codes:
                    assert state.leads_on(code)  # type: ignore[attr-defined]
            assert state.key() == before
    assert steps > 50


def _play(seats: int, greedy_seat: int, seed: int) -> list[int]:
    rules = parse_setup(KILAUEA, f"seats={seats}")
    state: State = KILAUEA.rules.start(rules)
    random, moves, chances = Random(seed), Moves(), 0
    while state.actor != TERMINAL:
        state.legal(moves)
        if state.actor == CHANCE:
            code = draw_chance(state, chance_key(seed), chances)
            chances += 1
        elif state.actor == greedy_seat:
            code = greedy(state, KILAUEA.evaluate.EVALUATOR, seed, len(moves))
        else:
            code = random.choice(moves.to_list())
        state.play(code)
    return state.placements()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random(seats: int) -> None:
    places = [_play(seats, seed % seats, seed)[seed % seats] for seed in range(20)]
    assert places.count(1) >= 18
