"""The strength runner: seat-balanced, resumable, honest about what it does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.bench import strength
from engines.bench.strength import Pairing, Played

GREEDY = Pairing("tiki", 2, "greedy", "random")


@pytest.mark.slow
def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    path, seen = tmp_path / "games.jsonl", []
    first = strength.run([(GREEDY, 2)], path, 1, seen.append)
    assert (len(first), len(seen)) == (4, 4)
    path.write_text(path.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    again = strength.run([(GREEDY, 2)], path, 1, seen.append)
    assert len(seen) == 7
    assert [(p.seed, p.seat, p.score, p.plies) for p in again] == [(p.seed, p.seat, p.score, p.plies) for p in first]


def _played(seed: int, seat: int, score: float) -> Played:
    return Played("tiki", 2, "greedy", "random", seed, seat, score, 80, 0.1)


def test_tally_counts_whole_blocks_and_never_claims_certainty() -> None:
    games = [_played(1, 0, 1.0), _played(1, 1, 1.0), _played(2, 0, 1.0)]
    found = strength.tally(games, GREEDY)
    assert (found.blocks, found.games, found.mean, found.fair) == (1, 2, 1.0, 0.5)
    assert found.margin > 0
    perfect = strength.tally([_played(s, k, 1.0) for s in range(50) for k in (0, 1)], GREEDY)
    assert 0 < perfect.margin < 0.05
    even = strength.tally([_played(s, k, float(k)) for s in range(50) for k in (0, 1)], GREEDY)
    assert even.mean == pytest.approx(0.5)
    empty = strength.tally([], GREEDY)
    assert (empty.games, empty.mean, empty.margin) == (0, 0.5, 1.0)


def _between(share: float, blocks: int) -> strength.Tally:
    """Two budgets, of which the first wins so much of its games."""
    pairing = Pairing("tiki", 2, "mcts:4", "mcts:1")
    won = [round((k + 1) * share) - round(k * share) for k in range(2 * blocks)]
    games = [Played("tiki", 2, "mcts:4", "mcts:1", k // 2, k % 2, float(w), 80, 0.1) for k, w in enumerate(won)]
    return strength.tally(games, pairing)


def test_the_sequential_test_decides_when_it_can() -> None:
    assert _between(1.0, strength.LEAST_BLOCKS - 1).verdict == ""
    assert _between(1.0, strength.LEAST_BLOCKS).verdict == "stronger"
    assert _between(0.0, strength.LEAST_BLOCKS).verdict == "not stronger"
    assert _between(0.54, strength.LEAST_BLOCKS).verdict == ""


@pytest.mark.slow
def test_decided_pairings_are_played_no_more(tmp_path: Path) -> None:
    games = strength.run([(Pairing("tiki", 2, "mcts:60", "mcts:1"), 40)], tmp_path / "games.jsonl", 2, lambda _: None)
    assert len(games) == 2 * strength.LEAST_BLOCKS


def test_pairings_cover_every_number_of_seats() -> None:
    from engines import registry

    for slug in registry.SLUGS:
        game = registry.game(slug)
        found = list(strength.pairings(game, 10))
        assert {p.seats for p in found if p.other == "random"} == set(game.facts.seats)
        assert found[-1].one == "mcts:40"
