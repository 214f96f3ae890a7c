"""Let gurus choose their typefaces."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

# Existing sites get the pair that is closest to the system fonts that they had, new ones the warm one.
TABLES = """
ALTER TABLE gurus ADD COLUMN typeface text NOT NULL DEFAULT 'clear';
ALTER TABLE gurus ALTER COLUMN typeface SET DEFAULT 'warm';
ALTER TABLE gurus ADD CONSTRAINT ck_gurus_typeface CHECK (typeface IN ('warm', 'clear', 'bookish'));
GRANT UPDATE (typeface) ON gurus TO porchlight_app;
"""


def upgrade() -> None:
    """Change the table."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
