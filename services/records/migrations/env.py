"""Run by Alembic."""

from services.common.migrations import run
from services.records.tables import metadata

run(metadata, "records_version")
