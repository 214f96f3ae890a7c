"""Keep what a late cancellation costs after a move."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0194"
down_revision = "0193"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE bookings ADD COLUMN late_since timestamptz;
GRANT UPDATE (late_since) ON bookings TO porchlight_app;
"""


def upgrade() -> None:
    """Change the table and the function."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
