"""Add statements of years, invoices with a company's name, and indexes of staff's list of payments."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE invoice_details (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    tax_id text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_invoice_details PRIMARY KEY (tenant_id),
    CONSTRAINT fk_invoice_details_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_invoice_details_lengths CHECK (length(name) <= 200 AND length(address) <= 500
        AND length(tax_id) <= 40)
);
ALTER TABLE invoice_details ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_details FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invoice_details TO porchlight_app USING (tenant_id = app.acting_tenant_id())
    WITH CHECK (tenant_id = app.acting_tenant_id());
CREATE POLICY lookup ON invoice_details FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON invoice_details TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON invoice_details TO porchlight_app, porchlight_overseer;

CREATE TABLE company_details (
    user_id uuid NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    tax_id text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_company_details PRIMARY KEY (user_id),
    CONSTRAINT fk_company_details_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_company_details_lengths CHECK (length(name) <= 200 AND length(address) <= 500
        AND length(tax_id) <= 40)
);
ALTER TABLE company_details ENABLE ROW LEVEL SECURITY;
ALTER TABLE company_details FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON company_details TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON company_details TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON company_details TO porchlight_app, porchlight_overseer;

CREATE TABLE invoices (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    person_id uuid NOT NULL,
    year smallint NOT NULL,
    number integer NOT NULL,
    kind text NOT NULL,
    corrects_id uuid,
    issued_on date NOT NULL,
    paid_on date NOT NULL,
    session_on date NOT NULL,
    seller_name text NOT NULL,
    seller_address text NOT NULL,
    seller_tax_id text NOT NULL,
    buyer_name text NOT NULL,
    buyer_address text NOT NULL,
    buyer_tax_id text NOT NULL,
    service_name text NOT NULL,
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_invoices PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_invoices_tenant_id_year_number UNIQUE (tenant_id, year, number),
    CONSTRAINT fk_invoices_tenant_id_corrects_id FOREIGN KEY (tenant_id, corrects_id)
        REFERENCES invoices (tenant_id, id),
    CONSTRAINT fk_invoices_tenant_id_payment_id FOREIGN KEY (tenant_id, payment_id)
        REFERENCES payments (tenant_id, id),
    CONSTRAINT ck_invoices_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_invoices_corrects CHECK ((kind = 'invoice') = (corrects_id IS NULL)),
    CONSTRAINT ck_invoices_kind CHECK (kind IN ('invoice', 'correction', 'credit_note')),
    CONSTRAINT ck_invoices_lengths CHECK (length(buyer_name) <= 200 AND length(buyer_address) <= 500
        AND length(buyer_tax_id) <= 40),
    CONSTRAINT ck_invoices_number CHECK (number > 0)
);
CREATE INDEX ix_invoices_person_id ON invoices (person_id);
CREATE INDEX ix_invoices_tenant_id_payment_id ON invoices (tenant_id, payment_id);
ALTER TABLE invoices ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoices FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON invoices TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON invoices TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON invoices TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON invoices TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON invoices TO porchlight_overseer;

-- Staff's list of all payments: the newest first, by state, and by the ids of the payment provider.
CREATE INDEX ix_payments_id ON payments (id);
CREATE INDEX ix_payments_pending ON payments (id) WHERE state IN ('opening', 'open');
CREATE INDEX ix_payments_returned ON payments (id) WHERE refunded_cents > 0;
CREATE INDEX ix_payments_disputed ON payments (id) WHERE disputed;
CREATE INDEX ix_payments_stuck ON payments (id) WHERE transfer_state = 'stuck';
CREATE INDEX ix_payments_on_way ON payments (id) WHERE transfer_state = 'requested';
CREATE INDEX ix_payments_paid_at ON payments (paid_at) INCLUDE (fee_cents) WHERE paid_at IS NOT NULL;
CREATE INDEX ix_payments_booking_id ON payments (booking_id);
CREATE INDEX ix_payments_checkout_id ON payments (checkout_id) WHERE checkout_id <> '';
CREATE INDEX ix_payments_intent_id ON payments (intent_id) WHERE intent_id <> '';
CREATE INDEX ix_payments_charge_id ON payments (charge_id) WHERE charge_id <> '';
CREATE INDEX ix_payments_transfer_id ON payments (transfer_id) WHERE transfer_id <> '';
CREATE INDEX ix_refunds_created_at ON refunds (created_at) INCLUDE (amount_cents, fee_cents, state);
CREATE INDEX ix_refunds_requested ON refunds (id) WHERE state = 'requested';
CREATE INDEX ix_refunds_failed ON refunds (payment_id) WHERE state = 'failed';
CREATE INDEX ix_refunds_refund_id ON refunds (refund_id) WHERE refund_id <> '';
CREATE INDEX ix_refunds_of_fee ON refunds (tenant_id, payment_id) WHERE fee_cents = amount_cents;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
