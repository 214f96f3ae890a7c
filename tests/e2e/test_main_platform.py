"""The main platform for visitors: home, header, footer, information pages and contact form, over TLS."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Geolocation, expect

from tests.e2e.browser_session import expect_text, expect_url, visitor_page
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.product import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.tls]


@pytest.mark.sweep
async def test_location_set_by_hand_survives_reload(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(main_origin)
        change = page.get_by_role("button", name="Change location")
        field = page.get_by_label("Your location: city, state")
        picture = page.get_by_role("main").locator("section img").first
        await change.click()
        await expect(field).to_be_focused()
        for blank in ("", "   "):
            await field.fill(blank)
            await field.press("Enter")
            await expect(field).to_be_visible()
        await field.fill("  Austin, TX  ")
        await field.press("Enter")
        await expect(page.get_by_text("Austin, TX", exact=True)).to_be_visible()
        await expect(picture).to_have_attribute("src", re.compile("austin"))
        await expect(change).to_be_focused()
        await page.reload()
        await expect(page.get_by_text("Austin, TX", exact=True)).to_be_visible()
        await change.click()
        await field.fill("Chicago, IL")
        await page.get_by_role("button", name="Set", exact=True).click()
        await expect(page.get_by_text("Chicago, IL", exact=True)).to_be_visible()
        await expect(picture).to_have_attribute("src", re.compile("chicago"))
        await page.get_by_role("link", name="Browse Services").click()
        await expect_url(page, f"{main_origin}/angels-list")
        await page.go_back()
        await expect(page.get_by_text("Chicago, IL", exact=True)).to_be_visible()


@pytest.mark.sweep
async def test_location_from_browser_is_shown(browser: Browser, main_origin: str) -> None:
    denver = Geolocation(latitude=39.7392, longitude=-104.9903)
    async with visitor_page(browser, geolocation=denver, permissions=["geolocation"]) as page:
        await page.goto(main_origin)
        await expect(page.get_by_text("Denver, Colorado", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)


async def test_home_lists_gurus_and_newest_posts(browser: Browser, main_origin: str, tls_port: int) -> None:
    async with visitor_page(browser) as page:
        await page.goto(main_origin)
        strip = page.get_by_role("region", name="Gurus near you")
        gurus = strip.get_by_role("heading", level=3).get_by_role("link")
        await expect(gurus.first).to_be_visible()
        # Neighbors who are free this evening have links to their profiles.
        posts = strip.locator("h4 a[href^='https:']")
        await expect(posts.first).to_be_visible()
        host = re.compile(rf"^https://[a-z0-9-]+\.porchlight\.localhost:{tls_port}/")
        for link in [*await gurus.all(), *await posts.all()]:
            await expect(link).to_have_attribute("href", host)
        # Other tests publish, unpublish and suspend at the same time; no test changes this guru's posts.
        post = strip.locator(f"h4 a[href^='https://cooking.porchlight.localhost:{tls_port}/']").first
        title = await post.inner_text()
        await post.click()
        await expect(page).to_have_url(host, timeout=BROWSER_TIMEOUT_MS)
        await expect_text(page.get_by_role("heading", level=1), title)


async def test_mobile_menu_opens_and_closes(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser, viewport={"width": 769, "height": 740}) as page:
        await page.goto(main_origin)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        opener = page.get_by_role("button", name="Open menu")
        wide = page.get_by_role("navigation", name="Main", exact=True)
        await expect(opener).to_be_hidden()
        await expect(wide).to_be_visible()
        await page.set_viewport_size({"width": 768, "height": 740})
        await expect(wide).to_be_hidden()
        menu = page.get_by_role("navigation", name="Main, small screen")
        await opener.focus()
        await page.keyboard.press("Enter")
        await expect(menu).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(menu).to_be_hidden()
        await expect(opener).to_be_focused()
        await opener.click()
        await menu.get_by_role("link", name="Angel's List", exact=True).click()
        await expect_url(page, f"{main_origin}/angels-list")
        await expect(menu).to_be_hidden()


@pytest.mark.parametrize(
    "path", ["/about/no-such-page", *(pytest.param(path, marks=pytest.mark.sweep) for path in ("/none", "/%0d%0aodd"))]
)
async def test_unknown_path_redirects_to_home(browser: Browser, main_origin: str, path: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(main_origin + path)
        await expect_url(page, f"{main_origin}/")
        await expect(page.get_by_role("link", name="Start Your Journey")).to_be_visible()


@pytest.mark.parametrize("path", ["/contact", pytest.param("/help", marks=pytest.mark.sweep)])
async def test_contact_form_double_click_stores_one_message(
    browser: Browser, main_origin: str, product: dict[str, Any], path: str
) -> None:
    email = f"twice{path.replace('/', '.')}@example.com"
    async with visitor_page(browser) as page:
        await page.goto(main_origin + path)
        await page.get_by_label("Your name", exact=True).fill("Wanda Writer")
        await page.get_by_label("Email", exact=True).fill(email)
        await page.get_by_label("Subject", exact=True).fill("The lamp on our corner")
        await page.get_by_label("Message", exact=True).fill("It has been out since Tuesday.")
        await page.get_by_role("button", name="Send message").dblclick()
        await expect_text(page.get_by_role("heading", level=2, name="We got your message"), "We got your message")
        await page.wait_for_load_state("networkidle")
    with psycopg.connect(product["overseer_url"], autocommit=True) as conn:
        stored = conn.execute("SELECT count(*) FROM contact_messages WHERE email = %s", [email]).fetchone()
        assert stored == (1,)

        def is_emailed() -> bool:
            row = conn.execute("SELECT count(*) FROM dev_mailbox WHERE reply_to = %s", [email]).fetchone()
            return row is not None and row[0] > 0

        eventually("the message is emailed to the operators", is_emailed)


async def test_page_scroll_resets_on_navigation(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(main_origin + "/terms")
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await page.evaluate("scrollTo(0, 900)")
        await page.goto(main_origin + "/privacy")
        await expect(page.get_by_role("heading", level=1, name="Privacy")).to_be_visible()
        assert await page.evaluate("scrollY") == 0
        await page.go_back()
        await expect(page.get_by_role("heading", level=1, name="Terms")).to_be_visible()
        await page.wait_for_function("() => scrollY === 900")
        await page.reload()
        await expect(page.get_by_role("heading", level=1, name="Terms")).to_be_visible()
        await page.wait_for_function("() => scrollY === 900")
