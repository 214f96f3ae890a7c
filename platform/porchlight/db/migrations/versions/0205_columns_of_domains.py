"""Columns of domains that requests may change."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0205"
down_revision = "0204"
branch_labels = None
depends_on = None

TABLES = """
REVOKE UPDATE ON domains FROM porchlight_app;
GRANT UPDATE (over_limit, next_check_at) ON domains TO porchlight_app;
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
