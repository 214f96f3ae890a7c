"""The whole schema, as the SQL files of `porchlight/db` and of the features were at this revision."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db import queue_schema
from porchlight.db.migrations import run_script

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the schema."""
    op.get_bind().exec_driver_sql(queue_schema().replace("%", "%%"))  # psycopg reads % as a placeholder
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: there is no earlier revision."""
    raise RuntimeError("0001 is the first migration. To undo it, drop the database.")
