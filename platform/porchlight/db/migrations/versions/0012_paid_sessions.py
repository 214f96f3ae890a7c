"""Let people pay for sessions by card when they book them."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE booking_settings ADD COLUMN payment text NOT NULL DEFAULT 'in_person';
ALTER TABLE booking_settings ADD CONSTRAINT ck_booking_settings_payment CHECK (payment IN ('in_person', 'full'));

CREATE TABLE payments (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    booking_id uuid NOT NULL,
    person_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    group_id uuid NOT NULL,
    number smallint NOT NULL,
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    fee_cents bigint NOT NULL,
    fee_bps smallint NOT NULL,
    fee_minimum_cents bigint NOT NULL,
    state text NOT NULL DEFAULT 'opening',
    refunded_cents bigint NOT NULL DEFAULT 0,
    fee_returned_cents bigint NOT NULL DEFAULT 0,
    checkout_id text NOT NULL DEFAULT '',
    checkout_url text NOT NULL DEFAULT '',
    intent_id text NOT NULL DEFAULT '',
    charge_id text NOT NULL DEFAULT '',
    card_brand text NOT NULL DEFAULT '',
    card_last4 text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    disputed boolean NOT NULL DEFAULT false,
    expires_at timestamptz NOT NULL,
    paid_at timestamptz,
    delivered_at timestamptz,
    transfer_state text NOT NULL DEFAULT '',
    transfer_id text NOT NULL DEFAULT '',
    transferred_cents bigint NOT NULL DEFAULT 0,
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_payments PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_payments_tenant_id_booking_id_number UNIQUE (tenant_id, booking_id, number),
    CONSTRAINT ck_payments_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_payments_fee CHECK (fee_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT ck_payments_refunded CHECK (refunded_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT ck_payments_fee_returned CHECK (fee_returned_cents BETWEEN 0 AND least(fee_cents, refunded_cents)),
    CONSTRAINT ck_payments_state CHECK (state IN ('opening', 'open', 'paid', 'expired', 'failed', 'canceled')),
    CONSTRAINT ck_payments_unpaid CHECK (state = 'paid' OR refunded_cents = 0 AND delivered_at IS NULL),
    CONSTRAINT ck_payments_paid CHECK ((state = 'paid') = (paid_at IS NOT NULL)),
    CONSTRAINT ck_payments_transfer_state CHECK (transfer_state IN ('', 'requested', 'done', 'netted', 'stuck')),
    CONSTRAINT ck_payments_transferred CHECK (transferred_cents BETWEEN 0 AND amount_cents - fee_cents)
);
CREATE INDEX ix_payments_group_id ON payments (group_id);
CREATE INDEX ix_payments_owner_id ON payments (owner_id, created_at);
CREATE INDEX ix_payments_person_id ON payments (person_id, created_at);
CREATE INDEX ix_payments_undelivered ON payments (id) WHERE state = 'paid' AND delivered_at IS NULL;
CREATE INDEX ix_payments_untransferred ON payments (delivered_at)
    WHERE delivered_at IS NOT NULL AND transfer_state = '';
CREATE UNIQUE INDEX uq_payments_tenant_id_booking_id_open ON payments (tenant_id, booking_id)
    WHERE state IN ('opening', 'open');
ALTER TABLE payments ENABLE ROW LEVEL SECURITY;
ALTER TABLE payments FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON payments TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON payments FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON payments TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON payments TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON payments TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON payments TO porchlight_overseer;

CREATE TABLE refunds (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    person_id uuid NOT NULL,
    amount_cents bigint NOT NULL,
    fee_cents bigint NOT NULL,
    reason text NOT NULL,
    actor text NOT NULL,
    after_delivery boolean NOT NULL,
    state text NOT NULL DEFAULT 'requested',
    refund_id text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_refunds PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_refunds_tenant_id_payment_id FOREIGN KEY (tenant_id, payment_id) REFERENCES payments (tenant_id, id),
    CONSTRAINT ck_refunds_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_refunds_fee CHECK (fee_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT ck_refunds_state CHECK (state IN ('requested', 'done', 'failed')),
    CONSTRAINT ck_refunds_actor CHECK (actor IN ('person', 'guru', 'staff', 'system'))
);
CREATE INDEX ix_refunds_id ON refunds (id);
CREATE INDEX ix_refunds_person_id ON refunds (person_id);
CREATE INDEX ix_refunds_tenant_id_payment_id ON refunds (tenant_id, payment_id);
ALTER TABLE refunds ENABLE ROW LEVEL SECURITY;
ALTER TABLE refunds FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON refunds TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON refunds FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON refunds TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON refunds TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON refunds TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON refunds TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
