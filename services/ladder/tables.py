"""The tables of the ladder service. Times are seconds since 1970; JSON stands in text columns, made here only."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

from services.common.database import NAMING

metadata = MetaData(naming_convention=NAMING)

# Values of `state` columns: those of the contract (LadderState, GameState) where it has them.
BATCH_WAITING, BATCH_LEASED, BATCH_DONE = 1, 2, 3
LADDER_MAKING = 0  # its schedule is not whole yet: nobody sees such a ladder

bot = Table(
    "bot",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("kind", String(40), nullable=False),
    Column("options", Text, nullable=False),  # JSON object of numbers
)

ladder = Table(
    "ladder",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("request_id", String(64), nullable=False, unique=True),
    Column("request", LargeBinary, nullable=False),  # the request that made it, to tell a resend from a clash
    Column("name", String(80), nullable=False),
    Column("setup", LargeBinary, nullable=False),  # Setup message, complete
    Column("seats", Integer, nullable=False),
    Column("bots", Text, nullable=False),  # JSON list of {name, kind, options} as they were then
    Column("blocks", Integer, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", Integer, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("games", Integer, nullable=False),
    Column("played", Integer, nullable=False, default=0),  # games that `play_ms` was reported for
    Column("play_ms", BigInteger, nullable=False, default=0),
    Column("created_at", Float, nullable=False),
    Column("ended_at", Float),
    Index("ix_ladder_created_at_id", "created_at", "id"),
)

batch = Table(
    "batch",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ladder_id", ForeignKey("ladder.id"), nullable=False),
    Column("state", Integer, nullable=False),
    Column("token", String(64), nullable=False, default=""),  # of the last lease
    Column("worker", String(120), nullable=False, default=""),
    Column("lease_until", Float, nullable=False, default=0.0),
    Column("enqueued_at", Float, nullable=False, default=0.0),  # 0 = not sent to the broker yet
    Index("ix_batch_state_id", "state", "id"),
)

game = Table(
    "game",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("ladder_id", ForeignKey("ladder.id"), nullable=False),
    Column("number", Integer, nullable=False),  # place in the schedule
    Column("block", Integer, nullable=False),
    Column("rotation", Integer, nullable=False),
    Column("players", Text, nullable=False),  # JSON list: position among the ladder's bots, by seat
    Column("state", Integer, nullable=False),
    Column("batch_id", ForeignKey("batch.id")),
    Column("attempts", Integer, nullable=False, default=0),
    Column("plies", Integer, nullable=False, default=0),
    Column("moves", LargeBinary, nullable=False, default=b""),  # Progress messages one after the other, which add up
    Column("ending", Integer),
    Column("result", LargeBinary),  # Result message
    Column("ended_at", Float),
    Index("ix_game_ladder_id_number", "ladder_id", "number", unique=True),
    Index("ix_game_ladder_id_state_number", "ladder_id", "state", "number"),
    Index("ix_game_ladder_id_block_state", "ladder_id", "block", "state"),
    Index("ix_game_batch_id", "batch_id"),
)

game_record = Table(
    "game_record",
    metadata,
    Column("game_id", ForeignKey("game.id"), primary_key=True),
    Column("data", LargeBinary, nullable=False),  # Record message, canonical bytes
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("game.id"), nullable=False, unique=True),
    Column("refusal", Text, nullable=False, default=""),  # why the record service will never take it; "" = it may
)
