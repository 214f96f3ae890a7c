"""The limit sheet and the labels of plans, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.browser_session import assert_accessible, sign_in, visitor_page
from tests.e2e.test_screens import SCREENSHOTS, TAKE_SCREENSHOTS
from tests.e2e.test_skillshare import pytestmark
from tests.fixtures.browser import set_width
from tests.fixtures.identity import Emulator

__all__ = ["pytestmark"]


async def _photograph(page: Any, name: str) -> None:
    """Take a screenshot at both widths, when they are wanted."""
    for width in (1280, 360) if TAKE_SCREENSHOTS else ():
        await set_width(page, width)
        Path(SCREENSHOTS / "plans").mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=SCREENSHOTS / "plans" / f"{name}-{width}.jpg", type="jpeg", quality=70)


async def test_limit_sheet_keeps_text_of_form(browser: Browser, demo: dict[str, Any]) -> None:
    emulator = Emulator(str(demo["auth_url"]).removeprefix("http://").rstrip("/"))
    email, uid, _ = emulator.sign_up()
    emulator.verify(uid)
    emulator.close()
    async with visitor_page(browser, viewport={"width": 360, "height": 740}) as page:
        await sign_in(page, demo["base_url"], email)
        await page.goto(demo["base_url"] + "/skills/mine")
        field = page.get_by_label("Add a skill you teach")
        for skill in ("Chess", "Cello", "Rust"):
            await field.fill(skill)
            await field.press("Enter")
            await expect(page.get_by_role("link", name=skill, exact=True)).to_be_visible()
        await expect(page.get_by_text("3 of 3 swap, hours or free offers")).to_be_visible()
        await field.fill("Sourdough")
        await field.press("Enter")
        sheet = page.get_by_role("dialog", name="Part of Skill Sharer")
        await expect(sheet).to_contain_text(
            "More than 3 swap, hours or free offers are part of Skill Sharer ($9 a month)."
        )
        await assert_accessible(page, (1280, 360))
        await _photograph(page, "limit-sheet")
        await sheet.get_by_role("button", name="Not now").click()
        await expect(sheet).to_have_count(0)
        await expect(field).to_have_value("Sourdough")


@pytest.mark.sweep
async def test_console_shows_usage_of_plan(browser: Browser, demo: dict[str, Any]) -> None:
    (owner,) = [user for user in demo["users"] if user["guru"] == "cooking"]
    async with visitor_page(browser, viewport={"width": 360, "height": 740}) as page:
        await sign_in(page, demo["base_url"], owner["email"], owner["password"])
        await page.goto(demo["base_url"] + "/guru")
        visitors = page.get_by_role("region", name="Visitors")
        await expect(visitors).to_contain_text("in the last 24 months")
        await expect(visitors.get_by_role("button", name="Download each day (CSV)")).to_be_visible()
        await visitors.scroll_into_view_if_needed()
        await _photograph(page, "visitors")
        await page.goto(demo["base_url"] + "/guru/site")
        await expect(page.get_by_role("group", name="Color pairs").get_by_role("button").first).to_be_visible()
        await assert_accessible(page, (1280, 360))
        await page.get_by_role("group", name="Color pairs").scroll_into_view_if_needed()
        await _photograph(page, "colors")
