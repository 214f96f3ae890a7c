"""A person repeats a session weekly on a phone, by keyboard, and changes one of the sessions afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.e2e.browser_session import assert_accessible, focus_by_tab, press, sign_in, visitor_page, wait_for_email
from tests.e2e.own_gurus import new_guru
from tests.fixtures.browser import BROWSER_TIMEOUT_MS

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (1280, 360)  # the test goes on in the last one
PHONE: ViewportSize = {"width": 360, "height": 740}
TIME = re.compile("^[0-9]+:[0-9]{2} [AP]M")
SERVICE = "One-on-One Consultation"

Origin = Callable[[str], str]


async def test_person_books_four_weeks_by_keyboard(
    browser: Browser, tls_port: int, main_origin: str, product: dict[str, Any], user: str
) -> None:
    async with visitor_page(browser, viewport=PHONE) as page:
        await sign_in(page, main_origin, user)
        label = new_guru(product, "series", like="garden").label
        await page.goto(f"https://{label}.porchlight.localhost:{tls_port}/services")
        await page.get_by_role("link", name=f"See times for {SERVICE}").click()
        await page.get_by_role("button", name=TIME).first.click()
        how_often = page.get_by_label("How often")
        await expect(how_often).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        guru = await page.get_by_text(re.compile("^with ")).inner_text()
        await focus_by_tab(page, how_often)
        await page.keyboard.press("ArrowDown")
        await expect(how_often).to_have_value("1")
        count = page.get_by_label("How many sessions")
        await expect(count).to_have_value("4")
        dates = page.get_by_role("list", name="Dates").get_by_role("listitem")
        await expect(dates).to_have_count(4)
        await assert_accessible(page, WIDTHS)
        # The usual time of the last date may be taken; any other time of that day is as good.
        for select in await page.get_by_label(re.compile("^Time on ")).all():
            if await select.input_value() == "":
                await focus_by_tab(page, select)
                await page.keyboard.press("ArrowDown")
        await expect(page.get_by_text(re.compile("^4 sessions, \\$[0-9.,]+ – pay at each session$"))).to_be_visible()
        name = page.get_by_label("Your name")
        await focus_by_tab(page, name)
        await page.keyboard.press("ControlOrMeta+A")
        await page.keyboard.type("Sam Series")
        await focus_by_tab(page, page.get_by_label("Your address"))
        await page.keyboard.type("5 Fern Way, the green gate")
        await focus_by_tab(page, page.get_by_role("button", name=re.compile("^Book 4 sessions for ")))
        await page.keyboard.press("Enter")
        heading = page.get_by_role("heading", level=1)
        await expect(heading).to_have_text("You're booked!", timeout=BROWSER_TIMEOUT_MS)
        sessions = page.get_by_role("list", name="Sessions").get_by_role("listitem")
        await expect(sessions).to_have_count(4)
        await page.reload()
        await expect(sessions).to_have_count(4)
        text = wait_for_email(product, user, f"You're booked: 4 sessions of {SERVICE} {guru}")
        assert [f"Session {number}: " in text for number in range(1, 6)] == [True] * 4 + [False]

        last = sessions.last.get_by_role("link")
        await focus_by_tab(page, last)
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", name="Your series")).to_be_visible()
        await press(page.get_by_role("button", name="Cancel session"))
        dialog = page.get_by_role("alertdialog")
        # The dialog takes the focus: a key that is pressed before would go elsewhere.
        await expect(dialog.get_by_role("button", name="Keep session")).to_be_focused()
        await press(dialog.get_by_role("button", name="Cancel session"))
        await expect(page.get_by_text("You canceled this session.")).to_be_visible()
        await page.goto(f"{main_origin}/sessions")
        await expect(page.get_by_role("link", name=SERVICE)).to_have_count(3)
        await expect(page.get_by_text("Series", exact=True)).to_have_count(3)
    with psycopg.connect(product["overseer_url"]) as conn:
        query = (
            "SELECT array_agg(b.status ORDER BY b.starts_at), count(DISTINCT b.series_id),"
            " count(DISTINCT (b.starts_at AT TIME ZONE b.zone)::date) FROM bookings b"
            " JOIN users u ON u.user_id = b.person_id WHERE u.email = %s"
        )
        assert conn.execute(query, [user]).fetchone() == (["confirmed"] * 3 + ["canceled"], 1, 4)
