"""Find words that are written without spaces, such as Japanese ones, inside of titles."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0218"
down_revision = "0217"
branch_labels = None
depends_on = None

INDEX = """
CREATE INDEX ix_phrases_unspaced ON phrases USING gin (app.unspaced_grams(words))
 WHERE app.unspaced_grams(words) IS NOT NULL
"""


def upgrade() -> None:
    """Create the function and its index, and replace the search."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
    run_sql(op.get_bind(), INDEX)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
