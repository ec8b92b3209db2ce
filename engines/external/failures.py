"""How a bot from outside can fail, in the words that results have for it."""

from __future__ import annotations

from papamu.records.v1 import records_pb2 as pb


class BotFailure(Exception):
    """Ends the game as a forfeit of the bot's seat."""

    def __init__(self, ending: pb.Ending, reason: str) -> None:
        """`reason` is a word for the record, as "TOO_LATE"."""
        super().__init__(reason)
        self.ending = ending
        self.reason = reason


class MachineFailure(Exception):
    """A game cannot go on for want of something that this machine lacks. No bot's fault: it is to be played again."""


def too_late() -> BotFailure:
    """No answer within the time."""
    return BotFailure(pb.ENDING_TIME, "TOO_LATE")


def crashed(reason: str) -> BotFailure:
    """It is gone, or was never there."""
    return BotFailure(pb.ENDING_CRASH, reason)


def illegal(reason: str = "ILLEGAL_MOVE") -> BotFailure:
    """It answered with something that is no legal move."""
    return BotFailure(pb.ENDING_ILLEGAL, reason)


def stalled() -> BotFailure:
    """It writes and writes, and no answer comes of it."""
    return BotFailure(pb.ENDING_STALL, "ENDLESS_ANSWER")
