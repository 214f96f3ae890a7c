"""Delete listings, reviews and payment events that name a user with the account."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0204"
down_revision = "0203"
branch_labels = None
depends_on = None

TABLES = """
CREATE POLICY founding ON skill_offers TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY founding ON skill_wants TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
UPDATE stripe_inbox SET body = NULL WHERE state IN ('done', 'ignored');
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
