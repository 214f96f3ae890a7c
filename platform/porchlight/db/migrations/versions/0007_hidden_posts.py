"""Let admins hide posts."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE posts ADD COLUMN hidden_reason text NOT NULL DEFAULT '';
ALTER TABLE posts DROP CONSTRAINT ck_posts_status;
ALTER TABLE posts ADD CONSTRAINT ck_posts_status CHECK (status IN ('draft', 'published', 'hidden'));
ALTER TABLE posts ADD CONSTRAINT ck_posts_hidden CHECK ((status = 'hidden') = (hidden_reason <> ''));
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
