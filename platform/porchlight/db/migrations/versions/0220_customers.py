"""Book sessions for customers without an account."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0220"
down_revision = "0219"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE bookings ADD COLUMN customer_email text NOT NULL DEFAULT '', ADD COLUMN customer_token uuid;
CREATE INDEX ix_bookings_tenant_id_customer_token ON bookings (tenant_id, customer_token)
    WHERE customer_token IS NOT NULL;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
