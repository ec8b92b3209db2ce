"""Whether a seat block is open is answered by one index alone."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Changes the schema."""
    op.create_index("ix_game_ladder_id_block_state", "game", ["ladder_id", "block", "state"], unique=False)
    op.drop_index("ix_game_ladder_id_block", table_name="game")


def downgrade() -> None:
    """Takes the change back."""
    op.create_index("ix_game_ladder_id_block", "game", ["ladder_id", "block"], unique=False)
    op.drop_index("ix_game_ladder_id_block_state", table_name="game")
