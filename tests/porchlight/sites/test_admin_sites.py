"""Guru sites for admins."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import psycopg

from tenants.tenancy.lifecycle import NewGuru, create_guru
from tests.fixtures.databases import Database
from tests.porchlight.admin.api_client import admin_client, sign_in_admin
from tests.porchlight.admin.area import AdminArea, create_token
from tests.porchlight.admin.area import create_guru as create_guru_with_owner


async def test_site_is_suspended_exported_and_restored(new_database: Callable[[], Database]) -> None:
    database = new_database()
    with psycopg.connect(database.service_url) as conn:
        create_guru(conn, NewGuru("baker", "Baker", contact_email="baker@mail.example"))
        create_guru(conn, NewGuru("banker", "Banker"))
    async with admin_client(database) as client:
        staff = await sign_in_admin(client)
        listed = (await client.get("/api/admin/sites?search=BAK", headers=staff)).json()["data"]
        assert [site["label"] for site in listed["items"]] == ["baker"]
        assert listed["nextCursor"] is None
        reason = {"reason": "spam"}
        suspended = await client.post("/api/admin/sites/baker/suspension", json=reason, headers=staff)
        assert suspended.status_code == 200
        assert (await client.get("/api/admin/sites/baker", headers=staff)).json()["data"]["status"] == "suspended"
        archive = await client.post("/api/admin/sites/baker/export", headers=staff)
        files = zipfile.ZipFile(BytesIO(archive.content)).namelist()
        assert {"guru.json", "bookings.json"} <= set(files)
        assert "client_notes.json" not in files
        assert (await client.delete("/api/admin/sites/baker/suspension", headers=staff)).status_code == 200
        assert (await client.post("/api/admin/sites/unknown/suspension", json=reason, headers=staff)).status_code == 404

        log = (await client.get("/api/admin/audit?subject=baker", headers=staff)).json()["data"]["items"]
        assert [entry["action"] for entry in log] == ["site.restore", "site.export", "site.suspend"]
        assert log[-1]["details"] == {"reason": "spam"}
        for path in ("/api/admin/sites", "/api/admin/sites/baker", "/api/admin/audit", "/api/admin/dashboard"):
            assert (await client.get(path)).status_code == 401


async def test_guru_reads_why_site_was_suspended(area: AdminArea) -> None:
    guru = create_guru_with_owner(area, "told-why")
    owner = {"authorization": f"Bearer {create_token(guru.owner)}"}
    path = f"/api/admin/sites/{guru.label}/suspension"

    async def suspension() -> Any:
        mine = (await area.web.get("/api/guru", headers=owner)).json()["data"]["guru"]
        overview = (await area.web.get("/api/guru/overview", headers=owner)).json()["data"]["site"]
        assert mine == overview
        return mine["suspension"]

    assert await suspension() is None
    assert (await area.web.post(path, json={"reason": ""}, headers=area.staff)).status_code == 422
    suspended = await area.web.post(path, json={"reason": "The photos belong to someone else."}, headers=area.staff)
    assert suspended.status_code == 200
    shown = await suspension()
    assert shown["reason"] == "The photos belong to someone else."
    assert shown["since"]
    assert (await area.web.delete(path, headers=area.staff)).status_code == 200
    assert await suspension() is None
    assert area.rows("SELECT suspension_reason FROM gurus WHERE label = %s", guru.label) == [("",)]
