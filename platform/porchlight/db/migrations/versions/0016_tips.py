"""Let people tip gurus by card."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE payments ADD COLUMN purpose text NOT NULL DEFAULT 'session';
ALTER TABLE payments ADD COLUMN idempotency_key text;
ALTER TABLE payments ADD CONSTRAINT ck_payments_purpose CHECK (purpose IN ('session', 'tip'));
ALTER TABLE payments ADD CONSTRAINT ck_payments_tip_fee CHECK (purpose <> 'tip' OR fee_cents = 0);
ALTER TABLE payments DROP CONSTRAINT uq_payments_tenant_id_booking_id_number;
ALTER TABLE payments ADD CONSTRAINT uq_payments_tenant_id_booking_id_purpose_number
    UNIQUE (tenant_id, booking_id, purpose, number);
DROP INDEX uq_payments_tenant_id_booking_id_open;
CREATE UNIQUE INDEX uq_payments_tenant_id_booking_id_open ON payments (tenant_id, booking_id)
    WHERE purpose = 'session' AND state IN ('opening', 'open');
CREATE UNIQUE INDEX uq_payments_tenant_id_person_id_idempotency_key ON payments (tenant_id, person_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
"""


def upgrade() -> None:
    """Change the tables and functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
