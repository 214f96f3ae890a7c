"""A package of sessions in the browser: given by a guru, booked with, and used up by a late cancellation."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import assert_accessible, expect_toast, focus_by_tab, press, sign_in, visitor_page
from tests.e2e.own_gurus import new_owned_guru
from tests.e2e.test_own_sessions import BOOK, MAKE_LATE, SERVICE
from tests.fixtures.identity import Emulator

pytestmark = pytest.mark.e2e

WIDTHS = (1280, 360)  # the test goes on in the last one
NAME = "Five lessons for people who have never held a guitar"
TIME = re.compile("^[0-9]+:[0-9]{2} [AP]M")


async def _give(page: Page, origin: str) -> None:
    """Let the guru define a package and give it to Ada, by keyboard."""
    await page.goto(f"{origin}/guru/services")
    await page.get_by_role("link", name="Packages", exact=True).press("Enter")
    await expect(page.get_by_text("No packages yet")).to_be_visible()
    await press(page.get_by_role("button", name="Add a package"))
    dialog = page.get_by_role("dialog", name="Add a package")
    await dialog.get_by_label("Service").select_option(label=SERVICE)
    await focus_by_tab(page, dialog.get_by_label("Name"))
    await page.keyboard.type(NAME)
    await assert_accessible(page, WIDTHS)
    await page.keyboard.press("Enter")
    await expect_toast(page, "Added.")
    await press(page.get_by_role("button", name=f"Give {NAME}"))
    dialog = page.get_by_role("dialog", name=f"Give {NAME}")
    await press(dialog.get_by_role("radio", name="Ada Alvarez"), "Space")
    await assert_accessible(page, WIDTHS)
    await press(dialog.get_by_role("button", name="Give package"))
    await expect_toast(page, "Given. We've told Ada Alvarez.")
    await expect(page.get_by_text("5 of 5 sessions left, until ")).to_be_visible()
    await assert_accessible(page, WIDTHS)


async def _book_with_package(page: Page, origin: str) -> str:
    """Let the person find the package and book with it, by keyboard. Return the booking's id."""
    await page.goto(f"{origin}/sessions")
    mine = page.get_by_role("region", name="Your packages")
    await expect(mine.get_by_text("5 of 5 sessions left, until ")).to_be_visible()
    await assert_accessible(page, WIDTHS)
    await mine.get_by_role("link", name=f"Choose a time for {SERVICE} with ").press("Enter")
    await press(page.get_by_role("button", name=TIME).first)
    await expect(page.get_by_role("checkbox", name=f"Use {NAME}")).to_be_checked()
    await expect(page.get_by_text("This session uses it. You pay nothing more.")).to_be_visible()
    await assert_accessible(page, WIDTHS)
    await page.get_by_label("Your name").fill("Ada Alvarez")
    async with page.expect_response("**/api/bookings") as booked:
        await press(page.get_by_role("button", name="Book this time"))
    await expect(page.get_by_role("heading", level=1)).to_have_text("You're booked!")
    return str((await (await booked.value).json())["data"]["id"])


async def test_package_is_given_booked_with_and_used_up(
    demo: dict[str, Any], browser: Browser, user: str, emulator: Emulator
) -> None:
    origin = str(demo["base_url"])
    guru = new_owned_guru(demo, emulator, "packages", like="music")
    async with visitor_page(browser) as page, visitor_page(browser) as person:
        await sign_in(person, origin, user)
        await person.evaluate(BOOK, [guru.label])
        await sign_in(page, origin, guru.email)
        await _give(page, origin)
        booking = await _book_with_package(person, origin)
        with psycopg.connect(demo["overseer_url"]) as conn:
            conn.execute(MAKE_LATE, [booking])
        await person.goto(f"{origin}/sessions/{booking}")
        await expect(person.get_by_text(f"Included in your package {NAME}")).to_be_visible()
        await assert_accessible(person, WIDTHS)
        await press(person.get_by_role("button", name="Cancel session"))
        question = person.get_by_role("alertdialog", name="Cancel this session?")
        await assert_accessible(person, WIDTHS)
        await press(question.get_by_role("button", name="Cancel session"))
        await expect(person.get_by_text(f"It used a session of {NAME}.")).to_be_visible()
        await person.goto(f"{origin}/sessions")
        await expect(person.get_by_text("4 of 5 sessions left, until ")).to_be_visible()

        await page.reload()
        await press(page.get_by_role("button", name=f"Details of {NAME} of Ada Alvarez"))
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("4 of 5 sessions left, until ")).to_be_visible()
        await expect(dialog.get_by_text("1 session used")).to_be_visible()
        await assert_accessible(page, WIDTHS)
