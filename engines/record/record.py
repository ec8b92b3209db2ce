"""Builds, replays and verifies records. No random generator is needed: chance outcomes are written down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from papamu.records.v1 import records_pb2 as pb
from papamu.rules.v1 import envelope_pb2

from engines import envelope, measure
from engines.chance import chance_key, draw_chance
from engines.core.constants import ABSENT, CHANCE, TERMINAL
from engines.core.game import BadInput, Violation
from engines.core.patience import Check, go_on, polled
from engines.core.state import IllegalMove, Rules, State
from engines.record import results

GAME_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
MAX_EVENT = 200
"""Longest `event`, in characters."""
MAX_ACTIONS = 20_000
"""Most actions of a record that is taken from outside: several times the bound of the longest game."""


@lru_cache(maxsize=1)
def build() -> str:
    """What played the game: version of Papamu and whether its hot modules were compiled."""
    try:
        number = version("papamu")
    except PackageNotFoundError:  # run from a source tree that was not installed
        number = "0"
    return f"{number}+{measure.MODE}"


class Lexis:
    """The action messages of one setup by (code, sender) and back; records are joined from them."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._words = envelope.lexicon(rules)
        self._codes = {data: code for code, data in enumerate(self._words.bytes) if data}
        self._actions: dict[tuple[int, int], envelope_pb2.Action] = {}

    def action(self, code: int, sender: int) -> envelope_pb2.Action:
        """The message of a move that `sender` (a seat or CHANCE) makes, shared: not to be changed."""
        found = self._actions.get((code, sender))
        if found is None:
            found = envelope.write_action(self._rules, self._words.moves[code], sender)
            self._actions[code, sender] = found
        return found

    def code(self, action: envelope_pb2.Action) -> int | None:
        """The code of an action's move; None when it is no move of the vocabulary, or not written canonically."""
        return self._codes.get(action.move.SerializeToString(deterministic=True))


@lru_cache(maxsize=64)
def lexis(rules: Rules) -> Lexis:
    """The lexis of a rules object (equal setups share one)."""
    return Lexis(rules)


def sender_of(action: envelope_pb2.Action) -> int:
    """A seat, CHANCE, or ABSENT when none is named."""
    which = action.WhichOneof("sender")
    if which is None:
        return ABSENT
    return CHANCE if which == "chance" else int(action.seat)


def new_record(
    game_id: str,
    rules: Rules,
    players: Iterable[pb.Player],
    moves: Iterable[tuple[int, int]],
    result: pb.Result | None,
    *,
    event: str = "",
    chance_seed: int | None = None,
) -> pb.Record:
    """The record of a game: `moves` are (code, sender) in order; without a result it is one of a running game."""
    action = lexis(rules).action
    return pb.Record(
        game_id=game_id,
        event=event,
        setup=envelope.setup_message(rules),
        rules_version=envelope.game_of(rules).facts.rules_version,
        build=build(),
        players=players,
        chance_seed=chance_seed,
        actions=[action(code, sender) for code, sender in moves],
        result=result,
    )


def to_bytes(record: pb.Record) -> bytes:
    """The canonical bytes: equal records have equal bytes."""
    return record.SerializeToString(deterministic=True)


def player(name: str, kind: str, options: Sequence[tuple[str, int]] = ()) -> pb.Player:
    """The player entry of a bot."""
    return pb.Player(name=name, kind=kind, options=[pb.BotOption(name=n, value=v) for n, v in options])


def start(record: pb.Record) -> State:
    """The state before the first move. Raises BadInput (field `setup...`) or registry.UnknownEdition."""
    try:
        rules = envelope.read_rules(record.setup)
    except BadInput as error:
        raise BadInput([Violation(f"setup.{v.field}", v.sentence, v.id) for v in error.violations]) from error
    return envelope.game_of(rules).rules.start(rules)


def replay(record: pb.Record, check: Check = go_on) -> Iterator[State]:
    """The state before the first move and after each; one object that changes, so clone what is to be kept.

    `check` is called every so many plies and may end it by raising, here and in what follows.
    Raises BadInput with the action at fault (`actions[12].move`) and the reasons why it is not legal.
    """
    state = start(record)
    yield state
    for ply, action in enumerate(polled(record.actions, check)):
        step(state, action, f"actions[{ply}]")
        yield state


def step(state: State, action: envelope_pb2.Action, path: str) -> int:
    """Plays one action of a record and returns its code. Raises BadInput with fields under `path`."""
    code = lexis(state.rules).code(action)
    if code is None or sender_of(action) != state.actor:
        raise _refusal(state, action, path)
    try:
        state.play(code)
    except IllegalMove:
        raise _refusal(state, action, path) from None
    return code


