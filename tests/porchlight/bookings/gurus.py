"""Gurus whose sessions can be booked."""

from __future__ import annotations

from typing import Any

import psycopg

from tenants.kit.ids import new_id
from tests.porchlight.factories import SeededGuru, seed_calendar, seed_guru, seed_service


def create_bookable_guru(conn: psycopg.Connection[Any], *, minutes: int = 60, **settings: Any) -> SeededGuru:
    """Create a guru with one service and no bookings. `settings` are columns of its booking settings."""
    with conn.pipeline():
        return _create_bookable_guru(conn, minutes, settings)


def _create_bookable_guru(conn: psycopg.Connection[Any], minutes: int, settings: dict[str, Any]) -> SeededGuru:
    guru = seed_guru(conn, f"g{new_id().hex[-12:]}", posts=1, is_invoiced=False)
    paid = ("session_disputes", "refunds", "payments")
    for table in (*paid, "bookings", "appointments", "booking_settings", "calendars"):
        conn.execute(f"DELETE FROM {table} WHERE tenant_id = %s".encode(), [guru.id])
    guru.services = []
    # Its own words, because the risk of a description with random characters is random.
    seed_service(conn, guru, "Lesson", description="A lesson.", price_cents=4501, duration_minutes=minutes)
    seed_calendar(conn, guru, **settings)
    return guru
