"""The PettingZoo environment, by PettingZoo's own tests and by what Papamu adds."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="needs the extra: pip install 'papamu[pettingzoo]'")

import numpy as np
from pettingzoo.test import api_test, seed_test

from engines import registry
from engines.core.game import BadInput
from engines.core.state import IllegalMove
from engines.environments.pettingzoo_aec import ILLEGAL_REWARD, RawEnv, env
from engines.environments.returns import returns
from tests.engines.environments.setups import SETUPS

# PettingZoo advises against observations with a mask in them unless the environment is one of its own.
advice = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]
pytestmark = [*advice, pytest.mark.slow]


def first_legal(raw: RawEnv) -> int:
    return int(np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"])[0])


def play(game: Any, seed: int) -> list[tuple[str, int, dict[str, float]]]:
    """A game of mask-sampled actions: who did what, and the rewards after it."""
    game.reset(seed=seed)
    for seat, agent in enumerate(game.possible_agents):
        game.action_space(agent).seed(seed + seat)
    made = []
    for agent in game.agent_iter():
        observation, _, termination, truncation, _ = game.last()
        action = None
        if not termination and not truncation:
            action = game.action_space(agent).sample(observation["action_mask"])
            made.append((agent, int(action), {}))
        game.step(action)
        if action is not None:
            made[-1] = (agent, int(action), dict(game.rewards))
    return made


@pytest.mark.parametrize(("slug", "seats"), SETUPS)
def test_pettingzoo_api(slug: str, seats: int) -> None:
    api_test(env(slug, seats=seats), num_cycles=200)
    api_test(RawEnv(slug, seats=seats), num_cycles=200)


@pytest.mark.parametrize(("slug", "seats"), SETUPS)
def test_pettingzoo_seeds(slug: str, seats: int) -> None:
    seed_test(lambda: env(slug, seats=seats), num_cycles=200)


@pytest.mark.parametrize(("slug", "seats"), SETUPS)
def test_a_game_gives_nothing_until_its_end_and_then_adds_up_to_zero(slug: str, seats: int) -> None:
    raw = RawEnv(slug, seats=seats)
    made = play(raw, 3)
    assert all(set(rewards.values()) == {0.0} for _, _, rewards in made[:-1])
    last = made[-1][2]
    assert sum(last.values()) == pytest.approx(0.0)
    assert list(last.values()) == returns(raw.position)
    assert play(raw, 3) == made
    assert play(raw, 4) != made


def test_rewards_follow_the_places() -> None:
    raw = RawEnv("tiki")
    for seed in range(5):
        *_, (_, _, rewards) = play(raw, seed)
        places = raw.position.placements()
        assert list(rewards.values()) == {(1, 2): [1.0, -1.0], (2, 1): [-1.0, 1.0], (1, 1): [0.0, 0.0]}[tuple(places)]


def test_a_seed_plays_the_chance_of_that_seed_and_no_seed_plays_other_chances() -> None:
    raw = RawEnv("tiki")
    layouts = []
    for seed in (5, 5, None, None, 5, None):
        raw.reset(seed=seed)
        layouts.append((raw.position.snapshot().layout, raw.position.actor))  # type: ignore[attr-defined]
    assert layouts[0] == layouts[1] == layouts[4]
    assert layouts[2] == layouts[5]
    assert len({layouts[0], layouts[2], layouts[3]}) > 1


@pytest.mark.parametrize("slug", registry.SLUGS)
def test_only_who_moves_has_actions(slug: str) -> None:
    raw = RawEnv(slug)
    raw.reset(seed=1)
    for agent in raw.agents:
        assert raw.observe(agent)["action_mask"].any() == (agent == raw.agent_selection)
        assert raw.observation_space(agent).contains(raw.observe(agent))


def test_the_raw_environment_says_why_an_action_is_illegal_and_stays_as_it_was() -> None:
    raw = RawEnv("tiki")
    raw.reset(seed=1)
    raw.step(raw.tokens.index("@a1"))
    before = raw.position.key()
    with pytest.raises(IllegalMove, match=r"@a1: a1 holds a tiki \(tiki.create.occupied\)"):
        raw.step(raw.tokens.index("@a1"))
    for action in (-1, len(raw.tokens), 2**70, None, 1.0, 1.7, float("nan"), "1", np.array([1, 2])):
        with pytest.raises(IllegalMove, match="is no action of tiki-base"):
            raw.step(action)  # type: ignore[arg-type]
        assert "is no action of tiki-base" in raw.why_not(action)  # type: ignore[arg-type]
    assert raw.position.key() == before
    assert raw.why_not(raw.tokens.index("@b2")) == ""


def test_an_illegal_action_ends_the_wrapped_environment() -> None:
    game = env("tiki")
    game.reset(seed=1)
    agent = game.agent_selection
    mask = game.observe(agent)["action_mask"]
    game.step(int(np.flatnonzero(mask == 0)[0]))
    assert game.rewards[agent] == ILLEGAL_REWARD
    assert all(game.terminations.values())


WHOLE = [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.array]
"""What makes a whole number that is no Python one; `np.array` makes one without dimensions."""


@pytest.mark.parametrize("whole", WHOLE)
def test_whole_numbers_of_any_kind_are_taken(whole: Any) -> None:
    raw = RawEnv("tiki", seats=whole(2), options={"turn_limit": whole(50), "shaman": np.bool_(True)})
    assert raw.rules is RawEnv("tiki", seats=2, options={"turn_limit": 50, "shaman": True}).rules
    raw.reset(seed=whole(7))
    positions = [raw.position.key()]
    action = first_legal(raw)
    assert raw.why_not(whole(action)) == ""
    raw.step(whole(action))
    positions.append(raw.position.key())
    raw.reset(seed=7)
    assert raw.position.key() == positions[0]
    raw.step(action)
    assert raw.position.key() == positions[1]


@pytest.mark.parametrize("seed", [-5, 2**31 - 1, 2**63 - 1, np.int64(-5), np.int32(-1), np.uint64(2**64 - 1)])
def test_any_whole_number_is_a_seed(seed: Any) -> None:
    game, same = env("tiki"), RawEnv("tiki")
    game.reset(seed=seed)
    same.reset(seed=int(seed) % 2**64)
    assert game.unwrapped.position.key() == same.position.key()


def test_other_numbers_are_refused_in_words() -> None:
    for limit in (50.0, np.float64(50), np.array([50, 51]), "50"):
        with pytest.raises(BadInput, match="turn_limit: must be a whole number"):
            RawEnv("tiki", options={"turn_limit": limit})  # type: ignore[dict-item]
    with pytest.raises(BadInput, match="shaman: must be true or false"):
        RawEnv("tiki", options={"shaman": np.int64(1)})
    for seed in (7.0, "7"):
        with pytest.raises(TypeError, match="integer"):
            RawEnv("tiki").reset(seed=seed)  # type: ignore[arg-type]


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda game: pickle.loads(pickle.dumps(game))}


def told(game: Any) -> Any:
    """All that an environment tells after a reset, as comparable data."""
    seen = {agent: {name: a.tolist() for name, a in game.observe(agent).items()} for agent in game.possible_agents}
    tables = (game.rewards, game._cumulative_rewards, game.terminations, game.truncations, game.infos)
    return game.agents[:], game.agent_selection, seen, [dict(t) for t in tables], game.unwrapped.position.key()


def go_on(game: Any, moves: int) -> list[Any]:
    """Plays mask-sampled actions, all agents' last `None` included; what the environment tells after each."""
    made = []
    while game.agents and len(made) < moves:
        agent = game.agent_selection
        observation, _, termination, truncation, _ = game.last()
        done = termination or truncation
        game.step(None if done else game.action_space(agent).sample(observation["action_mask"]))
        made.append((agent, told(game) if game.agents else None))
    return made


