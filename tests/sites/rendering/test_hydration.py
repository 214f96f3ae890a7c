"""Served pages in a real browser, under the strict Content-Security-Policy."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import Browser, expect

from tests.fixtures.browser import axe_violations, excess_width
from tests.fixtures.page_observer import observed_page
from tests.sites.rendering.guru_set import GuruSet
from tests.sites.rendering.page_props import CONTENT_PATHS, PLATFORM_REDIRECT_PATHS

GURU_ZONE = "America/Denver"
# Records every node of the server's HTML before any script of the page runs.
RECORD_NODES = """
document.addEventListener("DOMContentLoaded", () => {
  const nodes = document.querySelectorAll("#__next, #__next *, head [data-next-head], head style");
  window.__served = Array.from(nodes);
  window.__html = document.getElementById("__next").innerHTML;
}, { once: true });
"""
COMPARE_NODES = """
() => ({
  served: window.__served.length,
  removed: window.__served.filter((node) => !node.isConnected).map((node) => node.outerHTML.slice(0, 120)),
  now: document.querySelectorAll("#__next, #__next *, head [data-next-head], head style").length,
  // The hydrated form replaces the browser's validation messages; the calendar becomes one tab stop.
  same: document.getElementById("__next").innerHTML.replace(/ (novalidate=""|tabindex="-?[01]")/g, "")
    === window.__html.replace(/ tabindex="-?[01]"/g, ""),
})
"""


# Each page on a phone and on a laptop, with typical and with extreme contents.
@pytest.mark.parametrize("path", CONTENT_PATHS)
@pytest.mark.parametrize(("guru", "width"), [("cooking", 1280), ("long", 360)])
async def test_page_is_the_same_with_and_without_scripts(
    browser: Browser, guru_set: GuruSet, guru: str, width: int, path: str
) -> None:
    url = guru_set.origin(guru) + path
    size: Any = {"width": width, "height": 800}
    async with observed_page(browser, java_script_enabled=False, viewport=size, timezone_id=GURU_ZONE) as plain:
        await plain.page.goto(url)
        text = await plain.page.locator("body").inner_text()

    # In the guru's time zone no other time stands beside theirs.
    async with observed_page(browser, viewport=size, timezone_id=GURU_ZONE) as visit:
        await visit.page.add_init_script(RECORD_NODES)
        await visit.open(url)
        nodes = await visit.page.evaluate(COMPARE_NODES)
        notes = await visit.page.evaluate("() => window.__notes")
        text_with_scripts = await visit.page.locator("body").inner_text()
        # Before the checks below, which write to the console, too.
        errors, data_requests = list(visit.errors), visit.data_requests()
        overflow = await excess_width(visit.page)
        violations = await axe_violations(visit.page)

    assert errors == []
    assert data_requests == []
    assert nodes["removed"] == []
    assert nodes["served"] == nodes["now"] > 50
    assert nodes["same"]
    assert notes["painted"] is not None
    assert notes["shift"] == 0
    assert text == text_with_scripts
    assert guru_set.gurus[guru].guru["character"] in text
    assert overflow <= 0
    assert violations == []


@pytest.mark.sweep
@pytest.mark.parametrize("path", CONTENT_PATHS)
@pytest.mark.parametrize(("guru", "width"), [("cooking", 360), ("long", 1280)])
async def test_page_is_accessible_and_fits_width(
    browser: Browser, guru_set: GuruSet, guru: str, width: int, path: str
) -> None:
    async with observed_page(browser, viewport={"width": width, "height": 800}) as visit:
        await visit.open(guru_set.origin(guru) + path)
        violations = await axe_violations(visit.page)
        overflow = await excess_width(visit.page)

    assert violations == []
    assert overflow <= 0


async def test_page_with_malicious_texts_runs_no_script(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        await visit.page.add_init_script("window.alert = () => { window.__alerted = true; }")
        for path in CONTENT_PATHS:
            await visit.open(guru_set.origin("long") + path)
            assert await visit.page.evaluate("() => window.__alerted") is None
            assert await visit.page.locator("script:not([src]):not([type])").count() == 0
        await visit.open(guru_set.origin("long") + "/")
        title = await visit.page.title()
        heading = await visit.page.locator("h1").inner_text()

    assert visit.errors == []
    assert title == guru_set.gurus["long"].guru["seo"]["title"]
    assert heading == guru_set.gurus["long"].guru["character"]


async def test_page_with_query_requests_no_data(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin("cooking") + "/blog/crusty-bread-1?from=mail#more")
        assert visit.page.url.endswith("/blog/crusty-bread-1?from=mail#more")

    assert visit.data_requests() == []
    assert visit.errors == []


async def test_navigation_through_site_and_back_works(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser, viewport={"width": 1280, "height": 800}) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + "/")
        await page.evaluate("() => { window.__sameDocument = true; }")
        await page.get_by_role("navigation", name="Main").get_by_role("link", name="Blog").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Learning resources")
        await page.get_by_role("link", name="Older posts").click()
        await expect(page.get_by_role("link", name="Newest posts")).to_be_visible()
        await page.get_by_role("link", name="C++ & rye 5").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("C++ & rye")
        await page.get_by_role("link", name="Crusty bread without a special oven, part 2").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Crusty bread without a special oven, part 2")
        await expect(page).to_have_title(re.compile("part 2 · Chef Marisol"))
        canonical = page.locator('link[rel="canonical"]')
        await expect(canonical).to_have_attribute("href", f"{guru_set.origin('cooking')}/blog/crusty-bread-2")
        for heading in ("C++ & rye", "Learning resources", "Learning resources", "Chef Marisol"):
            await page.go_back()
            await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        await page.go_forward()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Learning resources")
        assert await page.evaluate("() => window.__sameDocument")
        assert await page.locator("style").count() == 1

    assert visit.errors == []
    assert [request for request in guru_set.requests if request == "GET /"] == ["GET /"]


async def test_scripts_show_what_the_whole_sheet_styles(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + "/about")
        await page.get_by_role("link", name="The table & more").click()
        dialog = page.get_by_role("dialog", name="Pictures")
        await expect(dialog).to_have_css("position", "fixed")
        assert "lightbox{" not in await page.locator("head style").inner_text()
        await expect(dialog).to_have_css("max-width", "none")

    assert visit.errors == []


async def test_page_without_its_sheet_has_no_scripts(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        page = visit.page
        await page.route("**/*.css", lambda route: route.abort())
        async with page.expect_event("requestfailed"):
            await page.goto(guru_set.origin("cooking") + "/")
        await page.wait_for_load_state("networkidle")
        assert await page.locator("body > script[src]").count() == 1
        await page.get_by_role("navigation", name="Main").get_by_role("link", name="Blog").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Learning resources")


async def test_unknown_path_redirects_home(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin("cooking") + "/nothing/here")
        assert visit.page.url == guru_set.origin("cooking") + "/"


@pytest.mark.parametrize("path", PLATFORM_REDIRECT_PATHS)
async def test_platform_paths_redirect_to_main_platform(browser: Browser, guru_set: GuruSet, path: str) -> None:
    async with observed_page(browser, java_script_enabled=False) as plain:
        await plain.page.goto(guru_set.origin("cooking") + path)
        await expect(plain.page.get_by_role("heading", level=1)).to_have_text("Redirecting to the main platform")
        href = await plain.page.get_by_role("link", name="Continue").get_attribute("href")
    async with observed_page(browser) as visit:
        await visit.page.goto(guru_set.origin("cooking") + path + "?from=guru")
        await visit.page.wait_for_url(f"{guru_set.main_origin}{path}?from=guru")

    assert href == guru_set.main_origin + path
    assert visit.errors == []


async def test_book_now_links_to_login_with_return_url(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin("cooking") + "/services")
        href = await visit.page.get_by_role("link", name="Book Now One-on-One Consultation").get_attribute("href")

    what = "One-on-One%20Consultation%20with%20Chef%20Marisol"
    next_url = (
        f"{guru_set.main_origin}/dashboard?action=book-service&category=culinary&guru=cooking"
        f"&service=one-on-one-consultation&message=Book%20{what}"
    )
    assert href == (
        f"{guru_set.main_origin}/login?next={quote(next_url, safe='')}&message=Please%20sign%20in%20to%20book%20{what}."
    )


async def test_signed_in_user_sees_book_a_session(browser: Browser, guru_set: GuruSet) -> None:
    guru_set.signed_in = True
    async with observed_page(browser) as visit:
        cookie = {"name": "porchlight_signed_in", "value": "1", "url": guru_set.origin("cooking")}
        await visit.page.context.add_cookies([cookie])  # type: ignore[list-item]
        await visit.open(guru_set.origin("cooking") + "/services")
        link = visit.page.get_by_role("link", name="Book a Session Group Workshop")
        href = await link.get_attribute("href")

    assert visit.errors == []
    assert [request for request in guru_set.requests if "/api/auth/" in request] == ["GET /api/auth/session"]
    assert href is not None
    assert href.startswith(f"{guru_set.main_origin}/dashboard?action=book-service&category=culinary")
