"""Sessions with a guru that need a waiver."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, seed_booking, seed_guru
from tests.porchlight.waivers.api_client import HIGH_PAYLOAD, WaiverUser


def create_guru(database: Database) -> SeededGuru:
    """Create a guru with services that can be booked."""
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, f"g{new_id().hex[-12:]}", posts=1)


def book(database: Database, guru: SeededGuru, user: WaiverUser, **columns: Any) -> UUID:
    """Create a booking of the user that needs a high-risk waiver. The default is a session in ten days."""
    with psycopg.connect(database.service_url) as conn:
        tomorrow = clock.now() + timedelta(days=1)
        row: dict[str, Any] = {"days_ahead": 10, "waiver_level": "high", "waiver_until": tomorrow}
        booking = seed_booking(conn, guru, UUID(user.user_id), **(row | columns))
        # It is from before participants were kept; tests/porchlight/bookings/test_participants.py has those since.
        conn.execute("DELETE FROM participants WHERE booking_id = %s", [booking])
        return booking


def session_waiver(guru: SeededGuru, **changes: Any) -> dict[str, Any]:
    """Return the payload of a high-risk waiver for the guru's first service."""
    return HIGH_PAYLOAD | {"exchangeId": f"{guru.label}/{guru.services[0]}"} | changes


def waiver_of(database: Database, booking: UUID) -> tuple[str, datetime]:
    """Return the id of a booking's waiver, and until when it is valid."""
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT waiver_id, waiver_until FROM bookings WHERE id = %s", [booking]).fetchone()
    assert row is not None
    return str(row[0]), row[1]
