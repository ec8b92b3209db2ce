"""The OpenSpiel games, by OpenSpiel's own simulation test and by what a game of it must be."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra: pip install 'papamu[openspiel]'")

from engines import envelope, registry
from engines.core.rng import draw, stream_key
from engines.core.state import IllegalMove
from engines.environments import openspiel
from engines.environments.openspiel import World
from tests.engines.environments.setups import SETUPS

pytestmark = pytest.mark.slow

KEY = stream_key(11, 11)


def load(slug: str, seats: int, **options: Any) -> Any:
    return pyspiel.load_game(f"papamu_{slug}", {"players": seats, **options})


def states(game: Any, seed: int = 0, plies: int = 10_000) -> Any:
    """The states of one random game."""
    state = game.new_initial_state()
    for ply in range(plies):
        yield state
        if state.is_terminal():
            return
        actions = state.legal_actions()
        state.apply_action(actions[draw(KEY + seed, ply, len(actions))])


def test_every_game_is_registered() -> None:
    assert list(openspiel.NAMES) == [f"papamu_{slug}" for slug in registry.SLUGS]
    assert set(openspiel.NAMES) <= set(pyspiel.registered_names())


@pytest.mark.parametrize(("slug", "seats"), SETUPS)
def test_openspiel_random_simulation(slug: str, seats: int) -> None:
    pyspiel.random_sim_test(load(slug, seats), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("slug", "seats"), SETUPS)
def test_facts_are_told(slug: str, seats: int) -> None:
    game, facts = load(slug, seats), registry.game(slug).facts
    assert game.num_players() == seats
    assert game.max_game_length() == facts.max_plies
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1.0, 1.0, 0.0)
    kind = game.get_type()
    assert (kind.min_num_players, kind.max_num_players) == (facts.seats[0], facts.seats[-1])
    hidden = kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert hidden == facts.hidden
    assert game.num_distinct_actions() == game.max_chance_outcomes()


@pytest.mark.parametrize(("slug", "seats"), SETUPS)
def test_chance_has_the_probabilities_of_its_weights(slug: str, seats: int) -> None:
    state = load(slug, seats).new_initial_state()
    assert state.is_chance_node()
    for _ in range(10):
        if not state.is_chance_node():
            break
        outcomes = state.chance_outcomes()
        assert sum(p for _, p in outcomes) == pytest.approx(1.0)
        assert min(p for _, p in outcomes) > 0
        assert [code for code, _ in outcomes] == state.legal_actions()
        state.apply_action(outcomes[0][0])


def test_the_first_tile_of_tiki_comes_by_its_copies() -> None:
    state = load("tiki", 2).new_initial_state()
    shares = {state.action_to_string(state.current_player(), code): p for code, p in state.chance_outcomes()}
    assert shares == pytest.approx({"La1=X": 1 / 9, "La1=1": 4 / 9, "La1=2": 1 / 9, "La1=M": 3 / 9})


@pytest.mark.parametrize(("slug", "seats"), SETUPS)
def test_strings_and_tensors_hold_only_what_the_seat_sees(slug: str, seats: int) -> None:
    game = load(slug, seats)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False))
    for ply, state in enumerate(states(game, plies=60)):
        for seat in range(seats):
            other = copy.deepcopy(state)
            other.world.state = state.world.state.observe(seat).sample(KEY, 1000 * ply)
            assert observer.string_from(other, seat) == state.observation_string(seat)
            observer.set_from(other, seat)
            assert observer.tensor.tolist() == state.observation_tensor(seat)


def test_information_states_remember_and_observations_do_not() -> None:
    """Two orders of the same moves lead to one position, which looks the same, but whose past was another."""
    rules = load("tiki", 2, layout="1,M,1/X,2,M/1,M,1", starter="SEAT0")
    tokens = envelope.lexicon(rules.new_initial_state().world.rules).tokens
    ends = []
    for order in ("@a1 @a2 @b1 @b2", "@b1 @b2 @a1 @a2"):
        state = rules.new_initial_state()
        for token in order.split():
            state.apply_action(tokens.index(token))
        ends.append(state)
    for seat in (0, 1):
        assert ends[0].observation_string(seat) == ends[1].observation_string(seat)
        assert ends[0].information_state_string(seat) != ends[1].information_state_string(seat)


@pytest.mark.parametrize(("slug", "seats"), SETUPS)
def test_memory_does_not_depend_on_when_it_is_asked_for(slug: str, seats: int) -> None:
    game = load(slug, seats)
    *_, late = states(game, plies=40)
    for early in states(game, plies=40):
        early.information_state_string(0)
    assert [early.information_state_string(s) for s in range(seats)] == [
        late.information_state_string(s) for s in range(seats)
    ]


def test_worlds_are_copied_and_stored() -> None:
    *_, last = states(load("tiki", 2), plies=30)
    world = last.world
    world.memory(0)
    for other in (copy.deepcopy(world), pickle.loads(pickle.dumps(world))):
        assert isinstance(other, World)
        assert other.state.key() == world.state.key()
        assert other.codes == world.codes
        assert other.memory(1) == world.memory(1)
        other.play(last.legal_actions()[0])
        assert other.state.key() != world.state.key()


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda thing: pickle.loads(pickle.dumps(thing))}
LAYOUT = {"layout": "1,M,1/X,2,M/1,M,1", "turn_limit": 50}
"""Options that a game string does not hold."""


@pytest.mark.parametrize("copying", COPIES)
@pytest.mark.parametrize(
    ("slug", "options"), [*((slug, {}) for slug in registry.SLUGS), ("tiki", LAYOUT), ("tiki", {"starter": "SEAT1"})]
)
def test_games_and_states_are_copied_and_stored(slug: str, options: dict[str, Any], copying: str) -> None:
    doubled = COPIES[copying]
    game = pyspiel.load_game(f"papamu_{slug}", options)
    other = doubled(game)
    assert type(other) is type(game)
    assert other.get_parameters() == game.get_parameters()
    assert other.rules is game.rules
    assert (other.get_type().short_name, other.max_game_length()) == (f"papamu_{slug}", game.max_game_length())
    for number, (state, same) in enumerate(zip(states(game), states(other), strict=True)):
        assert same.history() == state.history()
        if number in (0, 25) or state.is_terminal():
            before = str(state)
            twin = doubled(state)
            assert (str(twin), twin.history(), twin.returns()) == (before, state.history(), state.returns())
            for seat in range(game.num_players()):
                assert twin.information_state_string(seat) == state.information_state_string(seat)
            if not state.is_terminal():
                twin.apply_action(twin.legal_actions()[-1])
                twin.apply_action(twin.legal_actions()[0])
                assert str(twin) != before
            assert str(state) == before


def test_a_stored_game_is_read_by_a_process_that_has_not_registered_it() -> None:
    state = pyspiel.load_game("papamu_tiki", LAYOUT).new_initial_state()
    code = "import pickle, sys; game, state = pickle.load(sys.stdin.buffer); print(game.get_parameters()['layout'])"
    stored = pickle.dumps((state.get_game(), state))
    done = subprocess.run([sys.executable, "-c", code], input=stored, capture_output=True, check=True)
    assert done.stdout.decode() == f"{LAYOUT['layout']}\n"


def test_options_make_another_setup() -> None:
    game = pyspiel.load_game("papamu_tiki(turn_limit=4,starter=SEAT1)")
    assert game.max_game_length() == openspiel.LONGEST
    *_, last = states(game)
    assert last.world.state.end_reason() == "TURN_LIMIT"
    assert last.returns() == [0.0, 0.0] or sum(last.returns()) == 0.0
    with pytest.raises(Exception, match="turn_limit"):
        pyspiel.load_game("papamu_tiki", {"turn_limit": 0})


def test_illegal_actions_and_unknown_observers_are_refused() -> None:
    game = load("tiki", 2)
    with pytest.raises(IllegalMove):
        game.new_initial_state().world.play(0)
    with pytest.raises(ValueError, match="what one seat sees"):
        game.make_py_observer(
            pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
        )


def test_a_program_that_used_it_ends_well() -> None:
    code = "import pyspiel, engines.environments.openspiel; print(pyspiel.load_game('papamu_tiki').num_players())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def test_openspiel_searches_it() -> None:
    """One of OpenSpiel's own algorithms plays on from a position, which takes clones, chance and returns together."""
    from open_spiel.python.algorithms import mcts

    game = load("tiki", 2, turn_limit=6)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1)
    bot = mcts.MCTSBot(game, uct_c=1.4, max_simulations=20, evaluator=evaluator)
    assert bot.step(state) in state.legal_actions()
