"""Admin sign-in: keys, sessions, the limit of wrong keys, and the origin check."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Callable

import pytest

from porchlight.features.admin.sessions import MAX_ATTEMPTS
from porchlight.settings.keys import key_problems
from tests.fixtures.databases import Database
from tests.fixtures.product import PROGRAM
from tests.porchlight.admin.api_client import ADMIN_KEY, OTHER_ADMIN_KEY, OWN_ORIGIN, admin_client, sign_in_admin
from tests.porchlight.app_client import BASE_HOST, http_client, run_app


async def test_admin_key_creates_session_until_logout(database: Database) -> None:
    async with admin_client(database) as client:
        assert (await client.get("/api/admin/ping")).status_code == 401
        wrong = await client.post("/api/admin/login", json={"key": "x" * 40}, headers=OWN_ORIGIN)
        assert (wrong.status_code, wrong.json()["error"]["message"]) == (401, "Invalid admin key")
        staff = await sign_in_admin(client)
        assert (await client.get("/api/admin/ping", headers=staff)).status_code == 200
        counters = (await client.get("/api/admin/dashboard", headers=staff)).json()["data"]
        assert set(counters) == {"users", "listings", "sessions", "reports"}
        assert (await client.post("/api/admin/logout", headers=staff)).status_code == 200
        assert (await client.get("/api/admin/ping", headers=staff)).status_code == 401


async def test_wrong_admin_keys_are_limited_across_addresses(new_database: Callable[[], Database]) -> None:
    database = new_database()
    async with admin_client(database) as client:
        staff = await sign_in_admin(client)

        async def guess(number: int) -> int:
            headers = {**OWN_ORIGIN, "x-forwarded-for": f"10.0.{number // 250}.{number % 250}"}
            return (await client.post("/api/admin/login", json={"key": f"guess-{number}"}, headers=headers)).status_code

        codes = [
            code for start in range(0, 60, 10) for code in await asyncio.gather(*map(guess, range(start, start + 10)))
        ]
        right_key = await client.post("/api/admin/login", json={"key": ADMIN_KEY}, headers=OWN_ORIGIN)
        assert codes.count(401) == MAX_ATTEMPTS
        assert codes.count(429) == 60 - MAX_ATTEMPTS
        assert (right_key.status_code, int(right_key.headers["retry-after"]) > 0) == (429, True)
        assert (await client.get("/api/admin/ping", headers=staff)).status_code == 200

        unlocked = subprocess.run(
            [str(PROGRAM), "admin", "unlock"],
            env=os.environ | {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url},
            check=False,
        )
        assert unlocked.returncode == 0
        await sign_in_admin(client)


async def test_admin_key_rotation_keeps_sessions_of_kept_keys(database: Database) -> None:
    async with admin_client(database) as client:
        old = await sign_in_admin(client)
    async with admin_client(database, f"{OTHER_ADMIN_KEY},{ADMIN_KEY}") as client:
        assert (await client.get("/api/admin/ping", headers=old)).status_code == 200
        new = await sign_in_admin(client, OTHER_ADMIN_KEY)
    async with admin_client(database, OTHER_ADMIN_KEY) as client:
        assert (await client.get("/api/admin/ping", headers=old)).status_code == 401
        assert (await client.get("/api/admin/ping", headers=new)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://cooking.porchlight.localhost"},
        {"origin": "null"},
        {"origin": "https://porchlight.localhost"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
    ],
)
async def test_admin_write_from_foreign_origin_is_403(database: Database, headers: dict[str, str]) -> None:
    async with admin_client(database) as client:
        staff = await sign_in_admin(client)
        foreign = {"cookie": staff["cookie"], **headers}
        assert (await client.post("/api/admin/logout", headers=foreign)).status_code == 403
        assert (await client.get("/api/admin/ping", headers=staff)).status_code == 200


@pytest.mark.parametrize(
    "key",
    [
        "short",
        "a" * 64,
        f"{ADMIN_KEY},short",
        "please-change-this-key-before-you-go-live",
        "porchlight_default_ADMIN_KEY_0123456789",
    ],
)
def test_weak_admin_key_is_rejected(key: str) -> None:
    assert len(key_problems(key)) == 1


@pytest.mark.parametrize("key", ["short", "please-change-this-key-before-you-go-live"])
def test_serve_with_weak_admin_key_does_not_start(database: Database, key: str) -> None:
    env = os.environ | {"DATABASE_URL": database.app_url, "PORCHLIGHT_ADMIN_KEY": key}
    result = subprocess.run([str(PROGRAM), "serve"], env=env, capture_output=True, text=True, check=False, timeout=240)
    assert result.returncode == 1
    assert "PORCHLIGHT_ADMIN_KEY" in result.stderr


def test_strong_admin_keys_are_accepted() -> None:
    assert key_problems(f"{ADMIN_KEY},{OTHER_ADMIN_KEY}") == []


async def test_admin_area_without_service_role_is_404(database: Database) -> None:
    async with (
        run_app(database, overseer_database_url="", admin_key=ADMIN_KEY) as app,
        http_client(app, BASE_HOST) as client,
    ):
        assert (await client.post("/api/admin/login", json={"key": ADMIN_KEY}, headers=OWN_ORIGIN)).status_code == 404
        assert (await client.get("/api/admin/ping")).status_code == 404
