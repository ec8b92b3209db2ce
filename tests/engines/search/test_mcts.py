"""The tree search: finds and proves wins, repeats itself, keeps what it knows, stays within its bounds."""

from __future__ import annotations

from math import log
from typing import Any

import pytest

from engines import registry
from engines.bench.engine import after_chance
from engines.conformance.scenario import parse_position, parse_setup, play_token
from engines.core.constants import TERMINAL
from engines.core.state import Moves, State
from engines.measure import MODE
from engines.search import logs
from engines.search.budget import Budget, Purse, Spend
from engines.search.mcts import Search
from engines.search.thinker import Thinker
from engines.search.tree import Tree
from engines.search.tuning import Tuning

TIKI = registry.game("tiki")
thousands = pytest.mark.skipif(MODE == "interpreted", reason="thousands of simulations take the compiled engine")
T = "1,M,1/X,2,M/1,M,1"


def _position(text: str, setup: str = "-") -> State:
    return parse_position(TIKI, parse_setup(TIKI, setup), text)


def _tokens(state: State, codes: tuple[int, ...]) -> list[str]:
    moves = TIKI.moves.vocabulary(state.rules)
    return [TIKI.notation.token(state.rules, moves[code]) for code in codes]


# A fruit in b2 wins at once: `b1-b2` fills it for yellow, who owns three.
WINNING = f"{T} -,Y,-/-,PP,-/-,P,- - 3:2:1:1 A0 n t21"


def test_a_win_in_one_is_found_and_proven() -> None:
    state = _position(WINNING)
    thought = Thinker(TIKI, 1).think(state.observe(0), Spend(simulations=2000))
    assert _tokens(state, thought.lines[0].variation[:1]) == ["b1-b2"]
    assert thought.lines[0].proven == 0
    assert thought.simulations < 2000  # a proven root needs no more


@thousands
def test_a_move_that_loses_for_sure_is_avoided() -> None:
    """Purple must break up the pair on b2; what leaves it there is proven lost."""
    state = _position(f"{T} -,Y,-/-,PP,-/P,P,- - 3:2:1:1 A1 n t22")
    thought = Thinker(TIKI, 1).think(state.observe(1), Spend(simulations=4000))
    assert any(line.proven == 0 for line in thought.lines)
    assert thought.lines[0].proven != 0


@thousands
def test_the_same_seed_and_budget_give_the_same_thought() -> None:
    state = _position("start", f"layout={T} starter=SEAT0")
    first, again = (Thinker(TIKI, 5).think(state.observe(0), Spend(simulations=3000)) for _ in range(2))
    other = Thinker(TIKI, 6).think(state.observe(0), Spend(simulations=3000))
    assert (first.lines, first.simulations) == (again.lines, 3000)
    assert other.lines != first.lines


@thousands
def test_chance_outcomes_are_drawn_by_weight() -> None:
    """The root is the draw of the first village: visits follow 1 : 4 : 3 : 1."""
    state = _position("start")
    search = Search(state.clone(), TIKI.evaluate.EVALUATOR, 1 << 16, 1.0, 10, 300, 0.0, False)
    search.run(state, 9000, 77)
    visits = {row[1] - 100: row[2] for row in search.tree.rows()}
    assert sum(visits.values()) == 9000
    for tile, weight in enumerate((1, 4, 3, 1)):
        assert abs(visits[tile] - 1000 * weight) < 150


@thousands
def test_visits_and_values_add_up() -> None:
    state = _position("start @a1 @c3", f"layout={T} starter=SEAT0")
    search = Search(state.clone(), TIKI.evaluate.EVALUATOR, 1 << 16, 1.0, -1, 300, 0.0, False)
    search.run(state, 1500, 3)
    tree = search.tree
    assert sum(row[2] for row in tree.rows()) == 1500
    for _, _, visits, means, _ in tree.rows():
        assert visits > 0
        assert means[0] + means[1] == pytest.approx(1)


