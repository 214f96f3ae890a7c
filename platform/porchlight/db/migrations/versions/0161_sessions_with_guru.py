"""Sessions with guru."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0161"
down_revision = "0160"
branch_labels = None
depends_on = None

TABLES = """
-- Replaced by functions with more columns. The running release selects columns by name, and can call either.
DROP FUNCTION app.find_session(bytea);
DROP FUNCTION app.find_domain_session(bytea, text);
DROP FUNCTION app.find_user(text);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
