"""Run by Alembic."""

from services.common.migrations import run
from services.ladder.tables import metadata

run(metadata, "ladder_version")
