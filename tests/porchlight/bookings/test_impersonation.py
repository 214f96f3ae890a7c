"""An admin who views a guru's console sees nothing of bookings, waivers and emergency contacts, through any route."""

from __future__ import annotations

from datetime import timedelta

import psycopg

from tenants.kit import clock
from tests.porchlight.admin.area import AdminArea, create_guru
from tests.porchlight.factories import append_waiver, seed_booking, seed_user
from tests.porchlight.openapi import documented_routes
from tests.porchlight.test_console_isolation import QUERIES


async def test_impersonation_reads_no_booking_or_waiver(area: AdminArea) -> None:
    guru = create_guru(area, "watched-guru")
    with psycopg.connect(area.database.service_url) as conn:
        person = seed_user(conn)
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(person)])
        waiver = append_waiver(conn, "platform")
        booking = seed_booking(
            conn, guru, person, days_ahead=3, person_name="Secret Sam", note="Secret note", participants=["Secret Pat"],
            waiver_level="high", waiver_id=waiver, waiver_until=clock.now() + timedelta(days=9),
        )  # fmt: skip
        conn.execute("UPDATE client_notes SET body = 'Secret note' WHERE booking_id = %s", [booking])
    secrets = ("Secret", str(person), str(booking), str(waiver), person.hex)
    reason = {"reason": "Help"}
    started = await area.web.post(f"/api/admin/sites/{guru.label}/impersonation", json=reason, headers=area.staff)
    assert started.status_code == 200
    await area.web.put("/api/admin/impersonation/writing", json=reason, headers=area.staff)
    headers = area.staff | {"porchlight-impersonate": guru.label}
    assert (await area.web.get("/api/guru/calendar", headers=headers)).status_code == 200
    seen = 0
    prefixes = ("/api/guru/", "/api/bookings", "/api/liability/", "/api/holds")
    for method, path in documented_routes():
        if method.upper() != "GET" or not path.startswith(prefixes):
            continue
        url = path.replace("{booking_id}", str(booking)).replace("{waiver_id}", str(waiver))
        url = url.replace("{service_id}", str(guru.services[0])).replace("{client_id}", str(person))
        query = QUERIES.get(f"GET {path}", {})
        response = await area.web.get(url, params=query, headers=headers)
        seen += 1
        # A response may repeat the id that the request named.
        hidden = [secret for secret in secrets if secret in response.text and secret not in url]
        assert hidden == [], (path, response.text)
        if {"{booking_id}", "{waiver_id}", "{client_id}"} & set(path.split("/")):
            assert response.status_code in (401, 403, 404), path
    assert seen > 15
    await area.web.delete("/api/admin/impersonation", headers=area.staff)
