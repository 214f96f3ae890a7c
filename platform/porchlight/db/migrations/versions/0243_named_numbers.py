"""Name more numbers in Python: functions take them as parameters. Drop two functions that nothing calls."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0243"
down_revision = "0242"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision, text, integer);
DROP FUNCTION app.angel_answer_time(text);
DROP FUNCTION app.angel_answer_minutes(uuid);
DROP FUNCTION app.angel_stats();
DROP FUNCTION app.fair_price(text, double precision, double precision);
DROP FUNCTION app.fair_rates(text, double precision, double precision);
DROP FUNCTION app.offers_of(uuid);
DROP FUNCTION app.angels_to_notify(integer);
DROP FUNCTION app.due_plan_notices();
DROP FUNCTION app.due_documents(date);
DROP FUNCTION app.request_risk_review(uuid, text, text, bytea);
DROP FUNCTION app.front_page(integer, integer);
DROP FUNCTION app.add_domain(uuid, text, integer);
DROP FUNCTION app.start_domain_check(uuid, integer);
DROP FUNCTION app.own_ledger_statement(text, bigint);
DROP FUNCTION app.erase_audit_words();
DROP FUNCTION app.erase_words();
DROP FUNCTION app.emergency_contact(uuid);
DROP FUNCTION app.queue_lead_digest();
DROP FUNCTION app.group_contact_message(integer);
DROP FUNCTION app.report_subject(text, text);
DROP FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean, integer,
  integer, integer, integer);
"""


def upgrade() -> None:
    """Replace the functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