def test_greedy_playouts_take_a_win_that_is_there() -> None:
    """One visit to each reply of purple: where yellow can then win at once, it does."""
    state = _position(f"{T} -,Y,-/-,PP,-/P,P,- - 3:2:1:1 A1 n t22")
    moves = Moves()
    state.legal(moves)
    codes = moves.to_list()
    search = Search(state.clone(), TIKI.evaluate.EVALUATOR, 1 << 12, 1.0, 1, 300, 0.0, False, True)
    search.run(state, len(codes), 1)
    found = {row[1]: row[3] for row in search.tree.rows()}
    losing = [code for code in codes if _wins_at_once(state, code)]
    assert losing
    assert [found[code] for code in losing] == [[1.0, 0.0]] * len(losing)


def _wins_at_once(state: State, code: int) -> bool:
    """Whether seat 0 has a move that ends the game in its favour after seat 1 has played `code`."""
    after, moves = state.clone(), Moves()
    after.play(code)
    if after.actor != 0:
        return False
    after.legal(moves)
    for reply in moves.to_list():
        end = after.clone()
        end.play(reply)
        if end.actor == TERMINAL and end.placements()[0] == 1:
            return True
    return False


@thousands
def test_a_full_tree_goes_on_searching() -> None:
    state = _position("start", f"layout={T} starter=SEAT0")
    search = Search(state.clone(), TIKI.evaluate.EVALUATOR, 50, 1.0, 10, 300, 0.0, True)
    assert search.run(state, 5000, 1) == 5000
    assert search.tree.n == 50


def test_widening_limits_the_children() -> None:
    state = _position("start", f"layout={T} starter=SEAT0")
    search = Search(state.clone(), TIKI.evaluate.EVALUATOR, 1 << 12, 1.0, 10, 300, 0.5, False)
    search.run(state, 100, 1)
    assert len(search.tree.rows()) <= 7
    drawn = _position("start")
    search = Search(drawn.clone(), TIKI.evaluate.EVALUATOR, 1 << 12, 1.0, 10, 300, 0.1, False)
    search.run(drawn, 60, 1)
    assert len(search.tree.rows()) <= 3


@thousands
def test_keep_makes_a_subtree_the_tree() -> None:
    state = _position("start", f"layout={T} starter=SEAT0")
    search = Search(state.clone(), TIKI.evaluate.EVALUATOR, 1 << 14, 1.0, 10, 300, 0.0, False)
    search.run(state, 4000, 9)
    tree = search.tree

    def shape(node: int) -> list[object]:
        return [[row[1:], shape(row[0])] for row in tree.rows(node)]

    node = tree.rows()[0][0]
    before, size = shape(node), tree.n
    tree.keep(node)
    assert shape(0) == before
    assert tree.n < size
    with pytest.raises(IndexError):
        tree.keep(tree.n)


@thousands
def test_reuse_follows_the_game() -> None:
    state = _position("start @a1 @c3", f"layout={T} starter=SEAT0")
    thinker = Thinker(TIKI, 3, reuse=True)
    first = thinker.think(state.observe(0), Spend(simulations=6000))
    for code in first.lines[0].variation[:2]:
        state.play(code)
    again = thinker.think(state.observe(0), Spend(simulations=500))
    assert sum(line.visits for line in again.lines) > 600  # more than this decision's own
    play_token(TIKI, state, _tokens(state, again.lines[0].variation[:1])[0])
    elsewhere = _position(f"{T} YP,-,YP/YP,YP,YP/YP,YP,YP - 1:0:6:0 A0 n t35", f"layout={T} starter=SEAT0")
    fresh = thinker.think(elsewhere.observe(0), Spend(simulations=300))
    assert sum(line.visits for line in fresh.lines) == 300


@thousands
def test_threads_share_the_budget() -> None:
    state = _position("start", f"layout={T} starter=SEAT0")
    thought = Thinker(TIKI, 2, threads=2).think(state.observe(0), Spend(simulations=1000))
    assert thought.simulations == 1000
    assert sum(line.visits for line in thought.lines) == 1000


