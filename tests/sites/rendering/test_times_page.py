"""The page of free times in a real browser: its calendar by keyboard, other months, and the cards that lead to it."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.fixtures.page_observer import observed_page
from tests.sites.rendering.guru_set import GuruSet

PATH = "/services/group-workshop/times"


async def _focused_day(page: Page) -> str:
    return str(await page.evaluate("() => document.activeElement.dataset.day ?? ''"))


async def test_calendar_is_one_tab_stop_with_arrow_keys(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser, viewport={"width": 1280, "height": 800}) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + PATH)
        grid = page.get_by_role("grid", name="March 2027")
        assert await grid.locator('[tabindex="0"]').count() == 1
        await grid.locator('[tabindex="0"]').focus()
        visited = [await _focused_day(page)]
        for key in ("ArrowRight", "ArrowDown", "Home", "End", "ArrowUp", "ArrowLeft"):
            await page.keyboard.press(key)
            visited.append(await _focused_day(page))
        await page.keyboard.press("Tab")
        assert await _focused_day(page) == ""
        empty = grid.get_by_label("Thursday, March 4, no times")
        await expect(empty).to_have_attribute("aria-disabled", "true")

    assert visited == [f"2027-03-{day:02}" for day in (2, 3, 10, 7, 13, 6, 5)]
    assert visit.errors == []


async def test_calendar_enter_lists_times_of_day(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser, timezone_id="America/New_York") as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + PATH)
        await page.get_by_label("Friday, March 5, 3 times").press("Enter")
        await expect(page.get_by_role("heading", name="Friday, March 5")).to_be_visible()
        await expect(page.get_by_role("status").filter(has_text="3 times")).to_be_visible()
        await expect(page.get_by_role("button", name="9:00 AM")).to_have_text("9:00 AM11:00 AM your time1 spot left")
        await page.get_by_label("How many people?").select_option("2")
        await expect(page.get_by_role("button", name="9:00 AM")).to_be_disabled()
        await expect(page.get_by_role("button", name="10:00 AM")).to_be_enabled()
        assert page.url.endswith(f"{PATH}?day=2027-03-05")

    assert visit.errors == []


async def test_month_without_times_names_the_next(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser, viewport={"width": 1280, "height": 800}) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + PATH)
        await page.get_by_role("grid").locator('[tabindex="0"]').press("PageDown")
        await expect(page.get_by_role("grid", name="April 2027")).to_be_visible()
        await expect(page.get_by_text("No times in April. The next is Tue, Mar 2.")).to_be_visible()
        assert await _focused_day(page) == "2027-04-02"
    assert "GET /api/gurus/cooking/services/group-workshop/slots" in guru_set.requests
    assert visit.errors == []


async def test_month_that_fails_to_load_can_be_retried(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser, viewport={"width": 1280, "height": 800}) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + PATH)
        guru_set.api_down = True
        await page.get_by_role("link", name="Next month").click()
        await expect(page.get_by_text("We couldn't load the times.")).to_be_visible()
        guru_set.api_down = False
        await page.get_by_role("button", name="Try again").click()
        await expect(page.get_by_text("No times in April.")).to_be_visible()


async def test_phone_shows_one_week_at_a_time(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser, viewport={"width": 360, "height": 740}) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + PATH)
        days = page.get_by_role("grid").locator("[data-day]:visible")
        assert await days.count() == 7
        box = await days.first.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        await page.get_by_role("link", name="Next week").click()
        await expect(page.get_by_text("No times this week. The next is Tue, Mar 2.")).to_be_visible()
        assert await days.count() == 7


@pytest.mark.parametrize("path", ["/", "/services"])
async def test_cards_show_the_next_time_without_shift(browser: Browser, guru_set: GuruSet, path: str) -> None:
    guru_set.next_starts = {"one-on-one-consultation": "2050-03-02T16:00:00Z", "group-workshop": None}
    async with observed_page(browser, viewport={"width": 360, "height": 740}) as visit:
        await visit.open(guru_set.origin("cooking") + path)
        card = visit.page.locator("#service-one-on-one-consultation")
        await expect(card.get_by_text("Next: Wed, Mar 2, 2050, 9:00 AM MST")).to_be_visible()
        await expect(visit.page.locator("#service-group-workshop")).to_contain_text("No free times right now")
        await expect(visit.page.locator("#service-monthly-mentorship .next-start")).to_have_count(0)
        href = await card.get_by_role("link", name="See times for One-on-One Consultation").get_attribute("href")
        notes = await visit.page.evaluate("() => window.__notes")

    assert href == "/services/one-on-one-consultation/times"
    assert notes["shift"] == 0
    assert visit.errors == []


async def test_calendar_without_javascript_has_links(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser, java_script_enabled=False, viewport={"width": 360, "height": 740}) as visit:
        page = visit.page
        await page.goto(guru_set.origin("cooking") + PATH)
        day = page.get_by_role("link", name="Friday, March 5, 3 times")
        assert await day.get_attribute("href") == f"{PATH}?day=2027-03-05"
        assert await page.locator("[tabindex='-1'][data-day]").count() == 0
        await expect(page.get_by_role("link", name=re.compile("^Next week"))).to_have_attribute(
            "href", f"{PATH}?day=2027-03-09"
        )
        await expect(page.locator("form button[name=startsAt]")).to_have_count(3)
