"""Requests of a visitor: they continue after the sign-in, on the dashboard, without a second press (SPEC 4)."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import (
    assert_accessible,
    expect_toast,
    sign_in,
    submit_login,
    visitor_page,
)
from tests.fixtures import seeded

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (360, 1280)
ADA_PROFILE = {"firstName": "Ada", "displayName": "Ada Alvarez", "location": "Boulder, Colorado"}
PUT_PROFILE = """async (profile) => {
  const headers = { "content-type": "application/json" };
  const response = await fetch("/api/auth/profile", { method: "PUT", headers, body: JSON.stringify(profile) });
  if (!response.ok) throw new Error(await response.text());
}"""


async def _continue_as(page: Page, main_origin: str, email: str, message: str) -> None:
    """Sign in on the login page, which has this message, and wait for the dashboard."""
    await expect(page.get_by_text(message, exact=True)).to_be_visible()
    await submit_login(page, email)
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Good to see you")
    await expect(page).to_have_url(re.compile(f"^{re.escape(main_origin)}/dashboard\\?action="))


async def test_find_teachers_continues_after_sign_in(browser: Browser, main_origin: str, user: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/skills?q=spanish")
        await page.get_by_role("button", name="Find Teachers").first.click()
        await _continue_as(page, main_origin, user, "Please sign in to find Language teachers.")
        request = page.get_by_role("region", name="Language teachers")
        gurus = request.get_by_role("list", name="Gurus")
        await expect(gurus.get_by_role("link", name="Profe Guru", exact=True)).to_be_visible()
        neighbors = request.get_by_role("list", name="Neighbors")
        await assert_accessible(page, WIDTHS)
        await neighbors.get_by_role("link", name=re.compile("^Message ")).first.click()
        await expect(page.get_by_role("textbox", name=re.compile("^Message "))).to_be_focused()
        await page.go_back()
        await expect(gurus).to_be_visible()


@pytest.mark.sweep
async def test_book_session_continues_after_sign_in(browser: Browser, main_origin: str, user: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/skills?q=guitar")
        await page.get_by_role("button", name="Book Session").first.click()
        await _continue_as(page, main_origin, user, "Please sign in to book a Creative session.")
        times = page.get_by_role("list", name=re.compile("^Next times for .+ with Music Guru$"))
        await times.get_by_role("button").last.click()
        await expect(page).to_have_url(re.compile(f"^{re.escape(main_origin)}/book/"))


@pytest.mark.sweep
async def test_listing_request_asks_its_teacher(browser: Browser, main_origin: str, user: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/search?q=sourdough")
        await page.get_by_role("link", name="Sourdough baking").first.click()
        await page.get_by_role("button", name="Request a session").click()
        message = "Please sign in to ask Maya Lindqvist about Sourdough baking."
        await _continue_as(page, main_origin, user, message)
        request = page.get_by_role("region", name=re.compile("^Book a .+session$"))
        await expect(request.get_by_role("link", name="Sourdough baking with Maya Lindqvist")).to_have_count(1)
        await assert_accessible(page, WIDTHS)
        await request.get_by_role("link", name="Message Maya").click()
        words = "Hi Maya, I'd like to learn Sourdough baking. "
        await expect(page.get_by_role("textbox", name="Message Maya")).to_have_value(words)
        await assert_accessible(page, WIDTHS)


async def test_angel_request_has_service_and_place(browser: Browser, main_origin: str, user: str) -> None:
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, user)
        await page.evaluate(PUT_PROFILE, ADA_PROFILE)
        await page.context.clear_cookies()
        await page.evaluate("localStorage.clear()")
        await page.goto(f"{main_origin}/angels-list?category=Pets")
        await page.get_by_role("button", name="Book Now").click()
        await _continue_as(page, main_origin, user, "Please sign in to book Pet Sitting.")
        await expect(page.get_by_label("Where")).to_have_value("Boulder, Colorado")
        await expect(
            page.get_by_role("list", name="Angels").get_by_role("link", name=re.compile("^Ask "))
        ).not_to_have_count(0)
        await assert_accessible(page, WIDTHS)
        title = f"Feed two cats {seeded.word()}"
        await page.get_by_label("What do you need?").fill(title)
        await page.get_by_role("button", name="Continue", exact=True).click()
        await expect(page.get_by_label("Kind of help")).to_have_value("pet-sitting")
        await page.get_by_label("Details").fill("Twice a day, and a little play.")
        await page.get_by_role("button", name="Post this need").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text(title)
        # Other tests must not see it.
        await page.get_by_role("button", name="Withdraw this need").click()
        await page.get_by_role("alertdialog").get_by_role("button", name="Withdraw", exact=True).click()
        await expect_toast(page, "Your need has been withdrawn.")


@pytest.mark.sweep
async def test_guru_request_shows_times_or_a_message(
    browser: Browser, main_origin: str, tls_port: int, user: str
) -> None:
    site = f"https://cooking.porchlight.localhost:{tls_port}"
    async with visitor_page(browser) as page:
        await page.goto(f"{site}/services")
        await page.get_by_role("link", name="Book Now One-on-One Consultation").click()
        message = "Please sign in to book One-on-One Consultation with Chef Guru."
        await _continue_as(page, main_origin, user, message)
        times = page.get_by_role("list", name="Next times for One-on-One Consultation with Chef Guru")
        await expect(times.get_by_role("button").first).to_be_visible()
        await page.goto(f"{site}/services")
        await page.get_by_role("link", name="Book a Session Monthly Mentorship").click()
        await expect(page.get_by_text("Book Monthly Mentorship with Chef Guru", exact=True)).to_be_visible()
        write = page.get_by_role("link", name="Message Chef Guru")
        await assert_accessible(page, WIDTHS)
        await write.click()
        chosen = page.get_by_role("combobox", name="Service").locator("option:checked")
        await expect(chosen).to_have_text("Monthly Mentorship")
        await assert_accessible(page, WIDTHS)
        await expect(page).to_have_url(re.compile(f"^{re.escape(site)}/contact\\?service="))
