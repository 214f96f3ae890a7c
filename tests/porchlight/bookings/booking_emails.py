"""Bookings whose changes send emails, and those emails in the mailbox."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

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


def change(database: Database, booking_id: UUID, **columns: Any) -> None:
    """Change a booking, as the actions do."""
    names = ", ".join(f"{name} = %s" for name in columns)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(f"UPDATE bookings SET {names} WHERE id = %s".encode(), [*columns.values(), booking_id])


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
