"""The plain words that every game speaks: facts, setups, reasons, violations, and the shape of a game package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from engines.core.evaluate import Evaluator
    from engines.core.state import Rules, State

S_co = TypeVar("S_co", bound="State", covariant=True)


class Kind(IntEnum):
    """What sort of rule refuses a move; the same few words for all games, numbered as on the wire."""

    GAME_OVER = 1
    NOT_THE_ACTOR = 2
    WRONG_PHASE = 3
    OUT_OF_RANGE = 4
    RULE = 5


@dataclass(frozen=True, slots=True)
class Rule:
    """A published rule id with its general statement."""

    id: str
    kind: Kind
    text: str
    section: str
    """Where the game's README states it."""
    met: bool = True
    """False for a rule that no move in a possible position breaks, since the game decides without asking."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One broken rule of one refused move."""

    id: str
    kind: Kind
    sentence: str
    """For a person: what is wrong here and now."""
    field: str
    """Path inside the action message, as `move.tiki.create.village`; "" when no single field is to blame."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault of an input that is no setup, position or move at all."""

    field: str
    """Path inside the refused message."""
    sentence: str
    id: str = ""
    """The rule id (`tiki.state.tikis`), where the game's specification gives one."""


class BadInput(ValueError):
    """Input from outside that is not what it claims to be; holds one violation per fault."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__("; ".join(f"{v.field}: {v.sentence}" if v.field else v.sentence for v in violations))
        self.violations = tuple(violations)


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a game: `kind` is "bool", "int", "enum" or "text"."""

    name: str
    kind: str
    about: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    """Values of a text, for help and for tests that vary options."""


OptionValue = bool | int | str
"""What an option holds; an enum holds the name of its choice."""


@dataclass(frozen=True)
class Setup:
    """Edition, seats and options of one game; every option has its value."""

    game: str
    edition: str
    edition_hash: str
    seats: int
    options: Mapping[str, OptionValue] = field(hash=False)

    @cached_property
    def key(self) -> str:
        """A text that is equal exactly for equal setups."""
        options = ",".join(f"{name}={self.options[name]!r}" for name in sorted(self.options))
        return f"{self.game}/{self.edition}@{self.edition_hash}/{self.seats}/{options}"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a game declares about itself; the conformance kit holds it to them."""

    slug: str
    name: str
    rules_version: int
    """Raised whenever a change of the rules code could change how a stored record replays."""
    seats: tuple[int, ...]
    default_edition: str
    max_legal: int
    """Proven bound of the length of a legal list."""
    max_plies: int
    """Proven bound of the plies of a game with default options, chance moves included."""
    end_reasons: tuple[str, ...]
    hidden: bool
    """Whether some seat holds information that another does not see."""
    chance_after_setup: bool
    lower_score_is_better: bool = False


class BreakdownRow(NamedTuple):
    """Points of one seat from one source."""

    seat: int
    source: str
    points: int


class Snapshot(Protocol):
    """Every field of one state as plain, frozen, comparable data with a canonical `repr`."""

    def timeless(self) -> object:
        """The same without turn and ply counters and history."""


class Observation(Protocol[S_co]):
    """What one seat sees. Search and bots get this and nothing else."""

    @property
    def rules(self) -> Rules:
        """The game it belongs to."""

    @property
    def viewer(self) -> int:
        """The seat that sees it."""

    def sample(self, key: int, index: int) -> S_co:
        """A full state that agrees with the observation, drawn with draws `index`... of the stream `key`."""


@runtime_checkable
class HidesStanding(Protocol):
    """An observation of a game in which a seat does not know how all others stand."""

    def standing_hidden(self) -> tuple[int, ...]:
        """The seats whose points, or what breaks their ties, the viewer does not see."""


# The modules of a game package. `registry.game("tiki")` gives them together; mypy holds each package to these shapes.


class EditionModule(Protocol):
    """`edition.py`: component data and options."""

    OPTIONS: tuple[OptionSpec, ...]

    def check(self, data: Mapping[str, Any]) -> list[Violation]:
        """Every fault of a parsed edition file; empty when it is sound."""

    def options(self, data: Mapping[str, Any], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """All options, defaults filled in. Raises BadInput with one violation per illegal value."""


class RulesModule(Protocol):
    """`rules.py`: the state, its legal moves and their effects."""

    def make_rules(self, setup: Setup, data: Mapping[str, Any]) -> Rules:
        """The immutable rules object of a checked setup."""

    def start(self, rules: Rules) -> State:
        """The state before the first move."""

    def load(self, rules: Rules, snapshot: Any) -> State:
        """A state from outside. Raises BadInput when an invariant is broken."""


class InvariantsModule(Protocol):
    """`invariants.py`: what holds in every possible state."""

    IDS: tuple[str, ...]
    """The id of every invariant, as violations carry it."""

    def check(self, rules: Any, snapshot: Any) -> list[Violation]:
        """Every broken invariant, with its id and field path; empty for a possible state."""


class MovesModule(Protocol):
    """`moves.py`: the typed moves and their codes."""

    def vocabulary(self, rules: Rules) -> Sequence[Any]:
        """The move of each code; None where a code is unused."""

    def encode(self, rules: Rules, move: Any) -> int | None:
        """The code of a well-formed move; None when it is outside the vocabulary."""


class NotationModule(Protocol):
    """`notation.py`: text of moves and positions."""

    def token(self, rules: Rules, move: Any) -> str:
        """The text of a well-formed move."""

    def parse(self, rules: Rules, token: str) -> Any:
        """The move of a token. Raises BadInput when it is no token of the game."""

    def write_position(self, state: Any) -> str:
        """The position text."""

    def read_position(self, rules: Rules, text: str) -> State:
        """The state of a position text. Raises BadInput."""


class WireModule(Protocol):
    """`wire.py`: protobuf messages of the game's own package (`papamu.tiki.v1`)."""

    def write_options(self, setup: Setup) -> Any:
        """All options of a setup."""

    def read_options(self, message: Any) -> dict[str, OptionValue]:
        """The options that are set. Raises BadInput on an unknown enum number."""

    def write_move(self, rules: Rules, move: Any) -> Any:
        """The message of a well-formed move."""

    def read_move(self, rules: Rules, message: Any) -> Any:
        """The well-formed typed move. Raises BadInput."""

    def write_state(self, state: Any) -> Any:
        """The message of a state."""

    def read_state(self, rules: Rules, message: Any) -> State:
        """The state. Raises BadInput when it is malformed or breaks an invariant."""

    def write_view(self, observation: Any) -> Any:
        """The message of an observation."""

    def read_view(self, rules: Rules, viewer: int, message: Any) -> Observation[Any]:
        """The observation. Raises BadInput."""


