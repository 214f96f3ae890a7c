"""Move proposals."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0118"
down_revision = "0117"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE bookings
    ADD COLUMN proposed_until timestamptz,
    ADD COLUMN proposed_reason text NOT NULL DEFAULT '',
    ADD COLUMN proposals smallint NOT NULL DEFAULT 0,
    ADD CONSTRAINT ck_bookings_proposal CHECK ((proposed_start IS NULL) = (proposed_until IS NULL)
        AND (proposed_start IS NULL OR status = 'confirmed'));
CREATE INDEX ix_bookings_proposed_until ON bookings (proposed_until) WHERE proposed_until IS NOT NULL;
GRANT UPDATE (proposed_until, proposed_reason, proposals) ON bookings TO porchlight_app;

ALTER TABLE booking_emails
    DROP CONSTRAINT ck_booking_emails_kind,
    ADD CONSTRAINT ck_booking_emails_kind CHECK (kind IN ('requested', 'booked', 'accepted', 'declined', 'expired',
        'withdrawn', 'canceled', 'moved', 'proposed', 'proposal_withdrawn', 'proposal_expired', 'proposal_lapsed',
        'move_accepted', 'move_declined', 'spot_free', 'day_before', 'soon', 'waiver_week', 'waiver_days'));
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
