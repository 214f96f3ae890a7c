"""Search and matches in a real browser, with the running worker and the sentence model."""

from __future__ import annotations

import re
from typing import Any

import psycopg
from playwright.async_api import Page, expect

from tests.e2e.browser_session import assert_accessible, sign_in
from tests.e2e.test_skillshare import page, pytestmark
from tests.fixtures.product import eventually

__all__ = ["page", "pytestmark"]


def _are_phrases_indexed(demo: dict[str, Any]) -> bool:
    """Return whether the worker has indexed all phrases of offers and wants."""
    with psycopg.connect(demo["overseer_url"]) as conn:
        return conn.execute("SELECT FROM phrases WHERE in_use AND related_by IS NULL LIMIT 1").fetchone() is None


async def test_search_with_typo_or_paraphrase_finds_listing(demo: dict[str, Any], page: Page) -> None:
    await page.goto(demo["base_url"] + "/search")
    field = page.get_by_role("searchbox", name="What are you looking for?")
    await field.fill("sourdugh")
    first = page.get_by_role("main").get_by_role("listitem").get_by_role("heading")
    await expect(first.filter(has_text="Sourdough baking")).to_be_visible()
    await page.get_by_role("button", name="Map", exact=True).click()
    await expect(page.get_by_role("group", name="Results by city: ")).to_contain_text("Denver")
    await assert_accessible(page)
    await page.get_by_role("button", name="Map", exact=True).click()
    eventually("the worker has read what is offered", lambda: _are_phrases_indexed(demo))
    # The listing has none of these words. Their meaning is read within the request.
    await field.fill("fix a flat on my two-wheeler")
    await expect(first.first).to_have_text("Bicycle repair")
    await expect(page.get_by_text("searching for more")).to_have_count(0)
    await page.reload()
    await expect(first.first).to_have_text("Bicycle repair")
    await page.get_by_role("link", name="Bicycle repair").first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Bicycle repair")
    await expect(page).to_have_title("Bicycle repair in Denver, Colorado with Theo Barnes · Porchlight")
    await expect(page.get_by_text("$20/hr, time credits")).to_be_visible()


async def test_skills_search_shows_results_of_search(demo: dict[str, Any], page: Page) -> None:
    """A text that no skill category has, and a listing has, ends at the listing, from every field."""
    await page.goto(demo["base_url"] + "/skills")
    await page.get_by_role("combobox", name="Search skills").fill("sourdough")
    results = page.get_by_role("region", name="Results for “sourdough”")
    await expect(results.get_by_role("link", name="Sourdough baking").first).to_be_visible()
    await expect(page.get_by_text("No skills match your search")).to_have_count(0)
    await page.set_viewport_size({"width": 1280, "height": 740})
    await page.get_by_role("searchbox", name="Search Porchlight").fill("sourdough")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("searchbox", name="What are you looking for?")).to_have_value("sourdough")
    await expect(page.get_by_role("link", name="Sourdough baking").first).to_be_visible()
    await page.set_viewport_size({"width": 360, "height": 740})
    await page.goto(demo["base_url"] + "/")
    # Before its scripts ran, the page has no heading, which axe reports.
    await expect(page.get_by_role("searchbox", name="What are you looking for?")).to_be_visible()
    await page.get_by_role("searchbox", name="What are you looking for?").fill("sourdough")
    await page.get_by_role("main").get_by_role("button", name="Search", exact=True).click()
    for listing in ("Sourdough baking", "Rye and sourdough bread", "Sourdough focaccia"):
        await expect(page.get_by_role("link", name=listing, exact=True).first).to_be_visible()


async def test_search_on_phone_shows_results_above_filters(demo: dict[str, Any], page: Page) -> None:
    await page.set_viewport_size({"width": 360, "height": 740})
    await page.goto(demo["base_url"] + "/search?q=sourdough&near=Denver")
    await expect(page.get_by_role("main").get_by_role("listitem").first).to_be_in_viewport()
    days = page.get_by_label("Day")
    await expect(days).to_be_hidden()
    await page.get_by_role("button", name="Filters (1)", expanded=False).click()
    await days.select_option("Monday")
    await expect(page.get_by_role("button", name="Filters (2)", expanded=True)).to_be_visible()
    await assert_accessible(page)
    await page.reload()
    await page.get_by_role("button", name="Filters (2)").click()
    await expect(days).to_have_value("mon")


async def test_first_result_is_above_the_fold(demo: dict[str, Any], page: Page) -> None:
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.goto(demo["base_url"] + "/search?q=sourdough")
    first = page.get_by_role("main").get_by_role("listitem").first
    await expect(first).to_be_in_viewport(ratio=1)
    # The map is beside the results, and after them for the keyboard: its dot leads to a row.
    await expect(page.get_by_role("group", name="Results by city: ")).to_be_in_viewport()
    await page.get_by_role("button", name="in Denver").click()
    await expect(page.get_by_role("link", name="Sourdough baking").first).to_be_visible()
    await assert_accessible(page, (360, 1280))


async def test_empty_search_leads_to_a_prefilled_need(demo: dict[str, Any], page: Page) -> None:
    await sign_in(page, demo["base_url"], "maya.lindqvist@example.com", "porchlight")
    await page.goto(demo["base_url"] + "/search?q=electrician")
    await expect(page.get_by_role("heading", name="No one offers “electrician” yet")).to_be_visible()
    await expect(page.get_by_role("heading", name="Nearest: Electrical")).to_be_visible()
    await assert_accessible(page, (360, 1280))
    await page.get_by_role("link", name="Post a need").click()
    await expect(page.get_by_label("What do you need?")).to_have_value("Electrician")
    await page.go_back()
    await page.get_by_role("link", name="Add this skill").click()
    await expect(page.get_by_label("Add a skill you teach")).to_have_value("Electrician")


async def test_matches_when_signed_in_show_reasons(demo: dict[str, Any], page: Page) -> None:
    eventually("the worker has read what is offered and wanted", lambda: _are_phrases_indexed(demo))
    await sign_in(page, demo["base_url"], "maya.lindqvist@example.com", "porchlight")
    await page.goto(demo["base_url"] + "/skills?tab=ai-coach")
    card = page.get_by_role("listitem").filter(has_text="Luis Herrera").first
    await expect(card).to_contain_text("% match")
    await expect(card).to_contain_text("Teaches Spanish conversation")
    await expect(card).to_contain_text("Near you, in Denver, Colorado")
    # Neighbors of other tests may match too.
    await expect(page.get_by_role("tab", name=re.compile(r"^AI Coaching \([1-9]\d*\)$"))).to_be_visible()
    await expect(page.get_by_role("heading", name="What if you offered")).to_be_visible()
    await assert_accessible(page)
    await page.get_by_role("link", name="My skills and listings").click()
    await page.get_by_role("button", name="Edit Sourdough baking").click()
    await page.get_by_label("Paid").check()
    await page.get_by_role("button", name="Save listing").click()
    await expect(page.get_by_text("Enter an hourly rate of at least $1.")).to_be_visible()
    # Other tests read this listing.
    await page.get_by_role("button", name="Cancel").click()
