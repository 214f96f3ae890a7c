"""Store the intent of each change at Stripe, and each of its events; events of before are kept."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0141"
down_revision = "0140"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE stripe_outbox (
    id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    attempt integer NOT NULL,
    account text NOT NULL DEFAULT '',
    lane text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    params jsonb NOT NULL,
    api_version text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'ready',
    created_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz NOT NULL DEFAULT now(),
    first_sent_at timestamptz,
    lease_until timestamptz,
    lookup boolean NOT NULL DEFAULT false,
    tries integer NOT NULL DEFAULT 0,
    object_id text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    error_message text NOT NULL DEFAULT '',
    settled_at timestamptz,
    CONSTRAINT pk_stripe_outbox PRIMARY KEY (id),
    CONSTRAINT uq_stripe_outbox_kind_subject_id_attempt UNIQUE (kind, subject_id, attempt),
    CONSTRAINT ck_stripe_outbox_state CHECK (state IN ('ready', 'sent', 'done', 'refused', 'unknown', 'absent')),
    CONSTRAINT ck_stripe_outbox_sent
        CHECK (state <> 'sent' OR (first_sent_at IS NOT NULL AND lease_until IS NOT NULL))
);
CREATE INDEX ix_stripe_outbox_due_at ON stripe_outbox (due_at) WHERE state IN ('ready', 'sent', 'unknown');
CREATE UNIQUE INDEX uq_stripe_outbox_in_flight ON stripe_outbox (lane) WHERE state = 'sent';
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_outbox TO porchlight_overseer;
CREATE TABLE stripe_inbox (
    id text NOT NULL,
    endpoint text NOT NULL,
    account text NOT NULL DEFAULT '',
    kind text NOT NULL,
    object_id text NOT NULL DEFAULT '',
    livemode boolean,
    created timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    body bytea,
    state text NOT NULL DEFAULT 'new',
    due_at timestamptz NOT NULL DEFAULT now(),
    tries integer NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT '',
    CONSTRAINT pk_stripe_inbox PRIMARY KEY (id),
    CONSTRAINT ck_stripe_inbox_endpoint CHECK (endpoint IN ('platform', 'connect')),
    CONSTRAINT ck_stripe_inbox_state CHECK (state IN ('new', 'done', 'ignored', 'failed'))
);
CREATE INDEX ix_stripe_inbox_due_at ON stripe_inbox (due_at) WHERE state = 'new';
CREATE INDEX ix_stripe_inbox_received_at ON stripe_inbox (received_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_inbox TO porchlight_overseer;
INSERT INTO stripe_inbox (id, endpoint, account, kind, created, received_at, state)
SELECT id, CASE WHEN account_id = '' THEN 'platform' ELSE 'connect' END, account_id, kind, received_at, received_at,
       'done'
  FROM payment_events;
DROP FUNCTION app.create_payment_event(text, text, text);
DROP TABLE payment_events;
-- Calls with three arguments find the new function, whose other arguments have defaults.
DROP FUNCTION app.enqueue(text, jsonb, text);
"""


def upgrade() -> None:
    """Change the tables and functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
