"""Let people correct the address of their booked session, and tell both sides."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0230"
down_revision = "0224"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE booking_emails DROP CONSTRAINT ck_booking_emails_kind;
ALTER TABLE booking_emails ADD CONSTRAINT ck_booking_emails_kind CHECK (
    kind IN ('requested', 'booked', 'accepted', 'declined', 'expired', 'withdrawn', 'canceled', 'moved',
             'clocks_changed', 'place_changed', 'address_changed', 'proposed', 'proposal_withdrawn',
             'proposal_expired', 'proposal_lapsed', 'move_accepted', 'move_declined', 'spot_free', 'day_before',
             'soon', 'waiver_week', 'waiver_days'));
"""


def upgrade() -> None:
    """Change the table and the trigger."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
