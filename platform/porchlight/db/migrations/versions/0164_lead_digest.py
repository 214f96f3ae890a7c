"""Group the emails about leads of a busy hour into one."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0164"
down_revision = "0163"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE leads ADD COLUMN awaits_digest boolean NOT NULL DEFAULT false;
CREATE INDEX ix_leads_tenant_id_awaits_digest ON leads (tenant_id) WHERE awaits_digest;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
