"""Requests of admins."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from porchlight.app import Porchlight
from porchlight.auth.staff import COOKIE
from porchlight.settings.environment import Settings
from tests.fixtures.databases import Database

ADMIN_KEY = "correct-horse-battery-staple-0123456789"
OTHER_ADMIN_KEY = "another-horse-battery-staple-9876543210"
MAIN_ORIGIN = "http://porchlight.localhost"
OWN_ORIGIN = {"origin": MAIN_ORIGIN}


@asynccontextmanager
async def admin_client(database: Database, keys: str = ADMIN_KEY) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of an app with these admin keys.

    Tests send cookies explicitly, because the client does not send secure cookies over http.
    """
    settings = Settings(
        DATABASE_URL=database.app_url, PORCHLIGHT_OVERSEER_DATABASE_URL=database.service_url, PORCHLIGHT_ADMIN_KEY=keys
    )
    app = Porchlight(settings)
    async with app.running():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=MAIN_ORIGIN) as client:
            yield client


async def sign_in_admin(client: httpx.AsyncClient, key: str = ADMIN_KEY) -> dict[str, str]:
    """Create an admin session. Return its request headers."""
    response = await client.post("/api/admin/login", json={"key": key}, headers=OWN_ORIGIN)
    assert response.status_code == 200, response.text
    cookie = response.headers.get_list("set-cookie")[0]
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    client.cookies.clear()
    return {"cookie": cookie.split(";")[0], **OWN_ORIGIN}


def record_waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that keys wait for their check, and let none of them wait."""
    waited: list[float] = []

    async def pause(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("porchlight.features.admin.routes.pause", pause)
    return waited
