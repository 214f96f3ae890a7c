"""Let jobs learn of other people through two general functions, which list what each task may read."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0251"
down_revision = "0250"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.contact_digest(integer);
DROP FUNCTION app.contact_message();
DROP FUNCTION app.due_documents(date);
DROP FUNCTION app.due_plan_notices();
DROP FUNCTION app.due_plans(integer);
DROP FUNCTION app.enqueue_document_email(uuid, integer);
DROP FUNCTION app.enqueue_missing_locations();
DROP FUNCTION app.enqueue_task(text, jsonb, boolean);
DROP FUNCTION app.lead_digest_recipient();
DROP FUNCTION app.lead_recipient();
DROP FUNCTION app.lead_reply_address();
DROP FUNCTION app.offer_to_notify();
DROP FUNCTION app.offers_to_notify();
DROP FUNCTION app.owners_of_expired_needs();
DROP FUNCTION app.pending_account_email();
DROP FUNCTION app.pending_email_changes();
DROP FUNCTION app.pending_phrases(integer);
DROP FUNCTION app.question_to_notify();
DROP FUNCTION app.queue_lead_digest();
DROP FUNCTION app.saved_searches_to_check(integer);
DROP FUNCTION app.swap_ring_to_notify();
REVOKE EXECUTE ON FUNCTION app.running_job(text) FROM porchlight_overseer;
"""


def upgrade() -> None:
    """Drop the functions of single jobs, and add the general ones."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
