"""The contact form of a guru's site during a flood, in the browser: it proves its work and the lead arrives."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Route, expect

from sites.context import LEADS_PER_HOUR
from tests.e2e.browser_session import assert_accessible, focus_by_tab, visitor_page
from tests.e2e.own_gurus import new_guru
from tests.fixtures.page_observer import IS_HYDRATED

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

_FLOOD = """
INSERT INTO leads (tenant_id, id, name, email, message, address_hash, network_hash, idempotency_key, digest)
SELECT g.id, gen_random_uuid(), 'x', 'x@x.example', 'x', int8send(n), int8send(n), n::text, ''
  FROM gurus g, generate_series(1, %s) n WHERE g.label = %s"""
_LEADS_FROM = "SELECT count(*) FROM leads l JOIN gurus g ON g.id = l.tenant_id WHERE g.label = %s AND l.email = %s"


def _create_flooded_guru(product: dict[str, Any]) -> str:
    """Return the label of a new guru who got so many leads this hour that senders prove work."""
    label = new_guru(product, "flood").label
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
        await page.wait_for_function(IS_HYDRATED)  # without scripts, the form is sent as it is
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
    with psycopg.connect(product["overseer_url"]) as conn:
        assert conn.execute(_LEADS_FROM, [label, email]).fetchone() == (1,)
