"""A guru books for someone who called, and the customer adds the session to an account."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from porchlight.emails.session_times import format_day
from tenants.kit import clock
from tests.e2e.browser_session import (
    assert_accessible,
    expect_toast,
    extract_link,
    focus_by_tab,
    press,
    sign_in,
    submit_login,
    visitor_page,
    wait_for_email,
)
from tests.e2e.own_gurus import new_owned_guru
from tests.e2e.test_own_sessions import SERVICE
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (1280, 360)  # the test goes on in the last one
PHONE: ViewportSize = {"width": 360, "height": 740}
NAME = "Wanda Walk-In"
DENVER = ZoneInfo("America/Denver")


async def _book(page: Page, origin: str, day: str, email: str) -> None:
    """Let the guru book five in the morning for a customer, by keyboard: outside of the hours."""
    await page.goto(f"{origin}/guru/calendar")
    await press(page.get_by_role("button", name="Book for a customer"))
    dialog = page.get_by_role("dialog", name="Book for a customer")
    await dialog.get_by_label("Service").select_option(label=SERVICE)
    await dialog.get_by_label("Date").fill(day)
    await dialog.get_by_label("Time").fill("05:00")
    for label, text in (("Customer's name", NAME), ("Email", email)):
        await focus_by_tab(page, dialog.get_by_label(label))
        await page.keyboard.type(text)
    await press(dialog.get_by_role("button", name="Book", exact=True))
    anyway = dialog.get_by_role("button", name="Book anyway")
    await expect(anyway).to_be_visible()
    await expect(dialog.get_by_text("This is outside the times at which you take bookings.")).to_be_in_viewport()
    await assert_accessible(page, WIDTHS)
    await press(anyway)
    await expect_toast(page, f"Booked for {NAME}.")


async def test_customer_claims_what_guru_booked(
    product: dict[str, Any], main_origin: str, browser: Browser, emulator: Emulator
) -> None:
    guru = new_owned_guru(product, emulator, "claims", like="music")
    email, _, _ = emulator.sign_up(verified=True)
    day = clock.now().astimezone(DENVER).date() + timedelta(days=1)
    async with visitor_page(browser, viewport=PHONE) as page:
        await sign_in(page, main_origin, guru.email)
        await _book(page, main_origin, day.isoformat(), email)
    link = extract_link(wait_for_email(product, email, f"Your session on {format_day(day)} is booked"))
    async with visitor_page(browser) as page:
        await page.goto(link)
        await expect(page.get_by_role("heading", name="Add this session to your account")).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await page.get_by_role("link", name="Sign in", exact=True).press("Enter")
        await submit_login(page, email)
        add = page.get_by_role("button", name="Add to my account")
        await expect(add).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await focus_by_tab(page, add)
        await page.keyboard.press("Enter")
        await expect_toast(page, "It's in your account now.")
        await expect(page.get_by_role("heading", level=1)).to_have_text(SERVICE)
        await assert_accessible(page, WIDTHS)
        await page.goto(f"{main_origin}/sessions")
        await expect(page.get_by_role("link", name=SERVICE)).to_have_count(1)
        await page.goto(link)
        await expect(page.get_by_role("link", name="Open my session")).to_be_visible()
        await assert_accessible(page, WIDTHS)
