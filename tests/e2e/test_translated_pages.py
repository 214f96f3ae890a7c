"""Pages that a browser translates: a visitor searches, signs in, books and writes to a guru."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.browser_session import HYDRATION_DIFFERS, submit_login, visitor_page
from tests.e2e.own_gurus import new_guru
from tests.fixtures.browser import BROWSER_TIMEOUT_MS

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# React keeps hidden properties on the elements that it has rendered or taken over.
TAKEN_OVER = """(selector) => Object.keys(document.querySelector(selector) ?? {})
  .some((name) => name.startsWith("__reactProps"))"""
TIME = re.compile("^[0-9]+:[0-9]{2} [AP]M")


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page that is translated, also before React takes over the server's HTML, which then says so and renders it."""
    async with visitor_page(browser, translated=True) as page:
        yield page


async def test_translated_search_answers_while_typing(page: Page, main_origin: str) -> None:
    await page.goto(f"{main_origin}/search")
    field = page.get_by_role("searchbox", name="What are you looking for?")
    hits = page.get_by_role("main").get_by_role("listitem").get_by_role("heading")
    for words, title in (("sourdough", "Sourdough baking"), ("", None), ("bicycle repair", "Bicycle repair")):
        await field.press_sequentially(words) if words else await field.fill("")
        if title:
            await expect(hits.filter(has_text=title).first).to_be_visible()
    assert await page.locator("font").count() > 0
    await expect(page.get_by_text("Something went wrong")).to_have_count(0)


async def test_translated_booking_ends_booked_once(
    page: Page, product: dict[str, Any], tls_port: int, user: str
) -> None:
    guru = new_guru(product, "translated", like="tech")
    # React says that the HTML differs once it has rendered the page: a click before that is on an element that goes.
    async with page.expect_event("pageerror", lambda error: HYDRATION_DIFFERS in str(error)):
        await page.goto(f"https://{guru.label}.porchlight.localhost:{tls_port}")
    await page.locator(".hero-booking").get_by_role("link", name="See times").click()
    await page.get_by_role("button", name=TIME).first.click()
    await submit_login(page, user)
    await page.get_by_label("Your name").fill("Tomás Traducido")
    await page.get_by_role("button", name=re.compile("^Book for")).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("You're booked!", timeout=BROWSER_TIMEOUT_MS)
    with psycopg.connect(product["overseer_url"]) as conn:
        bookings = "SELECT count(*) FROM bookings WHERE tenant_id = %s"
        assert conn.execute(bookings, [guru.id]).fetchone() == (1,)


async def test_translated_guru_form_keeps_early_text(page: Page, product: dict[str, Any], tls_port: int) -> None:
    is_started = asyncio.Event()

    async def hold(route: Route) -> None:
        await is_started.wait()
        await route.continue_()

    await page.route(re.compile(r"/_next/.+\.js$"), hold)
    await page.goto(f"https://music.porchlight.localhost:{tls_port}/contact", wait_until="commit")
    (chosen,) = await page.get_by_label("Service (optional)").select_option(index=1)
    await page.get_by_role("checkbox").check()
    field = page.get_by_label("Message", exact=True)
    await field.press_sequentially("Do you teach ")
    async with page.expect_event("pageerror", lambda error: HYDRATION_DIFFERS in str(error)):
        is_started.set()
    await page.wait_for_function(TAKEN_OVER, arg="form button[type=submit]")
    await page.keyboard.type("beginners?")
    await expect(field).to_have_value("Do you teach beginners?")
    await expect(page.get_by_role("checkbox")).to_be_checked()
    await expect(page.get_by_label("Service (optional)")).to_have_value(chosen)


async def test_translated_guru_form_says_message_sent(page: Page, product: dict[str, Any], tls_port: int) -> None:
    guru = new_guru(product, "translated", like="music")
    await page.goto(f"https://{guru.label}.porchlight.localhost:{tls_port}/contact")
    # Before React has taken over, the browser itself says what is missing.
    await page.wait_for_function(TAKEN_OVER, arg="form button[type=submit]")
    await page.get_by_role("button", name="Send message").click()
    await expect(page.get_by_text("Name is required")).to_be_visible()
    await page.get_by_label("Name", exact=True).fill("Tomás Traducido")
    await page.get_by_label("Email", exact=True).fill("tomas@mail.example")
    await page.get_by_label("Message", exact=True).fill("Do you teach beginners?")
    await page.get_by_role("checkbox").check()
    await page.get_by_role("button", name="Send message").click()
    await expect(page.get_by_role("heading", name="Message sent")).to_be_visible()
    await page.get_by_role("link", name="Send another message").click()
    await expect(page.get_by_label("Message", exact=True)).to_have_value("")
