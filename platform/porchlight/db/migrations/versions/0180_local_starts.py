"""Store the local time of appointments, and pass it to the functions that create them."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0180"
down_revision = "0179"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE appointments ADD COLUMN local_start timestamp, ADD COLUMN local_end timestamp;
ALTER TABLE booking_emails DROP CONSTRAINT ck_booking_emails_kind;
ALTER TABLE booking_emails ADD CONSTRAINT ck_booking_emails_kind CHECK (
    kind IN ('requested', 'booked', 'accepted', 'declined', 'expired', 'withdrawn', 'canceled', 'moved',
             'clocks_changed', 'proposed', 'proposal_withdrawn', 'proposal_expired', 'proposal_lapsed',
             'move_accepted', 'move_declined', 'spot_free', 'day_before', 'soon', 'waiver_week', 'waiver_days'));
-- The new ones have one more argument with a default, so that calls of the running release reach them.
DROP FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer);
DROP FUNCTION app.hold_series(uuid, uuid[], uuid[], timestamptz[], bigint[]);
DROP FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean);
DROP FUNCTION app.get_or_create_appointment(uuid, uuid, timestamptz, integer, bigint);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
