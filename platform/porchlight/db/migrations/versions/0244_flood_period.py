"""Name the period of the limits of floods in Python, and drop rate_limit, which only reports of users called."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0244"
down_revision = "0243"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.rate_limit(text, uuid, bytea, timestamptz, bigint, bigint);
DROP FUNCTION app.flood_limit(text, uuid, bytea, bytea, timestamptz, boolean, bigint, bigint, bigint, bigint);
DROP FUNCTION app.add_contact_message(uuid, text, text, text, text, bytea, bytea, text, bytea, boolean, integer,
  integer, integer, integer);
DROP FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean, integer,
  integer, integer, integer, integer);
"""


def upgrade() -> None:
    """Replace the functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
