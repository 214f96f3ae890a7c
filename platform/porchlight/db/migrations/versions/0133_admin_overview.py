"""Add what the admin overview reads: counters per day, and indexes of failed jobs and emails."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0133"
down_revision = "0132"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE daily_counters (
    name text NOT NULL,
    day date NOT NULL,
    slot smallint NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_daily_counters PRIMARY KEY (name, day, slot)
);
GRANT SELECT, DELETE ON daily_counters TO porchlight_overseer;
CREATE INDEX ix_booking_emails_failed ON booking_emails (due_at) WHERE status = 'failed';
CREATE INDEX procrastinate_jobs_failed_idx ON jobs.procrastinate_jobs (deferred_at) WHERE status = 'failed';
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
