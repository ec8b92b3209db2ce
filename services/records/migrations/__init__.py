"""The schema of the records database, step by step (Alembic)."""
