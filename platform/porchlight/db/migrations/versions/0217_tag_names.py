"""Names of tags, beside their slugs.

Posts of the release before have none: their slugs are shown, as until now.
"""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0217"
down_revision = "0215"
branch_labels = None
depends_on = None

TABLES = "ALTER TABLE posts ADD COLUMN tag_names text[] NOT NULL DEFAULT '{}'"


def upgrade() -> None:
    """Change the table."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
