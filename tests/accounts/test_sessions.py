"""Cookie sessions: who may open, use and end them, and from where."""

from __future__ import annotations

import time
from types import SimpleNamespace

import httpx
import psycopg
import pytest

from porchlight.accounts import standing
from porchlight.app import Porchlight
from tenants.edge import Message
from tenants.lifecycle import NewGuru, add_domain, create
from tests.accounts.calls import MAIN, bearer, cookie_of, registered
from tests.platform_.world import BASE, visitor
from tests.support.databases import Database
from tests.support.identity import Emulator

GURU = f"baker.{BASE}"
DOMAIN = "www.baker.example"


@pytest.fixture(scope="module")
def guru(database: Database, app: Porchlight) -> str:
    """A guru with a site, and with a domain of their own."""
    with psycopg.connect(database.overseer_url) as conn:
        create(conn, NewGuru("baker", "Baker", "culinary", "baker@example.com"))
        add_domain(conn, "baker", DOMAIN, verified=True)
    return GURU


async def _user(web: httpx.AsyncClient, headers: dict[str, str]) -> object:
    answer = await web.get("/api/auth/session", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["data"]["user"]


async def test_the_cookies_are_as_they_should_be(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    answer = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": MAIN})
    secret, marker = answer.headers.get_list("set-cookie")
    parts = {part.strip().lower() for part in secret.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", f"domain={BASE}", "max-age=1209600"} == parts
    assert marker.startswith("porchlight_signed_in=1;")
    assert "httponly" not in marker.lower()
    assert secret.split(";")[0].removeprefix("__session=") not in answer.text


async def test_over_https_they_are_secure(app: Porchlight, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    async with visitor(app, BASE, scheme="https") as web:
        answer = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": f"https://{BASE}"})
        assert all("; Secure" in cookie for cookie in answer.headers.get_list("set-cookie"))


async def test_on_a_loopback_address_they_stay_there(app: Porchlight, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    async with visitor(app, "127.0.0.1:8000") as web:
        answer = await web.post("/api/auth/session", json={"idToken": token})
        assert all("domain" not in cookie.lower() for cookie in answer.headers.get_list("set-cookie"))


async def test_the_database_keeps_no_cookie(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    _, uid, token = emulator.sign_up()
    secret = (await cookie_of(web, token))["cookie"].removeprefix("__session=")
    with psycopg.connect(database.superuser_url) as conn:
        rows = conn.execute(
            "SELECT s::text FROM sessions s JOIN users u USING (user_id) WHERE u.firebase_uid = %s", [uid]
        ).fetchall()
    assert len(rows) == 1
    assert secret not in rows[0][0]
    assert secret.encode().hex() not in rows[0][0]


async def test_a_guru_site_knows_the_neighbour(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, guru: str
) -> None:
    _, _, token = emulator.sign_up()
    profile = await registered(web, token)
    cookie = await cookie_of(web, token)
    async with visitor(app, guru) as site:
        user = await _user(site, cookie)
        assert user == {
            "id": profile["id"],
            "handle": profile["handle"],
            "displayName": "Ada Alvarez",
            "photoURL": "",
        }
        # Guru hosts answer this one question, and open and end nothing.
        for method, path in (
            ("POST", "/api/auth/session"),
            ("DELETE", "/api/auth/session"),
        ):
            answer = await site.request(method, path, headers=cookie, json={"idToken": token})
            assert answer.status_code == 403, path
        for path in ("/api/auth/profile", "/api/auth/sessions", "/api/auth/export"):
            assert (await site.get(path, headers=cookie)).status_code == 404
        assert (await site.delete("/api/auth/sessions", headers=cookie | bearer(token))).status_code in (403, 404)
    ended = await web.delete("/api/auth/session", headers=cookie | {"origin": MAIN})
    assert ended.status_code == 200
    assert all("Max-Age=0" in gone for gone in ended.headers.get_list("set-cookie"))
    async with visitor(app, guru) as site:
        answer = await site.get("/api/auth/session", headers=cookie)
        assert answer.json()["data"] == {"user": None}
        # The marker goes too, so that pages do not ask again.
        assert any(gone.startswith("porchlight_signed_in=") for gone in answer.headers.get_list("set-cookie"))


FOREIGN = [
    f"http://{GURU}",
    f"https://{BASE}",
    f"http://{BASE}:8080",
    f"http://{DOMAIN}",
    "http://evil.example",
    f"http://{BASE}.evil.example",
    f"http://evil{BASE}",
    "null",
    "",
    None,
]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_writes_by_cookie_come_from_our_own_pages(
    web: httpx.AsyncClient, emulator: Emulator, guru: str, origin: str | None
) -> None:
    _, _, token = emulator.sign_up()
    before = await registered(web, token)
    cookie = await cookie_of(web, token)
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
        answer = await web.request(method, path, json=body, headers=headers)
        assert answer.status_code == 403, (path, answer.text)
        assert answer.json()["error"]["message"].startswith("Access denied.")
        assert "set-cookie" not in answer.headers
    after = (await web.get("/api/auth/profile", headers=cookie)).json()["data"]
    assert after == before
    # Reading needs no origin; writing from our own page works, and so does a token from anywhere.
    assert (await web.put("/api/auth/profile", json={"bio": "a"}, headers=cookie | {"origin": MAIN})).status_code == 200
    signed = bearer(token) | ({} if origin is None else {"origin": origin})
    assert (await web.put("/api/auth/profile", json={"bio": "b"}, headers=signed)).status_code == 200


@pytest.mark.parametrize("origin", [f"http://{GURU}", f"http://{DOMAIN}", "null", "http://evil.example"])
async def test_nobody_signs_a_visitor_in_as_somebody_else(
    web: httpx.AsyncClient, emulator: Emulator, origin: str
) -> None:
    _, _, token = emulator.sign_up()
    answer = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": origin})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


async def test_a_new_session_replaces_the_old_one(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    first = await cookie_of(web, token)
    answer = await web.post("/api/auth/session", json={"idToken": token}, headers=first | {"origin": MAIN})
    web.cookies.clear()
    second = {"cookie": answer.headers.get_list("set-cookie")[0].split(";")[0]}
    assert await _user(web, first) is None
    assert await _user(web, second) is not None


async def test_sessions_are_listed_and_ended_one_by_one(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    _, _, stranger = emulator.sign_up()
    first, second = await cookie_of(web, token), await cookie_of(web, token)
    listed = (await web.get("/api/auth/sessions", headers=second)).json()["data"]["sessions"]
    assert [entry["current"] for entry in listed] == [True, False]
    other = listed[1]["id"]
    for wrong in (other, "nonsense", "00000000-0000-0000-0000-000000000000"):
        answer = await web.delete(f"/api/auth/sessions/{wrong}", headers=bearer(stranger))
        assert answer.status_code == 404  # another's session answers like none
    assert await _user(web, first) is not None
    assert (await web.delete(f"/api/auth/sessions/{other}", headers=bearer(token))).status_code == 200
    assert await _user(web, first) is None
    assert await _user(web, second) is not None


async def test_signed_out_everywhere(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    _, _, bystander = emulator.sign_up()
    cookies = [await cookie_of(web, token) for _ in range(3)]
    beside = await cookie_of(web, bystander)
    assert (await web.delete("/api/auth/sessions", headers=cookies[0] | {"origin": MAIN})).status_code == 200
    for cookie in cookies:
        assert await _user(web, cookie) is None
    assert (await web.get("/api/auth/profile", headers=bearer(token))).status_code == 401
    assert await _user(web, beside) is not None
    again = emulator.sign_in(email)
    assert (await web.get("/api/auth/profile", headers=bearer(again))).status_code == 200
    assert await _user(web, await cookie_of(web, again)) is not None


async def test_a_disabled_users_session_ends_within_a_minute(
    web: httpx.AsyncClient, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, uid, token = emulator.sign_up()
    cookie = await cookie_of(web, token)
    emulator.disable(uid)
    monkeypatch.setattr(standing, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 60))
    assert await _user(web, cookie) is None
    assert (await web.get("/api/auth/profile", headers=cookie)).status_code == 401


async def test_an_expired_session_is_over(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    _, uid, token = emulator.sign_up()
    cookie = await cookie_of(web, token)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(
            "UPDATE sessions SET expires_at = now()"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )
    assert await _user(web, cookie) is None


@pytest.mark.parametrize("value", ["", "x", "a" * 43, "a" * 5000, "é" * 43, "%00" * 15])
async def test_made_up_cookies_are_nobody(web: httpx.AsyncClient, value: str) -> None:
    answer = await web.get("/api/auth/session", headers=[(b"cookie", f"__session={value}".encode())])
    assert answer.status_code == 200
    assert answer.json()["data"] == {"user": None}
    assert (await web.get("/api/auth/profile", headers=[(b"cookie", f"__session={value}".encode())])).status_code == 401


async def test_a_bad_token_is_not_saved_by_a_good_cookie(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    cookie = await cookie_of(web, token)
    answer = await web.get("/api/auth/profile", headers=cookie | bearer("nonsense"))
    assert answer.status_code == 401


async def test_signing_out_twice_is_no_fault(web: httpx.AsyncClient) -> None:
    for headers in ({}, {"origin": MAIN}, bearer("expired")):
        assert (await web.delete("/api/auth/session", headers=headers)).status_code == 200


async def test_sessions_are_bounded(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    from porchlight.accounts.actions import SESSIONS_EACH

    _, uid, token = emulator.sign_up()
    oldest = await cookie_of(web, token)
    for _ in range(SESSIONS_EACH):
        newest = await cookie_of(web, token)
    with psycopg.connect(database.superuser_url) as conn:
        row = conn.execute(
            "SELECT count(*) FROM sessions JOIN users USING (user_id) WHERE firebase_uid = %s", [uid]
        ).fetchone()
    assert row == (SESSIONS_EACH,)
    assert await _user(web, oldest) is None
    assert await _user(web, newest) is not None


async def test_a_query_that_is_no_text_takes_no_cookie_down(app: Porchlight) -> None:
    """Servers hand such bytes on; the real one refuses them first."""
    statuses: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    for method, path in (("DELETE", "/api/auth/session"), ("GET", "/_mail")):
        headers = [(b"host", BASE.encode()), (b"origin", MAIN.encode())]
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
