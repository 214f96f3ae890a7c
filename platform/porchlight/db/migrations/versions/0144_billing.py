"""Billing."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0144"
down_revision = "0143"
branch_labels = None
depends_on = None


def _own_rows(table: str, *, writable: bool, readable: bool = True) -> str:
    """Return the isolation of a table that only functions and the service role write."""
    own = "(user_id = app.user_id())"
    return f"""
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON {table} TO porchlight_app USING {own} WITH CHECK {own};
CREATE POLICY overseer ON {table} TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON {table} TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO porchlight_overseer;
{f"CREATE POLICY directory ON {table} FOR SELECT TO porchlight_owner USING (true);" if readable else ""}
{f"CREATE POLICY founding ON {table} TO porchlight_owner USING {own} WITH CHECK {own};" if writable else ""}
"""


TABLES = f"""
CREATE TABLE billing_customers (
    user_id uuid NOT NULL,
    request_id uuid NOT NULL DEFAULT gen_random_uuid(),
    customer_id text,
    card_brand text NOT NULL DEFAULT '',
    card_last4 text NOT NULL DEFAULT '',
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_billing_customers PRIMARY KEY (user_id),
    CONSTRAINT uq_billing_customers_customer_id UNIQUE (customer_id),
    CONSTRAINT fk_billing_customers_user_id FOREIGN KEY (user_id) REFERENCES users (user_id)
);
{_own_rows("billing_customers", writable=True)}

CREATE TABLE plan_checkouts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    return_url text NOT NULL,
    state text NOT NULL DEFAULT 'waiting',
    session_id text,
    url text NOT NULL DEFAULT '',
    expires_at timestamptz,
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_plan_checkouts PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_checkouts_session_id UNIQUE (session_id),
    CONSTRAINT fk_plan_checkouts_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_checkouts_plan CHECK (plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_plan_checkouts_interval CHECK (interval IN ('month', 'year')),
    CONSTRAINT ck_plan_checkouts_state
        CHECK (state IN ('waiting', 'open', 'complete', 'expired', 'replaced', 'refused'))
);
CREATE UNIQUE INDEX uq_plan_checkouts_open ON plan_checkouts (user_id) WHERE state IN ('waiting', 'open');
{_own_rows("plan_checkouts", writable=True)}

CREATE TABLE plan_changes (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    kind text NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    prorated_at timestamptz,
    state text NOT NULL DEFAULT 'requested',
    payment_url text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_plan_changes PRIMARY KEY (user_id, id),
    CONSTRAINT fk_plan_changes_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_changes_kind CHECK (kind IN ('upgrade', 'downgrade', 'cancel', 'keep')),
    CONSTRAINT ck_plan_changes_state CHECK (state IN ('requested', 'done', 'unpaid', 'refused'))
);
CREATE UNIQUE INDEX uq_plan_changes_requested ON plan_changes (user_id) WHERE state = 'requested';
{_own_rows("plan_changes", writable=True)}

CREATE TABLE plan_invoices (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    in_id text NOT NULL,
    sub_id text NOT NULL,
    number text NOT NULL,
    state text NOT NULL,
    total_cents integer NOT NULL,
    paid_cents integer NOT NULL,
    failed boolean NOT NULL,
    payment_intent text NOT NULL,
    payment_url text NOT NULL,
    issued_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL,
    CONSTRAINT pk_plan_invoices PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_invoices_in_id UNIQUE (in_id),
    CONSTRAINT fk_plan_invoices_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_invoices_state CHECK (state IN ('draft', 'open', 'paid', 'uncollectible', 'void'))
);
CREATE INDEX ix_plan_invoices_sub_id ON plan_invoices (sub_id);
{_own_rows("plan_invoices", writable=False)}

CREATE TABLE plan_notices (
    user_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    past_due_since timestamptz NOT NULL,
    day integer NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_plan_notices PRIMARY KEY (user_id, subscription_id, past_due_since, day),
    CONSTRAINT fk_plan_notices_user_id FOREIGN KEY (user_id) REFERENCES users (user_id)
);
{_own_rows("plan_notices", writable=False)}
GRANT INSERT ON plan_notices TO porchlight_app;

CREATE TABLE billing_catalog (
    key text NOT NULL,
    object_id text NOT NULL,
    cents integer,
    synced_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_billing_catalog PRIMARY KEY (key)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON billing_catalog TO porchlight_overseer;

ALTER TABLE subscriptions ADD COLUMN next_interval text, ADD COLUMN period_start timestamptz,
    ADD COLUMN item_id text NOT NULL DEFAULT '', ADD COLUMN schedule_id text NOT NULL DEFAULT '',
    ADD COLUMN card_brand text NOT NULL DEFAULT '', ADD COLUMN card_last4 text NOT NULL DEFAULT '',
    ADD COLUMN is_stray boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT ck_subscriptions_next_interval CHECK (next_interval IN ('month', 'year'));
CREATE POLICY founding ON subscriptions TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
