"""Login handoffs to custom domains: the redirects, the single-use token, and trusted targets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.auth import account_status
from porchlight.auth.handoff_routes import ARRIVAL_PATH, PASS_PATH
from tenants.tenancy.lifecycle import NewGuru, add_domain, create_guru, suspend_guru
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.auth.api_client import MAIN_ORIGIN, create_session_cookie, register_user

DOMAIN, OTHER, UNVERIFIED, DOWN = "www.miller.example", "pots.example", "soon.example", "closed.example"


@pytest.fixture(scope="module", autouse=True)
def gurus(database: Database, app: Porchlight) -> None:
    """Three gurus with custom domains."""
    with psycopg.connect(database.service_url) as conn:
        create_guru(conn, NewGuru("miller", "Miller", "culinary", "miller@example.com"))
        add_domain(conn, "miller", DOMAIN, verified=True)
        add_domain(conn, "miller", UNVERIFIED, verified=False)
        create_guru(conn, NewGuru("potter", "Potter", "crafts", "potter@example.com"))
        add_domain(conn, "potter", OTHER, verified=True)
        create_guru(conn, NewGuru("closed", "Closed", "crafts", "closed@example.com"))
        add_domain(conn, "closed", DOWN, verified=True)
        suspend_guru(conn, "closed")


@pytest.fixture
async def site(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the guru's custom domain. It stores that domain's cookies."""
    async with http_client(app, DOMAIN) as client:
        yield client


@pytest.fixture
async def signed_in(web: httpx.AsyncClient, emulator: Emulator) -> dict[str, str]:
    """The cookie header of a user who is signed in on the main platform."""
    _, _, token = emulator.sign_up()
    await register_user(web, token)
    return await create_session_cookie(web, token)


def _redirect_target(response: httpx.Response) -> str:
    assert response.status_code == 303, response.text
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["referrer-policy"] == "no-referrer"
    return response.headers["location"]


async def _request_handoff(
    web: httpx.AsyncClient, site: httpx.AsyncClient, cookie: dict[str, str], path: str = "/"
) -> str:
    """Follow the redirects up to the URL with the handoff. Return that URL."""
    to = f"http://{DOMAIN}{path}"
    first = _redirect_target(await web.get(PASS_PATH, params={"to": to}, headers=cookie))
    assert first.startswith(f"http://{DOMAIN}{ARRIVAL_PATH}?")
    second = _redirect_target(await site.get(first))
    assert second.startswith(f"{MAIN_ORIGIN}{PASS_PATH}?")
    third = _redirect_target(await web.get(second, headers=cookie))
    assert third.startswith(f"http://{DOMAIN}{ARRIVAL_PATH}?")
    assert len(parse_qs(urlsplit(third).query)["pass"][0]) == 43
    return third


async def _session_user(client: httpx.AsyncClient) -> object:
    response = await client.get("/api/auth/session")
    assert response.status_code == 200
    return response.json()["data"]["user"]


