"""Name the numbers of matches in Python: functions take them as parameters, and the helpers behind them go."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0240"
down_revision = "0235"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.own_skill_matches(integer, real);
DROP FUNCTION app.skill_matches(uuid, integer, real);
DROP FUNCTION app.own_skills_to_offer(integer);
DROP FUNCTION app.skill_to_offer(uuid, integer);
DROP FUNCTION app.own_swap_rings();
DROP FUNCTION app.swap_rings_of(uuid);
DROP FUNCTION app.match_method(uuid);
"""


def upgrade() -> None:
    """Replace the functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