def _refusal(state: State, action: envelope_pb2.Action, path: str) -> BadInput:
    if not action.HasField("move"):
        return BadInput([Violation(f"{path}.move", "is hidden or missing")])
    if sender_of(action) == ABSENT:
        return BadInput([Violation(f"{path}.sender", "is missing")])
    try:
        move, sender = envelope.read_action(state.rules, action)
    except BadInput as error:
        return BadInput([Violation(f"{path}.{v.field}", v.sentence, v.id) for v in error.violations])
    reasons = envelope.explain(state, move, sender)
    if reasons:
        return BadInput([Violation(f"{path}.{r.field}" if r.field else path, r.sentence, r.id) for r in reasons])
    return BadInput([Violation(f"{path}.move", "is not written canonically")])


def verify(record: pb.Record, check: Check = go_on) -> list[Violation]:
    """Everything that is wrong with a record; empty when it proves itself.

    It replays every move by the rules, checks that a seeded game's chance moves are those of its seed, and that the
    result is that of the last position. What cannot be seen from a record: whether a forfeit happened.
    Raises registry.UnknownEdition when the edition is not here.
    """
    faults = check_head(record)
    if faults:
        return faults
    try:
        state = _replay_checked(record, check)
    except BadInput as error:
        return list(error.violations)
    return check_result(record, state)


def check_head(record: pb.Record) -> list[Violation]:
    """Everything wrong with what stands around the moves. Raises registry.UnknownEdition."""
    faults = []

    def need(holds: bool, field: str, sentence: str) -> None:
        if not holds:
            faults.append(Violation(field, sentence))

    need(GAME_ID.fullmatch(record.game_id) is not None, "game_id", "must be 1 to 64 characters of a-z, 0-9 and -")
    need(len(record.event) <= MAX_EVENT, "event", f"must be at most {MAX_EVENT} characters")
    need(not record.redacted, "redacted", "a redacted record does not prove itself")
    need(len(record.actions) <= MAX_ACTIONS, "actions", f"must be at most {MAX_ACTIONS}")
    try:
        state = start(record)
    except BadInput as error:
        return faults + list(error.violations)
    rules = state.rules
    facts = envelope.game_of(rules).facts
    need(record.setup == envelope.setup_message(rules), "setup", "must name the edition's hash and every option")
    need(len(record.players) == rules.seats, "players", f"must be {rules.seats}, one a seat")
    need(
        record.rules_version == facts.rules_version,
        "rules_version",
        f"is {record.rules_version}; the rules here are version {facts.rules_version}",
    )
    return faults


def _replay_checked(record: pb.Record, check: Check) -> State:
    state = start(record)
    key = chance_key(record.chance_seed)
    seeded = record.HasField("chance_seed")
    chances = 0
    for ply, action in enumerate(polled(record.actions, check)):
        due = draw_chance(state, key, chances) if seeded and state.actor == CHANCE else None
        code = step(state, action, f"actions[{ply}]")
        if due is not None:
            chances += 1
            if code != due:
                raise BadInput([Violation(f"actions[{ply}].move", "is not what the chance seed draws")])
    return state


def check_result(record: pb.Record, state: State) -> list[Violation]:
    """Everything wrong with the result, given the last position; nothing for a game that runs and has none."""
    over = state.actor == TERMINAL
    if not record.HasField("result"):
        return [Violation("result", "is missing: the game is over")] if over else []
    given = record.result
    ending = given.ending
    if over:
        expected = results.normal(state)
    elif ending == pb.ENDING_ADJUDICATED:
        expected = results.adjudicated(state, given.reason)
    elif ending == pb.ENDING_VOID:
        expected = results.void(state, given.reason)
    elif ending in results.FORFEITS and given.HasField("offender") and given.offender < len(record.players):
        expected = results.forfeited(state, ending, given.offender, given.reason)
    else:
        return [Violation("result.ending", "does not fit a game that is not over")]
    return [
        Violation(
            f"result.{field}",
            f"does not follow from the last position: {_text(given, field)} instead of {_text(expected, field)}",
        )
        for field in ("ending", "reason", "scores", "placements", "offender", "teams")
        if _text(given, field) != _text(expected, field)
    ]


def _text(result: pb.Result, field: str) -> str:
    if field == "offender":
        return str(result.offender) if result.HasField("offender") else "nobody"
    if field == "ending":
        return pb.Ending.Name(result.ending) if result.ending in pb.Ending.values() else str(result.ending)
    value = getattr(result, field)
    return value if isinstance(value, str) else str(list(value))


def read_moves(rules: Rules, actions: Iterable[envelope_pb2.Action], check: Check = go_on) -> list[tuple[int, int]]:
    """(code, sender) of moves made from the start. Raises BadInput (`actions[3]...`) when one is not legal."""
    state = envelope.game_of(rules).rules.start(rules)
    moves = []
    for ply, action in enumerate(polled(actions, check)):
        sender = state.actor
        moves.append((step(state, action, f"actions[{ply}]"), sender))
    return moves
