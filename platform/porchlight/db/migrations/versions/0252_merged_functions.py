"""Merge functions that one caller used together, and move those without the owner's rights to Python."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0252"
down_revision = "0251"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.apply_plan_limits(jsonb);
DROP FUNCTION app.billing_portal_settings();
DROP FUNCTION app.finish_swap_ring_check(uuid[]);
DROP FUNCTION app.lock_phrases(integer[]);
DROP FUNCTION app.neighbor_by_handle(text);
DROP FUNCTION app.own_plan_preview(text, text);
DROP FUNCTION app.rate_limit(text, uuid, bytea, timestamptz, bigint, bigint);
DROP FUNCTION app.request_ring_checks(integer[]);
DROP FUNCTION app.save_phrase_vectors(integer[], text[]);
DROP FUNCTION app.set_ring_check_due(uuid[], boolean);
DROP FUNCTION app.start_domain_check(uuid, integer);
REVOKE EXECUTE ON FUNCTION app.public_user(uuid) FROM porchlight_app, porchlight_overseer;
"""


def upgrade() -> None:
    """Drop the functions that are gone, and change those that replace them."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
