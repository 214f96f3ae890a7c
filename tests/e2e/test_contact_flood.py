"""The platform's contact form during a flood, in the browser: it proves its work and the message arrives."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Route, expect

from porchlight.features.contact.actions import MESSAGES_PER_HOUR
from tests.e2e.browser_session import assert_accessible, focus_by_tab, visitor_page

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

_FLOOD = """
INSERT INTO contact_messages (id, name, email, subject, message, address_hash, network_hash, idempotency_key, digest)
SELECT gen_random_uuid(), 'x', 'x@x.example', 'x', 'x', int8send(n), int8send(n), %s || n, ''
  FROM generate_series(1, %s) n"""


async def test_contact_form_in_flood_sends_message_by_keyboard(
    browser: Browser, product: dict[str, Any], main_origin: str
) -> None:
    mark = uuid.uuid4().hex[:10]
    is_checked = asyncio.Event()

    async def hold_solved(route: Route) -> None:
        """Let the request with the proof wait, so that the page stays in the state before it."""
        if "porchlight-proof" in route.request.headers:
            await is_checked.wait()
        await route.continue_()

    with psycopg.connect(product["overseer_url"], autocommit=True) as conn:
        conn.execute(_FLOOD, [f"flood-{mark}-", MESSAGES_PER_HOUR.flood_from])
        try:
            async with visitor_page(browser, viewport={"width": 360, "height": 740}) as page:
                await page.route("**/api/contact", hold_solved)
                await page.goto(f"{main_origin}/contact")
                fields = {"Your name": "Hana", "Email": f"{mark}@example.com", "Subject": "Fees", "Message": "Hello"}
                for label, value in fields.items():
                    await focus_by_tab(page, page.get_by_label(label, exact=True))
                    await page.keyboard.type(value)
                await focus_by_tab(page, page.get_by_role("button", name="Send message"))
                await page.keyboard.press("Enter")
                await expect(page.get_by_role("status").get_by_text("Checking… This takes")).to_be_visible()
                await assert_accessible(page, (360, 1280))
                is_checked.set()
                await expect(page.get_by_role("heading", name="We got your message")).to_be_visible()
            stored = conn.execute("SELECT count(*) FROM contact_messages WHERE email = %s", [f"{mark}@example.com"])
            assert stored.fetchone() == (1,)
        finally:
            conn.execute("DELETE FROM contact_messages WHERE idempotency_key LIKE %s", [f"flood-{mark}-%"])
