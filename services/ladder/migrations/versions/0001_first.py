"""Bots, ladders, batches, games, records and their outbox."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Changes the schema."""
    op.create_table(
        "bot",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_bot")),
    )
    op.create_table(
        "ladder",
        sa.Column("id", sa.String(length=20), nullable=False),
        sa.Column("request_id", sa.String(length=64), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("setup", sa.LargeBinary(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("bots", sa.Text(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("play_ms", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder")),
        sa.UniqueConstraint("request_id", name=op.f("uq_ladder_request_id")),
    )
    op.create_index("ix_ladder_created_at_id", "ladder", ["created_at", "id"], unique=False)

    op.create_table(
        "batch",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ladder_id", sa.String(length=20), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("worker", sa.String(length=120), nullable=False),
        sa.Column("lease_until", sa.Float(), nullable=False),
        sa.Column("enqueued_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_batch_ladder_id_ladder")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batch")),
    )
    op.create_index("ix_batch_state_id", "batch", ["state", "id"], unique=False)

    op.create_table(
        "game",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("ladder_id", sa.String(length=20), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("batch_id", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.Column("ending", sa.Integer(), nullable=True),
        sa.Column("result", sa.LargeBinary(), nullable=True),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name=op.f("fk_game_batch_id_batch")),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_game_ladder_id_ladder")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
    )
    op.create_index("ix_game_batch_id", "game", ["batch_id"], unique=False)
    op.create_index("ix_game_ladder_id_block", "game", ["ladder_id", "block"], unique=False)
    op.create_index("ix_game_ladder_id_number", "game", ["ladder_id", "number"], unique=True)
    op.create_index("ix_game_ladder_id_state_number", "game", ["ladder_id", "state", "number"], unique=False)

    op.create_table(
        "game_record",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_game_record_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_game_record")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("refusal", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_outbox_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("game_id", name=op.f("uq_outbox_game_id")),
    )


def downgrade() -> None:
    """Takes the change back."""
    op.drop_table("outbox")
    op.drop_table("game_record")

    op.drop_table("game")

    op.drop_table("batch")

    op.drop_table("ladder")
    op.drop_table("bot")
