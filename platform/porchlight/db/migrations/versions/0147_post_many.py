"""Post many events at once, and find the balance lines of an object in all accounts."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0147"
down_revision = "0146"
branch_labels = None
depends_on = None

TABLES = """
DROP INDEX ix_stripe_balance_lines_account_object_id;
CREATE INDEX ix_stripe_balance_lines_object_id_account ON stripe_balance_lines (object_id, account);
"""


def upgrade() -> None:
    """Change the index and the functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
