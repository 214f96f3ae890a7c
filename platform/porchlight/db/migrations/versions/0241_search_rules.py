"""Name the numbers of search in Python: its functions take them as parameters."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0241"
down_revision = "0240"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.search(integer, text, text[], smallint, smallint, real, bigint, text, text, integer, timestamptz,
  integer);
DROP FUNCTION app.search_entry_words(text[], text[]);
"""


def upgrade() -> None:
    """Replace the functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
