"""A porch light from the switch to the visitors who see it, and back."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import assert_accessible, expect_url, sign_in, visitor_page
from tests.fixtures.browser import BROWSER_TIMEOUT_MS

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

ANGEL = "grace.tanaka@example.com"


async def _sign_in(page: Page, main_origin: str, product: dict[str, Any]) -> None:
    """Sign in as an angel of the demo data."""
    password = next(user["password"] for user in product["users"] if user["email"] == ANGEL)
    await sign_in(page, main_origin, ANGEL, password)


async def test_porch_light_shows_on_home_cards_and_map(
    browser: Browser, main_origin: str, product: dict[str, Any]
) -> None:
    async with visitor_page(browser) as angel, visitor_page(browser, viewport={"width": 360, "height": 740}) as visitor:
        await _sign_in(angel, main_origin, product)
        await angel.goto(f"{main_origin}/dashboard")
        toggle = angel.get_by_role("switch", name="Porch light")
        await toggle.check()
        await expect(angel.get_by_text("On until")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)

        await visitor.goto(main_origin)
        card = visitor.get_by_role("list", name="Free this evening").get_by_role("listitem").filter(has_text="Grace")
        await expect(card).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(visitor.get_by_role("link", name="porch lights are on")).to_be_visible()
        await assert_accessible(visitor)
        await visitor.goto(f"{main_origin}/angels-list/handyman-services")
        lit = visitor.get_by_role("main").get_by_role("listitem").filter(has_text="Theo Barnes")
        await expect(lit.get_by_text("Free this evening")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await visitor.goto(f"{main_origin}/search?q=sourdough")
        await visitor.get_by_role("button", name="Map", exact=True).click()
        await expect(visitor.get_by_role("group", name="free this evening")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)

        await toggle.uncheck()
        await expect(angel.get_by_text("Free this evening?")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        # The card shows the press at once; the light is off when the answer is in.
        await expect(toggle).to_have_attribute("aria-busy", "false", timeout=BROWSER_TIMEOUT_MS)
        await visitor.goto(main_origin)
        await expect(visitor.get_by_role("list", name="Free this evening")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(card).to_have_count(0)
        await visitor.get_by_role("link", name="Message Theo").click()
        await expect_url(visitor, f"{main_origin}/login")
        await expect(visitor.get_by_text("Sign in to message Theo")).to_be_visible()
