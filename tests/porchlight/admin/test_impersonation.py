"""Impersonation: an admin views a guru's console."""

from __future__ import annotations

from datetime import timedelta

import psycopg

from porchlight.features.admin.impersonation import actions as impersonation
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.admin.api_client import sign_in_admin
from tests.porchlight.admin.area import AdminArea, create_guru, create_token
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.factories import seed_booking, seed_user
from tests.porchlight.plans.grants import grant_plan


async def test_impersonation_does_not_act_on_bookings(area: AdminArea, database: Database) -> None:
    guru = create_guru(area, "busy-guru")
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        lapsed = clock.now() - timedelta(minutes=1)
        seed_booking(conn, guru, seed_user(conn), days_ahead=9, status="held", expires_at=lapsed)
    start = clock.now().replace(minute=0, second=0, microsecond=0) + timedelta(days=9)
    body = {"startsAt": start.isoformat(), "endsAt": (start + timedelta(hours=1)).isoformat()}
    as_guru = area.staff | {"porchlight-impersonate": guru.label}
    path = "/api/admin/sites/busy-guru/impersonation"
    assert (await area.web.post(path, json={"reason": "Help"}, headers=area.staff)).status_code in (200, 201)
    assert (await area.web.get("/api/guru/calendar", headers=as_guru)).status_code == 200
    assert (await area.web.post("/api/guru/blocks", json=body, headers=as_guru)).status_code == 403
    allowed = {"reason": "Agreed by phone"}
    await area.web.put("/api/admin/impersonation/writing", json=allowed, headers=area.staff)
    response = await area.web.post("/api/guru/blocks", json=body, headers=as_guru)
    assert (response.status_code, response.json()["error"]["code"]) == (409, "time_taken")  # the hold is out of sight
    owner = {"authorization": f"Bearer {create_token(guru.owner)}"}
    assert (await area.web.post("/api/guru/blocks", json=body, headers=owner)).status_code == 201
    assert (await area.web.delete("/api/admin/impersonation", headers=area.staff)).status_code == 200


async def test_impersonation_is_read_only_by_default(area: AdminArea, database: Database) -> None:
    alpha, beta = create_guru(area, "viewed-guru"), create_guru(area, "other-guru")
    grant_plan(database, alpha.owner)  # for a fourth service
    web, staff = area.web, area.staff
    as_alpha = staff | {"porchlight-impersonate": alpha.label}
    impersonation_path = "/api/admin/sites/viewed-guru/impersonation"
    assert (await web.get("/api/guru/leads", headers=as_alpha)).status_code == 403, "no impersonation yet"
    assert (await web.post(impersonation_path, json={"reason": " "}, headers=staff)).status_code == 422
    started = (await web.post(impersonation_path, json={"reason": "They asked for help"}, headers=staff)).json()["data"]
    assert (started["label"], started["writing"]) == (alpha.label, False)

    leads = await web.get("/api/guru/leads", headers=as_alpha)
    assert (leads.status_code, alpha.mark in leads.text) == (200, True)
    service = {"name": "A lesson", "priceCents": 4000, "durationMinutes": 60}
    rejected = await web.post("/api/guru/services", json=service, headers=as_alpha)
    assert (rejected.status_code, rejected.json()["error"]["code"]) == (403, "read_only")
    assert area.rows("SELECT count(*) FROM services WHERE tenant_id = %s", alpha.id) == [(3,)]
    for headers, status in (
        (staff | {"porchlight-impersonate": beta.label}, 403),  # another guru
        ({"porchlight-impersonate": alpha.label}, 401),  # signed out
        (
            {"porchlight-impersonate": alpha.label, "authorization": f"Bearer {create_token(beta.owner)}"},
            401,
        ),  # not an admin
        (as_alpha | {"origin": "http://cooking.porchlight.localhost"}, 403),
    ):
        method = "POST" if "cooking" in headers.get("origin", "") else "GET"
        response = await web.request(
            method, "/api/guru/services", json=service if method == "POST" else None, headers=headers
        )
        assert response.status_code == status, headers
    assert (await web.get("/api/auth/profile", headers=as_alpha)).status_code == 401, (
        "only the console, not the account"
    )
    assert (await web.get("/api/onboarding/documents", headers=as_alpha)).status_code == 401

    writable = await web.put("/api/admin/impersonation/writing", json={"reason": "Agreed by phone"}, headers=staff)
    assert writable.json()["data"]["writing"] is True
    assert (await web.post("/api/guru/services", json=service, headers=as_alpha)).status_code == 201
    assert (await web.delete("/api/admin/impersonation", headers=staff)).status_code == 200
    expired = await web.get("/api/guru/leads", headers=as_alpha)
    assert (expired.status_code, expired.json()["error"]["code"]) == (403, "impersonation_expired")
    assert (await web.get("/api/admin/impersonation", headers=staff)).json()["data"] is None
    assert await area.audit_actions(alpha.label) == [
        "impersonation.end",
        "impersonation.change",
        "impersonation.raise",
        "impersonation.begin",
    ]


async def test_impersonation_ends_by_time_and_by_logout(area: AdminArea) -> None:
    guru = create_guru(area, "expiring-guru")
    async with http_client(area.app, BASE_HOST) as web:
        staff = await sign_in_admin(web)
        as_guru = staff | {"porchlight-impersonate": guru.label}
        await web.post("/api/admin/sites/expiring-guru/impersonation", json={"reason": "A check"}, headers=staff)
        assert (await web.get("/api/guru/leads", headers=as_guru)).status_code == 200
        (duration,) = area.rows(
            "SELECT expires_at - started_at FROM impersonations WHERE guru_id = %s AND ended_at IS NULL", guru.id
        )
        assert duration == (impersonation.IMPERSONATION_TTL,) == (timedelta(minutes=15),)
        area.rows("UPDATE impersonations SET expires_at = app.now() WHERE guru_id = %s", guru.id)
        assert (await web.get("/api/guru/leads", headers=as_guru)).status_code == 403
        await web.post("/api/admin/sites/expiring-guru/impersonation", json={"reason": "Again"}, headers=staff)
        assert (await web.get("/api/guru/leads", headers=as_guru)).status_code == 200
        await web.post("/api/admin/logout", headers=staff)
        assert (await web.get("/api/guru/leads", headers=as_guru)).status_code == 401
