"""The envelopes of the contract (`papamu.rules.v1`) to and from the engine's words, for every game.

What is read must be known whole: a field of a newer version may mean other rules, and skipping it would play these.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from papamu.rules.v1 import envelope_pb2 as pb

from engines import registry
from engines.core.constants import ABSENT, CHANCE, TERMINAL
from engines.core.game import BadInput, Game, Observation, Reason, Setup, Violation
from engines.core.state import Rules, State
from engines.unknown import refuse_unknown


def under(path: str, error: BadInput) -> BadInput:
    """The same violations with their fields below `path`."""
    return BadInput([Violation(f"{path}.{v.field}" if v.field else path, v.sentence, v.id) for v in error.violations])


class Lexicon:
    """Move, text and message bytes of each code of one setup, made once: answers are joined from them."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game = game
        self.rules = rules
        self.moves = list(game.moves.vocabulary(rules))

    @cached_property
    def tokens(self) -> list[str]:
        """Text by code; "" where a code is unused."""
        return ["" if m is None else self.game.notation.token(self.rules, m) for m in self.moves]

    @cached_property
    def messages(self) -> list[pb.Move | None]:
        """Envelope by code, shared: not to be changed."""
        return [None if m is None else write_move(self.rules, m) for m in self.moves]

    @cached_property
    def bytes(self) -> list[bytes]:
        """Serialized envelope by code; empty where a code is unused."""
        return [b"" if m is None else m.SerializeToString(deterministic=True) for m in self.messages]


@lru_cache(maxsize=64)
def lexicon(rules: Rules) -> Lexicon:
    """The lexicon of a rules object (equal setups share one, so this is made once per setup)."""
    return Lexicon(game_of(rules), rules)


def game_of(rules: Rules) -> Game:
    """The game that a rules object belongs to."""
    return registry.game(rules.setup.game)


# -- setups -------------------------------------------------------------------------------------------------------


def write_setup(setup: Setup) -> pb.Setup:
    """The message of a setup, complete."""
    options = registry.game(setup.game).wire.write_options(setup)
    content: dict[str, Any] = {setup.game: options}
    return pb.Setup(edition=setup.edition, edition_hash=setup.edition_hash, seats=setup.seats, **content)


def read_setup(message: pb.Setup) -> Setup:
    """The setup, what is not set filled with defaults.

    Raises BadInput, or registry.UnknownEdition when the edition is not here.
    """
    refuse_unknown(message)
    slug = message.WhichOneof("options")
    if slug is None:
        raise BadInput([Violation("options", "no game is set")])
    game = registry.game(slug)
    try:
        given = game.wire.read_options(getattr(message, slug))
        return registry.make_setup(game, message.edition, message.edition_hash, message.seats, given)
    except BadInput as error:
        names = {spec.name for spec in game.edition.OPTIONS}
        raise BadInput(
            [
                Violation(f"{slug}.{v.field}" if v.field in names else v.field, v.sentence, v.id)
                for v in error.violations
            ]
        ) from error


@lru_cache(maxsize=256)
def _rules_of_bytes(data: bytes) -> Rules:
    return registry.make_rules(read_setup(pb.Setup.FromString(data)))


def read_rules(message: pb.Setup) -> Rules:
    """The rules object of a setup message; equal messages share one. Raises as `read_setup`."""
    return _rules_of_bytes(message.SerializeToString(deterministic=True))


@lru_cache(maxsize=256)
def setup_message(rules: Rules) -> pb.Setup:
    """The complete setup message of a rules object, shared: not to be changed."""
    return write_setup(rules.setup)


# -- positions and observations -----------------------------------------------------------------------------------


def write_position(state: State) -> pb.Position:
    """The message of a state."""
    game = game_of(state.rules)
    return pb.Position(setup=setup_message(state.rules), **{game.facts.slug: game.wire.write_state(state)})


