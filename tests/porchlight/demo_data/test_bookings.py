"""Demo bookings: sessions in every state, a full class with a waitlist, a proposal, and signed waivers."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

import psycopg

from porchlight.demo_data import bookings, gurus, neighbors, waivers
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, claims, signer
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import BASE_HOST, create_settings, http_client, run_app

__all__ = ["certificates", "signer"]
MAYA = "maya.lindqvist@example.com"


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
        # Of three people, one has not signed with her link yet.
        party = conn.execute(
            "SELECT signer, waiver_until IS NOT NULL, signed_by FROM participants p WHERE EXISTS (SELECT FROM"
            " participants o WHERE o.booking_id = p.booking_id AND o.signer = 'link') ORDER BY number"
        ).fetchall()
        assert party == [("self", True, "Ahmed Saleh"), ("link", False, ""), ("guardian", True, "Ahmed Saleh")]
        assert conn.execute("SELECT count(*) FROM waivers").fetchone() == (signed,)
        levels = conn.execute("SELECT DISTINCT level FROM waivers ORDER BY level").fetchall()
        assert levels == [("high",), ("medium",)]
        noted = conn.execute(
            "SELECT b.person_name, b.ends_at < app.now() - interval '61 days' FROM client_notes n JOIN bookings b"
            " ON b.tenant_id = n.tenant_id AND b.id = n.booking_id ORDER BY 1"
        ).fetchall()
        assert noted == [("Luis Herrera", True), ("Maya Lindqvist", False)]
        again = conn.execute(
            "SELECT person_name FROM bookings WHERE client_id IS NOT NULL GROUP BY client_id, person_name"
            " HAVING count(*) = 2"
        ).fetchall()
        assert again == [("Priya Nair",)]
        # Each guru has someone to check in today.
        today = conn.execute(
            "SELECT array_agg(DISTINCT guru_label ORDER BY guru_label) FROM bookings WHERE status = 'confirmed'"
            " AND (starts_at AT TIME ZONE zone)::date = (app.now() AT TIME ZONE zone)::date"
        ).fetchone()
        assert today == (sorted(gurus.labels()),)
        # Each upcoming session is within the guru's hours, or has a fixed start; gurus book customers at other times.
        outside = conn.execute(
            "SELECT b.service_name FROM bookings b JOIN appointments a ON a.tenant_id = b.tenant_id"
            " AND a.id = b.appointment_id AND NOT a.fixed WHERE b.status IN ('confirmed', 'requested')"
            " AND b.customer_token IS NULL"
            " AND NOT EXISTS (SELECT FROM weekly_hours h WHERE h.tenant_id = b.tenant_id"
            " AND h.weekday = extract(isodow FROM b.starts_at AT TIME ZONE b.zone) - 1 AND h.during @>"
            " int4range((extract(hour FROM b.starts_at AT TIME ZONE b.zone) * 60"
            "  + extract(minute FROM b.starts_at AT TIME ZONE b.zone))::int,"
            "  (extract(hour FROM b.ends_at AT TIME ZONE b.zone) * 60"
            "  + extract(minute FROM b.ends_at AT TIME ZONE b.zone))::int))"
        ).fetchall()
        assert outside == []


async def test_demo_proposal_can_be_accepted(
    database: Database, certificates: CertificateServer, signer: Signer
) -> None:
    gurus.load_all(database.service_url)
    neighbors.load_all(database.service_url)
    bookings.load_all(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT firebase_uid, user_id FROM users WHERE email = %s", [MAYA]).fetchone()
    assert row is not None
    token = signer.token(claims(row[0], email=MAYA))
    settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url}
    async with run_app(database, **settings) as app, http_client(app, BASE_HOST) as web:
        maya = ApiUser(web, "Maya Lindqvist", "maya-lindqvist", UUID(str(row[1])), MAYA, token)
        (asked,) = [found for found in (await maya.get("/api/bookings"))["bookings"] if found["proposal"]]
        proposed = asked["proposal"]["startsAt"]
        assert datetime.fromisoformat(proposed) - datetime.fromisoformat(asked["startsAt"]) > timedelta(days=6)
        answer = {"accept": True, "startsAt": proposed}
        response = await maya.request("POST", f"/api/bookings/{asked['id']}/answers", json=answer)
        assert response.status_code == 200, response.text
        assert response.json()["data"]["startsAt"] == proposed
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT actor, event FROM booking_events WHERE booking_id = %s ORDER BY number"
        events = conn.execute(query, [UUID(asked["id"])]).fetchall()
    assert events == [("person", "confirmed"), ("guru", "proposed"), ("person", "moved")]
