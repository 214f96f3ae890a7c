"""Let only a job write an angel's counted jobs and ratings."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0224"
down_revision = "0223"
branch_labels = None
depends_on = None

TABLES = """
REVOKE INSERT, UPDATE ON angels FROM porchlight_app;
GRANT INSERT (user_id, service_id, rate_cents, about, days, radius_miles, mails_a_day, city, region, latitude,
              longitude, active, created_at, updated_at),
      UPDATE (rate_cents, about, days, radius_miles, mails_a_day, city, region, latitude, longitude, active, updated_at)
    ON angels TO porchlight_app;
CREATE POLICY founding ON angels TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
REVOKE EXECUTE ON FUNCTION app.cover_booking(uuid), app.angel_counters() FROM porchlight_app;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