def _content(message: Any, oneof: str, what: str) -> tuple[Rules, Game, Any]:
    refuse_unknown(message)
    slug = message.WhichOneof(oneof)
    if slug is None:
        raise BadInput([Violation("", f"no {what} is set")])
    if not message.HasField("setup"):
        raise BadInput([Violation("setup", "is missing")])
    if message.setup.WhichOneof("options") != slug:
        raise BadInput([Violation("setup", f"is not of the game {slug}")])
    try:
        rules = read_rules(message.setup)
    except BadInput as error:
        raise under("setup", error) from error
    return rules, registry.game(slug), getattr(message, slug)


def read_position(message: pb.Position) -> State:
    """The state. Raises BadInput with a field path per fault, or registry.UnknownEdition."""
    rules, game, content = _content(message, "state", "state")
    try:
        state: State = game.wire.read_state(rules, content)
        return state
    except BadInput as error:
        raise under(game.facts.slug, error) from error


def write_observation(observation: Observation[Any]) -> pb.Observation:
    """The message of an observation."""
    game = game_of(observation.rules)
    content: dict[str, Any] = {game.facts.slug: game.wire.write_view(observation)}
    return pb.Observation(setup=setup_message(observation.rules), viewer=observation.viewer, **content)


def read_observation(message: pb.Observation) -> Observation[Any]:
    """The observation. Raises as `read_position`."""
    rules, game, content = _content(message, "view", "view")
    if message.viewer >= rules.seats:
        raise BadInput([Violation("viewer", f"must be 0 to {rules.seats - 1}")])
    try:
        observation: Observation[Any] = game.wire.read_view(rules, message.viewer, content)
        return observation
    except BadInput as error:
        raise under(game.facts.slug, error) from error


# -- moves and actions --------------------------------------------------------------------------------------------


def write_move(rules: Rules, move: Any) -> pb.Move:
    """The message of a well-formed typed move."""
    game = game_of(rules)
    return pb.Move(**{game.facts.slug: game.wire.write_move(rules, move)})


def read_move(rules: Rules, message: pb.Move) -> Any:
    """The typed move. Raises BadInput when it is no move of this game."""
    refuse_unknown(message)
    return _read_move(rules, message)


def _read_move(rules: Rules, message: pb.Move) -> Any:
    slug = message.WhichOneof("move")
    game = game_of(rules)
    if slug != game.facts.slug:
        raise BadInput([Violation("", "no move is set" if slug is None else f"is a move of {slug}")])
    try:
        return game.wire.read_move(rules, getattr(message, slug))
    except BadInput as error:
        raise under(slug, error) from error


def write_action(rules: Rules, move: Any, sender: int) -> pb.Action:
    """The message of an action; `sender` is a seat, CHANCE or ABSENT."""
    action = pb.Action(move=write_move(rules, move))
    if sender == CHANCE:
        action.chance.SetInParent()
    elif sender != ABSENT:
        action.seat = sender
    return action


def read_action(rules: Rules, message: pb.Action) -> tuple[Any, int]:
    """Typed move and sender (ABSENT when none is named). Raises BadInput."""
    refuse_unknown(message)
    sender = ABSENT
    if message.WhichOneof("sender") == "chance":
        sender = CHANCE
    elif message.WhichOneof("sender") == "seat":
        sender = message.seat
        if sender >= rules.seats:
            raise BadInput([Violation("seat", f"must be 0 to {rules.seats - 1}")])
    try:
        return _read_move(rules, message.move), sender
    except BadInput as error:
        raise under("move", error) from error


def explain(state: State, move: Any, sender: int) -> list[Reason]:
    """Why the move is refused; an absent sender is the actor. Empty exactly when it is legal."""
    actor = state.actor
    if sender == ABSENT:
        # After the end nobody is the actor; any sender gets the same answer, that the game is over.
        sender = 0 if actor == TERMINAL else actor
    return game_of(state.rules).explain.explain(state, move, sender)


def write_reasons(reasons: list[Reason]) -> list[pb.Reason]:
    """The messages of reasons."""
    return [pb.Reason(id=r.id, kind=pb.RuleKind.Name(int(r.kind)), sentence=r.sentence, field=r.field) for r in reasons]
