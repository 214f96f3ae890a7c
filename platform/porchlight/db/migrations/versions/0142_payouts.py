"""Store payouts, and the bank accounts and cards to which a connected account is paid."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0142"
down_revision = "0141"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE payout_accounts
    ADD COLUMN destinations text[] NOT NULL DEFAULT '{}',
    ADD COLUMN destinations_changed_at timestamptz;
CREATE TABLE payouts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id text NOT NULL,
    amount bigint NOT NULL,
    fee bigint NOT NULL DEFAULT 0,
    method text NOT NULL,
    automatic boolean NOT NULL DEFAULT false,
    destination text NOT NULL DEFAULT '',
    last4 text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'requested',
    po_id text,
    failure_code text NOT NULL DEFAULT '',
    arrival_date date,
    request_key text NOT NULL DEFAULT '',
    requested_cents bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    checked_at timestamptz,
    CONSTRAINT pk_payouts PRIMARY KEY (user_id, id),
    CONSTRAINT uq_payouts_po_id UNIQUE (po_id),
    CONSTRAINT ck_payouts_amounts CHECK (amount > 0 AND fee >= 0),
    CONSTRAINT ck_payouts_method CHECK (method IN ('standard', 'instant')),
    CONSTRAINT ck_payouts_state CHECK (state IN ('requested', 'sent', 'in_transit', 'paid', 'failed', 'canceled'))
);
CREATE INDEX ix_payouts_user_id_created_at ON payouts (user_id, created_at);
CREATE UNIQUE INDEX uq_payouts_user_id_request_key ON payouts (user_id, request_key) WHERE request_key <> '';
CREATE UNIQUE INDEX uq_payouts_account_id_open ON payouts (account_id)
    WHERE state IN ('requested', 'sent') AND NOT automatic;
CREATE INDEX ix_payouts_checked_at ON payouts (checked_at) WHERE state IN ('sent', 'in_transit');
CREATE INDEX ix_payouts_created_at ON payouts (created_at) WHERE method = 'instant';
ALTER TABLE payouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payouts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payouts TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON payouts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON payouts TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON payouts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON payouts TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON payouts TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables and functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
