"""Any game as a PettingZoo AEC environment (`pip install "papamu[pettingzoo]"`).

    from engines.environments.pettingzoo_aec import env

    game = env("tiki")
    game.reset(seed=7)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        done = termination or truncation
        game.step(None if done else game.action_space(agent).sample(observation["action_mask"]))

An agent is a seat, an action is a move code of the setup (`raw_env.tokens` gives its text), and chance moves are made
inside. Codes belong to an edition: a policy learned on one does not fit another.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from operator import index
from secrets import randbits
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from engines import envelope, registry
from engines.chance import chance_key, draw_chance
from engines.core.constants import ABSENT, CHANCE, TERMINAL
from engines.core.game import Game, OptionValue
from engines.core.rng import mix
from engines.core.state import IllegalMove, Moves, Rules, State
from engines.environments.layout import layout
from engines.environments.returns import returns

ILLEGAL_REWARD = -1.0
"""What the wrapped environment gives a seat whose illegal move ends the episode; as much as the last place."""


def env(slug: str, **settings: Any) -> AECEnv[str, dict[str, NDArray[Any]], int]:
    """The environment as learners use it: an illegal move ends the episode. `settings` as in `RawEnv`."""
    illegal = TerminateIllegalWrapper(RawEnv(slug, **settings), illegal_reward=ILLEGAL_REWARD)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(illegal))


class RawEnv(AECEnv[str, dict[str, NDArray[Any]], int]):
    """One game. Agents are `seat_0`, `seat_1`...; they get what their seat sees, never more.

    An observation is `{"observation": int32 array as in `layout`, "action_mask": int8 array over the codes}`; the mask
    is all zero for who is not to move. Rewards are zero until the end, then `returns`: -1.0 to 1.0, adding up to zero.
    """

    metadata = {"render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's own attribute)

    def __init__(
        self,
        slug: str,
        seats: int = 0,
        edition: str = "",
        options: Mapping[str, OptionValue] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`seats` 0 means the fewest of the game, `edition` "" its default.

        Raises BadInput or registry.UnknownEdition for a setup that does not exist, ValueError for a render mode.
        """
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.metadata = {**self.metadata, "name": f"papamu_{slug}_v1"}
        self.render_mode = render_mode
        game = registry.game(slug)
        plain = {name: _plain(value) for name, value in (options or {}).items()}
        self._lay_out(game, registry.make_rules(registry.make_setup(game, edition, "", index(seats), plain)))
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        bounds = np.iinfo(np.int32)
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(int(bounds.min), int(bounds.max), (self.layout.size,), np.int32),
                    "action_mask": spaces.Box(0, 1, (len(self.tokens),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(len(self.tokens)) for agent in self.possible_agents}
        self._seed = randbits(64)

    def _lay_out(self, game: Game, rules: Rules) -> None:
        """Sets what follows from the setup, and no position."""
        self.game = game
        self.rules = rules
        self.layout = layout(rules)
        self.tokens = envelope.lexicon(rules).tokens
        """Text of each action; "" where a code is unused."""
        self._position: State | None = None
        self._moves = Moves()

    def __deepcopy__(self, memo: dict[int, Any]) -> RawEnv:
        shared = (self.game, self.rules, self.layout, self.tokens, self._moves)  # none of them changes
        memo |= {id(same): same for same in shared}
        if self._position is not None:
            memo[id(self._position)] = self._position.clone()
        other = type(self).__new__(type(self))
        other.__dict__.update(deepcopy(vars(self), memo))
        return other

    def __getstate__(self) -> tuple[Any, ...]:
        """The package and setup of the game, the position as plain data, and all else but what follows from these."""
        made = ("game", "rules", "layout", "tokens", "_position", "_moves")
        rest = {name: value for name, value in vars(self).items() if name not in made}
        return self.game.package, self.rules.setup, self._position and self._position.snapshot(), rest

    def __setstate__(self, stored: tuple[Any, ...]) -> None:
        package, setup, snapshot, rest = stored
        self.__dict__.update(rest)
        self._lay_out(registry.load(package), registry.make_rules(setup))
        if snapshot is not None:
            self._position = self.game.rules.load(self.rules, snapshot)
            self._find_moves()

    def __str__(self) -> str:
        return str(self.metadata["name"])

    @property
    def position(self) -> State:
        """The game as it stands. Raises AssertionError before `reset`, as PettingZoo does."""
        if self._position is None:
            raise AssertionError("reset() needs to be called before the game is played or looked at")
        return self._position

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. A seed draws the chance moves that it draws everywhere in Papamu; without one, the game after
        the last has a seed that follows from the last one's. `options` are not used: those of a game are its setup.
        """
        self._seed = mix(self._seed) if seed is None else index(seed) % 2**64
        self._key = chance_key(self._seed)
        self._chances = 0
        self._position = self.game.rules.start(self.rules)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def _go_on(self) -> None:
        """Makes the chance moves that are due and gives the turn to who is next."""
        position = self.position
        while position.actor == CHANCE:
            position.play(draw_chance(position, self._key, self._chances))
            self._chances += 1
        self._find_moves()
        if position.actor == TERMINAL:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, returns(position), strict=True))
        else:
            self.agent_selection = self.agents[position.actor]

    def _find_moves(self) -> None:
        """The legal moves, in a list of their own: that of the move before may belong to copies too."""
        self._moves = Moves()
        self.position.legal(self._moves)

    def step(self, action: int | None) -> None:
        """Makes a move for `agent_selection`. Raises IllegalMove, with every reason, and then changes nothing."""
        position = self.position
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        code = self._code(action)
        if not self._moves.has(code):
            raise IllegalMove(self.why_not(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        position.play(code)
        self._go_on()
        self._accumulate_rewards()

    def why_not(self, action: int | None) -> str:
        """Every reason why an action is not legal now, for people; "" when it is."""
        position, code = self.position, self._code(action)
        if code == ABSENT or not self.tokens[code]:
            return f"{action} is no action of {self.rules.setup.edition}"
        move = envelope.lexicon(self.rules).moves[code]
        reasons = envelope.explain(position, move, position.actor)
        return "; ".join(f"{self.tokens[code]}: {reason.sentence} ({reason.id})" for reason in reasons)

    def _code(self, action: object) -> int:
        """The code of an action; ABSENT for what is no whole number or none of the action space."""
        try:
            code = index(action)  # type: ignore[arg-type]  # what it refuses is what is asked here
        except TypeError:
            return ABSENT
        return code if 0 <= code < len(self.tokens) else ABSENT

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What the seat sees, and which actions are legal if it is to move."""
        position, seat = self.position, self.possible_agents.index(agent)
        mask = np.zeros(len(self.tokens), dtype=np.int8)
        if seat == position.actor:
            mask[self._moves.to_list()] = 1
        return {"observation": self.layout.encode(position.observe(seat)), "action_mask": mask}

    def render(self) -> str | None:
        """With `render_mode="ansi"`, the picture of the position as who is to move sees it."""
        if self.render_mode is None:
            return None
        return self.game.picture.text(self.position.observe(self.possible_agents.index(self.agent_selection)))

    def close(self) -> None:
        """Nothing is held open."""


def _plain(value: Any) -> Any:
    """An option as Python has it, since learners count with NumPy; anything else stays, to be refused in words."""
    if isinstance(value, np.generic):
        return value.item()
    try:
        return value if isinstance(value, bool) else index(value)
    except TypeError:
        return value
