"""Give each feature the triggers for its own tables in files of their own: the same triggers as before."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script

revision = "0234"
down_revision = "0233"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the triggers by the same ones."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
