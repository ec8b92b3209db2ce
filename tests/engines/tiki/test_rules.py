"""What the shared checks cannot know of Tiki: the longest legal list, the repetition rule, the door, the greedy eye."""

from __future__ import annotations

from random import Random

import pytest

from engines import registry
from engines.conformance.scenario import parse_position, parse_setup, play_token
from engines.core.constants import TERMINAL
from engines.core.state import IllegalMove, Moves
from engines.search.bots import make_bot
from engines.tiki.facts import NEIGHBOURS, VILLAGES

TIKI = registry.game("tiki")
T = "1,M,1/X,2,M/1,M,1"


def test_longest_legal_list_is_the_declared_one() -> None:
    """Eight own totems of two on all villages but a corner."""
    rules = parse_setup(TIKI, "-")
    state = parse_position(TIKI, rules, f"{T} -,PY,PY/PY,PY,PY/PY,PY,PY - 0:0:7:0 A0 n t31")
    moves = Moves()
    state.legal(moves)
    assert len(moves) == TIKI.facts.max_legal


def test_history_is_kept_apart_in_copies() -> None:
    state = parse_position(TIKI, parse_setup(TIKI, f"layout={T} starter=SEAT0 repetition_limit=3"), "start @a1 @c3")
    copy = state.clone()
    for token in ["a1-b1", "c3-c2", "b1-a1", "c2-c3"]:
        play_token(TIKI, state, token)
    assert len(copy.snapshot().history) == 3
    assert len(state.snapshot().history) == 7
    copy.copy_from(state)
    assert copy.key() == state.key()
    for token in ["a1-b1", "c3-c2", "b1-a1", "c2-c3"]:
        play_token(TIKI, state, token)
    assert (state.actor, state.end_reason()) == (TERMINAL, "REPETITION")
    assert not copy.end_reason()


def test_longest_history_fits() -> None:
    """A thousand turns without a fruit: single tikis walk between empty villages, every position remembered."""
    setup = f"layout={T} starter=SEAT0 repetition_limit=9 turn_limit=1000"
    state = parse_position(TIKI, parse_setup(TIKI, setup), "start @a1 @c3 @b1 @b3")
    random = Random(1)
    longest = 0
    while not state.end_reason():
        stacks = state.snapshot().stacks
        own = [u for u in range(9) if stacks[u] == (state.actor,)]
        walks = [(u, v) for u in own for v in NEIGHBOURS[u] if not stacks[v]]
        u, v = random.choice(walks)
        longest = len(state.snapshot().history)
        play_token(TIKI, state, f"{VILLAGES[u]}-{VILLAGES[v]}")
    assert (state.end_reason(), longest) == ("TURN_LIMIT", 1000)


def test_the_door_checks_class_and_sender() -> None:
    one = TIKI.rules.start(parse_setup(TIKI, "-"))
    other = TIKI.rules.start(parse_setup(TIKI, "turn_limit=9"))
    with pytest.raises(TypeError):
        one.copy_from(other)
    with pytest.raises(TypeError):
        one.legal(None)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove):
        one.play(0)
    state = parse_position(TIKI, parse_setup(TIKI, f"layout={T} starter=SEAT0"), "start")
    with pytest.raises(IllegalMove):
        state.play(0, sender=1)
    with pytest.raises(ValueError, match="only chance"):
        state.weights(Moves())


def _play(seats: tuple[str, str], seed: int) -> list[int]:
    rules = parse_setup(TIKI, f"layout={T} starter={'SEAT0' if seed % 2 else 'SEAT1'}")
    state = TIKI.rules.start(rules)
    bots = [make_bot(TIKI, name, {}, seed, seat) for seat, name in enumerate(seats)]
    moves = Moves()
    ply = 0
    while state.actor != TERMINAL:
        state.legal(moves)
        state.play(bots[state.actor].choose(state.observe(state.actor), moves, ply))
        ply += 1
    return state.placements()


def test_greedy_beats_random() -> None:
    games = [(_play(("greedy", "random"), seed), _play(("random", "greedy"), seed)) for seed in range(20)]
    won = sum((first[0] < first[1]) + (second[1] < second[0]) for first, second in games)
    assert won >= 32
