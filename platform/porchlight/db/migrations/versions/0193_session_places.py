"""Keep the address of a booking at the person's place, and a place that the guru gives one session."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0193"
down_revision = "0190"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE bookings ADD COLUMN person_address text DEFAULT '' NOT NULL;
GRANT UPDATE (person_address, place) ON bookings TO porchlight_app;
ALTER TABLE appointments ADD COLUMN place text, ADD COLUMN place_text text;
ALTER TABLE appointments ADD CONSTRAINT ck_appointments_place CHECK (
    place IN ('guru', 'person', 'online', 'agreed') AND (place IS NULL) = (place_text IS NULL));
-- Services that exist keep theirs.
ALTER TABLE booking_settings ALTER COLUMN place SET DEFAULT 'guru';
ALTER TABLE onboardings ADD COLUMN place text DEFAULT '' NOT NULL, ADD COLUMN place_text text DEFAULT '' NOT NULL;
ALTER TABLE onboardings ADD CONSTRAINT ck_onboardings_place CHECK (
    place IN ('', 'guru', 'person', 'online', 'agreed'));
ALTER TABLE booking_emails DROP CONSTRAINT ck_booking_emails_kind;
ALTER TABLE booking_emails ADD CONSTRAINT ck_booking_emails_kind CHECK (
    kind IN ('requested', 'booked', 'accepted', 'declined', 'expired', 'withdrawn', 'canceled', 'moved',
             'clocks_changed', 'place_changed', 'proposed', 'proposal_withdrawn', 'proposal_expired',
             'proposal_lapsed', 'move_accepted', 'move_declined', 'spot_free', 'day_before', 'soon', 'waiver_week',
             'waiver_days'));
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
