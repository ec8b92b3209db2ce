"""The schema of the ladder database, step by step (Alembic)."""
