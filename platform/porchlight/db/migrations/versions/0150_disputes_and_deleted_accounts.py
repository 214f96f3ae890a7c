"""Store disputes of plans' charges, and keep the payout accounts of deleted accounts."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0150"
down_revision = "0149"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE plan_disputes (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    dp_id text NOT NULL,
    charge_id text NOT NULL,
    amount integer NOT NULL,
    fee integer NOT NULL,
    reason text NOT NULL,
    state text NOT NULL,
    due_by timestamptz,
    opened_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL,
    CONSTRAINT pk_plan_disputes PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_disputes_dp_id UNIQUE (dp_id),
    CONSTRAINT fk_plan_disputes_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_disputes_state CHECK (state IN ('inquiry', 'open', 'under_review', 'won', 'lost', 'closed'))
);
CREATE INDEX ix_plan_disputes_open ON plan_disputes (opened_at) WHERE state IN ('inquiry', 'open', 'under_review');
ALTER TABLE plan_disputes ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_disputes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_disputes TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON plan_disputes TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY directory ON plan_disputes FOR SELECT TO porchlight_owner USING (true);
GRANT SELECT ON plan_disputes TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_disputes TO porchlight_overseer;

ALTER TABLE payout_accounts DROP CONSTRAINT fk_payout_accounts_user_id,
    ADD CONSTRAINT fk_payout_accounts_user_id FOREIGN KEY (user_id) REFERENCES users (user_id);
CREATE POLICY founding ON payout_accounts TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
DROP FUNCTION app.money_open();
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
