"""Any game for OpenSpiel (`pip install "papamu[openspiel]"`); importing this module registers `papamu_<slug>` for all.

    import pyspiel
    import engines.environments.openspiel

    game = pyspiel.load_game("papamu_tiki", {"turn_limit": 50})

Parameters are `players`, `edition` and the options of the game; those not given have the values of its default edition.
An action is a move code of the setup, also for chance. Codes belong to an edition: a policy learned on one does not fit
another. A value with a comma cannot stand in a game *string*; pass it in the dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel

from engines import envelope, registry
from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Game, Observation, OptionValue, Setup
from engines.core.state import Moves, Rules, State
from engines.environments.layout import Layout, content, layout
from engines.environments.returns import returns

LONGEST = 1_000_000
"""Bound of the plies of a game whose options are not the default ones: the largest limit that an option can set."""


class World:
    """A position, the moves that led to it, and what each seat has seen on the way.

    OpenSpiel copies states by `deepcopy` and stores them by `pickle`; a world knows both.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.state = envelope.game_of(rules).rules.start(rules)
        self.codes: list[int] = []
        # What was seen is worked out when somebody asks: the position that it is worked out to, and a digest by seat.
        self._seen = self.state.clone()
        self._known = 0
        self._memory: list[bytes] = []

    def play(self, code: int) -> None:
        """Makes a move. Raises IllegalMove."""
        self.state.play(code)
        self.codes.append(code)

    def memory(self, seat: int) -> str:
        """A digest of all that the seat has seen and done: equal exactly for what it cannot tell apart."""
        if not self._memory:
            self._memory = [_remember(b"", self._seen, s) for s in range(self.rules.seats)]
        for code in self.codes[self._known :]:
            actor = self._seen.actor
            self._seen.play(code)
            for s in range(self.rules.seats):
                own = b"%d" % code if s == actor else b""
                self._memory[s] = _remember(self._memory[s] + own, self._seen, s)
        self._known = len(self.codes)
        return self._memory[seat].hex()

    def __deepcopy__(self, memo: dict[int, Any]) -> World:
        other = World.__new__(World)
        other.rules = self.rules
        other.state = self.state.clone()
        other.codes = self.codes.copy()
        other._seen = self._seen.clone()
        other._known = self._known
        other._memory = self._memory.copy()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self.rules.setup, self.codes)


def _replay(setup: Setup, codes: list[int]) -> World:
    world = World(registry.make_rules(setup))
    for code in codes:
        world.play(code)
    return world


def _remember(before: bytes, state: State, seat: int) -> bytes:
    return blake2b(before + seen_text(state.observe(seat)).encode(), digest_size=16).digest()


def seen_text(observation: Observation[Any]) -> str:
    """What is seen as text: one line per field."""
    return "\n".join(f"{name}: {value!r}" for name, value in content(observation).items())


