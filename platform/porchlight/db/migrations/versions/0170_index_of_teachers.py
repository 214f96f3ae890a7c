"""Find the gurus of a category in an index, and read fewer neighbors."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0170"
down_revision = "0169"
branch_labels = None
depends_on = None

TABLES = """
CREATE INDEX ix_search_entry_phrases_gurus ON search_entry_phrases (phrase_id, item) INCLUDE (weight)
  WHERE kind = 'guru' AND weight >= 0.8;
"""


def upgrade() -> None:
    """Add the index and change the function."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
