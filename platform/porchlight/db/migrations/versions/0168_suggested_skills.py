"""Read a bounded number of wishes for suggested skills."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0168"
down_revision = "0167"
branch_labels = None
depends_on = None

TABLES = """
CREATE INDEX ix_skill_wants_newest ON skill_wants (tile, id) INCLUDE (phrase_id, user_id) WHERE visible;
DROP INDEX ix_skill_wants_tile;
"""


def upgrade() -> None:
    """Change the index and the function."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
