"""Cookie sessions: who may create, use and delete them, and from which origin."""

from __future__ import annotations

import time
from types import SimpleNamespace

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.auth import account_status
from tenants.http.asgi import Message
from tenants.tenancy.lifecycle import NewGuru, add_domain, create_guru
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.refusals import refusal
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.auth.api_client import MAIN_ORIGIN, bearer_header, create_session_cookie, register_user

GURU = f"baker.{BASE_HOST}"


DOMAIN = "www.baker.example"


@pytest.fixture(scope="module")
def guru(database: Database, app: Porchlight) -> str:
    """The host of a guru who has a custom domain too."""
    with psycopg.connect(database.service_url) as conn:
        create_guru(conn, NewGuru("baker", "Baker", "culinary", "baker@example.com"))
        add_domain(conn, "baker", DOMAIN, verified=True)
    return GURU


async def _session_user(web: httpx.AsyncClient, headers: dict[str, str]) -> object:
    response = await web.get("/api/auth/session", headers=headers)
    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-store"
    return response.json()["data"]["user"]


async def test_session_cookies_have_expected_attributes(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    response = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": MAIN_ORIGIN})
    secret, marker = response.headers.get_list("set-cookie")
    attributes = {part.strip().lower() for part in secret.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", f"domain={BASE_HOST}", "max-age=1209600"} == attributes
    assert marker.startswith("porchlight_signed_in=1;")
    assert "httponly" not in marker.lower()
    assert secret.split(";")[0].removeprefix("__session=") not in response.text


async def test_session_cookies_over_https_are_secure(app: Porchlight, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    async with http_client(app, BASE_HOST, scheme="https") as web:
        response = await web.post(
            "/api/auth/session", json={"idToken": token}, headers={"origin": f"https://{BASE_HOST}"}
        )
        assert all("; Secure" in cookie for cookie in response.headers.get_list("set-cookie"))


async def test_session_cookies_on_loopback_have_no_domain(app: Porchlight, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    async with http_client(app, "127.0.0.1:8000") as web:
        response = await web.post("/api/auth/session", json={"idToken": token})
        assert all("domain" not in cookie.lower() for cookie in response.headers.get_list("set-cookie"))


async def test_database_has_only_cookie_hash(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    _, uid, token = emulator.sign_up()
    secret = (await create_session_cookie(web, token))["cookie"].removeprefix("__session=")
    with psycopg.connect(database.superuser_url) as conn:
        rows = conn.execute(
            "SELECT s::text FROM sessions s JOIN users u USING (user_id) WHERE u.firebase_uid = %s", [uid]
        ).fetchall()
    assert len(rows) == 1
    assert secret not in rows[0][0]
    assert secret.encode().hex() not in rows[0][0]


async def test_guru_site_reads_session_but_cannot_change_it(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, guru: str
) -> None:
    _, _, token = emulator.sign_up()
    profile = await register_user(web, token)
    cookie = await create_session_cookie(web, token)
    async with http_client(app, guru) as site:
        user = await _session_user(site, cookie)
        assert user == {
            "id": profile["id"],
            "handle": profile["handle"],
            "displayName": "Ada Alvarez",
            "photoURL": "",
            "site": None,
        }
        # Guru hosts only return the session; they create and delete nothing.
        for method, path in (
            ("POST", "/api/auth/session"),
            ("DELETE", "/api/auth/session"),
        ):
            response = await site.request(method, path, headers=cookie, json={"idToken": token})
            assert response.status_code == 403, path
        for path in ("/api/auth/profile", "/api/auth/sessions", "/api/auth/export"):
            assert (await site.get(path, headers=cookie)).status_code == 404
        assert (await site.delete("/api/auth/sessions", headers=cookie | bearer_header(token))).status_code in (
            403,
            404,
        )
    deleted = await web.delete("/api/auth/session", headers=cookie | {"origin": MAIN_ORIGIN})
    assert deleted.status_code == 200
    assert all("Max-Age=0" in cookie for cookie in deleted.headers.get_list("set-cookie"))
    async with http_client(app, guru) as site:
        response = await site.get("/api/auth/session", headers=cookie)
        assert response.json()["data"] == {"user": None}
        # The response deletes the marker too, so that scripts do not ask again.
        assert any(line.startswith("porchlight_signed_in=") for line in response.headers.get_list("set-cookie"))


FOREIGN_ORIGINS = [
    f"http://{GURU}",
    f"https://{BASE_HOST}",
    f"http://{BASE_HOST}:8080",
    f"http://{DOMAIN}",
    "http://evil.example",
    f"http://{BASE_HOST}.evil.example",
    f"http://evil{BASE_HOST}",
    "null",
    "",
    None,
]


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
async def test_cookie_write_from_foreign_origin_is_403(
    web: httpx.AsyncClient, emulator: Emulator, guru: str, origin: str | None
) -> None:
    _, _, token = emulator.sign_up()
    before = await register_user(web, token)
    cookie = await create_session_cookie(web, token)
    headers = cookie | ({} if origin is None else {"origin": origin})
    for method, path, body in (
        ("PUT", "/api/auth/profile", {"bio": "changed"}),
        ("POST", "/api/auth/register", {}),
        ("DELETE", "/api/auth/session", None),
        ("DELETE", "/api/auth/sessions", None),
        ("DELETE", "/api/auth/account", None),
        ("DELETE", "/api/auth/photo", None),
        ("PUT", "/api/auth/photo", None),
    ):
        response = await web.request(method, path, json=body, headers=headers)
        assert response.status_code == 403, (path, response.text)
        assert response.json()["error"]["message"].startswith("Access denied.")
        assert "set-cookie" not in response.headers
    after = (await web.get("/api/auth/profile", headers=cookie)).json()["data"]
    assert after == before
    # Reads need no origin; cookie writes need our own origin; a token works with any origin.
    assert (
        await web.put("/api/auth/profile", json={"bio": "a"}, headers=cookie | {"origin": MAIN_ORIGIN})
    ).status_code == 200
    signed = bearer_header(token) | ({} if origin is None else {"origin": origin})
    assert (await web.put("/api/auth/profile", json={"bio": "b"}, headers=signed)).status_code == 200


@pytest.mark.parametrize("origin", [f"http://{GURU}", f"http://{DOMAIN}", "null", "http://evil.example"])
async def test_session_exchange_from_foreign_origin_is_403(
    web: httpx.AsyncClient, emulator: Emulator, origin: str
) -> None:
    _, _, token = emulator.sign_up()
    response = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": origin})
    assert response.status_code == 403
    assert "set-cookie" not in response.headers


async def test_new_session_replaces_old_session(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    first = await create_session_cookie(web, token)
    response = await web.post("/api/auth/session", json={"idToken": token}, headers=first | {"origin": MAIN_ORIGIN})
    web.cookies.clear()
    second = {"cookie": response.headers.get_list("set-cookie")[0].split(";")[0]}
    assert await _session_user(web, first) is None
    assert await _session_user(web, second) is not None


async def test_sessions_are_listed_and_deleted_one_by_one(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    _, _, other_token = emulator.sign_up()
    first, second = await create_session_cookie(web, token), await create_session_cookie(web, token)
    listed = (await web.get("/api/auth/sessions", headers=second)).json()["data"]["sessions"]
    assert [entry["current"] for entry in listed] == [True, False]
    other = listed[1]["id"]
    for session_id in (other, "nonsense", "00000000-0000-0000-0000-000000000000"):
        response = await web.delete(f"/api/auth/sessions/{session_id}", headers=bearer_header(other_token))
        assert response.status_code == 404  # as for an unknown session
    assert await _session_user(web, first) is not None
    assert (await web.delete(f"/api/auth/sessions/{other}", headers=bearer_header(token))).status_code == 200
    assert await _session_user(web, first) is None
    assert await _session_user(web, second) is not None


async def test_delete_all_sessions_ends_tokens_and_cookies(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    _, _, other_token = emulator.sign_up()
    cookies = [await create_session_cookie(web, token) for _ in range(3)]
    other_cookie = await create_session_cookie(web, other_token)
    assert (await web.delete("/api/auth/sessions", headers=cookies[0] | {"origin": MAIN_ORIGIN})).status_code == 200
    for cookie in cookies:
        assert await _session_user(web, cookie) is None
    assert (await web.get("/api/auth/profile", headers=bearer_header(token))).status_code == 401
    assert await _session_user(web, other_cookie) is not None
    new_token = emulator.sign_in(email)
    assert (await web.get("/api/auth/profile", headers=bearer_header(new_token))).status_code == 200
    assert await _session_user(web, await create_session_cookie(web, new_token)) is not None


async def test_disabled_account_loses_session_within_a_minute(
    web: httpx.AsyncClient, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, uid, token = emulator.sign_up()
    cookie = await create_session_cookie(web, token)
    emulator.disable(uid)
    monkeypatch.setattr(account_status, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 60))
    assert await _session_user(web, cookie) is None
    assert (await web.get("/api/auth/profile", headers=cookie)).status_code == 401


async def test_expired_session_is_signed_out(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    _, uid, token = emulator.sign_up()
    cookie = await create_session_cookie(web, token)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(
            "UPDATE sessions SET expires_at = app.now()"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )
    assert await _session_user(web, cookie) is None


@pytest.mark.parametrize("value", ["", "x", "a" * 43, "a" * 5000, "é" * 43, "%00" * 15])
async def test_forged_cookie_is_signed_out(web: httpx.AsyncClient, value: str) -> None:
    response = await web.get("/api/auth/session", headers=[(b"cookie", f"__session={value}".encode())])
    assert response.status_code == 200
    assert response.json()["data"] == {"user": None}
    assert (await web.get("/api/auth/profile", headers=[(b"cookie", f"__session={value}".encode())])).status_code == 401


async def test_invalid_token_with_valid_cookie_is_401(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    cookie = await create_session_cookie(web, token)
    response = await web.get("/api/auth/profile", headers=cookie | bearer_header("nonsense"))
    assert refusal(response) == (401, "unauthenticated")


async def test_sign_out_without_session_succeeds(web: httpx.AsyncClient) -> None:
    for headers in ({}, {"origin": MAIN_ORIGIN}, bearer_header("expired")):
        response = await web.delete("/api/auth/session", headers=headers)
        assert (response.status_code, response.json()["success"]) == (200, True)
        assert "Max-Age=0" in response.headers["set-cookie"]


async def test_sessions_per_user_are_bounded(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    from porchlight.auth.actions import MAX_SESSIONS_PER_USER

    _, uid, token = emulator.sign_up()
    oldest = await create_session_cookie(web, token)
    for _ in range(MAX_SESSIONS_PER_USER):
        newest = await create_session_cookie(web, token)
    with psycopg.connect(database.superuser_url) as conn:
        row = conn.execute(
            "SELECT count(*) FROM sessions JOIN users USING (user_id) WHERE firebase_uid = %s", [uid]
        ).fetchone()
    assert row == (MAX_SESSIONS_PER_USER,)
    assert await _session_user(web, oldest) is None
    assert await _session_user(web, newest) is not None


async def test_invalid_utf8_query_does_not_break_sign_out(app: Porchlight) -> None:
    """An ASGI server may pass such bytes on; uvicorn rejects them first."""
    statuses: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    for method, path in (("DELETE", "/api/auth/session"), ("GET", "/_mail")):
        headers = [(b"host", BASE_HOST.encode()), (b"origin", MAIN_ORIGIN.encode())]
        await app(
            {
                "type": "http",
                "http_version": "1.1",
                "method": method,
                "scheme": "http",
                "path": path,
                "raw_path": path.encode(),
                "query_string": b"to=\xff",
                "root_path": "",
                "headers": headers,
                "client": ("127.0.0.1", 1),
                "server": ("127.0.0.1", 80),
            },
            receive,
            send,
        )
    assert len(statuses) == 2
    assert max(statuses) < 300
