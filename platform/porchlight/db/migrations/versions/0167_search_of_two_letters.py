"""Find the beginnings that staff search for by an index."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0167"
down_revision = "0166"
branch_labels = None
depends_on = None

TABLES = """
CREATE INDEX ix_users_email_start ON users (lower(left(email, 2)));
CREATE INDEX ix_profiles_display_name_start ON profiles (lower(left(display_name, 2)));
CREATE INDEX ix_profiles_handle_start ON profiles (lower(left(handle, 2)));
CREATE INDEX ix_skill_offers_title_start ON skill_offers (lower(left(title, 2)));
"""


def upgrade() -> None:
    """Add the indexes."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
