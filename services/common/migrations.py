"""What the `env.py` of every service's migrations does."""

from __future__ import annotations

from alembic import context
from sqlalchemy import MetaData


def run(metadata: MetaData, version_table: str) -> None:
    """Runs the migrations on the connection that `Database.migrate` gives.

    Services may share a database: each has its own tables and its own version.
    """
    own = set(metadata.tables)
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        version_table=version_table,
        include_name=lambda name, kind, _parents: kind != "table" or name in own,
        render_as_batch=True,  # SQLite cannot alter a table in place
        compare_type=True,
    )
    context.run_migrations()
