"""The searching bot in whole games: it beats the simple ones, and a resumed game goes on within its budget."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from papamu.records.v1 import records_pb2 as pb

from engines import measure, registry
from engines.bench.strength import Pairing, play
from engines.core.constants import TERMINAL
from engines.core.game import BadInput
from engines.core.state import Moves
from engines.referee import Referee
from engines.search.bots import make_bot
from engines.search.budget import Spend
from engines.search.thinker import Thinker, Thought
from tests.support.walk import walk

TIKI = registry.game("tiki")
RULES = registry.make_rules(registry.make_setup(TIKI))


@pytest.mark.parametrize("other", ["random", "greedy"])
def test_it_wins(other: str) -> None:
    pairing = Pairing("tiki", 2, "mcts:60", other)
    scores = [play(pairing, seed, seat).score for seed in range(6) for seat in (0, 1)]
    assert sum(scores) >= 8


def test_a_game_budget_lasts_and_a_resumed_game_gets_what_was_left() -> None:
    options = {"simulations": 0, "game_simulations": 3000}
    bots = [make_bot(TIKI, "mcts", options, 1, 0), make_bot(TIKI, "random", {}, 1, 1)]
    referee = Referee(RULES, bots, 5)
    assert referee.run() is not None
    assert 0 < bots[0].purse.spent.simulations <= 3000 + 50
    half = referee.moves[: len(referee.moves) // 2]
    resumed = [make_bot(TIKI, "mcts", options, 1, 0), make_bot(TIKI, "random", {}, 1, 1)]
    Referee(RULES, resumed, 5, half)
    fresh = make_bot(TIKI, "mcts", options, 1, 0)
    assert resumed[0].purse.spent.simulations > 300
    assert resumed[0].purse.allot().simulations < fresh.purse.allot().simulations


def test_a_seeded_budget_does_not_depend_on_the_moves_before() -> None:
    bots = [make_bot(TIKI, "mcts", {"simulations": 50}, 3, seat) for seat in (0, 1)]
    whole = Referee(RULES, bots, 9)
    assert whole.run() is not None
    fresh = [make_bot(TIKI, "mcts", {"simulations": 50}, 3, seat) for seat in (0, 1)]
    resumed = Referee(RULES, fresh, 9, whole.moves[:40])
    assert resumed.run() is not None
    assert resumed.moves == whole.moves


def test_a_search_needs_a_limit() -> None:
    with pytest.raises(BadInput, match="limit"):
        make_bot(TIKI, "mcts", {"simulations": 0}, 1, 0)


def test_a_single_move_is_played_at_once() -> None:
    text = "1,M,1/X,2,M/1,M,1 YP,-,YP/YP,YP,YP/YP,YP,YP - 1:0:6:0 A0 n t35"
    state = TIKI.notation.read_position(RULES, text)
    moves = Moves()
    state.legal(moves)
    bot = make_bot(TIKI, "mcts", {}, 1, 0)
    assert bot.choose(state.observe(0), moves, 44) == moves.to_list()[0]
    assert bot.purse.spent.simulations == 0
    assert state.actor != TERMINAL


class _Slow(Thinker):
    """Takes twice the time that it is given."""

    def think(self, observation: Any, spend: Spend, *args: Any, **kwargs: Any) -> Thought:
        thought = super().think(observation, spend, *args, **kwargs)
        return replace(thought, seconds=2 * spend.seconds)


def test_overruns_reach_the_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    state = TIKI.rules.start(registry.make_rules(registry.make_setup(TIKI, options={"layout": "1,M,1/X,2,M/1,M,1"})))
    moves = Moves()
    before = measure.totals().overruns()["tiki"]
    for thinker in (Thinker, _Slow):
        monkeypatch.setattr("engines.search.mcts_bot.Thinker", thinker)
        bot = make_bot(TIKI, "mcts", {"simulations": 20, "milliseconds": 60_000}, 1, 0)
        state.legal(moves)
        bot.choose(state.observe(0), moves, 0)
    assert measure.totals().overruns()["tiki"] == before + 1


@pytest.mark.parametrize("slug", registry.SLUGS)
def test_however_short_its_time_it_moves(slug: str) -> None:
    """The least that can be given, and a caller who has gone already."""
    game = registry.game(slug)
    rules = registry.make_rules(registry.make_setup(game))
    for option in ("milliseconds", "game_milliseconds"):
        bots = [
            make_bot(
                game, "mcts" if seat == 0 else "random", {"simulations": 0, option: 1} if seat == 0 else {}, 1, seat
            )
            for seat in range(rules.seats)
        ]
        result = Referee(rules, bots, 3).run()
        assert result is not None
        assert result.ending == pb.ENDING_NORMAL
    state = next(state for state in walk(rules, seed=1) if state.actor >= 0)
    thought = Thinker(game, 1, threads=2).think(state.observe(state.actor), Spend(seconds=60), stopped=lambda: True)
    legal = Moves()
    state.legal(legal)
    assert legal.has(thought.best)
    assert 1 <= thought.simulations <= 2
