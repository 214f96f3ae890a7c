"""Let gurus choose how their site looks: by day, at dusk, or as the visitor's device is set."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# Sites that exist stay as they are. A new site starts by day (features/onboarding/publishing.py).
TABLES = """
ALTER TABLE gurus ADD COLUMN appearance text NOT NULL DEFAULT 'dusk';
ALTER TABLE gurus ADD CONSTRAINT ck_gurus_appearance CHECK (appearance IN ('day', 'dusk', 'device'));
GRANT UPDATE (appearance) ON gurus TO porchlight_app;
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
