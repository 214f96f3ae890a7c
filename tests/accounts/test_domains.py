"""Signed in on a guru's own domain: the walk round, its one-time pass, and where return addresses may lead."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg
import pytest

from porchlight.accounts import standing
from porchlight.accounts.domain_routes import ARRIVAL, PASS
from porchlight.app import Porchlight
from tenants.lifecycle import NewGuru, add_domain, create, suspend
from tests.accounts.calls import MAIN, cookie_of, registered
from tests.platform_.world import BASE, visitor
from tests.support.databases import Database
from tests.support.identity import Emulator

DOMAIN, OTHER, UNVERIFIED, DOWN = "www.miller.example", "pots.example", "soon.example", "closed.example"


@pytest.fixture(scope="module", autouse=True)
def gurus(database: Database, app: Porchlight) -> None:
    """Three gurus with domains of their own."""
    with psycopg.connect(database.overseer_url) as conn:
        create(conn, NewGuru("miller", "Miller", "culinary", "miller@example.com"))
        add_domain(conn, "miller", DOMAIN, verified=True)
        add_domain(conn, "miller", UNVERIFIED, verified=False)
        create(conn, NewGuru("potter", "Potter", "crafts", "potter@example.com"))
        add_domain(conn, "potter", OTHER, verified=True)
        create(conn, NewGuru("closed", "Closed", "crafts", "closed@example.com"))
        add_domain(conn, "closed", DOWN, verified=True)
        suspend(conn, "closed")


@pytest.fixture
async def site(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the guru's own domain. It keeps that domain's cookies."""
    async with visitor(app, DOMAIN) as client:
        yield client


@pytest.fixture
async def signed_in(web: httpx.AsyncClient, emulator: Emulator) -> dict[str, str]:
    """The cookie of somebody who is signed in on the main platform."""
    _, _, token = emulator.sign_up()
    await registered(web, token)
    return await cookie_of(web, token)


def _led(answer: httpx.Response) -> str:
    assert answer.status_code == 303, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    return answer.headers["location"]


async def _pass(web: httpx.AsyncClient, site: httpx.AsyncClient, cookie: dict[str, str], path: str = "/") -> str:
    """Walk round up to the address with the pass."""
    to = f"http://{DOMAIN}{path}"
    first = _led(await web.get(PASS, params={"to": to}, headers=cookie))
    assert first.startswith(f"http://{DOMAIN}{ARRIVAL}?")
    second = _led(await site.get(first))
    assert second.startswith(f"{MAIN}{PASS}?")
    third = _led(await web.get(second, headers=cookie))
    assert third.startswith(f"http://{DOMAIN}{ARRIVAL}?")
    assert len(parse_qs(urlsplit(third).query)["pass"][0]) == 43
    return third


async def _user(client: httpx.AsyncClient) -> object:
    answer = await client.get("/api/auth/session")
    assert answer.status_code == 200
    return answer.json()["data"]["user"]


