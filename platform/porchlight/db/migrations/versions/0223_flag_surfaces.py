"""Make no waitlist offers and send no search alerts while their features are off."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0223"
down_revision = "0220"
branch_labels = None
depends_on = None

TABLES = """
-- app.offer_seats reads the flags of its guru.
CREATE POLICY lookup ON guru_flags FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
"""


def upgrade() -> None:
    """Replace the functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