def test_a_stop_is_heard_soon() -> None:
    state = _position("start", f"layout={T} starter=SEAT0")
    asked = []

    def stopped() -> bool:
        asked.append(1)
        return len(asked) > 5

    assert Thinker(TIKI, 2).think(state.observe(0), Spend(simulations=10**7), stopped).simulations <= 10 * 64


def test_thoughts_come_on_the_way() -> None:
    state = _position("start", f"layout={T} starter=SEAT0")
    found = list(Thinker(TIKI, 2).thoughts(state.observe(0), Spend(seconds=0.25), every=0.05))
    assert len(found) >= 2
    assert [t.simulations for t in found] == sorted(t.simulations for t in found)
    assert found[-1].seconds < 1


def test_bounds_are_checked() -> None:
    state = _position("start")
    with pytest.raises(ValueError, match="limit"):
        Thinker(TIKI, 1).think(state.observe(0), Spend())
    for seats, capacity in ((0, 10), (7, 10), (2, 1), (2, 1 << 27)):
        with pytest.raises(ValueError, match="capacity"):
            Tree(capacity, seats)
    search = Search(state.clone(), TIKI.evaluate.EVALUATOR, 50, 1.0, 10, 300, 0.0, True)
    with pytest.raises(TypeError):
        search.run(_position("start", "turn_limit=5"), 1, 1)
    with pytest.raises(ValueError, match="negative"):
        search.run(state, -1, 1)


def test_logarithms_are_close_to_the_library() -> None:
    values = logs.table()
    assert max(abs(values[n] - log(n)) for n in range(1, logs.SIZE)) < 1e-14
    assert values[logs.SIZE] == values[2]


# -- budgets --------------------------------------------------------------------------------------------------------


def test_the_tightest_limit_counts() -> None:
    purse = Purse(Budget(move=Spend(1000, 2.0), turn=Spend(400), game=Spend(24_000, 24.0)))
    assert purse.allot() == Spend(200, 1.0)
    purse.charge(purse.allot(), Spend(200, 0.5))
    assert purse.allot() == Spend(100, pytest.approx((24 - 0.5) / 24))
    purse.begin_turn()
    assert purse.allot().simulations == 200


def test_a_resumed_game_gets_what_was_left() -> None:
    purse = Purse(Budget(game=Spend(2400)), spent=Spend(2400))
    assert purse.allot() == Spend(1, 0.0)
    purse = Purse(Budget(game=Spend(2400)))
    purse.charge(purse.allot(), Spend(purse.allot().simulations))
    resumed = Purse(Budget(game=Spend(2400)), spent=purse.spent)
    assert resumed.allot() == purse.allot() == Spend((2400 - 100) // 24)


def test_overruns_are_told() -> None:
    purse = Purse(Budget(move=Spend(seconds=0.1)))
    assert not purse.charge(purse.allot(), Spend(seconds=0.105))
    assert purse.charge(purse.allot(), Spend(seconds=0.5))


@pytest.mark.parametrize(("in_a_world", "drawn"), [(1, 10), (4, 3), (16, 1)])
def test_a_world_serves_some_simulations_in_a_row(in_a_world: int, drawn: int) -> None:
    gaul = registry.game("gaul")
    state = after_chance("gaul")

    class Counting:
        """An observation that counts the worlds drawn from it."""

        def __init__(self, observation: Any) -> None:
            self.observation, self.drawn = observation, 0

        def __getattr__(self, name: str) -> Any:
            return getattr(self.observation, name)

        def sample(self, key: int, index: int) -> State:
            self.drawn += index > 0  # the world at 0 is only looked at
            return self.observation.sample(key, index)

    seen = Counting(state.observe(state.actor))
    thought = Thinker(gaul, 1, tuned=Tuning(in_a_world=in_a_world)).think(seen, Spend(simulations=10))
    assert (thought.simulations, seen.drawn) == (10, drawn)
