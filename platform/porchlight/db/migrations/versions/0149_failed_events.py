"""Open a finding for each event of Stripe that failed."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0149"
down_revision = "0148"
branch_labels = None
depends_on = None

FINDINGS = """
ALTER TABLE findings DROP CONSTRAINT ck_findings_kind, ADD CONSTRAINT ck_findings_kind
    CHECK (kind IN ('missing_at_stripe', 'missing_here', 'amount_differs', 'unknown_line', 'balance_differs',
        'stuck_outbox', 'failed_event'));
INSERT INTO findings (id, kind, account, stripe_id, cents)
SELECT uuidv7(), 'failed_event', account, id, 0 FROM stripe_inbox WHERE state = 'failed';
"""


def upgrade() -> None:
    """Change the table."""
    run_sql(op.get_bind(), FINDINGS)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
