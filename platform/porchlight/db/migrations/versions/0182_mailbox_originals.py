"""Keep the bytes of emails in the development mailbox."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0182"
down_revision = "0181"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE dev_mailbox ADD COLUMN original bytea NOT NULL DEFAULT '';
"""


def upgrade() -> None:
    """Change the table."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
