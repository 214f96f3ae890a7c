"""Find a guru's open bookings without reading those that ended."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0231"
down_revision = "0230"
branch_labels = None
depends_on = None

TABLES = """
CREATE INDEX ix_bookings_open ON bookings (tenant_id, starts_at, id) WHERE status IN ('requested', 'confirmed');
"""


def upgrade() -> None:
    """Add the index."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
