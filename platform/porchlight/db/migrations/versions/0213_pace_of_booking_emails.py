"""Collect the emails of a burst of changes to bookings into one."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0213"
down_revision = "0212"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE booking_emails ADD COLUMN collected boolean NOT NULL DEFAULT false, ADD COLUMN sent_at timestamptz;
CREATE INDEX ix_booking_emails_tenant_id_side_created_at ON booking_emails (tenant_id, side, created_at);
GRANT UPDATE (collected, sent_at) ON booking_emails TO porchlight_app;
"""


def upgrade() -> None:
    """Change the table and add the function."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