async def test_login_handoff_signs_in_at_requested_page(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    path = "/services?from=main#service-0"
    response = await site.get(await _request_handoff(web, site, signed_in, path))
    assert _redirect_target(response) == path
    cookies = {line.split("=")[0]: line.lower() for line in response.headers.get_list("set-cookie")}
    assert "domain" not in cookies["__session"]
    assert "httponly" in cookies["__session"]
    assert "max-age=0" in cookies["arrival"]
    user = await _session_user(site)
    assert isinstance(user, dict)
    assert user["displayName"] == "Ada Alvarez"


async def test_login_handoff_over_tls_uses_host_cookies(app: Porchlight, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    async with http_client(app, BASE_HOST, scheme="https") as web, http_client(app, DOMAIN, scheme="https") as site:
        await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": f"https://{BASE_HOST}"})
        response = await web.get(PASS_PATH, params={"to": f"https://{DOMAIN}/"})
        for client in (site, web, site):
            response = await client.get(_redirect_target(response))
        cookies = response.headers.get_list("set-cookie")
        assert [line.split("=")[0] for line in cookies] == ["__Host-session", "porchlight_signed_in", "__Host-arrival"]
        assert all("; Secure" in line and "; Path=/" in line and "domain=" not in line.lower() for line in cookies)
        assert await _session_user(site) is not None
        # Neither the plain cookie name nor the main platform's cookie is accepted here.
        for stolen in (site.cookies["__Host-session"], web.cookies["__session"]):
            async with http_client(app, DOMAIN, scheme="https") as stranger:
                response = await stranger.get("/api/auth/session", headers={"cookie": f"__session={stolen}"})
                assert response.json()["data"]["user"] is None


async def test_login_handoff_is_redeemed_once(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    url = await _request_handoff(web, site, signed_in)
    browser_cookie = {"cookie": f"arrival={site.cookies['arrival']}"}
    site.cookies.clear()
    responses = await asyncio.gather(*(site.get(url, headers=browser_cookie) for _ in range(8)))
    opened = [
        response
        for response in responses
        if any("__session=" in line for line in response.headers.get_list("set-cookie"))
    ]
    assert len(opened) == 1
    assert {_redirect_target(response) for response in responses} == {"/"}


async def test_login_handoff_works_in_one_browser(
    app: Porchlight, web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    """A user who sends the URL of their own handoff to a victim does not sign the victim in."""
    url = await _request_handoff(web, site, signed_in)
    async with http_client(app, DOMAIN) as victim:
        assert _redirect_target(await victim.get(url)) == "/"
        assert await _session_user(victim) is None
        await victim.get(ARRIVAL_PATH, params={"to": "/"})  # sets the browser cookie
        await victim.get(url)
        assert await _session_user(victim) is None
    await site.get(url)
    assert await _session_user(site) is not None


async def test_login_handoff_works_on_one_domain(
    app: Porchlight, web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    url = (await _request_handoff(web, site, signed_in)).replace(DOMAIN, OTHER)
    browser_cookie = {"cookie": f"arrival={site.cookies['arrival']}"}
    for host in (OTHER, f"miller.{BASE_HOST}"):
        async with http_client(app, host) as elsewhere:
            response = await elsewhere.get(url.replace(OTHER, host), headers=browser_cookie)
            assert all("__session=" not in line for line in response.headers.get_list("set-cookie"))
            assert response.status_code == (303 if host == OTHER else 404)
    # The session that it creates works only there too.
    await site.get(url.replace(OTHER, DOMAIN))
    cookie = {"cookie": f"__session={site.cookies['__session']}"}
    for host, is_signed_in in ((DOMAIN, True), (OTHER, False), (f"miller.{BASE_HOST}", False), (BASE_HOST, False)):
        async with http_client(app, host) as anywhere:
            response = await anywhere.get("/api/auth/session", headers=cookie)
            assert (response.json()["data"]["user"] is not None) == is_signed_in, host


async def test_login_handoff_expires_after_a_minute(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str], database: Database
) -> None:
    url = await _request_handoff(web, site, signed_in)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("UPDATE domain_sessions SET created_at = created_at - interval '61 seconds'")
    assert _redirect_target(await site.get(url)) == "/"
    assert await _session_user(site) is None


@pytest.mark.parametrize("forged", ["", "x", "a" * 43, "a" * 44, "%00", "é"])
async def test_forged_login_handoff_creates_no_session(site: httpx.AsyncClient, forged: str) -> None:
    await site.get(ARRIVAL_PATH, params={"to": "/"})
    response = await site.get(ARRIVAL_PATH, params={"to": "/", "pass": forged})
    assert response.status_code in (303, 422)
    assert await _session_user(site) is None


@pytest.mark.parametrize(
    "request_line", ["DELETE /api/auth/session", "DELETE /api/auth/sessions", "DELETE /api/auth/account"]
)
async def test_sign_out_ends_domain_session(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str], request_line: str
) -> None:
    await site.get(await _request_handoff(web, site, signed_in))
    assert await _session_user(site) is not None
    method, path = request_line.split()
    assert (await web.request(method, path, headers=signed_in | {"origin": MAIN_ORIGIN})).status_code == 200
    assert await _session_user(site) is None
    assert "porchlight_signed_in" not in site.cookies


async def test_domain_session_survives_session_renewal(
    web: httpx.AsyncClient, site: httpx.AsyncClient, emulator: Emulator
) -> None:
    email, _, token = emulator.sign_up()
    cookie = await create_session_cookie(web, token)
    await site.get(await _request_handoff(web, site, cookie))
    renewed = await web.post(
        "/api/auth/session", json={"idToken": emulator.sign_in(email)}, headers=cookie | {"origin": MAIN_ORIGIN}
    )
    web.cookies.clear()
    assert renewed.status_code == 200
    assert await _session_user(site) is not None
    response = await web.get("/api/auth/session", headers=cookie)  # the previous cookie is invalid
    assert response.json()["data"]["user"] is None


async def test_disabled_account_loses_domain_session_within_a_minute(
    web: httpx.AsyncClient, site: httpx.AsyncClient, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an unredeemed handoff nor an existing domain session works then."""
    _, uid, token = emulator.sign_up()
    cookie = await create_session_cookie(web, token)
    await site.get(await _request_handoff(web, site, cookie))
    assert await _session_user(site) is not None
    unredeemed_url = await _request_handoff(web, site, cookie)
    emulator.disable(uid)
    monkeypatch.setattr(account_status, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 60))
    assert await _session_user(site) is None
    await site.get(unredeemed_url)
    assert await _session_user(site) is None
    # The user is signed out on the main platform: it creates no handoff.
    assert (
        _redirect_target(await web.get(PASS_PATH, params={"to": f"http://{DOMAIN}/"}, headers=cookie))
        == f"http://{DOMAIN}/"
    )


async def test_domain_session_ends_when_domain_changes_owner(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, _, token = emulator.sign_up()
    cookie = await create_session_cookie(web, token)
    async with http_client(app, OTHER) as site:
        response = await web.get(PASS_PATH, params={"to": f"http://{OTHER}/"}, headers=cookie)
        response = await site.get(_redirect_target(response))
        response = await web.get(_redirect_target(response), headers=cookie)
        await site.get(_redirect_target(response))
        assert await _session_user(site) is not None
        with psycopg.connect(database.superuser_url) as conn:
            conn.execute("UPDATE domains SET verified_at = app.now() + interval '1 second' WHERE domain = %s", [OTHER])
        assert await _session_user(site) is None
        with psycopg.connect(database.superuser_url) as conn:
            conn.execute("UPDATE domains SET verified_at = app.now() - interval '1 hour' WHERE domain = %s", [OTHER])


async def test_domain_session_cookie_cannot_write(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    await site.get(await _request_handoff(web, site, signed_in))
    for method, path in (("POST", "/api/auth/session"), ("DELETE", "/api/auth/session")):
        for origin in (f"http://{DOMAIN}", MAIN_ORIGIN, "null"):
            response = await site.request(method, path, json={"idToken": "x"}, headers={"origin": origin})
            assert response.status_code == 403
    for path in ("/api/auth/profile", "/api/auth/sessions", "/api/auth/export", PASS_PATH):
        assert (await site.get(path)).status_code == 404
    assert await _session_user(site) is not None


async def test_signed_out_visitor_is_redirected_to_domain(web: httpx.AsyncClient) -> None:
    assert (
        _redirect_target(await web.get(PASS_PATH, params={"to": f"http://{DOMAIN}/about"})) == f"http://{DOMAIN}/about"
    )


UNTRUSTED_TARGETS = [
    "",
    "/",
    "//e.example/",
    "/\\e.example",
    "\\\\e.example",
    "http:e.example",
    "http:/e.example",
    "http:///e.example",
    "//" + DOMAIN,
    "javascript:alert(1)",
    "e.example",
    "http://e.example/",
    f"http://{UNVERIFIED}/",
    f"http://{DOWN}/",
    f"https://{DOMAIN}/",
    f"http://{DOMAIN}:8080/",
    f"http://{DOMAIN}.e.example/",
    f"http://x{DOMAIN}/",
    f"http://e.example@{DOMAIN}/",
    f"http://{DOMAIN}@e.example/",
    f"http://{DOMAIN}\\@e.example/",
    f"http://{DOMAIN}%00.e.example/",
    f"http://{DOMAIN}\r\nset-cookie: a=b",
    f"http://{DOMAIN}\t.e.example/",
    f"http://{DOMAIN}\u2028/",
    "http://www.m\u0456ller.example/",  # a homoglyph of i
    f"http://miller.{BASE_HOST}/",
    f"http://{BASE_HOST}/",
    "http://[::1]/",
    "http://127.0.0.1/",
    "http://[",
]


@pytest.mark.parametrize("to", UNTRUSTED_TARGETS)
async def test_untrusted_target_redirects_to_dashboard(
    web: httpx.AsyncClient, signed_in: dict[str, str], to: str
) -> None:
    for headers in ({}, signed_in):
        assert (
            _redirect_target(await web.get(PASS_PATH, params={"to": to, "browser": "a" * 43}, headers=headers))
            == "/dashboard"
        )


@pytest.mark.parametrize(
    "to", ["", "//e.example", "/\\e.example", "https:e.example", "http://e.example/", "/a\r\nb: c"]
)
async def test_untrusted_arrival_path_stays_on_domain(web: httpx.AsyncClient, site: httpx.AsyncClient, to: str) -> None:
    target = urlsplit(_redirect_target(await site.get(ARRIVAL_PATH, params={"to": to})))
    assert f"{target.scheme}://{target.netloc}" == MAIN_ORIGIN
    assert parse_qs(target.query)["to"] == [f"http://{DOMAIN}/"]
    assert _redirect_target(await site.get(ARRIVAL_PATH, params={"to": to, "pass": "a" * 43})) == "/"


async def test_domain_sessions_are_bounded(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str], database: Database
) -> None:
    from porchlight.auth.handoff import MAX_DOMAIN_SESSIONS

    for number in range(MAX_DOMAIN_SESSIONS + 5):
        await web.get(PASS_PATH, params={"to": f"http://{DOMAIN}/", "browser": f"{number:043}"}, headers=signed_in)
    with psycopg.connect(database.superuser_url) as conn:
        row = conn.execute(
            "SELECT max(c) FROM (SELECT count(*) c FROM domain_sessions GROUP BY session_id) s"
        ).fetchone()
    assert row == (MAX_DOMAIN_SESSIONS,)
