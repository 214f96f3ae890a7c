"""Number the changes of sessions for calendars, and keep the zone in which a person saw the time of a booking."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0196"
down_revision = "0194"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE appointments ADD COLUMN sequence integer DEFAULT 0 NOT NULL;
ALTER TABLE bookings ADD COLUMN left_appointment_id uuid, ADD COLUMN person_zone text DEFAULT '' NOT NULL;
GRANT UPDATE (person_zone) ON bookings TO porchlight_app;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
