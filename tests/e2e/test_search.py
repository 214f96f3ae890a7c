"""Finding each other in a real browser, against the whole running product with its worker and its model."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
from playwright.async_api import Page, Route, expect

from tests.e2e.test_finding import page, pytestmark
from tests.sites.pages.village import AXE
from tests.support.product import eventually

__all__ = ["page", "pytestmark"]


def _everything_read(demo: dict[str, Any]) -> bool:
    """Whether the worker of a product that was only just started has read what its people offer and want."""
    with psycopg.connect(demo["overseer_url"]) as conn:
        return conn.execute("SELECT FROM phrases WHERE in_use AND related_by IS NULL LIMIT 1").fetchone() is None


def _question_read(demo: dict[str, Any], words: str) -> bool:
    """Whether the worker has read what somebody asked."""
    with psycopg.connect(demo["overseer_url"]) as conn:
        found = conn.execute(
            "SELECT FROM phrases WHERE words = app.folded(%s) AND related_by IS NOT NULL", [words]
        ).fetchone()
    return found is not None


async def no_faults(page: Page) -> None:
    """Nothing for axe to find, and nothing wider than the screen."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = await page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))")
    assert found == []
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


async def test_search_with_a_slip_and_by_meaning(demo: dict[str, Any], page: Page) -> None:
    await page.goto(demo["base_url"] + "/search")
    field = page.get_by_role("searchbox", name="What are you looking for?")
    await field.fill("sourdugh")
    first = page.get_by_role("main").get_by_role("listitem").get_by_role("heading")
    await expect(first.first).to_have_text("Sourdough baking")
    await expect(page.get_by_role("img", name="Where they are: ")).to_contain_text("Denver")
    await no_faults(page)
    eventually("the worker has read what is offered", lambda: _everything_read(demo))
    # Not a word of it is in the listing; the worker reads the question, and the page asks again by itself. It gives up
    # after some seconds, so that it asks again only once a worker that is busy has come to it.
    asked, words = 0, "fix a flat on my two-wheeler"

    async def once_read(route: Route) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            await asyncio.to_thread(eventually, "the question is read", lambda: _question_read(demo, words))
        await route.continue_()

    await page.route("**/api/search?*two-wheeler*", once_read)
    await field.fill(words)
    await expect(first.first).to_have_text("Bicycle repair")
    await expect(page.get_by_text("reading what you mean")).to_have_count(0)
    assert asked > 1
    await page.unroute("**/api/search?*two-wheeler*")
    await page.reload()
    await expect(first.first).to_have_text("Bicycle repair")
    await page.get_by_role("link", name="Bicycle repair").first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Bicycle repair")
    await expect(page).to_have_title("Bicycle repair in Denver, Colorado with Theo Barnes · Porchlight")
    await expect(page.get_by_text("$20/hr, for hours")).to_be_visible()
    await no_faults(page)


async def test_on_a_phone_what_is_found_is_seen_at_once(demo: dict[str, Any], page: Page) -> None:
    await page.set_viewport_size({"width": 360, "height": 740})
    await page.goto(demo["base_url"] + "/search?q=sourdough&near=Denver")
    await expect(page.get_by_role("main").get_by_role("listitem").first).to_be_in_viewport()
    days = page.get_by_label("Day")
    await expect(days).to_be_hidden()
    await page.get_by_role("button", name="Filters (1)", expanded=False).click()
    await days.select_option("Monday")
    await expect(page.get_by_role("button", name="Filters (2)", expanded=True)).to_be_visible()
    await no_faults(page)
    await page.reload()
    await page.get_by_role("button", name="Filters (2)").click()
    await expect(days).to_have_value("mon")


async def test_signed_in_matches_with_reasons(demo: dict[str, Any], page: Page) -> None:
    eventually("the worker has read what is offered and wanted", lambda: _everything_read(demo))
    await page.goto(demo["base_url"] + "/login")
    await page.get_by_label("Email").fill("maya.lindqvist@example.com")
    await page.get_by_label("Password", exact=True).fill("porchlight")
    await page.get_by_role("button", name="Sign In", exact=True).click()
    await page.wait_for_url("**/dashboard")
    await page.goto(demo["base_url"] + "/skills?tab=ai-coach")
    card = page.get_by_role("listitem").filter(has_text="Luis Herrera").first
    await expect(card).to_contain_text("% match")
    await expect(card).to_contain_text("Teaches Spanish conversation")
    await expect(card).to_contain_text("Near you, in Denver, Colorado")
    await expect(page.get_by_role("tab", name="AI Coaching (6)")).to_be_visible()
    await expect(page.get_by_role("heading", name="What if you offered")).to_be_visible()
    await no_faults(page)
    await page.get_by_role("link", name="My skills and listings").click()
    await page.get_by_role("button", name="Edit Sourdough baking").click()
    await page.get_by_label("For a price").check()
    await page.get_by_role("button", name="Save listing").click()
    await expect(page.get_by_text("Say how much an hour costs, from $1 on.")).to_be_visible()
    await page.get_by_label("Dollars an hour").fill("12.50")
    await page.get_by_role("button", name="Save listing").click()
    await expect(page.get_by_text("$12.50/hr").first).to_be_visible()
    await no_faults(page)
