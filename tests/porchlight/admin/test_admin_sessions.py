"""Admin sign-in: keys, sessions, the limit of wrong keys, and the origin check."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Callable
from datetime import timedelta

import httpx
import psycopg
import pytest

from porchlight.features.admin import known_devices
from porchlight.features.admin.sessions import (
    DELAY_SECONDS,
    DELAY_STEP,
    MAX_ATTEMPTS,
    MAX_DELAY_SECONDS,
    MAX_RECORDED,
    delay_seconds,
)
from porchlight.settings.keys import key_problems
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.product import PROGRAM
from tests.fixtures.refusals import refusal
from tests.porchlight.admin.api_client import (
    ADMIN_KEY,
    OTHER_ADMIN_KEY,
    OWN_ORIGIN,
    admin_client,
    record_waits,
    sign_in_admin,
)
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


def from_address(address: str, cookie: str = "") -> dict[str, str]:
    """Return the headers of a request from a network address."""
    return {**OWN_ORIGIN, "x-forwarded-for": address} | ({"cookie": cookie} if cookie else {})


async def log_in(client: httpx.AsyncClient, key: str, headers: dict[str, str]) -> httpx.Response:
    response = await client.post("/api/admin/login", json={"key": key}, headers=headers)
    client.cookies.clear()
    return response


async def test_wrong_admin_keys_are_limited_by_address(
    new_database: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = record_waits(monkeypatch)
    database = new_database()
    async with admin_client(database) as client:

        async def guess(number: int) -> int:
            headers = from_address(f"2001:db8:0:1::{number:x}")  # one network
            return (await log_in(client, f"guess-{number}", headers)).status_code

        codes = [
            code for start in range(0, 60, 10) for code in await asyncio.gather(*map(guess, range(start, start + 10)))
        ]
        assert (codes.count(401), codes.count(429)) == (MAX_ATTEMPTS, 60 - MAX_ATTEMPTS)
        limited = await log_in(client, ADMIN_KEY, from_address("2001:db8:0:1::7"))
        assert (limited.status_code, int(limited.headers["retry-after"]) > 0) == (429, True)

        # Someone who never signed in here, from another network, only waits.
        assert (await log_in(client, ADMIN_KEY, from_address("203.0.113.9"))).status_code == 200
        assert 0 < waits[-1] <= MAX_DELAY_SECONDS

        unlocked = subprocess.run(
            [str(PROGRAM), "admin", "unlock"],
            env=os.environ | {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url},
            check=False,
        )
        assert unlocked.returncode == 0
        assert (await log_in(client, ADMIN_KEY, from_address("2001:db8:0:1::7"))).status_code == 200
        assert waits[-1] == 0


async def test_wrong_admin_keys_slow_down_unknown_origins(
    new_database: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = record_waits(monkeypatch)
    database = new_database()
    async with admin_client(database) as client:
        for number in range(DELAY_STEP * 2 + 1):
            assert (await log_in(client, "guess", from_address(f"10.0.0.{number}"))).status_code == 401
    assert waits == [0] * DELAY_STEP + [DELAY_SECONDS] * DELAY_STEP + [DELAY_SECONDS * 2]
    with psycopg.connect(database.service_url) as conn:
        refused = conn.execute("SELECT count(*) FROM audit_log WHERE action = 'admin.login_refused'").fetchone()
    assert refused == (MAX_RECORDED,)


def test_delay_of_admin_keys_has_a_maximum() -> None:
    assert [delay_seconds(count) for count in (0, DELAY_STEP - 1, DELAY_STEP)] == [0, 0, DELAY_SECONDS]
    assert delay_seconds(10**6) == MAX_DELAY_SECONDS


async def test_right_key_passes_at_known_address(
    new_database: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = record_waits(monkeypatch)
    home = from_address("198.51.100.4")
    async with admin_client(new_database()) as client:
        assert (await log_in(client, ADMIN_KEY, home)).status_code == 200
        for number in range(MAX_ATTEMPTS * 2):
            assert (await log_in(client, "guess", home)).status_code == 401
            assert (await log_in(client, "guess", from_address(f"10.0.1.{number}"))).status_code == 401
        assert (await log_in(client, ADMIN_KEY, home)).status_code == 200
        assert waits[-1] == 0


async def test_right_key_passes_on_known_device(
    new_database: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = record_waits(monkeypatch)
    async with admin_client(new_database()) as client:
        first = await log_in(client, ADMIN_KEY, from_address("198.51.100.4"))
        device = next(
            value
            for value in first.headers.get_list("set-cookie")
            if value.startswith("__Host-porchlight_admin_device=")
        )
        assert {"HttpOnly", "Secure", "Path=/", "SameSite=strict", "Max-Age=31536000"} <= set(device.split("; "))
        cookie = device.partition(";")[0]
        elsewhere = "203.0.113.77"
        for _ in range(MAX_ATTEMPTS):
            assert (await log_in(client, "guess", from_address(elsewhere))).status_code == 401
        name, _, token = cookie.partition("=")
        at, random, signature = token.split(".")
        forged = f"{name}={at}.{random[:-1]}{'A' if random[-1] != 'A' else 'B'}.{signature}"
        for other in ("", forged, f"{name}=x", f"{name}={int(at) + 1}.{random}.{signature}"):
            assert (await log_in(client, ADMIN_KEY, from_address(elsewhere, other))).status_code == 429, other
        assert (await log_in(client, "guess", from_address(elsewhere, cookie))).status_code == 401
        assert (await log_in(client, ADMIN_KEY, from_address(elsewhere, cookie))).status_code == 200
        assert waits[-1] == 0


def test_device_cookie_ends_after_a_year(monkeypatch: pytest.MonkeyPatch) -> None:
    token, now = known_devices.new_device_token(b"secret"), clock.now()
    for days, is_known in ((364, True), (366, False)):
        monkeypatch.setattr("tenants.kit.clock.now", lambda days=days: now + timedelta(days=days))
        assert known_devices.is_known_device(b"secret", token) is is_known
    assert not known_devices.is_known_device(b"other", token)


async def test_admin_key_rotation_keeps_sessions_of_kept_keys(database: Database) -> None:
    async with admin_client(database) as client:
        old = await sign_in_admin(client)
    async with admin_client(database, f"{OTHER_ADMIN_KEY},{ADMIN_KEY}") as client:
        assert (await client.get("/api/admin/ping", headers=old)).status_code == 200
        new = await sign_in_admin(client, OTHER_ADMIN_KEY)
    async with admin_client(database, OTHER_ADMIN_KEY) as client:
        assert refusal(await client.get("/api/admin/ping", headers=old)) == (401, "unauthenticated")
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
        assert refusal(await client.post("/api/admin/logout", headers=foreign)) == (403, "forbidden")
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
        login = await client.post("/api/admin/login", json={"key": ADMIN_KEY}, headers=OWN_ORIGIN)
        assert refusal(login) == refusal(await client.get("/api/admin/ping")) == (404, "not_found")
        assert "set-cookie" not in login.headers
