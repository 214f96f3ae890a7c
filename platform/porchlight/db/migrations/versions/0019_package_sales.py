"""Sell packages by card: their price, what was paid for them, and what their sessions earned."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE packages
    ADD COLUMN price_cents integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT ck_packages_price CHECK (price_cents = 0 OR price_cents BETWEEN 500 AND 99999999);
ALTER TABLE package_grants
    ADD COLUMN payment_id uuid,
    ADD COLUMN settled smallint NOT NULL DEFAULT 0,
    ADD COLUMN end_told_at timestamptz,
    ADD CONSTRAINT ck_package_grants_settled CHECK (settled BETWEEN 0 AND granted),
    ADD CONSTRAINT uq_package_grants_tenant_id_payment_id UNIQUE (tenant_id, payment_id);
CREATE INDEX ix_package_grants_ending ON package_grants (tenant_id, expires_at)
    WHERE left_over > 0 AND end_told_at IS NULL;
ALTER TABLE package_events
    DROP CONSTRAINT ck_package_events_event,
    ADD CONSTRAINT ck_package_events_event
        CHECK (event IN ('granted', 'bought', 'extended', 'taken_back', 'ending'));
ALTER TABLE payments
    ALTER COLUMN booking_id DROP NOT NULL,
    ADD COLUMN package jsonb,
    ADD COLUMN used_cents bigint NOT NULL DEFAULT 0,
    DROP CONSTRAINT ck_payments_purpose,
    ADD CONSTRAINT ck_payments_purpose CHECK (purpose IN ('session', 'tip', 'package', 'package_session')),
    DROP CONSTRAINT ck_payments_tip_fee,
    ADD CONSTRAINT ck_payments_no_fee CHECK (purpose NOT IN ('tip', 'package') OR fee_cents = 0),
    ADD CONSTRAINT ck_payments_booking_id
        CHECK (purpose IN ('package', 'package_session') OR booking_id IS NOT NULL),
    ADD CONSTRAINT ck_payments_package CHECK ((purpose = 'package') = (package IS NOT NULL)),
    ADD CONSTRAINT ck_payments_used
        CHECK (used_cents = 0 OR purpose = 'package' AND used_cents BETWEEN 0 AND amount_cents - refunded_cents);
CREATE INDEX ix_payments_open_packages ON payments (id)
    WHERE purpose = 'package' AND state = 'paid' AND delivered_at IS NULL;
DROP INDEX ix_payments_netted;
CREATE INDEX ix_payments_netted ON payments (owner_id)
    WHERE delivered_at IS NOT NULL AND NOT disputed AND transfer_state IN ('done', 'netted')
      AND transferred_cents < amount_cents - fee_cents - (refunded_cents - fee_returned_cents)
                              - (disputed_cents - disputed_fee_cents) - used_cents;
ALTER TABLE invoices ALTER COLUMN session_on DROP NOT NULL;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
