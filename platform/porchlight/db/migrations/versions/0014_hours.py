"""Let neighbors exchange hours, swap, or help for free: what a session is given for, and its recorded time."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE exchanges ADD COLUMN mode text NOT NULL DEFAULT 'direct';
ALTER TABLE exchanges ADD COLUMN record_state text NOT NULL DEFAULT '';
ALTER TABLE exchanges ADD COLUMN recorded_minutes smallint;
ALTER TABLE exchanges ADD COLUMN recorded_by text NOT NULL DEFAULT '';
ALTER TABLE exchanges ADD COLUMN record_round smallint NOT NULL DEFAULT 0;
ALTER TABLE exchanges ADD COLUMN settle_by timestamptz;
ALTER TABLE exchanges ADD COLUMN settled_at timestamptz;
ALTER TABLE exchanges ADD COLUMN reversal_by text NOT NULL DEFAULT '';
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_mode CHECK (mode IN ('hours', 'swap', 'free', 'direct'));
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_record_state
    CHECK (record_state IN ('', 'recorded', 'settled', 'unsettled', 'reversed'));
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_recorded_minutes
    CHECK (recorded_minutes BETWEEN 0 AND 480 AND recorded_minutes % 15 = 0);
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_recorded_by CHECK (recorded_by IN ('', 'teacher', 'learner'));
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_record CHECK (record_round BETWEEN 0 AND 3
    AND (record_round > 0) = (recorded_minutes IS NOT NULL AND recorded_by <> '')
    AND (record_round > 0 OR record_state IN ('', 'unsettled')));
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_settlement
    CHECK (record_state = '' OR status = 'completed' AND mode <> 'direct');
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_settle_by
    CHECK (settle_by IS NULL OR record_state IN ('', 'recorded'));
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_settled_at
    CHECK ((record_state IN ('settled', 'reversed')) = (settled_at IS NOT NULL));
ALTER TABLE exchanges ADD CONSTRAINT ck_exchanges_reversal_by CHECK (reversal_by IN ('', 'teacher', 'learner'));
CREATE INDEX ix_exchanges_settle_by ON exchanges (settle_by) WHERE settle_by IS NOT NULL;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
