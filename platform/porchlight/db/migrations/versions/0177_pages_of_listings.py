"""Let indexes alone find a page of listings by the beginning of the title, and of hidden ones."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0177"
down_revision = "0176"
branch_labels = None
depends_on = None

# The title is included because PostgreSQL reads only an index that has the columns of its own expressions.
TABLES = """
DROP INDEX ix_skill_offers_title_start;
CREATE INDEX ix_skill_offers_title_start ON skill_offers (lower(left(title, 2)), created_at, id) INCLUDE (title);
CREATE INDEX ix_hidden_listings_hidden_at ON hidden_listings (hidden_at);
"""


def upgrade() -> None:
    """Replace the index of titles, and add one of the times."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
