"""Records and who played them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Changes the schema."""
    op.create_table(
        "record",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("edition", sa.String(length=80), nullable=False),
        sa.Column("event", sa.String(length=200), nullable=False),
        sa.Column("ending", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_record")),
        sa.UniqueConstraint("game_id", name=op.f("uq_record_game_id")),
    )
    op.create_index("ix_record_event_id", "record", ["event", "id"], unique=False)
    op.create_index("ix_record_game_id_desc", "record", ["game", "id"], unique=False)

    op.create_table(
        "record_player",
        sa.Column("record_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(["record_id"], ["record.id"], name=op.f("fk_record_player_record_id_record")),
        sa.PrimaryKeyConstraint("record_id", "seat", name=op.f("pk_record_player")),
    )
    op.create_index("ix_record_player_kind_record_id", "record_player", ["kind", "record_id"], unique=False)
    op.create_index("ix_record_player_name_record_id", "record_player", ["name", "record_id"], unique=False)


def downgrade() -> None:
    """Takes the change back."""

    op.drop_table("record_player")

    op.drop_table("record")
