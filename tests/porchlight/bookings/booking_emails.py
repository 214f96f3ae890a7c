"""Bookings whose changes send emails, and those emails in the mailbox."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

from porchlight.features.bookings import store
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.emails.routing import EmailKind
from porchlight.features.bookings.lifecycle import Decision
from porchlight.features.bookings.states import Actor, Status
from porchlight.features.bookings.store import FactsQuery
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, seed_booking, seed_user

NOW = INSTANT
START = datetime(2027, 6, 1, 15, 0, tzinfo=UTC)


def book(database: Database, guru: SeededGuru, **columns: Any) -> UUID:
    """Create a booking without emails."""
    with psycopg.connect(database.service_url) as conn:
        values: dict[str, Any] = {"starts_at": START, "person_name": "Ada Neighbor"} | columns
        booking_id = seed_booking(conn, guru, seed_user(conn), **values)
        conn.execute("DELETE FROM booking_emails WHERE booking_id = %s", [booking_id])
    return booking_id


def change(database: Database, *booking_ids: UUID, **columns: Any) -> None:
    """Change bookings together, as the actions do: with history and emails. One that moves gets another appointment."""
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT tenant_id FROM bookings WHERE id = %s", [booking_ids[0]]).fetchone()
        assert row is not None
        conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(row[0])])
        appointment = None
        if starts_at := columns.get("starts_at"):
            appointment = _new_appointment(conn, booking_ids[0], starts_at)
            columns |= {"ends_at": starts_at + timedelta(hours=1), "appointment_id": appointment}
        needs = FactsQuery(ids=booking_ids, appointment=appointment)
        draft = CalendarDraft(store.read_facts_on(conn, needs))
        for booking_id in booking_ids:
            _change(draft, booking_id, columns)
        store.write_on(conn, Decision(draft.finish()), draft.facts, needs)


def _change(draft: CalendarDraft, booking_id: UUID, columns: Mapping[str, Any]) -> None:
    booking, values = draft.bookings[booking_id], dict(columns)
    if status := values.pop("status", None):
        actor = Actor(values.get("ended_by") or ("person" if booking.status is Status.HELD else "guru"))
        until = booking.expires_at if status == "requested" else None
        draft.set_status(booking, Status(status), actor, **{"expires_at": until} | values)
    else:
        details = {"from": booking.starts_at, "to": values["starts_at"]}
        draft.update(booking, values, event="moved", actor=Actor.PERSON, email=EmailKind.MOVED, details=details)


def _new_appointment(conn: psycopg.Connection[Any], booking_id: UUID, starts_at: datetime) -> UUID:
    row = conn.execute(
        "INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity)"
        " SELECT a.tenant_id, gen_random_uuid(), a.service_id, %(at)s, %(at)s + interval '1 hour', a.zone,"
        "        tstzrange(%(at)s, %(at)s + interval '1 hour'), a.capacity"
        "   FROM appointments a JOIN bookings b ON b.tenant_id = a.tenant_id AND b.appointment_id = a.id"
        "  WHERE b.id = %(booking)s RETURNING id",
        {"at": starts_at, "booking": booking_id},
    ).fetchone()
    assert row is not None
    found: UUID = row[0]
    return found


def emails(database: Database, booking_id: UUID) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the emails about a booking in the mailbox, by kind and side."""
    with psycopg.connect(database.service_url, row_factory=dict_row) as conn:
        query = "SELECT * FROM dev_mailbox WHERE key LIKE %s ORDER BY id"
        rows = conn.execute(query, [f"booking-{booking_id}-%"]).fetchall()
    keys = [row["key"].removeprefix(f"booking-{booking_id}-").rsplit("-", 2)[:2] for row in rows]
    return {(kind, side): row for (kind, side), row in zip(keys, rows, strict=True)}


def statuses(database: Database, booking_id: UUID) -> dict[tuple[str, str], str]:
    """Return the statuses of a booking's emails."""
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT kind, side, status FROM booking_emails WHERE booking_id = %s"
        return {(kind, side): status for kind, side, status in conn.execute(query, [booking_id]).fetchall()}
