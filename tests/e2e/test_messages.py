"""Messages between neighbors: live in two browsers, and kept while the writer is offline."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import assert_accessible, expect_url, sign_in, visitor_page
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (360, 1280)
PHONE = {"width": 360, "height": 740}
PUBLIC_PROFILE = """async (profile) => {
  const headers = { "content-type": "application/json" };
  const response = await fetch("/api/auth/profile", { method: "PUT", headers, body: JSON.stringify(profile) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()).data.handle;
}"""


async def _neighbor(page: Page, main_origin: str, emulator: Emulator, name: str) -> str:
    """Sign in as a new verified neighbor with a public profile, and return their handle."""
    email, _, _ = emulator.sign_up(verified=True)
    await sign_in(page, main_origin, email)
    return str(await page.evaluate(PUBLIC_PROFILE, {"displayName": name, "privacy": {"publicProfile": True}}))


async def _send(page: Page, name: str, words: str) -> None:
    """Write words into the open conversation and send them with the keyboard."""
    field = page.get_by_role("textbox", name=f"Message {name}")
    await field.fill(words)
    await field.press("Control+Enter")


async def test_two_neighbors_write_to_each_other_live(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    async with visitor_page(browser, streams=True) as ada, visitor_page(browser, streams=True, viewport=PHONE) as bo:
        await _neighbor(ada, main_origin, emulator, "Ada Alvarez")
        handle = await _neighbor(bo, main_origin, emulator, "Bo Rivers")
        await ada.goto(f"{main_origin}/u/{handle}")
        await ada.get_by_role("link", name="Message Bo").click()
        await assert_accessible(ada, WIDTHS)
        await _send(ada, "Bo", "Do you teach beginners?")
        await expect(ada).to_have_url(re.compile(r"/messages/[0-9a-f-]{36}$"), timeout=BROWSER_TIMEOUT_MS)
        await expect(ada.get_by_text("· Sent", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)

        # The first message of another user waits in the requests, and answering accepts it.
        await bo.goto(f"{main_origin}/messages?box=requests")
        await bo.get_by_role("link", name=re.compile("^Ada")).click()
        await expect(bo.get_by_text("Do you teach beginners?").last).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(bo, (1280, 360))
        await _send(bo, "Ada", "Gladly. 👋")
        # It arrives by itself.
        await expect(ada.get_by_text("Gladly. 👋").last).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(ada.get_by_role("link", name="Messages", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await bo.get_by_role("link", name="All messages").click()
        await expect_url(bo, f"{main_origin}/messages?box=requests")
        await expect(bo.get_by_text("No requests")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(bo, WIDTHS)


async def test_message_written_offline_is_sent_once(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    async with visitor_page(browser) as ada, visitor_page(browser) as bo:
        await _neighbor(ada, main_origin, emulator, "Ada Alvarez")
        handle = await _neighbor(bo, main_origin, emulator, "Bo Rivers")
        await ada.goto(f"{main_origin}/messages/new?to=profile:{handle}")
        await _send(ada, "Bo", "Hello Bo")
        await expect(ada.get_by_text("· Sent", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        other_tab = await ada.context.new_page()
        await other_tab.goto(ada.url)
        await expect(other_tab.get_by_text("Hello Bo").last).to_be_visible(timeout=BROWSER_TIMEOUT_MS)

        await ada.context.set_offline(True)
        await _send(ada, "Bo", "Written on the train")
        waiting = ada.get_by_text("Not sent yet. It goes out when you're back online.")
        await expect(waiting).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await ada.get_by_role("textbox", name="Message Bo").fill("And half a")
        # Both tabs notice that the connection is back.
        await ada.context.set_offline(False)
        await expect(waiting).to_have_count(0, timeout=BROWSER_TIMEOUT_MS)
        await expect(ada.get_by_text("· Sent", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await ada.reload()
        await expect(ada.get_by_role("textbox", name="Message Bo")).to_have_value("And half a")
        texts = ada.get_by_role("region", name="Messages").get_by_text("Written on the train")
        await expect(texts).to_have_count(1, timeout=BROWSER_TIMEOUT_MS)
