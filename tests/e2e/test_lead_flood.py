"""The contact form of a guru's site during a flood, in the browser: it proves its work and the lead arrives."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Route, expect

from sites.context import LEADS_PER_HOUR
from tests.e2e.browser_session import assert_accessible, focus_by_tab, visitor_page
from tests.fixtures.product import run_program

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

_FLOOD = """
INSERT INTO leads (tenant_id, id, name, email, message, address_hash, network_hash, idempotency_key, digest)
SELECT g.id, gen_random_uuid(), 'x', 'x@x.example', 'x', int8send(n), int8send(n), n::text, ''
  FROM gurus g, generate_series(1, %s) n WHERE g.label = %s"""
_LEADS_FROM = "SELECT count(*) FROM leads l JOIN gurus g ON g.id = l.tenant_id WHERE g.label = %s AND l.email = %s"


def _create_flooded_guru(product: dict[str, Any]) -> str:
    """Return the label of a new guru who got so many leads this hour that senders prove work."""
    label = f"flood-{uuid.uuid4().hex[:8]}"
    env = {"PORCHLIGHT_OVERSEER_DATABASE_URL": product["overseer_url"]}
    code, output = run_program("guru", "create", label, "--character", "Busy Guru", env=env)
    assert code == 0, output
    with psycopg.connect(product["overseer_url"]) as conn:
        conn.execute(_FLOOD, [LEADS_PER_HOUR.flood_from, label])
    return label


async def test_contact_form_in_flood_sends_message_by_keyboard(
    browser: Browser, product: dict[str, Any], tls_port: int
) -> None:
    label, email = _create_flooded_guru(product), "honest@example.com"
    is_checked = asyncio.Event()

    async def hold_solved(route: Route) -> None:
        """Let the request with the proof wait, so that the page stays in the state before it."""
        if "porchlight-proof" in route.request.headers:
            await is_checked.wait()
        await route.continue_()

    async with visitor_page(browser, viewport={"width": 360, "height": 740}, ignore_https_errors=True) as page:
        await page.route("**/leads", hold_solved)
        await page.goto(f"https://{label}.porchlight.localhost:{tls_port}/contact")
        for field, value in (("Name", "Hana Honest"), ("Email", email), ("Message", "Do you teach beginners?")):
            await focus_by_tab(page, page.get_by_label(field, exact=True))
            await page.keyboard.type(value)
        await focus_by_tab(page, page.get_by_role("checkbox"))
        await page.keyboard.press("Space")
        await focus_by_tab(page, page.get_by_role("button", name="Send message"))
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("button", name="Checking…")).to_be_focused()
        await expect(page.get_by_role("status").get_by_text("This takes a few seconds")).to_be_visible()
        await assert_accessible(page, (360, 1280))
        is_checked.set()
        await expect(page.get_by_text("Thank you! Your message has been sent.")).to_be_visible()
        await assert_accessible(page, (360, 1280))
    with psycopg.connect(product["overseer_url"]) as conn:
        assert conn.execute(_LEADS_FROM, [label, email]).fetchone() == (1,)


async def test_form_without_javascript_in_flood_explains(
    browser: Browser, product: dict[str, Any], tls_port: int
) -> None:
    label = _create_flooded_guru(product)
    async with visitor_page(browser, java_script_enabled=False, ignore_https_errors=True) as page:
        await page.goto(f"https://{label}.porchlight.localhost:{tls_port}/contact")
        await page.get_by_label("Name", exact=True).fill("Pat Plain")
        await page.get_by_label("Email", exact=True).fill("pat@example.com")
        await page.get_by_label("Message", exact=True).fill("Do you teach the banjo?")
        await page.get_by_role("checkbox").check()
        await page.get_by_role("button", name="Send message").click()
        await expect(page.get_by_text("This form is getting a lot of messages right now.")).to_be_visible()
        await expect(page.get_by_label("Message", exact=True)).to_have_value("Do you teach the banjo?")
