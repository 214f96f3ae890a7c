"""SkillShare and Angel's List in a real browser, against the whole running product."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import assert_accessible, visitor_page
from tests.fixtures.browser import excess_width

pytestmark = pytest.mark.e2e


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page with a phone's width. Script errors and CSP violations fail the test."""
    async with visitor_page(browser, viewport={"width": 360, "height": 740}) as opened:
        yield opened


async def test_skill_search_with_typo_works_by_keyboard(demo: dict[str, Any], page: Page) -> None:
    await page.goto(demo["base_url"] + "/skills")
    await expect(page.get_by_role("tab", name="Browse Skills (145)")).to_be_visible()
    field = page.get_by_role("combobox", name="Search skills")
    await field.press_sequentially("photgrpahy")
    await expect(page.get_by_role("option").first).to_contain_text("photography")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(field).to_have_value("photography")
    await expect(page.get_by_role("option")).to_have_count(0)
    await expect(page.get_by_role("main").get_by_role("heading", name="Creative")).to_be_visible()
    await expect(page.get_by_role("main").get_by_role("heading", name="Language")).to_have_count(0)
    await page.wait_for_url("**/skills?q=photography")
    await page.reload()
    await expect(field).to_have_value("photography")
    assert await excess_width(page) == 0


@pytest.mark.sweep
async def test_skill_tabs_by_keyboard_support_back_button(demo: dict[str, Any], page: Page) -> None:
    await page.goto(demo["base_url"] + "/skills")
    await page.get_by_role("tab", name="Browse Skills").focus()
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_text("First chords")).to_be_visible()
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_text("Sign in to access AI-powered skill matching")).to_be_visible()
    await expect(page.get_by_role("tab", name="AI Coaching")).to_be_in_viewport()
    await page.go_back()
    await expect(page.get_by_role("tab", name="Session Templates")).to_have_attribute("aria-selected", "true")


async def test_skills_after_failed_call_show_default_categories(demo: dict[str, Any], page: Page) -> None:
    await page.route("**/api/skills", lambda route: route.fulfill(status=503, json={"success": False}))
    await page.goto(demo["base_url"] + "/skills")
    banner = page.get_by_role("alert")
    await expect(banner).to_contain_text("Unable to load skills")
    await expect(banner).to_contain_text("Server error. Please try again later.")
    await expect(page.get_by_role("heading", name="Woodworking")).to_be_visible()
    await page.unroute("**/api/skills")
    await page.get_by_role("button", name="Try again").click()
    await expect(banner).to_have_count(0)


@pytest.mark.sweep
async def test_angels_list_filters_survive_reload_and_back(demo: dict[str, Any], page: Page) -> None:
    await page.goto(demo["base_url"] + "/angels-list")
    main = page.get_by_role("main")
    await expect(main.get_by_role("heading", level=2)).to_have_count(6)
    await page.get_by_role("combobox", name="City").select_option("Boulder")
    await page.get_by_role("button", name="Outdoor").click()
    await expect(main.get_by_role("heading", level=2)).to_have_text(["Yard Work"])
    await page.reload()
    await expect(main.get_by_role("heading", level=2)).to_have_text(["Yard Work"])
    await page.get_by_role("searchbox", name="Search services").fill("piano")
    await expect(page.get_by_text("No services found matching your criteria.")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("combobox", name="City")).to_have_value("Boulder")
    await expect(page.get_by_role("button", name="All", exact=True)).to_have_attribute("aria-pressed", "true")


@pytest.mark.sweep
async def test_skillshare_pages_pass_axe(demo: dict[str, Any], page: Page) -> None:
    for path in ("/skills", "/skills?tab=sessions", "/skills?tab=ai-coach", "/angels-list"):
        await page.goto(demo["base_url"] + path)
        await expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
        await page.wait_for_load_state("networkidle")
        if path == "/skills":
            await page.get_by_role("combobox", name="Search skills").press_sequentially("gui")
            await expect(page.get_by_role("option").first).to_be_visible()
        await assert_accessible(page, (360, 1280))
