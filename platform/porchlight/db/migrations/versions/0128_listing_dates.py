"""Add the function that the sitemap reads listings with."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script

revision = "0128"
down_revision = "0127"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the function."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
