"""Store Stripe's balance lines, and what differs from the ledger."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0145"
down_revision = "0144"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE stripe_balance_lines (
    account text NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    amount bigint NOT NULL,
    fee bigint NOT NULL,
    net bigint NOT NULL,
    source text NOT NULL DEFAULT '',
    object_id text NOT NULL,
    created timestamptz NOT NULL,
    available_on timestamptz NOT NULL,
    CONSTRAINT pk_stripe_balance_lines PRIMARY KEY (account, id),
    CONSTRAINT ck_stripe_balance_lines_net CHECK (net = amount - fee)
);
CREATE INDEX ix_stripe_balance_lines_account_object_id ON stripe_balance_lines (account, object_id);
CREATE INDEX ix_stripe_balance_lines_created ON stripe_balance_lines (created);
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_balance_lines TO porchlight_overseer;

CREATE TABLE findings (
    id uuid NOT NULL,
    kind text NOT NULL,
    account text NOT NULL DEFAULT '',
    stripe_id text NOT NULL,
    transaction_id uuid,
    cents bigint NOT NULL,
    state text NOT NULL DEFAULT 'open',
    note text NOT NULL DEFAULT '',
    by text NOT NULL DEFAULT '',
    found_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_findings PRIMARY KEY (id),
    CONSTRAINT uq_findings_kind_account_stripe_id UNIQUE (kind, account, stripe_id),
    CONSTRAINT ck_findings_kind CHECK (kind IN ('missing_at_stripe', 'missing_here', 'amount_differs', 'unknown_line',
        'balance_differs', 'stuck_outbox')),
    CONSTRAINT ck_findings_state CHECK (state IN ('open', 'explained', 'gone'))
);
CREATE INDEX ix_findings_open ON findings (found_at) WHERE state = 'open';
GRANT SELECT, INSERT, UPDATE, DELETE ON findings TO porchlight_overseer;

CREATE TABLE reconciliations (
    id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL DEFAULT now(),
    lines integer NOT NULL,
    open_findings integer NOT NULL,
    off_cents bigint NOT NULL,
    off_accounts integer NOT NULL,
    CONSTRAINT pk_reconciliations PRIMARY KEY (id)
);
CREATE INDEX ix_reconciliations_finished_at ON reconciliations (finished_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON reconciliations TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
