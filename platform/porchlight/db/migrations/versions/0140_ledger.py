"""Ledger."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0140"
down_revision = "0137"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE ledger_kinds (
    kind text NOT NULL,
    holder text NOT NULL,
    unit text NOT NULL,
    floor bigint,
    CONSTRAINT pk_ledger_kinds PRIMARY KEY (kind),
    CONSTRAINT uq_ledger_kinds_kind_unit UNIQUE (kind, unit),
    CONSTRAINT ck_ledger_kinds_holder CHECK (holder IN ('external', 'platform', 'guru', 'customer', 'pair')),
    CONSTRAINT ck_ledger_kinds_unit CHECK (unit IN ('usd', 'min'))
);
GRANT SELECT ON ledger_kinds TO porchlight_overseer;

CREATE TABLE ledger_rules (
    event text NOT NULL,
    debit_kind text NOT NULL,
    credit_kind text NOT NULL,
    unit text NOT NULL,
    CONSTRAINT pk_ledger_rules PRIMARY KEY (event, debit_kind, credit_kind, unit),
    CONSTRAINT fk_ledger_rules_debit_kind_unit FOREIGN KEY (debit_kind, unit) REFERENCES ledger_kinds (kind, unit),
    CONSTRAINT fk_ledger_rules_credit_kind_unit FOREIGN KEY (credit_kind, unit) REFERENCES ledger_kinds (kind, unit)
);
GRANT SELECT ON ledger_rules TO porchlight_overseer;

CREATE TABLE ledger_accounts (
    id uuid NOT NULL,
    kind text NOT NULL,
    unit text NOT NULL,
    tenant_id uuid,
    user_id uuid,
    pair_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_ledger_accounts PRIMARY KEY (id),
    CONSTRAINT uq_ledger_accounts_kind_unit_tenant_id_user_id_pair_id
        UNIQUE NULLS NOT DISTINCT (kind, unit, tenant_id, user_id, pair_id),
    CONSTRAINT uq_ledger_accounts_id_unit_kind UNIQUE (id, unit, kind),
    CONSTRAINT fk_ledger_accounts_kind_unit FOREIGN KEY (kind, unit) REFERENCES ledger_kinds (kind, unit),
    CONSTRAINT ck_ledger_accounts_owner CHECK (num_nonnulls(tenant_id, user_id, pair_id) <= 1)
);
CREATE INDEX ix_ledger_accounts_user_id ON ledger_accounts (user_id) WHERE user_id IS NOT NULL;
GRANT SELECT ON ledger_accounts TO porchlight_overseer;

CREATE TABLE ledger_balances (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    unit text NOT NULL,
    debits bigint NOT NULL DEFAULT 0,
    credits bigint NOT NULL DEFAULT 0,
    reserved bigint NOT NULL DEFAULT 0,
    floor bigint,
    seq bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_ledger_balances PRIMARY KEY (account_id),
    CONSTRAINT fk_ledger_balances_account_id_unit_kind FOREIGN KEY (account_id, unit, kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT ck_ledger_balances_sums CHECK (debits >= 0 AND credits >= 0 AND seq >= 0),
    CONSTRAINT ck_ledger_balances_reserved CHECK (reserved >= 0),
    CONSTRAINT ck_ledger_balances_floor CHECK (floor IS NULL OR credits - debits - reserved >= floor)
);
GRANT SELECT ON ledger_balances TO porchlight_overseer;

CREATE TABLE ledger_transactions (
    id uuid NOT NULL,
    event text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    stripe_object text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT now(),
    digest bytea NOT NULL,
    reverses uuid,
    CONSTRAINT pk_ledger_transactions PRIMARY KEY (id),
    CONSTRAINT uq_ledger_transactions_subject_kind_subject_id_event UNIQUE (subject_kind, subject_id, event),
    CONSTRAINT uq_ledger_transactions_id_event UNIQUE (id, event),
    CONSTRAINT uq_ledger_transactions_reverses UNIQUE (reverses),
    CONSTRAINT fk_ledger_transactions_reverses FOREIGN KEY (reverses) REFERENCES ledger_transactions (id)
);
CREATE INDEX ix_ledger_transactions_stripe_object ON ledger_transactions (stripe_object) WHERE stripe_object <> '';
GRANT SELECT ON ledger_transactions TO porchlight_overseer;

CREATE TABLE ledger_transfers (
    transaction_id uuid NOT NULL,
    n smallint NOT NULL,
    event text NOT NULL,
    unit text NOT NULL,
    amount bigint NOT NULL,
    debit_account uuid NOT NULL,
    debit_kind text NOT NULL,
    debit_seq bigint NOT NULL,
    debit_balance_after bigint NOT NULL,
    credit_account uuid NOT NULL,
    credit_kind text NOT NULL,
    credit_seq bigint NOT NULL,
    credit_balance_after bigint NOT NULL,
    CONSTRAINT pk_ledger_transfers PRIMARY KEY (transaction_id, n),
    CONSTRAINT uq_ledger_transfers_debit_account_debit_seq UNIQUE (debit_account, debit_seq),
    CONSTRAINT uq_ledger_transfers_credit_account_credit_seq UNIQUE (credit_account, credit_seq),
    CONSTRAINT fk_ledger_transfers_transaction_id_event FOREIGN KEY (transaction_id, event)
        REFERENCES ledger_transactions (id, event),
    CONSTRAINT fk_ledger_transfers_event_debit_kind_credit_kind_unit
        FOREIGN KEY (event, debit_kind, credit_kind, unit)
        REFERENCES ledger_rules (event, debit_kind, credit_kind, unit),
    CONSTRAINT fk_ledger_transfers_debit_account_unit_debit_kind FOREIGN KEY (debit_account, unit, debit_kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT fk_ledger_transfers_credit_account_unit_credit_kind FOREIGN KEY (credit_account, unit, credit_kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT ck_ledger_transfers_amount CHECK (amount > 0),
    CONSTRAINT ck_ledger_transfers_accounts CHECK (debit_account <> credit_account)
);
GRANT SELECT ON ledger_transfers TO porchlight_overseer;

CREATE TABLE ledger_holds (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    amount bigint NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    expires_at timestamptz,
    state text NOT NULL DEFAULT 'held',
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    CONSTRAINT pk_ledger_holds PRIMARY KEY (id),
    CONSTRAINT uq_ledger_holds_subject_kind_subject_id UNIQUE (subject_kind, subject_id),
    CONSTRAINT fk_ledger_holds_account_id FOREIGN KEY (account_id) REFERENCES ledger_balances (account_id),
    CONSTRAINT ck_ledger_holds_amount CHECK (amount > 0),
    CONSTRAINT ck_ledger_holds_state CHECK (state IN ('held', 'posted', 'voided', 'expired'))
);
CREATE INDEX ix_ledger_holds_account_id ON ledger_holds (account_id) WHERE state = 'held';
CREATE INDEX ix_ledger_holds_expires_at ON ledger_holds (expires_at) WHERE state = 'held';
GRANT SELECT ON ledger_holds TO porchlight_overseer;

CREATE TABLE adjustments (
    id uuid NOT NULL,
    event text NOT NULL,
    debit_account uuid NOT NULL,
    credit_account uuid NOT NULL,
    cents bigint NOT NULL,
    reason text NOT NULL,
    state text NOT NULL DEFAULT 'requested',
    requested_by text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    decided_by text,
    decided_at timestamptz,
    transaction_id uuid,
    CONSTRAINT pk_adjustments PRIMARY KEY (id),
    CONSTRAINT uq_adjustments_transaction_id UNIQUE (transaction_id),
    CONSTRAINT fk_adjustments_debit_account FOREIGN KEY (debit_account) REFERENCES ledger_accounts (id),
    CONSTRAINT fk_adjustments_credit_account FOREIGN KEY (credit_account) REFERENCES ledger_accounts (id),
    CONSTRAINT fk_adjustments_transaction_id FOREIGN KEY (transaction_id) REFERENCES ledger_transactions (id),
    CONSTRAINT ck_adjustments_cents CHECK (cents > 0),
    CONSTRAINT ck_adjustments_reason CHECK (btrim(reason) <> ''),
    CONSTRAINT ck_adjustments_state CHECK (state IN ('requested', 'posted', 'rejected')),
    CONSTRAINT ck_adjustments_posted CHECK ((state = 'posted') = (transaction_id IS NOT NULL)),
    CONSTRAINT ck_adjustments_second_holder CHECK (transaction_id IS NULL OR cents <= 10000
        OR (decided_by IS NOT NULL AND lower(decided_by) <> lower(requested_by)))
);
CREATE INDEX ix_adjustments_requested ON adjustments (requested_at) WHERE state = 'requested';
GRANT SELECT ON adjustments TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
