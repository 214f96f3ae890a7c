"""The primary skills of a new site, as confirmed in the wizard."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0124"
down_revision = "0123"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE onboardings ADD COLUMN skills text[];
"""


def upgrade() -> None:
    """Change the table."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
