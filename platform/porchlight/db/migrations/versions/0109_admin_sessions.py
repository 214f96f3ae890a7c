"""Sessions of all gurus for staff: when a site was suspended, indexes, and the counter."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0109"
down_revision = "0108"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE gurus ADD COLUMN suspended_at timestamptz;
CREATE INDEX ix_bookings_id ON bookings (id);
CREATE INDEX ix_bookings_starts_at_id ON bookings (starts_at, id) WHERE status NOT IN ('held', 'expired');
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
