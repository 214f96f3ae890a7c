"""Fingers and the keyboard: sizes of what is pressed on a phone, tabs that go on, and the focus of dialogs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.browser_session import press, sign_in, visitor_page
from tests.fixtures.browser import set_width
from tests.fixtures.tap_targets import small_targets

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 800}}
STAFF_PATHS = (
    *(f"/admin?tab={tab}" for tab in ("overview", "users", "listings", "sessions", "reports", "flags", "documents")),
    "/admin/sites",
    "/admin/risks",
    "/admin/audit",
)


async def _small_targets_at(page: Page, urls: list[str]) -> list[str]:
    """Return what is too small for a finger on each page, after its URL."""
    faults = []
    for url in urls:
        await page.goto(url)
        await expect(page.get_by_role("heading", level=1).first).to_be_visible()
        await page.wait_for_load_state("networkidle")
        faults += [f"{url}: {target}" for target in await small_targets(page)]
    return faults


async def test_targets_of_menus_and_dialogs_fit_a_finger(browser: Browser, main_origin: str, user: str) -> None:
    async with visitor_page(browser, **PHONE) as page:
        await sign_in(page, main_origin, user)
        await page.goto(f"{main_origin}/u/maya-lindqvist")
        await page.get_by_role("button", name="Open menu").click()
        assert await small_targets(page) == []
        await page.get_by_role("button", name="Close menu").click()
        await page.get_by_role("button", name=re.compile("^Account menu for ")).click()
        await expect(page.get_by_role("menuitem").first).to_be_visible()
        assert await small_targets(page) == []
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Report this").click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await small_targets(page) == []


async def _expect_fades(row: Locator, start: str, end: str) -> None:
    """Expect the row to fade over these lengths at its sides."""
    await expect(row).to_have_css("mask-image", re.compile("gradient"))
    await expect(row).to_have_css("--fade-start", start)
    await expect(row).to_have_css("--fade-end", end)


async def test_tabs_that_go_on_fade_at_the_edge(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser, **PHONE) as page:
        await page.goto(f"{main_origin}/skills")
        # The number of skills, which arrives with the app, widens the row.
        await expect(page.get_by_role("tab", name=re.compile(r"^Browse Skills \(\d+\)$"))).to_be_visible()
        tabs = page.get_by_role("tablist")
        await _expect_fades(tabs, "0px", "48px")
        await tabs.evaluate("row => { row.scrollLeft = (row.scrollWidth - row.clientWidth) / 2; }")
        await _expect_fades(tabs, "48px", "48px")
        await page.get_by_role("tab", name="AI Coaching").click()
        await _expect_fades(tabs, "48px", "0px")
        await set_width(page, 1280)
        await expect(tabs).to_have_css("mask-image", "none")


@pytest.mark.sweep
async def test_dialogs_start_at_a_field_and_return_focus(browser: Browser, main_origin: str, user: str) -> None:
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, user)
        await page.goto(f"{main_origin}/u/maya-lindqvist")
        report = page.get_by_role("button", name="Report this")
        await press(report)
        await expect(page.get_by_role("dialog").get_by_label("What's wrong?")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(report).to_be_focused()
        await page.goto(f"{main_origin}/profile")
        delete = page.get_by_role("button", name="Delete my account")
        await press(delete)
        await expect(page.get_by_role("dialog").get_by_role("textbox").first).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(delete).to_be_focused()
