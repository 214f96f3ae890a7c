"""The words that pages are indexed by, for results that show no word of the search."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script

revision = "0198"
down_revision = "0196"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create app.search_entry_words."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
