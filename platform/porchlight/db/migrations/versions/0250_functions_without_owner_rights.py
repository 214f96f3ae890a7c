"""Run functions with the rights of their caller where these suffice, and drop those that another one replaces."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0250"
down_revision = "0236"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.angel_counters();
DROP FUNCTION app.counter_value(text);
DROP FUNCTION app.effective_plan();
DROP FUNCTION app.emergency_contact(uuid);
DROP FUNCTION app.guru_of(uuid);
DROP FUNCTION app.ledger_reverse;
DROP FUNCTION app.lock_tenant_plan();
DROP FUNCTION app.match_method(uuid);
DROP FUNCTION app.own_ledger_statement(text, bigint);
DROP FUNCTION app.own_plan_rights();
DROP FUNCTION app.report_subject(text, text);
DROP FUNCTION app.tenant_plan();
"""


def upgrade() -> None:
    """Drop the functions that others replace, and change those."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
