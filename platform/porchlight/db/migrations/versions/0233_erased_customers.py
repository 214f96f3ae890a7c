"""Erase a customer's email address with the other personal data of a booking."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script

revision = "0233"
down_revision = "0232"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the function."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
