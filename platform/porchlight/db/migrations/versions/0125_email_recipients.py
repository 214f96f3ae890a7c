"""Email recipients with verified addresses."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0125"
down_revision = "0124"
branch_labels = None
depends_on = None

TABLES = """
-- Their results have new columns. The running release reads the others by name.
DROP FUNCTION app.booking_recipients();
DROP FUNCTION app.offer_to_notify();
DROP FUNCTION app.offers_to_notify();
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