@pytest.mark.parametrize("copying", COPIES)
@pytest.mark.parametrize("make", [RawEnv, env])
@pytest.mark.parametrize("slug", registry.SLUGS)
def test_a_copy_goes_on_equally_and_by_itself(slug: str, make: Any, copying: str) -> None:
    doubled = COPIES[copying]
    game = make(slug, render_mode="ansi")
    for agent in game.possible_agents:
        game.action_space(agent).seed(5)
    fresh = doubled(game)
    assert (str(fresh), fresh.metadata, fresh.possible_agents) == (str(game), game.metadata, game.possible_agents)
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
        fresh.observe("seat_0")
    for each in (game, fresh):
        each.reset()  # the seed that it has by itself, which a copy shares
    assert told(fresh) == told(game)
    for moves in (0, 9):
        assert go_on(game, moves) == go_on(fresh, moves)
        before, other = told(game), doubled(game)
        assert told(other) == before
        assert other.render() == game.render()
        theirs = go_on(other, 10_000)
        assert other.agents == []
        assert theirs[-2][1] is not None
        assert told(game) == before
        assert go_on(doubled(game), 10_000) == theirs
    assert go_on(game, 10_000) == theirs
    over = doubled(game)
    assert over.agents == game.agents == []
    assert over.unwrapped.position.key() == game.unwrapped.position.key()
    for each in (game, over):
        each.reset()
    assert told(over) == told(game)


