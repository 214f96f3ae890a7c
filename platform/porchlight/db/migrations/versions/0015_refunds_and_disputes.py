"""Let gurus return a part of a payment, and record and answer disputes of sessions."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE payments ADD COLUMN disputed_cents bigint NOT NULL DEFAULT 0;
ALTER TABLE payments ADD COLUMN disputed_fee_cents bigint NOT NULL DEFAULT 0;
ALTER TABLE payments ADD CONSTRAINT ck_payments_disputed CHECK (disputed_cents BETWEEN 0 AND amount_cents);
ALTER TABLE payments ADD CONSTRAINT ck_payments_disputed_fee
    CHECK (disputed_fee_cents BETWEEN 0 AND least(fee_cents, disputed_cents));

ALTER TABLE refunds ADD COLUMN again_of uuid;
ALTER TABLE refunds ADD COLUMN idempotency_key text NOT NULL DEFAULT '';
ALTER TABLE refunds ADD COLUMN digest bytea;
CREATE INDEX ix_refunds_again_of ON refunds (again_of) WHERE again_of IS NOT NULL;
CREATE UNIQUE INDEX uq_refunds_tenant_id_idempotency_key ON refunds (tenant_id, idempotency_key)
    WHERE idempotency_key <> '';

ALTER TABLE findings DROP CONSTRAINT ck_findings_kind;
ALTER TABLE findings ADD CONSTRAINT ck_findings_kind CHECK (kind IN ('missing_at_stripe', 'missing_here',
    'amount_differs', 'unknown_line', 'balance_differs', 'stuck_outbox', 'failed_event', 'failed_refund',
    'stuck_transfer'));

CREATE TABLE session_disputes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    group_id uuid NOT NULL,
    dp_id text NOT NULL,
    amount_cents bigint NOT NULL,
    bank_fee_cents bigint NOT NULL DEFAULT 0,
    reason text NOT NULL,
    state text NOT NULL,
    due_by timestamptz,
    opened_at timestamptz NOT NULL,
    parts jsonb NOT NULL DEFAULT '[]',
    withdrawn boolean NOT NULL DEFAULT false,
    returned boolean NOT NULL DEFAULT false,
    words text NOT NULL DEFAULT '',
    customer_words text NOT NULL DEFAULT '',
    answer_state text NOT NULL DEFAULT '',
    answered_at timestamptz,
    checked_at timestamptz NOT NULL,
    CONSTRAINT pk_session_disputes PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_session_disputes_dp_id UNIQUE (dp_id),
    CONSTRAINT ck_session_disputes_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_session_disputes_bank_fee CHECK (bank_fee_cents >= 0),
    CONSTRAINT ck_session_disputes_state
        CHECK (state IN ('inquiry', 'open', 'under_review', 'won', 'lost', 'closed')),
    CONSTRAINT ck_session_disputes_answer_state CHECK (answer_state IN ('', 'requested', 'sent', 'failed')),
    CONSTRAINT ck_session_disputes_words CHECK (length(words) <= 2000 AND length(customer_words) <= 2000),
    CONSTRAINT ck_session_disputes_returned CHECK (withdrawn OR NOT returned)
);
CREATE INDEX ix_session_disputes_group_id ON session_disputes (group_id);
CREATE INDEX ix_session_disputes_id ON session_disputes (id);
ALTER TABLE session_disputes ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_disputes FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON session_disputes FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON session_disputes TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON session_disputes TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY tenant ON session_disputes TO porchlight_app USING (tenant_id = app.acting_tenant_id())
    WITH CHECK (tenant_id = app.acting_tenant_id());
GRANT SELECT ON session_disputes TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON session_disputes TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
