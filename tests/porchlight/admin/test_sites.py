"""Guru sites for admins."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO

import psycopg

from tenants.tenancy.lifecycle import NewGuru, create_guru
from tests.fixtures.databases import Database
from tests.porchlight.admin.api_client import admin_client, sign_in_admin


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
        assert "guru.json" in zipfile.ZipFile(BytesIO(archive.content)).namelist()
        assert (await client.delete("/api/admin/sites/baker/suspension", headers=staff)).status_code == 200
        assert (await client.post("/api/admin/sites/unknown/suspension", json=reason, headers=staff)).status_code == 404

        log = (await client.get("/api/admin/audit?subject=baker", headers=staff)).json()["data"]["items"]
        assert [entry["action"] for entry in log] == ["site.restore", "site.export", "site.suspend"]
        assert log[-1]["details"] == {"reason": "spam"}
        for path in ("/api/admin/sites", "/api/admin/sites/baker", "/api/admin/audit", "/api/admin/dashboard"):
            assert (await client.get(path)).status_code == 401
