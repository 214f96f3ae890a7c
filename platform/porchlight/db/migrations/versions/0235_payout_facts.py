"""Decide on instant payouts in Python: SQL returns the facts and stores what was decided."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0235"
down_revision = "0234"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.request_payout(text, bigint, bigint, bigint, text, text, jsonb);
DROP FUNCTION app.instant_standing(jsonb);
"""


def upgrade() -> None:
    """Replace the functions that decided."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