@pytest.mark.parametrize("slug", registry.SLUGS)
@pytest.mark.parametrize("copying", COPIES)
def test_a_copy_at_the_end_gives_the_same_rewards(slug: str, copying: str) -> None:
    raw = RawEnv(slug)
    raw.reset(seed=3)
    while not raw.terminations[raw.agent_selection]:
        raw.step(first_legal(raw))
    other = COPIES[copying](raw)
    assert told(other) == told(raw)
    assert other.last()[1:] == raw.last()[1:]
    assert go_on(other, 100) == go_on(raw, 100)


@pytest.mark.parametrize("copying", COPIES)
def test_a_copy_of_what_an_illegal_move_ended_is_ended(copying: str) -> None:
    game = env("tiki")
    game.reset(seed=1)
    game.step(int(np.flatnonzero(game.observe(game.agent_selection)["action_mask"] == 0)[0]))
    other = COPIES[copying](game)
    assert told(other) == told(game)
    assert go_on(other, 100) == go_on(game, 100)


def test_a_pickle_is_read_by_another_process() -> None:
    """As a worker of a vector environment does that is not forked."""
    game = env("gaul", seats=3)
    game.reset(seed=2)
    go_on(game, 9)
    code = (
        "import pickle, sys; game = pickle.load(sys.stdin.buffer);"
        "print(game.agent_selection, game.unwrapped.position.key().hex())"
    )
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(game), capture_output=True, check=True)
    assert done.stdout.decode().split() == [game.agent_selection, game.unwrapped.position.key().hex()]


def test_before_reset_there_is_no_game_to_play_or_look_at() -> None:
    for use in (
        lambda raw: raw.observe("seat_0"),
        lambda raw: raw.why_not(0),
        lambda raw: raw.why_not(-1),
        lambda raw: raw.step(0),
        lambda raw: raw.render(),
        lambda raw: raw.position,
    ):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
            use(RawEnv("tiki", render_mode="ansi"))


def test_settings_are_those_of_a_setup() -> None:
    raw = RawEnv("tiki", edition="tiki-one-marsh", options={"turn_limit": 3, "starter": "SEAT1"})
    raw.reset(seed=1)
    assert raw.agent_selection == "seat_1"
    turns = 0
    while not raw.terminations[raw.agent_selection]:
        raw.step(first_legal(raw))
        turns += 1
    assert raw.position.end_reason() == "TURN_LIMIT"
    for wrong in ({"seats": 9}, {"options": {"nonsense": 1}}):
        with pytest.raises(BadInput):
            RawEnv("tiki", **wrong)  # type: ignore[arg-type]
    with pytest.raises(registry.UnknownEdition):
        RawEnv("tiki", edition="none")
    with pytest.raises(BadInput):
        RawEnv("chess")


@pytest.mark.parametrize("slug", registry.SLUGS)
def test_a_picture_of_what_the_acting_seat_sees(slug: str) -> None:
    raw = RawEnv(slug, render_mode="ansi")
    raw.reset(seed=1)
    seat = raw.possible_agents.index(raw.agent_selection)
    assert raw.render() == raw.game.picture.text(raw.position.observe(seat))
    raw.close()
    assert RawEnv(slug).render() is None
    with pytest.raises(ValueError, match="render_mode"):
        RawEnv(slug, render_mode="human")
