"""Find earnings that paid a debt instead of being sent, to send them once the debt is gone."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

TABLES = """
CREATE INDEX ix_payments_netted ON payments (owner_id)
    WHERE delivered_at IS NOT NULL AND NOT disputed AND transfer_state IN ('done', 'netted')
      AND transferred_cents < amount_cents - fee_cents - (refunded_cents - fee_returned_cents)
                              - (disputed_cents - disputed_fee_cents);
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
