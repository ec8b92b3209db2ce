"""The tables of the record service."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table

from services.common.database import NAMING

metadata = MetaData(naming_convention=NAMING)

record = Table(
    "record",
    metadata,
    Column("id", Integer, primary_key=True),  # ascends: the order of storing
    Column("game_id", String(64), nullable=False, unique=True),
    Column("game", String(20), nullable=False),
    Column("edition", String(80), nullable=False),
    Column("event", String(200), nullable=False),
    Column("ending", Integer, nullable=False),  # Ending of the contract; 0 = the game runs
    Column("plies", Integer, nullable=False),
    # Record message. Moves that are added to a running game are further Record messages behind it, which add up.
    Column("data", LargeBinary, nullable=False),
    Column("created_at", Float, nullable=False),
    Index("ix_record_game_id_desc", "game", "id"),
    Index("ix_record_event_id", "event", "id"),
)

record_player = Table(
    "record_player",
    metadata,
    Column("record_id", ForeignKey("record.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("kind", String(80), nullable=False),
    Index("ix_record_player_name_record_id", "name", "record_id"),
    Index("ix_record_player_kind_record_id", "kind", "record_id"),
)
