"""Old slugs of posts, which redirect to them."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0199"
down_revision = "0198"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE posts ADD COLUMN old_slugs text[] NOT NULL DEFAULT '{}';
CREATE INDEX ix_posts_tenant_id_renamed ON posts (tenant_id) WHERE old_slugs <> '{}';
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
