"""Let the audit log lose the words of people, and remove email addresses from ended writes to Stripe."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0232"
down_revision = "0231"
branch_labels = None
depends_on = None

TABLES = r"""
UPDATE stripe_outbox
   SET params = params - 'email',
       error_message = regexp_replace(error_message, '[^[:space:]]+@[^[:space:]]+', '***', 'g')
 WHERE state IN ('done', 'refused', 'absent') AND (params ? 'email' OR error_message LIKE '%@%');
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
