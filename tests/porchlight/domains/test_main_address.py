"""The main address of a site: where its other hosts redirect, and what names it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.job_dependencies import JobDependencies
from tenants.kit import clock
from tests.porchlight.app_client import BASE_HOST, http_client, send_raw, wait_until
from tests.porchlight.owner import GuruOwner

APEX, WWW = "chef-rosa.example", "www.chef-rosa.example"
LABEL = f"alpha.{BASE_HOST}"
OPEN_PAGE_PATHS = (
    "/robots.txt", "/favicon.svg", "/favicon.ico", "/apple-touch-icon.png", "/og/home.png",
    "/api/gurus/alpha/home", "/api/auth/session", "/healthz",
)  # fmt: skip


@pytest.fixture
async def visitor(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor over TLS."""
    async with http_client(app, LABEL, scheme="https") as client:
        yield client


@pytest.fixture
def connect(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> Any:
    """Connect domains to `alpha`, the first one first."""
    service_db.execute("UPDATE gurus SET main_domain = NULL")

    def add(*domains: str) -> None:
        for number, domain in enumerate(domains):
            connected = clock.now() - timedelta(days=1) + timedelta(minutes=number)
            service_db.execute(
                "INSERT INTO domains (tenant_id, domain, verified_at, certificate_until, leads_here, outcome)"
                " VALUES (%s, %s, %s, %s, true, 'ok')",
                [rosa.guru.id, domain, connected, clock.now() + timedelta(days=60)],
            )

    return add


async def _location(visitor: httpx.AsyncClient, url: str, status: int = 301) -> str | None:
    response = await visitor.get(url)
    return response.headers.get("location") if response.status_code == status else None


async def _wait_for(visitor: httpx.AsyncClient, url: str, location: str | None) -> None:
    """Wait until the app is notified of the change that makes this URL redirect there; None: it is a page."""

    async def is_there() -> bool:
        response = await visitor.get(url)
        return response.headers.get("location") == location and response.status_code == (301 if location else 200)

    await wait_until(f"{url} leads to {location}", is_there)


async def test_other_hosts_redirect_to_first_connected_domain(visitor: httpx.AsyncClient, connect: Any) -> None:
    connect(APEX, WWW)
    await _wait_for(visitor, "/", f"https://{APEX}/")
    for host in (LABEL, WWW, f"{LABEL}:443", f"{WWW}.", f"{APEX}."):
        for path in ("/", "/about?a=b&c=%2F", "/blog/x%20y", "/feed.xml", "/rss.xml", "/sitemap.xml", "/unknown"):
            response = await visitor.get(f"https://{LABEL}{path}", headers={"host": host})
            found = (response.status_code, response.headers.get("location"), response.headers["cache-control"])
            assert found == (301, f"https://{APEX}{path}", "no-store"), (host, path)
    assert (await visitor.head(f"https://{WWW}/about")).status_code == 301
    page = await visitor.get(f"https://{APEX}/about")
    assert page.status_code == 200
    assert (await visitor.get(f"https://{LABEL}/about", headers={"host": f"{APEX}:443"})).text == page.text
    # The port of a development server stays.
    assert await _location(visitor, f"https://{WWW}:8443/about") == f"https://{APEX}:8443/about"


async def test_open_pages_of_other_hosts_keep_working(visitor: httpx.AsyncClient, connect: Any) -> None:
    await _wait_for(visitor, "/contact", None)
    page = await visitor.get("/contact")
    connect(APEX)
    await _wait_for(visitor, "/", f"https://{APEX}/")
    files = re.findall(r'(/_next/static/[^") ]+)', page.text)
    assert files
    build = re.search(r'"buildId":"([^"]+)"', page.text)
    assert build
    data = [f"/_next/data/{build[1]}/about.json"]
    for path in (*OPEN_PAGE_PATHS, *files, *data):
        assert (await visitor.get(path)).status_code == 200, path
    assert (await visitor.get("/.well-known/change-password")).status_code == 303
    assert (await visitor.get("/.well-known/acme-challenge/x")).status_code == 404
    lead = {"name": "Ann", "email": "ann@example.com", "message": "Do you bake?", "consent": "on"}
    sent = await visitor.post("/contact", data=lead)
    assert (sent.status_code, sent.headers["location"]) == (303, "/contact/sent")
    assert await _location(visitor, "/contact/sent") == f"https://{APEX}/contact/sent"


async def test_pages_and_files_name_the_main_address(visitor: httpx.AsyncClient, connect: Any) -> None:
    connect(APEX)
    await _wait_for(visitor, "/", f"https://{APEX}/")
    page = (await visitor.get(f"https://{APEX}/")).text
    assert f'<link rel="canonical" href="https://{APEX}/"' in page
    assert f'property="og:url" content="https://{APEX}/"' in page
    assert LABEL not in page
    for path in ("/feed.xml", "/rss.xml", "/sitemap.xml"):
        text = (await visitor.get(f"https://{APEX}{path}")).text
        assert f"https://{APEX}/" in text
        assert LABEL not in text
    # Each host has its own robots.txt. It allows what redirects, and names the sitemap of the main address.
    assert f"Sitemap: https://{APEX}/sitemap.xml" in (await visitor.get("/robots.txt")).text


async def test_guru_chooses_main_address_in_both_directions(
    visitor: httpx.AsyncClient, rosa: GuruOwner, connect: Any
) -> None:
    connect(APEX, WWW)
    await _wait_for(visitor, "/about", f"https://{APEX}/about")
    listed = (await rosa.call("GET", "/domains"))["mainAddress"]
    assert listed == {"domain": APEX, "host": APEX, "subdomain": LABEL}
    for chosen, others in ((None, (APEX, WWW)), (WWW, (LABEL, APEX)), (None, (WWW,)), (APEX, (LABEL, WWW))):
        host = chosen or LABEL
        answer = await rosa.call("PUT", "/domains/main", {"domain": chosen})
        assert answer == {"domain": chosen, "host": host, "subdomain": LABEL}
        await _wait_for(visitor, f"https://{host}/about", None)
        for other in others:
            assert await _location(visitor, f"https://{other}/about") == f"https://{host}/about"
        shown = [
            (await rosa.call("GET", ""))["guru"]["address"],
            (await rosa.call("GET", "/overview"))["site"]["address"],
            (await rosa.call("GET", "/qr-code"))["address"],
        ]
        assert shown == [f"http://{host}"] * 3
    # The console's previews and images stay at the subdomain, which its security policy allows.
    images = (await rosa.call("GET", "/images"))["images"]
    assert all(image["address"].startswith(f"http://{LABEL}/") for image in images)


@pytest.mark.parametrize(
    "closed",
    [
        "certificate_until = NULL",
        "certificate_until = app.now() - interval '1 second'",
        "leads_here = false",
        "verified_at = NULL",
        "over_limit = true",
    ],
)
async def test_site_is_at_subdomain_while_domain_is_closed(
    visitor: httpx.AsyncClient, rosa: GuruOwner, connect: Any, service_db: psycopg.Connection[Any], closed: str
) -> None:
    connect(APEX)
    await rosa.call("PUT", "/domains/main", {"domain": APEX})
    await _wait_for(visitor, "/about", f"https://{APEX}/about")
    service_db.execute(b"UPDATE domains SET " + closed.encode())
    await _wait_for(visitor, "/about", None)
    assert f'<link rel="canonical" href="https://{LABEL}/about"' in (await visitor.get("/about")).text
    # A visitor who reaches the domain stays there: no one is sent back and forth.
    assert (await visitor.get(f"https://{APEX}/about")).status_code == (
        404 if "verified" in closed or "over" in closed else 200
    )
    service_db.execute(
        "UPDATE domains SET verified_at = app.now(), over_limit = false, leads_here = true,"
        " certificate_until = app.now() + interval '9 days'"
    )
    await _wait_for(visitor, "/about", f"https://{APEX}/about")


async def test_expired_certificate_needs_no_notification(
    app: Porchlight, visitor: httpx.AsyncClient, connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(APEX)
    await _wait_for(visitor, "/about", f"https://{APEX}/about")
    much_later = clock.now() + timedelta(days=61)
    monkeypatch.setattr(clock, "now", lambda: much_later)
    assert (await visitor.get("/about")).status_code == 200


async def test_unconnected_or_foreign_domain_is_no_main_address(
    rosa: GuruOwner, both: list[GuruOwner], connect: Any, service_db: psycopg.Connection[Any]
) -> None:
    connect(APEX)
    await rosa.call("POST", "/domains", {"domain": WWW}, expect=201)
    for domain in (WWW, "elsewhere.example", "", "main"):
        expected = 422 if domain == "" else 409
        await rosa.call("PUT", "/domains/main", {"domain": domain}, expect=expected)
    error = await both[1].call("PUT", "/domains/main", {"domain": APEX}, expect=409)
    assert error["code"] == "domain_not_connected"
    assert service_db.execute("SELECT count(*) FROM gurus WHERE main_domain IS NOT NULL").fetchone() == (0,)


async def test_former_label_redirects_to_main_address(visitor: httpx.AsyncClient, connect: Any) -> None:
    connect(APEX)
    await _wait_for(visitor, "/", f"https://{APEX}/")
    response = await visitor.get(f"https://former-alpha.{BASE_HOST}/blog?x=1")
    found = (response.status_code, response.headers["location"], response.headers["cache-control"])
    assert found == (308, f"https://{APEX}/blog?x=1", "no-store")


async def test_main_platform_host_has_no_final_dot(app: Porchlight) -> None:
    response = await send_raw(app, b"/skills?q=bread", f"{BASE_HOST}.:8000")
    assert (response.status, response.header("location")) == (308, f"http://{BASE_HOST}:8000/skills?q=bread")
    assert (await send_raw(app, b"/api/home", f"{BASE_HOST}.")).status == 200


async def test_emails_name_the_main_address(app: Porchlight, connect: Any, service_db: psycopg.Connection[Any]) -> None:
    connect(APEX)
    jobs = JobDependencies(
        app_dsn="", mailer=None, staff_address="", sender_address="",  # type: ignore[arg-type]
        main_origin=f"https://{BASE_HOST}:8443", base_host=BASE_HOST, geocoder=None,  # type: ignore[arg-type]
    )  # fmt: skip
    assert jobs.site_origin(service_db, "alpha") == f"https://{APEX}:8443"
    service_db.execute("UPDATE gurus SET main_domain = '' WHERE label = 'alpha'")
    assert jobs.site_origin(service_db, "alpha") == f"https://{LABEL}:8443"
