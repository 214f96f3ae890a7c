"""Let people pay a deposit when they book, or have their card kept."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE booking_settings DROP CONSTRAINT ck_booking_settings_payment;
ALTER TABLE booking_settings ADD CONSTRAINT ck_booking_settings_payment
    CHECK (payment IN ('in_person', 'full', 'deposit', 'hold'));
ALTER TABLE booking_settings ADD COLUMN deposit_percent smallint NOT NULL DEFAULT 20;
ALTER TABLE booking_settings ADD CONSTRAINT ck_booking_settings_deposit_percent
    CHECK (deposit_percent BETWEEN 5 AND 95);

ALTER TABLE payments ADD COLUMN mode text NOT NULL DEFAULT 'full';
ALTER TABLE payments ADD COLUMN customer_id text NOT NULL DEFAULT '';
ALTER TABLE payments ADD COLUMN method_id text NOT NULL DEFAULT '';
ALTER TABLE payments ADD CONSTRAINT ck_payments_mode CHECK (mode IN ('full', 'deposit', 'hold'));
ALTER TABLE payments DROP CONSTRAINT ck_payments_state;
ALTER TABLE payments ADD CONSTRAINT ck_payments_state
    CHECK (state IN ('opening', 'open', 'paid', 'expired', 'failed', 'canceled')
           OR mode = 'hold' AND state IN ('kept', 'charging', 'unpaid', 'released'));
DROP INDEX ix_payments_pending;
CREATE INDEX ix_payments_pending ON payments (id) WHERE state IN ('opening', 'open', 'charging');
CREATE INDEX ix_payments_kept ON payments (group_id) WHERE method_id <> '';

ALTER TABLE booking_emails DROP CONSTRAINT ck_booking_emails_kind;
ALTER TABLE booking_emails ADD CONSTRAINT ck_booking_emails_kind
    CHECK (kind IN ('requested', 'booked', 'accepted', 'declined', 'expired', 'withdrawn', 'canceled', 'moved',
        'clocks_changed', 'place_changed', 'address_changed', 'proposed', 'proposal_withdrawn', 'proposal_expired',
        'proposal_lapsed', 'move_accepted', 'move_declined', 'spot_free', 'person_said_no', 'guru_said_no', 'claimed',
        'charged', 'charge_failed', 'day_before', 'soon', 'waiver_week', 'waiver_days', 'review_open', 'review_last',
        'review_waiting', 'review_out'));
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