async def test_a_walk_round_ends_signed_in_where_it_was_headed(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    path = "/services?from=main#service-0"
    answer = await site.get(await _pass(web, site, signed_in, path))
    assert _led(answer) == path
    cookies = {line.split("=")[0]: line.lower() for line in answer.headers.get_list("set-cookie")}
    assert "domain" not in cookies["__session"]
    assert "httponly" in cookies["__session"]
    assert "max-age=0" in cookies["arrival"]
    user = await _user(site)
    assert isinstance(user, dict)
    assert user["displayName"] == "Ada Alvarez"


async def test_over_tls_no_other_host_can_set_its_cookies(app: Porchlight, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    async with visitor(app, BASE, scheme="https") as web, visitor(app, DOMAIN, scheme="https") as site:
        await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": f"https://{BASE}"})
        answer = await web.get(PASS, params={"to": f"https://{DOMAIN}/"})
        for client in (site, web, site):
            answer = await client.get(_led(answer))
        cookies = answer.headers.get_list("set-cookie")
        assert [line.split("=")[0] for line in cookies] == ["__Host-session", "porchlight_signed_in", "__Host-arrival"]
        assert all("; Secure" in line and "; Path=/" in line and "domain=" not in line.lower() for line in cookies)
        assert await _user(site) is not None
        # The plain name counts for nothing here, nor does the main platform's own cookie.
        for stolen in (site.cookies["__Host-session"], web.cookies["__session"]):
            async with visitor(app, DOMAIN, scheme="https") as stranger:
                answer = await stranger.get("/api/auth/session", headers={"cookie": f"__session={stolen}"})
                assert answer.json()["data"]["user"] is None


async def test_a_pass_is_good_once(web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]) -> None:
    address = await _pass(web, site, signed_in)
    mark = {"cookie": f"arrival={site.cookies['arrival']}"}
    site.cookies.clear()
    answers = await asyncio.gather(*(site.get(address, headers=mark) for _ in range(8)))
    opened = [
        answer for answer in answers if any("__session=" in line for line in answer.headers.get_list("set-cookie"))
    ]
    assert len(opened) == 1
    assert {_led(answer) for answer in answers} == {"/"}


async def test_a_pass_is_for_one_browser(
    app: Porchlight, web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    """Somebody who sends others the address of their own pass signs nobody in as themselves."""
    address = await _pass(web, site, signed_in)
    async with visitor(app, DOMAIN) as victim:
        assert _led(await victim.get(address)) == "/"
        assert await _user(victim) is None
        await victim.get(ARRIVAL, params={"to": "/"})  # a browser with a mark of its own
        await victim.get(address)
        assert await _user(victim) is None
    await site.get(address)
    assert await _user(site) is not None


async def test_a_pass_is_for_one_domain(
    app: Porchlight, web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    address = (await _pass(web, site, signed_in)).replace(DOMAIN, OTHER)
    mark = {"cookie": f"arrival={site.cookies['arrival']}"}
    for host in (OTHER, f"miller.{BASE}"):
        async with visitor(app, host) as elsewhere:
            answer = await elsewhere.get(address.replace(OTHER, host), headers=mark)
            assert all("__session=" not in line for line in answer.headers.get_list("set-cookie"))
            assert answer.status_code == (303 if host == OTHER else 404)
    # And so is the session it opens.
    await site.get(address.replace(OTHER, DOMAIN))
    cookie = {"cookie": f"__session={site.cookies['__session']}"}
    for host, known in ((DOMAIN, True), (OTHER, False), (f"miller.{BASE}", False), (BASE, False)):
        async with visitor(app, host) as anywhere:
            answer = await anywhere.get("/api/auth/session", headers=cookie)
            assert (answer.json()["data"]["user"] is not None) == known, host


async def test_a_pass_is_good_for_a_minute(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str], database: Database
) -> None:
    address = await _pass(web, site, signed_in)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("UPDATE domain_sessions SET created_at = created_at - interval '61 seconds'")
    assert _led(await site.get(address)) == "/"
    assert await _user(site) is None


@pytest.mark.parametrize("wrong", ["", "x", "a" * 43, "a" * 44, "%00", "é"])
async def test_made_up_passes_open_nothing(site: httpx.AsyncClient, wrong: str) -> None:
    await site.get(ARRIVAL, params={"to": "/"})
    answer = await site.get(ARRIVAL, params={"to": "/", "pass": wrong})
    assert answer.status_code in (303, 422)
    assert await _user(site) is None


@pytest.mark.parametrize("way", ["DELETE /api/auth/session", "DELETE /api/auth/sessions", "DELETE /api/auth/account"])
async def test_whoever_leaves_has_left_here_too(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str], way: str
) -> None:
    await site.get(await _pass(web, site, signed_in))
    assert await _user(site) is not None
    method, path = way.split()
    assert (await web.request(method, path, headers=signed_in | {"origin": MAIN})).status_code == 200
    assert await _user(site) is None
    assert "porchlight_signed_in" not in site.cookies


async def test_a_renewed_session_goes_on_here(
    web: httpx.AsyncClient, site: httpx.AsyncClient, emulator: Emulator
) -> None:
    email, _, token = emulator.sign_up()
    cookie = await cookie_of(web, token)
    await site.get(await _pass(web, site, cookie))
    renewed = await web.post(
        "/api/auth/session", json={"idToken": emulator.sign_in(email)}, headers=cookie | {"origin": MAIN}
    )
    web.cookies.clear()
    assert renewed.status_code == 200
    assert await _user(site) is not None
    answer = await web.get("/api/auth/session", headers=cookie)  # the cookie before it is worth nothing
    assert answer.json()["data"]["user"] is None


async def test_what_the_identity_service_ends_ends_here_within_a_minute(
    web: httpx.AsyncClient, site: httpx.AsyncClient, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pass that was walked for, and the session of the domain that came of another, are worth nothing then."""
    _, uid, token = emulator.sign_up()
    cookie = await cookie_of(web, token)
    await site.get(await _pass(web, site, cookie))
    assert await _user(site) is not None
    later = await _pass(web, site, cookie)
    emulator.disable(uid)
    monkeypatch.setattr(standing, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 60))
    assert await _user(site) is None
    await site.get(later)
    assert await _user(site) is None
    # Nobody is signed in on the main platform: no walk begins there.
    assert _led(await web.get(PASS, params={"to": f"http://{DOMAIN}/"}, headers=cookie)) == f"http://{DOMAIN}/"


async def test_a_domain_that_changes_hands_knows_nobody(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, _, token = emulator.sign_up()
    cookie = await cookie_of(web, token)
    async with visitor(app, OTHER) as site:
        answer = await web.get(PASS, params={"to": f"http://{OTHER}/"}, headers=cookie)
        answer = await site.get(_led(answer))
        answer = await web.get(_led(answer), headers=cookie)
        await site.get(_led(answer))
        assert await _user(site) is not None
        with psycopg.connect(database.superuser_url) as conn:
            conn.execute("UPDATE domains SET verified_at = now() + interval '1 second' WHERE domain = %s", [OTHER])
        assert await _user(site) is None
        with psycopg.connect(database.superuser_url) as conn:
            conn.execute("UPDATE domains SET verified_at = now() - interval '1 hour' WHERE domain = %s", [OTHER])


async def test_nothing_is_written_with_this_cookie(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str]
) -> None:
    await site.get(await _pass(web, site, signed_in))
    for method, path in (("POST", "/api/auth/session"), ("DELETE", "/api/auth/session")):
        for origin in (f"http://{DOMAIN}", MAIN, "null"):
            answer = await site.request(method, path, json={"idToken": "x"}, headers={"origin": origin})
            assert answer.status_code == 403
    for path in ("/api/auth/profile", "/api/auth/sessions", "/api/auth/export", PASS):
        assert (await site.get(path)).status_code == 404
    assert await _user(site) is not None


async def test_a_visitor_who_is_not_signed_in_goes_there_all_the_same(web: httpx.AsyncClient) -> None:
    assert _led(await web.get(PASS, params={"to": f"http://{DOMAIN}/about"})) == f"http://{DOMAIN}/about"


STRANGE = [
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
    "http://www.m\u0456ller.example/",  # a look-alike i
    f"http://miller.{BASE}/",
    f"http://{BASE}/",
    "http://[::1]/",
    "http://127.0.0.1/",
    "http://[",
]


@pytest.mark.parametrize("to", STRANGE)
async def test_other_addresses_never_leave_the_platform(
    web: httpx.AsyncClient, signed_in: dict[str, str], to: str
) -> None:
    for headers in ({}, signed_in):
        assert _led(await web.get(PASS, params={"to": to, "browser": "a" * 43}, headers=headers)) == "/dashboard"


@pytest.mark.parametrize(
    "to", ["", "//e.example", "/\\e.example", "https:e.example", "http://e.example/", "/a\r\nb: c"]
)
async def test_nor_do_they_leave_the_domain(web: httpx.AsyncClient, site: httpx.AsyncClient, to: str) -> None:
    asked = urlsplit(_led(await site.get(ARRIVAL, params={"to": to})))
    assert f"{asked.scheme}://{asked.netloc}" == MAIN
    assert parse_qs(asked.query)["to"] == [f"http://{DOMAIN}/"]
    assert _led(await site.get(ARRIVAL, params={"to": to, "pass": "a" * 43})) == "/"


async def test_passes_do_not_pile_up(
    web: httpx.AsyncClient, site: httpx.AsyncClient, signed_in: dict[str, str], database: Database
) -> None:
    from porchlight.accounts.actions import PASSES_EACH

    for number in range(PASSES_EACH + 5):
        await web.get(PASS, params={"to": f"http://{DOMAIN}/", "browser": f"{number:043}"}, headers=signed_in)
    with psycopg.connect(database.superuser_url) as conn:
        row = conn.execute(
            "SELECT max(c) FROM (SELECT count(*) c FROM domain_sessions GROUP BY session_id) s"
        ).fetchone()
    assert row == (PASSES_EACH,)
