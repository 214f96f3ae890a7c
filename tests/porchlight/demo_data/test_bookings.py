"""Demo bookings: sessions in every state, a full class with a waitlist, and signed waivers."""

from __future__ import annotations

import psycopg

from porchlight.demo_data import bookings, gurus, neighbors, waivers
from tests.fixtures.databases import Database
from tests.porchlight.app_client import create_settings


async def test_demo_bookings_show_every_state(database: Database) -> None:
    gurus.load_all(database.service_url)
    neighbors.load_all(database.service_url)
    count = bookings.load_all(database.service_url)
    signed = await waivers.load_all(create_settings(database))
    assert (bookings.load_all(database.service_url), await waivers.load_all(create_settings(database))) == (
        count,
        signed,
    )
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute("SELECT status, count(*)::int FROM bookings GROUP BY status").fetchall()
        statuses: dict[str, int] = dict(rows)
        assert sum(statuses.values()) == count
        assert set(statuses) >= {"requested", "confirmed", "completed", "missed", "canceled"}
        hours = conn.execute("SELECT count(DISTINCT tenant_id) FROM weekly_hours").fetchone()
        assert hours == (len(gurus.labels()),)
        full = conn.execute(
            "SELECT count(*) FROM appointments a WHERE a.taken = a.capacity AND a.capacity > 1 AND (SELECT count(*)"
            " FROM waitlist w WHERE w.tenant_id = a.tenant_id AND w.appointment_id = a.id AND w.status = 'waiting') = 2"
        ).fetchone()
        assert full == (1,)
        due = conn.execute(
            "SELECT count(*) FROM bookings WHERE status = 'confirmed' AND waiver_until < starts_at"
        ).fetchone()
        assert due == (1,)
        assert conn.execute("SELECT count(*) FROM waivers").fetchone() == (signed,)
        levels = conn.execute("SELECT DISTINCT level FROM waivers ORDER BY level").fetchall()
        assert levels == [("high",), ("medium",)]
        # Each upcoming session is within the guru's hours, or has a fixed start.
        outside = conn.execute(
            "SELECT b.service_name FROM bookings b JOIN appointments a ON a.tenant_id = b.tenant_id"
            " AND a.id = b.appointment_id AND NOT a.fixed WHERE b.status IN ('confirmed', 'requested')"
            " AND NOT EXISTS (SELECT FROM weekly_hours h WHERE h.tenant_id = b.tenant_id"
            " AND h.weekday = extract(isodow FROM b.starts_at AT TIME ZONE b.zone) - 1 AND h.during @>"
            " int4range((extract(hour FROM b.starts_at AT TIME ZONE b.zone) * 60"
            "  + extract(minute FROM b.starts_at AT TIME ZONE b.zone))::int,"
            "  (extract(hour FROM b.ends_at AT TIME ZONE b.zone) * 60"
            "  + extract(minute FROM b.ends_at AT TIME ZONE b.zone))::int))"
        ).fetchall()
        assert outside == []
