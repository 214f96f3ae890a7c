"""Find the sessions that staff search for by an index."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0175"
down_revision = "0174"
branch_labels = None
depends_on = None

TABLES = """
CREATE INDEX ix_bookings_names_trgm ON bookings USING gin (service_name gin_trgm_ops, guru_name gin_trgm_ops)
    WHERE status NOT IN ('held', 'expired');
"""


def upgrade() -> None:
    """Add the index."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
