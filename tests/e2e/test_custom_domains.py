"""Sign-in and sign-out on a guru's custom domain, over TLS."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tenants.tenancy.lifecycle import add_domain
from tests.e2e.browser_session import expect_url, sign_in, sign_out, submit_login, visitor_page
from tests.e2e.own_gurus import new_guru
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# Browsers resolve *.localhost themselves and treat it as another site than porchlight.localhost.
DOMAIN = "strings-attached.localhost"


@pytest.fixture(scope="module")
def domain(demo: Mapping[str, Any]) -> str:
    """A custom domain of a guru of these tests."""
    guru = new_guru(demo, "strings")
    with psycopg.connect(demo["overseer_url"]) as conn:
        conn.execute("DELETE FROM domains WHERE domain = %s", [DOMAIN])  # of a run before, on the same product
        add_domain(conn, guru.label, DOMAIN, verified=True)
    return DOMAIN


@pytest.fixture
def site(domain: str, tls_port: int) -> str:
    """The origin of the guru's custom domain."""
    return f"https://{domain}:{tls_port}"


async def _expect_booking_link(page: Page, text: str) -> None:
    """Expect booking links with this text on the guru's page."""
    await expect(page.get_by_role("main").get_by_role("link", name=text).first).to_be_visible(
        timeout=BROWSER_TIMEOUT_MS
    )


async def test_custom_domain_login_continues_signed_in(
    browser: Browser, main_origin: str, site: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser) as page:
        await page.goto(f"{site}/services")
        await page.get_by_role("main").get_by_role("link", name="Book Now").first.click()
        await expect(page).to_have_url(
            re.compile(f"^{re.escape(main_origin)}/login\\?next="), timeout=BROWSER_TIMEOUT_MS
        )
        await submit_login(page, email)
        dashboard = re.compile(f"^{re.escape(main_origin)}/dashboard\\?action=book-service")
        await expect(page).to_have_url(dashboard, timeout=BROWSER_TIMEOUT_MS)
        await page.get_by_role("heading", level=1).wait_for()
        await page.goto(f"{site}/services")
        await _expect_booking_link(page, "Book a Session")
        # The session cookie belongs to this host only, and scripts cannot read it.
        cookies = [cookie for cookie in await page.context.cookies(site) if DOMAIN in cookie["domain"]]
        assert {cookie["name"]: cookie["httpOnly"] for cookie in cookies} == {
            "__Host-session": True,
            "porchlight_signed_in": False,
        }
        assert {cookie["domain"] for cookie in cookies} == {DOMAIN}
        await page.get_by_role("main").get_by_role("link", name="Book a Session").first.click()
        await expect(page).to_have_url(dashboard)
        await page.get_by_role("heading", level=1).wait_for()
        # The user stays signed in there until the sign-out on the main host.
        await page.goto(f"{site}/")
        await _expect_booking_link(page, "Book a Session")
        await page.goto(f"{main_origin}/dashboard")
        await sign_out(page)
        await page.goto(f"{site}/services")
        await _expect_booking_link(page, "Book Now")
        response = await page.evaluate("async () => (await (await fetch('/api/auth/session')).json()).data.user")
        assert response is None
        await expect(page.get_by_role("main").get_by_role("link", name="Book a Session")).to_have_count(0)


@pytest.mark.sweep
async def test_custom_domain_signs_in_existing_session(
    browser: Browser, main_origin: str, site: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{site}/services")
        await page.get_by_role("main").get_by_role("link", name="Book Now").first.click()
        dashboard = re.compile(f"^{re.escape(main_origin)}/dashboard\\?action=book-service")
        await expect(page).to_have_url(dashboard, timeout=BROWSER_TIMEOUT_MS)
        await page.get_by_role("heading", level=1).wait_for()
        await page.goto(f"{site}/services")
        await _expect_booking_link(page, "Book a Session")


@pytest.mark.sweep
async def test_handoff_pass_in_other_browser_is_rejected(
    browser: Browser, main_origin: str, site: str, emulator: Emulator
) -> None:
    """An attacker sends a victim the URL of the attacker's own pass."""
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser) as attacker, visitor_page(browser) as victim:
        pass_urls: list[str] = []

        def record(address: str) -> None:
            if "pass=" in address:
                pass_urls.append(address)

        await sign_in(attacker, main_origin, email)
        await attacker.goto(f"{site}/api/auth/arrival?to=/about")
        attacker.context.on("request", lambda request: record(request.url))
        await attacker.goto(f"{main_origin}/api/auth/pass?to={quote(site + '/about', safe='')}")
        await expect_url(attacker, f"{site}/about")
        assert len(pass_urls) == 1
        await victim.goto(pass_urls[0])
        await expect_url(victim, f"{site}/about")
        cookies = {cookie["name"] for cookie in await victim.context.cookies(site)}
        assert not cookies & {"__Host-session", "porchlight_signed_in"}


UNSAFE_URLS = (
    "//e.example/",
    "/\\e.example/",
    "https:e.example",
    "https://e.example{port}/",
    "https://" + DOMAIN + ".e.example{port}/",
    "https://e.example@" + DOMAIN + "{port}/",
    "https://not-a-guru.localhost{port}/",
    "https://" + DOMAIN + "/",
    "/%0d%0alocation:https://e.example",
    "javascript:alert(1)",
)


@pytest.mark.sweep
async def test_unsafe_return_url_is_ignored(
    browser: Browser, main_origin: str, site: str, tls_port: int, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    own_url = re.compile(rf"^https://porchlight\.localhost:{tls_port}/")
    async with visitor_page(browser) as page:
        foreign_urls: list[str] = []
        page.on("framenavigated", lambda frame: None if own_url.match(frame.url) else foreign_urls.append(frame.url))
        for number, address in enumerate(UNSAFE_URLS):
            await page.goto(f"{main_origin}/login?next={quote(address.format(port=f':{tls_port}'), safe='')}")
            if number == 0:  # from then on, the redirect follows immediately
                await submit_login(page, email)
            await expect_url(page, f"{main_origin}/dashboard")
            assert foreign_urls == [], address
