"""Drop what only the previous release called: a function for contact messages, and users as arguments of requests."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0173"
down_revision = "0172"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.create_contact_message(uuid, text, text, text, text, bytea, text, bytea, integer, integer);
-- Requests call app.own_... instead, which take the user from the settings.
REVOKE EXECUTE ON FUNCTION app.guru_of(uuid), app.match_method(uuid), app.skill_matches(uuid, integer, real),
    app.skill_to_offer(uuid, integer), app.swap_rings_of(uuid) FROM porchlight_app;
"""


def upgrade() -> None:
    """Drop the function, revoke the others, and change their callers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
