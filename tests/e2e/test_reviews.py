"""A neighbor and a guru review their session in the browser: hidden first, then on the guru's site."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, expect

from porchlight.personal_links import CustomerLink
from tenants.kit.ids import new_id
from tests.e2e.browser_session import assert_accessible, expect_toast, focus_by_tab, press, sign_in, visitor_page
from tests.e2e.own_gurus import new_guru, new_owned_guru
from tests.e2e.test_own_sessions import BOOK, SERVICE
from tests.fixtures.identity import Emulator
from tests.fixtures.product import eventually

pytestmark = pytest.mark.e2e

WIDTHS = (360, 1280)
WORDS = "We tuned my guitar first, and then I could play along."
END = """
UPDATE bookings SET starts_at = app.now() - interval '26 hours', ends_at = app.now() - interval '25 hours',
       status = 'completed', ended_at = app.now() - interval '1 hour' WHERE id = %s
"""
TO_CUSTOMER = """
UPDATE bookings SET person_id = gen_random_uuid(), customer_token = %s, customer_email = 'wanda@mail.example'
 WHERE id = %s
"""


def wait_until_published(demo: dict[str, Any], booking: str) -> None:
    """Wait for the job that shows the reviews to everyone."""

    def is_published() -> bool:
        with psycopg.connect(demo["overseer_url"]) as conn:
            query = "SELECT count(*) FROM reviews WHERE booking_id = %s AND published_at IS NOT NULL"
            return conn.execute(query, [booking]).fetchone() == (2,)

    eventually("the reviews are published", is_published)


async def test_both_review_a_session_by_keyboard(
    demo: dict[str, Any], browser: Browser, user: str, emulator: Emulator
) -> None:
    origin = str(demo["base_url"])
    guru = new_owned_guru(demo, emulator, "reviewed", like="music")
    site = origin.replace("://", f"://{guru.label}.")
    async with visitor_page(browser) as page:
        await sign_in(page, origin, user)
        booked = await page.evaluate(BOOK, [guru.label])
        with psycopg.connect(demo["overseer_url"]) as conn:
            conn.execute(END, [booked["id"]])
        await page.goto(f"{origin}/dashboard")
        await page.get_by_role("link", name=f"Write a review of {SERVICE}").click()
        heading = page.get_by_role("heading", name="How was it?")
        await expect(heading).to_be_focused()
        await assert_accessible(page, WIDTHS)
        await focus_by_tab(page, page.get_by_role("radio", name="1 star: Poor"))
        for _ in range(3):
            await page.keyboard.press("ArrowRight")
        await expect(page.get_by_role("radio", name="4 stars: Very good")).to_be_checked()
        await page.get_by_label("Your review").fill(WORDS)
        await page.reload()
        await expect(page.get_by_label("Your review")).to_have_value(WORDS)
        await press(page.get_by_role("button", name="Send review"))
        await expect_toast(page, "Thanks! Your review helps other neighbors.")
        await expect(page.get_by_text("Hidden until you both write, or until ")).to_be_visible()
        await assert_accessible(page, WIDTHS)
    async with visitor_page(browser) as page:
        await sign_in(page, origin, guru.email)
        await page.goto(f"{origin}/guru/reviews")
        await expect(page.get_by_text("No reviews yet.")).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await press(page.get_by_role("button", name="Review Ada Alvarez"))
        dialog = page.get_by_role("dialog", name="Review Ada Alvarez")
        await press(dialog.get_by_role("radio", name="5 stars: Excellent"), "Space")
        await assert_accessible(page, WIDTHS)
        await press(dialog.get_by_role("button", name="Send review"))
        await expect_toast(page, "Thanks! Your review is saved.")
        await expect(page.get_by_text(WORDS)).to_be_visible()
        await press(page.get_by_role("button", name="Reply"))
        await page.get_by_label("Your reply").fill("Come back with the next song!")
        await press(page.get_by_role("button", name="Save reply"))
        await expect_toast(page, "Your reply is saved.")
    await asyncio.to_thread(wait_until_published, demo, booked["id"])
    async with visitor_page(browser) as page:
        await page.goto(f"{site}/reviews")
        await expect(page.get_by_text(WORDS)).to_be_visible()
        await expect(page.get_by_text("Come back with the next song!")).to_be_visible()
        await assert_accessible(page, WIDTHS)


async def test_customer_reviews_with_link_by_keyboard(demo: dict[str, Any], browser: Browser, user: str) -> None:
    origin = str(demo["base_url"])
    guru = new_guru(demo, "customers", like="music")
    async with visitor_page(browser) as page:
        await sign_in(page, origin, user)
        booked = await page.evaluate(BOOK, [guru.label])
    link = CustomerLink(guru.id, new_id())
    with psycopg.connect(demo["overseer_url"]) as conn:
        conn.execute(TO_CUSTOMER, [link.token, booked["id"]])
        conn.execute(END, [booked["id"]])
    async with visitor_page(browser) as page:
        await page.goto(f"{link.url(origin)}#reviews")
        await expect(page.get_by_role("heading", name="How was it?")).to_be_focused()
        await assert_accessible(page, WIDTHS)
        await press(page.get_by_role("radio", name="5 stars: Excellent"), "Space")
        await page.get_by_label("Your review").fill(WORDS)
        await press(page.get_by_role("button", name="Send review"))
        await expect_toast(page, "Thanks! Your review helps other neighbors.")
        await page.reload()
        await expect(page.get_by_text(WORDS)).to_be_visible()
        await press(page.get_by_role("button", name="Change your review"))
        await press(page.get_by_role("radio", name="4 stars: Very good"), "Space")
        await press(page.get_by_role("button", name="Save changes"))
        await expect(page.get_by_text("Hidden until you both write, or until ")).to_be_visible()
        await assert_accessible(page, WIDTHS)