class PapamuState(pyspiel.State):
    """One position with its history."""

    def __init__(self, game: PapamuGame) -> None:
        """Called by `Game.new_initial_state` only."""
        super().__init__(game)
        self.world = World(game.rules)

    def current_player(self) -> int:
        """A seat, or OpenSpiel's number for chance or the end."""
        actor = self.world.state.actor
        special = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}
        return int(special.get(actor, actor))

    def _legal_actions(self, player: int) -> list[int]:
        moves = Moves()
        self.world.state.legal(moves)
        return moves.to_list()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each outcome with its probability."""
        moves = Moves()
        self.world.state.weights(moves)
        weights = moves.to_weights()
        total = sum(weights)
        return [(code, weight / total) for code, weight in zip(moves.to_list(), weights, strict=True)]

    def _apply_action(self, action: int) -> None:
        self.world.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return envelope.lexicon(self.world.rules).tokens[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.world.state.actor == TERMINAL

    def returns(self) -> list[float]:
        """Zero until the end, then -1.0 to 1.0 by seat."""
        return returns(self.world.state)

    def __str__(self) -> str:
        """The whole state, hidden parts included."""
        return "\n".join((repr(self.world.state.snapshot()), f"key {self.world.state.key().hex()}"))

    def __deepcopy__(self, memo: dict[int, Any]) -> PapamuState:
        other: PapamuState = self.clone()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        # OpenSpiel's own way goes by the game string, in which not every value can stand.
        return _resume, (self.get_game(), self.world.codes)


def _resume(game: PapamuGame, codes: list[int]) -> PapamuState:
    state: PapamuState = game.new_initial_state()
    for code in codes:
        state.apply_action(code)
    return state


class PapamuGame(pyspiel.Game):
    """One setup of one game."""

    def __init__(self, game: Game, kind: pyspiel.GameType, params: Mapping[str, Any] | None = None) -> None:
        """Raises BadInput or registry.UnknownEdition for a setup that does not exist."""
        values = {**kind.parameter_specification, **(params or {})}
        options: dict[str, OptionValue] = {spec.name: values[spec.name] for spec in game.edition.OPTIONS}
        setup = registry.make_setup(game, values["edition"], "", values["players"], options)
        self.rules = registry.make_rules(setup)
        codes = len(envelope.lexicon(self.rules).tokens)
        usual = setup.options == registry.make_setup(game, setup.edition, "", setup.seats).options
        info = pyspiel.GameInfo(
            num_distinct_actions=codes,
            max_chance_outcomes=codes,
            num_players=setup.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=game.facts.max_plies if usual else LONGEST,
        )
        super().__init__(kind, info, dict(params or {}))
        self._package = game.package

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self._package, self.get_parameters())

    def new_initial_state(self, _: Any = None) -> PapamuState:
        """The state before the first move."""
        return PapamuState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        """What one seat sees. Raises ValueError for other selections than that, or for parameters."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        private = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or not wanted.public_info or wanted.private_info != private:
            raise ValueError("an observation is what one seat sees, public and its own, without parameters")
        return Observer(layout(self.rules), perfect_recall=wanted.perfect_recall)


class Observer:
    """Present observations as text and tensor; with perfect recall as text that tells apart all that a seat can."""

    def __init__(self, slots: Layout, *, perfect_recall: bool) -> None:
        self._layout = slots
        self._recall = perfect_recall
        self.tensor = None if perfect_recall else np.zeros(slots.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: PapamuState, player: int) -> None:
        """Fills the tensor."""
        if self.tensor is not None:
            self.tensor[:] = self._layout.encode(state.world.state.observe(player))

    def string_from(self, state: PapamuState, player: int) -> str:
        """The text."""
        seen = seen_text(state.world.state.observe(player))
        return f"{seen}\nmemory: {state.world.memory(player)}" if self._recall else seen


def register(game: Game) -> str:
    """Registers a game, one of the registry or from outside, and returns its name for `pyspiel.load_game`."""
    facts = game.facts
    name = f"papamu_{facts.slug}"
    hidden, open_ = pyspiel.GameType.Information.IMPERFECT_INFORMATION, pyspiel.GameType.Information.PERFECT_INFORMATION
    kind = pyspiel.GameType(
        short_name=name,
        long_name=facts.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=hidden if facts.hidden else open_,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=facts.seats[-1],
        min_num_players=facts.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": facts.seats[0],
            "edition": facts.default_edition,
            **registry.make_setup(game).options,
        },
    )

    class Registered(PapamuGame):
        """A class, since OpenSpiel lets go of it after the end of the interpreter, and only a class survives that."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, kind, params)

    pyspiel.register_game(kind, Registered)
    return name


def _load(package: str, params: dict[str, Any]) -> PapamuGame:
    """A stored game, registered first where it is read by a process that does not know it yet."""
    game = registry.load(package)
    name = f"papamu_{game.facts.slug}"
    if name not in pyspiel.registered_names():
        register(game)
    loaded: PapamuGame = pyspiel.load_game(name, params)
    return loaded


NAMES = tuple(register(game) for game in registry.games())
"""Names of the games of the registry."""
