"""Owner reviews."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0137"
down_revision = "0136"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE guru_facts ADD COLUMN review jsonb;
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
