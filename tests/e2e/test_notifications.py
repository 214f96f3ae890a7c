"""Notifications from a neighbor's question to the bell, the page and the settings."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, expect

from tests.e2e.browser_session import assert_accessible, expect_url, sign_in, visitor_page
from tests.fixtures.browser import BROWSER_TIMEOUT_MS

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

PERSON = "nora.feldman@example.com"
ADD = """
INSERT INTO notifications (user_id, id, key, kind, title, url, is_mailed)
SELECT user_id, %(id)s, %(key)s, 'agreement', %(title)s, '/sessions', true FROM users WHERE email = %(email)s"""


def _notify(product: dict[str, Any], title: str) -> None:
    key = uuid.uuid4()
    with psycopg.connect(product["overseer_url"]) as conn:
        newest = uuid.UUID(int=(1 << 128) - 1 - key.int % (1 << 60))  # the first of the list
        conn.execute(ADD, {"id": newest, "key": str(key), "title": title, "email": PERSON})


async def test_notification_goes_from_bell_to_its_page(
    browser: Browser, main_origin: str, product: dict[str, Any]
) -> None:
    password = next(user["password"] for user in product["users"] if user["email"] == PERSON)
    title = f"Maximiliana-Alexandrina von Hohenstein-Waldeck asks you about Sourdough {uuid.uuid4().hex[:6]}"
    async with visitor_page(browser, viewport={"width": 1280, "height": 800}) as page:
        await sign_in(page, main_origin, PERSON, password)
        _notify(product, title)
        await page.goto(f"{main_origin}/about")
        await page.get_by_role("button", name="Notifications,").click(timeout=BROWSER_TIMEOUT_MS)
        panel = page.get_by_role("dialog", name="Notifications")
        await expect(panel.get_by_role("link", name=title)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(page.get_by_role("button", name="Notifications", exact=True)).to_be_visible()
        await assert_accessible(page)
        await panel.get_by_role("link", name=title).click()
        await expect_url(page, f"{main_origin}/sessions")
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.get_by_role("button", name="Notifications", exact=True).click()
        await expect_url(page, f"{main_origin}/notifications")
        await expect(page.get_by_role("main").get_by_role("link", name=title)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(page, widths=(360, 1280))
        await page.get_by_role("main").get_by_role("link", name="Settings").click()
        await expect_url(page, f"{main_origin}/settings/notifications")
        mail = page.get_by_role("combobox", name="Email: Swap rings")
        await expect(mail).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        async with page.expect_response(lambda response: response.url.endswith("/api/email-settings")):
            await mail.select_option("never")
        await page.reload()
        await expect(mail).to_have_value("never", timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(page, widths=(1280, 360))
