"""Add the questions that a guru asks before a session is booked."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE booking_settings
    ADD COLUMN questions jsonb NOT NULL DEFAULT '[]',
    ADD CONSTRAINT ck_booking_settings_questions CHECK (jsonb_typeof(questions) = 'array'
        AND jsonb_array_length(questions) <= 5 AND length(questions::text) <= 10000);
ALTER TABLE bookings
    ADD COLUMN questions jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN answers jsonb NOT NULL DEFAULT '[]',
    ADD CONSTRAINT ck_bookings_questions CHECK (jsonb_typeof(questions) = 'array'
        AND jsonb_array_length(questions) <= 5 AND length(questions::text) <= 10000),
    ADD CONSTRAINT ck_bookings_answers CHECK (jsonb_typeof(answers) = 'array'
        AND jsonb_array_length(answers) <= 5 AND length(answers::text) <= 8000);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
