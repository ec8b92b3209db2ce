"""One game between a person and bots, as `papamu play` has it: moves, hints, reasons, undo, resignation, record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from papamu.records.v1 import records_pb2 as pb

from engines import envelope
from engines.chance import chance_key, draw_chance
from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import BadInput, Observation, Reason, Violation
from engines.core.state import Moves, Rules, State
from engines.external.failures import BotFailure
from engines.record import results
from engines.record.record import new_record, player
from engines.search.bots import Bot, Closing, check_options, make_bot
from engines.search.budget import Spend
from engines.search.thinker import Thinker
from services.cli.position import integer

HINT = Spend(simulations=4000, seconds=2.0)
"""What a hint may cost."""


@dataclass(frozen=True)
class BotSpec:
    """A kind of bot and its options, as `mcts:simulations=200` names them."""

    kind: str
    options: Mapping[str, int]

    @classmethod
    def parse(cls, text: str) -> BotSpec:
        """Raises BadInput for an unknown kind or option, or a value that it does not take."""
        kind, _, rest = text.partition(":")
        options = {}
        for item in filter(None, rest.split(",")):
            name, equals, value = item.partition("=")
            number = integer(value)
            if not equals or number is None:
                raise BadInput([Violation(f"bot {text}", f"{item!r} is not option=number")])
            options[name] = number
        return cls(kind, check_options(kind, options))


@dataclass(frozen=True)
class Made:
    """A move as the person may see it: `token` is "" when only that it was made can be seen."""

    ply: int
    sender: int
    token: str


@dataclass(frozen=True)
class Advice:
    """A move that looks good, and how good: the share of the rivals that it is likely to leave behind, 0 to 1."""

    token: str
    value: float


@dataclass
class Sitting:
    """The game. `person` is the person's seat; `bots` holds the others by seat."""

    rules: Rules
    person: int
    bots: Mapping[int, BotSpec]
    seed: int
    moves: list[tuple[int, int]] = field(default_factory=list)
    """(code, sender) of every move so far."""
    forfeit: pb.Result | None = None
    """The result, when a seat gave up or a bot failed."""

    def __post_init__(self) -> None:
        self.game = envelope.game_of(self.rules)
        self._words = envelope.lexicon(self.rules)
        self._players: dict[int, Bot] = {}
        self.tokens = self._words.tokens
        """Text of every move of the setup; "" where a code is unused."""
        self._begin()

    def _begin(self) -> None:
        """The state after `moves`, and bots that have seen nothing yet: they need nothing but what they are asked."""
        self.state: State = self.game.rules.start(self.rules)
        for code, sender in self.moves:
            self.state.play(code, sender)
        self.close()
        self._chances = sum(sender == CHANCE for _, sender in self.moves)
        self._players = {
            seat: make_bot(self.game, spec.kind, spec.options, self.seed, seat) for seat, spec in self.bots.items()
        }

    def close(self) -> None:
        """Lets go of what the bots hold open."""
        for bot in self._players.values():
            if isinstance(bot, Closing):
                bot.close()

    @property
    def over(self) -> bool:
        """Whether there is nothing left to decide."""
        return self.forfeit is not None or self.state.actor == TERMINAL

    def seen(self) -> Observation[Any]:
        """What the person sees."""
        return self.state.observe(self.person)

    def picture(self) -> str:
        """The position as the person sees it, with the codes of an ANSI terminal."""
        return self.game.picture.text(self.seen(), colour=True)

    def legal(self) -> list[str]:
        """The person's legal moves."""
        moves = Moves()
        self.state.legal(moves)
        return [self._words.tokens[code] for code in moves.to_list()]

    def go_on(self) -> Iterator[Made]:
        """Makes the moves of chance and bots until the person is to move or the game is over.

        A bot from outside that fails forfeits.
        """
        moves = Moves()
        while not self.over and self.state.actor != self.person:
            actor = self.state.actor
            if actor == CHANCE:
                code = draw_chance(self.state, chance_key(self.seed), self._chances)
                self._chances += 1
            else:
                self.state.legal(moves)
                try:
                    code = self._players[actor].choose(self.state.observe(actor), moves, len(self.moves))
                except BotFailure as failure:
                    self.forfeit = results.forfeited(self.state, failure.ending, actor, failure.reason)
                    return
            shown = self.game.observe.shows(self.state, self._words.moves[code], self.person)
            self.state.play(code, actor)
            self.moves.append((code, actor))
            yield Made(len(self.moves), actor, self._words.tokens[code] if shown else "")

    def why_not(self, token: str) -> list[Reason]:
        """Every reason why the person may not make the move now; empty when it may. Raises BadInput for no move."""
        return envelope.explain(self.state, self.game.notation.parse(self.rules, token), self.person)

    def play(self, token: str) -> list[Reason]:
        """Makes the person's move, or says every reason why not. Raises BadInput for no move."""
        reasons = self.why_not(token)
        if not reasons:
            code = self.game.moves.encode(self.rules, self.game.notation.parse(self.rules, token))
            assert code is not None
            self.state.play(code, self.person)
            self.moves.append((code, self.person))
        return reasons

    def hint(self, most: int = 3) -> list[Advice]:
        """The best moves, best first, by a search that sees what the person sees."""
        legal = self.legal()
        if len(legal) == 1:
            return [Advice(legal[0], 1.0)]
        thought = Thinker(self.game, self.seed).think(self.seen(), HINT, salt=len(self.moves))
        return [Advice(self._words.tokens[line.code], line.values[self.person]) for line in thought.lines[:most]]

    def undo(self) -> bool:
        """Takes back everything since the person's last decision, that one included; whether there was one.

        The chance moves that come after are those of the seed again.
        """
        last = max((ply for ply, (_, sender) in enumerate(self.moves) if sender == self.person), default=None)
        if last is None:
            return False
        del self.moves[last:]
        self.forfeit = None
        self._begin()
        return True

    def resign(self) -> None:
        """The person gives up."""
        self.forfeit = results.forfeited(self.state, pb.ENDING_RESIGN, self.person, "RESIGNED")

    def result(self) -> pb.Result | None:
        """How the game ended; None while it runs."""
        return results.normal(self.state) if self.over and self.forfeit is None else self.forfeit

    def record(self) -> pb.Record:
        """The game so far."""
        players = [
            player(spec.kind, spec.kind, sorted(spec.options.items())) if spec else player("person", "")
            for spec in (self.bots.get(seat) for seat in range(self.rules.seats))
        ]
        game_id = f"play-{self.game.facts.slug}-{self.seed}"
        return new_record(
            game_id, self.rules, players, self.moves, self.result(), event="papamu play", chance_seed=self.seed
        )
