"""Decide on bookings in Python: SQL returns the facts and writes what was decided."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0236"
down_revision = "0235"
branch_labels = None
depends_on = None

TABLES = """
DROP TRIGGER add_booking_emails ON bookings;
DROP TRIGGER end_proposal ON bookings;
DROP TRIGGER keep_place ON bookings;
DROP TRIGGER add_place_change ON bookings;
DROP TRIGGER add_booking_event_update ON bookings;
DROP TRIGGER settle_offer ON bookings;
DROP TRIGGER counter_on_insert ON bookings;
DROP TRIGGER counter_on_delete ON bookings;
DROP TRIGGER count_seats_insert ON bookings;
DROP TRIGGER count_seats_delete ON bookings;
DROP TRIGGER offer_freed_seats ON appointments;
DROP FUNCTION app.add_booking_emails();
DROP FUNCTION app.end_proposal();
DROP FUNCTION app.keep_place();
DROP FUNCTION app.add_place_change();
DROP FUNCTION app.settle_offer();
DROP FUNCTION app.offer_freed_seats();
DROP FUNCTION app.book_party(bytea, text, bigint, boolean, uuid, text, jsonb, text, text[], text, text, bytea);
DROP FUNCTION app.book_hold(bytea, text, bigint, boolean, uuid, text, text[], text, text, bytea);
DROP FUNCTION app.confirm_holds(uuid[], uuid, text, text[], text, text, bytea);
DROP FUNCTION app.claim_hold(bytea);
DROP FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer, timestamp);
DROP FUNCTION app.release_hold(bytea);
DROP FUNCTION app.hold_series(uuid, uuid[], uuid[], timestamptz[], bigint[], timestamp[]);
DROP FUNCTION app.book_customer(uuid, uuid, uuid, timestamptz, timestamp, integer, uuid, uuid, text, text[], text, text,
                                text, boolean, bytea);
DROP FUNCTION app.move_bookings(uuid[], uuid[], timestamptz[], bigint[], boolean, timestamp[]);
DROP FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean, timestamp);
DROP FUNCTION app.join_waitlist(uuid, timestamptz, integer);
DROP FUNCTION app.leave_waitlist(uuid);
DROP FUNCTION app.open_offer(uuid, bytea);
DROP FUNCTION app.expire_bookings();
DROP FUNCTION app.offer_seats(uuid);
DROP FUNCTION app.add_waking_time(timestamp, interval);
DROP FUNCTION app.create_hold(uuid, uuid, uuid, integer, bytea, bytea, timestamptz);
DROP FUNCTION app.get_or_create_appointment(uuid, uuid, timestamptz, integer, bigint, timestamp);
DROP FUNCTION app.queue_booking_emails(bookings, text, text[]);
DROP FUNCTION app.booking_event(bookings, bookings);
REVOKE UPDATE (appointment_id, status, party, participants, person_name, note, starts_at, ends_at, place, place_text,
    waiver_level, waiver_id, waiver_until, sequence, moves, series_id, proposed_start, expires_at, confirmed_at,
    ended_by, ended_at, reason, owed_cents, idempotency_key, digest, proposed_until, proposed_reason, proposals,
    person_address, late_since) ON bookings FROM porchlight_app;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
