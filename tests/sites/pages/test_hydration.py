"""The served pages in a real browser under the strict Content-Security-Policy."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from tests.sites.pages.gurus import CONTENT_PATHS, DOORS
from tests.sites.pages.village import AXE, Village
from tests.sites.pages.watch import watched

GURUS = ("cooking", "long")
# Counts every node the server sent, before any script of the page runs, and says later how many are still there.
MARK = """
document.addEventListener("DOMContentLoaded", () => {
  const nodes = document.querySelectorAll("#__next, #__next *, head [data-next-head], head style");
  window.__served = Array.from(nodes);
  window.__html = document.getElementById("__next").innerHTML;
}, { once: true });
"""
KEPT = """
() => ({
  served: window.__served.length,
  gone: window.__served.filter((node) => !node.isConnected).map((node) => node.outerHTML.slice(0, 120)),
  now: document.querySelectorAll("#__next, #__next *, head [data-next-head], head style").length,
  // The form turns the browser's own messages off once it has better ones.
  same: document.getElementById("__next").innerHTML.replace(' novalidate=""', "") === window.__html,
})
"""


@pytest.mark.parametrize("path", CONTENT_PATHS)
@pytest.mark.parametrize("guru", GURUS)
async def test_a_page_comes_alive_without_a_trace(browser: Browser, village: Village, guru: str, path: str) -> None:
    async with watched(browser, viewport={"width": 1280, "height": 800}) as visit:
        await visit.page.add_init_script(MARK)
        await visit.open(village.origin(guru) + path)
        kept = await visit.page.evaluate(KEPT)
        notes = await visit.page.evaluate("() => window.__notes")

    assert visit.complaints == []
    assert visit.data_requests() == []
    assert kept["gone"] == []
    assert kept["served"] == kept["now"] > 50
    assert kept["same"]
    assert notes["painted"] is not None
    assert notes["shift"] == 0


@pytest.mark.parametrize("path", CONTENT_PATHS)
@pytest.mark.parametrize("guru", GURUS)
async def test_a_page_says_the_same_without_javascript(
    browser: Browser, village: Village, guru: str, path: str
) -> None:
    url = village.origin(guru) + path
    async with watched(browser) as alive, watched(browser, java_script_enabled=False) as plain:
        await alive.open(url)
        await plain.page.goto(url)
        with_scripts = await alive.page.locator("body").inner_text()
        without = await plain.page.locator("body").inner_text()

    assert without == with_scripts
    assert village.gurus[guru].guru["character"] in without


@pytest.mark.parametrize("path", CONTENT_PATHS)
@pytest.mark.parametrize(("guru", "width"), [("cooking", 360), ("cooking", 1280), ("long", 360)])
async def test_a_page_is_accessible_and_fits(
    browser: Browser, village: Village, guru: str, width: int, path: str
) -> None:
    async with watched(browser, viewport={"width": width, "height": 800}) as visit:
        await visit.open(village.origin(guru) + path)
        await visit.page.evaluate(AXE.read_text(encoding="utf-8"))
        violations = await visit.page.evaluate(
            "async () => (await axe.run()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' | ')}`)"
        )
        overflow = await visit.page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")

    assert violations == []
    assert overflow <= 0


async def test_hostile_words_stay_words(browser: Browser, village: Village) -> None:
    async with watched(browser) as visit:
        await visit.page.add_init_script("window.alert = () => { window.__alerted = true; }")
        for path in CONTENT_PATHS:
            await visit.open(village.origin("long") + path)
            assert await visit.page.evaluate("() => window.__alerted") is None
            assert await visit.page.locator("script:not([src]):not([type])").count() == 0
        await visit.open(village.origin("long") + "/")
        title = await visit.page.title()
        heading = await visit.page.locator("h1").inner_text()

    assert visit.complaints == []
    assert title == village.gurus["long"].guru["seo"]["title"]
    assert heading == village.gurus["long"].guru["character"]


async def test_an_address_with_a_query_asks_for_nothing(browser: Browser, village: Village) -> None:
    async with watched(browser) as visit:
        await visit.open(village.origin("cooking") + "/blog/crusty-bread-1?from=mail#more")
        assert visit.page.url.endswith("/blog/crusty-bread-1?from=mail#more")

    assert visit.data_requests() == []
    assert visit.complaints == []


async def test_walking_through_the_site_and_back(browser: Browser, village: Village) -> None:
    async with watched(browser, viewport={"width": 1280, "height": 800}) as visit:
        page = visit.page
        await visit.open(village.origin("cooking") + "/")
        await page.evaluate("() => { window.__sameDocument = true; }")
        await page.get_by_role("navigation", name="Main").get_by_role("link", name="Blog").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Learning resources")
        await page.get_by_role("link", name="Older posts").click()
        await expect(page.get_by_role("link", name="Newest posts")).to_be_visible()
        await page.get_by_role("link", name="c++ & rye 5").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("c++ & rye")
        await page.get_by_role("link", name="Crusty bread without a special oven, part 2").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Crusty bread without a special oven, part 2")
        await expect(page).to_have_title(re.compile("part 2 · Chef Marisol"))
        canonical = page.locator('link[rel="canonical"]')
        await expect(canonical).to_have_attribute("href", f"{village.origin('cooking')}/blog/crusty-bread-2")
        for heading in ("c++ & rye", "Learning resources", "Learning resources", "Chef Marisol"):
            await page.go_back()
            await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        await page.go_forward()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Learning resources")
        assert await page.evaluate("() => window.__sameDocument")
        assert await page.locator("style").count() == 1

    assert visit.complaints == []
    assert [asked for asked in village.asked if asked == "GET /"] == ["GET /"]


async def test_an_unknown_address_leads_home(browser: Browser, village: Village) -> None:
    async with watched(browser) as visit:
        await visit.open(village.origin("cooking") + "/nothing/here")
        assert visit.page.url == village.origin("cooking") + "/"


@pytest.mark.parametrize("door", DOORS)
async def test_doors_of_the_main_platform(browser: Browser, village: Village, door: str) -> None:
    async with watched(browser, java_script_enabled=False) as plain:
        await plain.page.goto(village.origin("cooking") + door)
        await expect(plain.page.get_by_role("heading", level=1)).to_have_text("Redirecting to the main platform")
        href = await plain.page.get_by_role("link", name="Continue").get_attribute("href")
    async with watched(browser) as visit:
        await visit.page.goto(village.origin("cooking") + door + "?from=guru")
        await visit.page.wait_for_url(f"{village.main_origin}{door}?from=guru")

    assert href == village.main_origin + door
    assert visit.complaints == []


async def test_book_now_leads_to_login_with_a_way_back(browser: Browser, village: Village) -> None:
    async with watched(browser) as visit:
        await visit.open(village.origin("cooking") + "/services")
        href = await visit.page.get_by_role("link", name="Book Now One-on-One Consultation").get_attribute("href")

    assert href == (
        f"{village.main_origin}/login?next="
        + village.origin("cooking").replace(":", "%3A").replace("/", "%2F")
        + "%2Fservices%23service-one-on-one-consultation"
        + "&message=Please%20sign%20in%20to%20book%20One-on-One%20Consultation%20with%20Chef%20Marisol."
    )


async def test_a_signed_in_neighbour_may_book_a_session(browser: Browser, village: Village) -> None:
    village.signed_in = True
    async with watched(browser) as visit:
        cookie = {"name": "porchlight_signed_in", "value": "1", "url": village.origin("cooking")}
        await visit.page.context.add_cookies([cookie])  # type: ignore[list-item]
        await visit.open(village.origin("cooking") + "/services")
        link = visit.page.get_by_role("link", name="Book a Session Group Workshop")
        href = await link.get_attribute("href")

    assert visit.complaints == []
    assert [request for request in village.asked if "/api/" in request] == ["GET /api/auth/session"]
    assert href is not None
    assert href.startswith(f"{village.main_origin}/dashboard?action=book-service&category=culinary")
