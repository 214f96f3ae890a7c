"""Waiver receipts."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0119"
down_revision = "0118"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE waivers
    ADD COLUMN withdrawn_at timestamptz,
    ADD CONSTRAINT ck_waivers_withdrawal CHECK (withdrawn_at = ended_at);
GRANT UPDATE (withdrawn_at) ON waivers TO porchlight_app;
-- Only withdrawals have ended waivers so far: no text has a second version.
ALTER TABLE waivers NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER forbid_waiver_change;
UPDATE waivers SET withdrawn_at = ended_at WHERE ended_at IS NOT NULL;
ALTER TABLE waivers FORCE ROW LEVEL SECURITY, ENABLE TRIGGER forbid_waiver_change;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
