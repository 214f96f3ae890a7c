"""Return the words of similar phrases, by whose names they are compared."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0159"
down_revision = "0158"
branch_labels = None
depends_on = None

# The columns that the running release reads stay. Another return type needs a new function.
DROP = "DROP FUNCTION app.similar_phrases(text, text)"


def upgrade() -> None:
    """Change the function."""
    run_sql(op.get_bind(), DROP)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
