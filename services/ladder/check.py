"""Checks requests at the door: what passes is what the store takes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papamu.ladder.v1 import ladder_pb2 as pb

from engines import envelope
from engines.core.game import BadInput, Violation
from engines.record.record import MAX_ACTIONS
from engines.search.bots import check_options
from services.common.database import MAX_ID
from services.ladder import schedule
from services.ladder.batches import MAX_BATCH
from services.ladder.store import BotSpec, LadderPlan

BOT_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
MAX_NAME, MAX_REQUEST_ID, MAX_TOKEN, MAX_WORKER = 80, 64, 64, 120
MAX_BLOCKS = 100_000
MAX_BOTS = 64
MAX_GAMES = 200_000
"""Games of a ladder: the whole schedule is written when it is made."""
MIN_SECRET, MAX_SECRET = 16, 64
PAGE, MAX_PAGE = 50, 500
POINTS, MAX_POINTS = 50, 200


class _Faults:
    def __init__(self) -> None:
        self.found: list[Violation] = []

    def need(self, holds: bool, field: str, sentence: str) -> None:
        if not holds:
            self.found.append(Violation(field, sentence))

    def text(self, value: str, field: str, most: int, least: int = 0) -> None:
        holds = least <= len(value) <= most and value.isprintable()
        self.need(holds, field, f"must be {least} to {most} printable characters")

    def end(self) -> None:
        if self.found:
            raise BadInput(self.found)


def bot(message: pb.Bot) -> BotSpec:
    """The bot of a CreateBotRequest. Raises BadInput."""
    faults = _Faults()
    faults.need(BOT_NAME.fullmatch(message.name) is not None, "bot.name", "must be 1 to 40 of a-z, 0-9, - and _")
    names = [option.name for option in message.options]
    faults.need(len(set(names)) == len(names), "bot.options", "names an option twice")
    faults.end()
    try:
        options = check_options(message.kind, {option.name: option.value for option in message.options})
    except BadInput as error:
        raise BadInput([Violation(f"bot.{v.field}", v.sentence) for v in error.violations]) from error
    return BotSpec(message.name, message.kind, options)


def plan(message: pb.CreateLadderRequest) -> LadderPlan:
    """The plan of a CreateLadderRequest. Raises BadInput or registry.UnknownEdition."""
    faults = _Faults()
    faults.text(message.request_id, "request_id", MAX_REQUEST_ID, least=1)
    faults.text(message.name, "name", MAX_NAME)
    for i, name in enumerate(message.bots):
        faults.need(BOT_NAME.fullmatch(name) is not None, f"bots[{i}]", "is no name of a bot")
    faults.need(1 <= message.blocks <= MAX_BLOCKS, "blocks", f"must be 1 to {MAX_BLOCKS}")
    faults.need(message.priority in pb.Priority.values(), "priority", "unknown priority")
    faults.need(
        not message.secret or MIN_SECRET <= len(message.secret) <= MAX_SECRET,
        "secret",
        f"must be {MIN_SECRET} to {MAX_SECRET} bytes, or empty",
    )
    faults.need(len(set(message.bots)) == len(message.bots), "bots", "names a bot twice")
    try:
        rules = envelope.read_rules(message.setup)
    except BadInput as error:
        faults.found += [Violation(f"setup.{v.field}", v.sentence, v.id) for v in error.violations]
    else:
        seats = rules.seats
        faults.need(
            seats <= len(message.bots) <= MAX_BOTS, "bots", f"must be {seats} to {MAX_BOTS}: one a seat at least"
        )
        games = schedule.games(min(len(message.bots), MAX_BOTS), seats, min(message.blocks, MAX_BLOCKS))
        faults.need(games <= MAX_GAMES, "blocks", f"makes {games} games; a ladder has at most {MAX_GAMES}")
    faults.end()
    return LadderPlan(
        request_id=message.request_id,
        request=message.SerializeToString(deterministic=True),
        name=message.name,
        setup=envelope.setup_message(rules).SerializeToString(deterministic=True),
        seats=rules.seats,
        bots=list(message.bots),
        blocks=message.blocks,
        priority=message.priority or pb.PRIORITY_NORMAL,
        secret=message.secret,
    )


def batch(batch_id: str, token: str, worker: str = "") -> int:
    """The number of a batch that a worker names. Raises BadInput."""
    faults = _Faults()
    number = int(batch_id) if re.fullmatch(r"[1-9]\d{0,9}", batch_id) else 0
    faults.need(1 <= number <= MAX_ID, "batch_id", "must be the number of a batch")
    faults.text(token, "token", MAX_TOKEN, least=8)
    faults.text(worker, "worker", MAX_WORKER)
    faults.end()
    return number


def progress(message: pb.Progress) -> pb.Progress:
    """Moves that a worker tells, as they are. Raises BadInput when no game is so long."""
    faults = _Faults()
    faults.need(
        message.from_ply + len(message.actions) <= MAX_ACTIONS,
        "progress.actions",
        f"must end at move {MAX_ACTIONS} at the latest",
    )
    faults.end()
    return message


def finished(games: Sequence[pb.FinishedGame]) -> Sequence[pb.FinishedGame]:
    """Games that a worker reports, as they are. Raises BadInput unless they may be of one batch."""
    faults = _Faults()
    faults.need(len(games) <= MAX_BATCH, "games", f"must be at most {MAX_BATCH}")
    faults.need(len({game.record.game_id for game in games}) == len(games), "games", "names a game twice")
    faults.end()
    return games


def page_size(given: int) -> int:
    """Entries of a page. Raises BadInput."""
    if given > MAX_PAGE:
        raise BadInput([Violation("page_size", f"must be at most {MAX_PAGE}")])
    return given or PAGE


def points(given: int) -> int:
    """Points of a history. Raises BadInput."""
    if given > MAX_POINTS:
        raise BadInput([Violation("points", f"must be at most {MAX_POINTS}")])
    return given or POINTS
