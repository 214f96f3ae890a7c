"""Give each site one main address, to which its other hosts redirect."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0215"
down_revision = "0214"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE gurus ADD COLUMN main_domain text;
GRANT UPDATE (main_domain) ON gurus TO porchlight_app;
ALTER TABLE domains ADD COLUMN leads_here boolean NOT NULL DEFAULT false;
UPDATE domains SET leads_here = outcome IN ('ok', 'caa', 'no_proof');
-- They return more columns now, which the running release does not read.
DROP FUNCTION app.find_label(text);
DROP FUNCTION app.find_domain(text);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
