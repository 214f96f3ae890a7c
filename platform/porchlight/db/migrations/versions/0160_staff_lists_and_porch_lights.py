"""Staff lists and porch lights."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0160"
down_revision = "0159"
branch_labels = None
depends_on = None

TABLES = """
-- The newest lights come first, and a page reads no more of them than it shows.
CREATE INDEX ix_porch_lights_turned_on_at ON porch_lights (turned_on_at DESC, user_id);
-- Staff look for the few failed events among very many.
CREATE INDEX ix_stripe_inbox_state ON stripe_inbox (state, received_at, id);
CREATE INDEX ix_plan_disputes_id ON plan_disputes (id);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
