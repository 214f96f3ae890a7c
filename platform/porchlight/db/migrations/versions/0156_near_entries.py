"""Store where an entry of the search index is beside its phrases, so that a search reads a bounded number of them."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0156"
down_revision = "0155"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE search_entry_phrases ADD COLUMN tile integer NOT NULL DEFAULT -1;
UPDATE search_entry_phrases s SET tile = e.tile FROM search_entries e
 WHERE e.kind = s.kind AND e.item = s.item AND e.tile <> -1;
CREATE INDEX ix_search_entry_phrases_near ON search_entry_phrases (phrase_id, kind, tile);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