class ExplainModule(Protocol):
    """`explain.py`: why a move is refused."""

    RULES: tuple[Rule, ...]

    def explain(self, state: Any, move: Any, sender: int) -> list[Reason]:
        """Every broken rule, in the precedence of the specification; empty exactly when the move is legal."""


class ObserveModule(Protocol):
    """`observe.py`: the one filter of hidden information."""

    def observe(self, state: Any, seat: int) -> Observation[Any]:
        """What `seat` sees. Raises ValueError for a seat that does not exist."""

    def shows(self, state: Any, move: Any, seat: int) -> bool:
        """Whether `seat` sees what a move is, or only that it is made; `state` is the one before the move."""


class EvaluateModule(Protocol):
    """`evaluate.py`: a bot's eye."""

    EVALUATOR: Evaluator

    def evaluate(self, state: Any, seat: int) -> int:
        """How good the state looks for `seat`: a number that grows with its prospects, comparable within one game."""


class PictureModule(Protocol):
    """`picture.py`: the position as people see it, terminal and SVG from one geometry."""

    def text(self, observation: Any, colour: bool = False) -> str:
        """For a terminal; `colour` adds ANSI codes (`core/ansi.py`) and changes nothing else."""

    def svg(self, observation: Any) -> str:
        """An SVG document."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game package, its modules side by side."""

    package: str
    """Where the modules are, as `engines.tiki`."""
    facts: Facts
    edition: EditionModule
    rules: RulesModule
    invariants: InvariantsModule
    moves: MovesModule
    notation: NotationModule
    wire: Any
    """A `WireModule`; None for a game from outside that is never sent anywhere."""
    explain: ExplainModule
    observe: ObserveModule
    evaluate: EvaluateModule
    picture: PictureModule
